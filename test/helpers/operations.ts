import { once } from "node:events";
import type { Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CallOptions } from "../../src/lib/api/client.ts";
import type { DeviceConstructorParams } from "../../src/lib/clients/device.ts";
import { CancelledError } from "../../src/lib/core/errors.ts";
import { failureOf, modes, token } from "./fault-client.ts";
import { answer, type FaultServer, ok, silence, startFaultServer } from "./fault-server.ts";
import { usualAnswer } from "./routes.ts";

/** One way to call a method, and the request it must make. */
export interface Operation<Subject> {
  readonly method: string;
  /** What is special about this way to call it. */
  readonly when?: string;
  call(subject: Subject, options?: CallOptions): Promise<unknown>;
  /** Method, path and query, decoded: `GET /device?page=1`. */
  readonly sends: string;
  /** Body as JSON; none when absent. */
  readonly body?: unknown;
  /** Result of the server. @default one of the kind that the route gives */
  readonly answers?: unknown;
  /** What the caller gets. @default the server's result */
  readonly gives?: unknown;
}

/** Makes an argument that cannot be changed: a method that tries ends with a TypeError. */
export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) frozen(member);
  return value;
}

/** Everything an async generator gives, page by page. */
export async function collect<Page>(pages: AsyncIterable<Page>): Promise<Page[]> {
  const all: Page[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

/** Names of the methods of a class. Iterators over its lists are not among them: test/contract/iterators.test.ts knows those. */
export function methodsOf(type: { readonly prototype: object }): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(type.prototype))
    .filter(([name, { value }]) => name !== "constructor" && !/^all([A-Z]|$)/.test(name) && typeof value === "function")
    .map(([name]) => name);
}

const titleOf = <S>({ method, when }: Operation<S>) => (when === undefined ? method : `${method}, ${when}`);

/** Runs a table against a server that writes down what it gets, over both transports. */
export function testOperations<Subject>(
  make: (params: DeviceConstructorParams) => Subject,
  operations: readonly Operation<Subject>[],
): void {
  const table = operations.map((operation) => ({ title: titleOf(operation), operation }));

  describe.each(modes)("over $name", ({ options }) => {
    let server: FaultServer;

    beforeAll(async () => {
      server = await startFaultServer(silence);
    });
    beforeEach(() => server.reset());
    afterAll(() => server.close());

    const subject = () =>
      make({ token, region: { api: server.url, sse: `${server.url}/events` }, attempts: 1, ...options });

    it.each(table)("$title sends one request and gives its result", async ({ operation }) => {
      const { answers = usualAnswer(operation.sends), gives = answers } = operation;
      server.react(ok(answers));
      await expect(operation.call(subject())).resolves.toEqual(gives);
      expect(server.requests).toHaveLength(1);
      const [request] = server.requests;
      expect(`${request?.method} ${decodeURIComponent(request?.path ?? "")}`).toBe(operation.sends);
      expect(request?.headers["token"]).toBe(token);
      expect(request?.body === "" ? undefined : JSON.parse(request?.body ?? "")).toEqual(operation.body);
      expect(request?.headers["content-type"]).toBe(operation.body === undefined ? undefined : "application/json");
    });

    it.each(table)("$title is refused with the server's words", async ({ operation }) => {
      server.react(answer({ status: 403, body: '{"status":false,"message":"Authorization Denied"}' }));
      expect(await failureOf(operation.call(subject()))).toMatchObject({
        name: "ApiError",
        message: "Authorization Denied",
        status: 403,
      });
    });

    it.each(table)("$title ends with the caller's signal", async ({ operation }) => {
      const arrived = new Promise<Socket>((resolve) => server.react(({ socket }) => resolve(socket)));
      const controller = new AbortController();
      const outcome = failureOf(operation.call(subject(), { signal: controller.signal }));
      const connection = await arrived;
      controller.abort("enough");
      const error = await outcome;
      expect(error).toBeInstanceOf(CancelledError);
      expect(error["cause"]).toBe("enough");
      if (!connection.destroyed) await once(connection, "close");
    });
  });

  it.each(table)("$title sends nothing after its signal has ended", async ({ operation }) => {
    let sent = 0;
    const refuse = async () => {
      sent += 1;
      throw new Error("Something was sent");
    };
    const subject = make({ token, region: { api: "http://127.0.0.1:9", sse: "" }, attempts: 1, fetch: refuse });
    const error = await failureOf(operation.call(subject, { signal: AbortSignal.abort("enough") }));
    expect(error).toBeInstanceOf(CancelledError);
    expect(sent).toBe(0);
  });
}
