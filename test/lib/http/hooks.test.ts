import { afterEach, describe, expect, it } from "vitest";
import {
  Account,
  Analysis,
  type ClientHooks,
  Device,
  Dictionary,
  Network,
  type RequestEvent,
  Resources,
  RunUser,
  rawRequest,
  Services,
} from "../../../src/index.ts";
import { responseCache } from "../../../src/lib/http/response-cache.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { type SmallServer, sendJson, smallServer } from "../../helpers/small-server.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";
let server: SmallServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
  responseCache.clear();
});

/** A server that answers with these statuses one after the other, then with a success. 0 closes the connection. */
async function answering(...statuses: readonly number[]): Promise<string> {
  let next = 0;
  server = await smallServer((_request, response) => {
    const status = statuses[next];
    next += 1;
    if (status === 0) return void response.destroy();
    response.setHeader("x-request-id", `r${next}`);
    if (status === undefined) sendJson(response, 200, { status: true, result: [] });
    else sendJson(response, status, { status: false, message: "Secret of the answer" });
  });
  return server.url;
}

type Named = [name: keyof ClientHooks, event: object];

function recorder(): { readonly events: Named[]; readonly hooks: ClientHooks } {
  const events: Named[] = [];
  const noted =
    (name: keyof ClientHooks) =>
    (event: object): void =>
      void events.push([name, event]);
  const hooks = { onRequest: noted("onRequest"), onResponse: noted("onResponse"), onRetry: noted("onRetry") };
  return { events, hooks };
}

const settings = (url: string) => ({ token, region: { api: url, sse: url }, retryDelayMs: 5 });

describe("hooks", () => {
  it("see every attempt in its order, with what tells them apart", async () => {
    const url = await answering(503, 0);
    const { events, hooks } = recorder();
    await new Device({ ...settings(url), hooks }).sendData({ variable: "level", value: 1 });
    const { call } = (events[0]?.[1] ?? {}) as Partial<RequestEvent>;
    const about = { call, method: "POST", url: `${url}/data` };
    expect(events).toMatchObject([
      ["onRequest", { ...about, attempt: 1 }],
      ["onResponse", { ...about, attempt: 1, status: 503, failure: undefined, requestId: "r1" }],
      ["onRetry", { attempt: 1, of: 5, delayMs: 5, reason: "HTTP 503", method: "POST", isWrite: true }],
      ["onRequest", { ...about, attempt: 2 }],
      ["onResponse", { ...about, attempt: 2, status: -1, requestId: undefined }],
      ["onRetry", { attempt: 2 }],
      ["onRequest", { ...about, attempt: 3 }],
      ["onResponse", { ...about, attempt: 3, status: 200, requestId: "r3" }],
    ]);
    expect(events[4]?.[1]).toMatchObject({ failure: expect.stringMatching(/^[A-Z_]+$/) });
    expect(events[7]?.[1]).toMatchObject({ durationMs: expect.any(Number) });
  });

  it("are handed frozen events without token, query, bodies and errors", async () => {
    const url = await answering(500);
    const { events, hooks } = recorder();
    const resources = new Resources({ ...settings(url), hooks });
    await resources.devices.tokenDelete(token);
    await resources.devices.list({ filter: { name: "Secret of the query" } });
    await new Device({ ...settings(url), hooks }).sendData({ variable: "Secret of the body", value: 1 });
    expect(events.length).toBeGreaterThan(6);
    for (const [, event] of events) {
      expect(Object.isFrozen(event)).toBe(true);
      expect("error" in event).toBe(false);
    }
    const text = JSON.stringify(events);
    expect(text).not.toContain(token);
    expect(text).not.toContain("Secret");
    expect(text).toContain("/device/token/3f0b...89ab");
    const headers = (events[0]?.[1] as RequestEvent | undefined)?.headers ?? {};
    expect(Object.isFrozen(headers)).toBe(true);
    expect(headers["accept"]).toBe("application/json");
    expect(Object.keys(headers)).not.toContain("token");
  });

  it("that throw or reject change nothing, and warn once each", async () => {
    const url = await answering(500);
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", note);
    try {
      const hooks: ClientHooks = {
        onRequest: () => {
          throw new Error("broken onRequest");
        },
        onResponse: async () => {
          throw new Error("broken onResponse");
        },
        onRetry: () => {
          throw new Error("broken onRetry");
        },
      };
      const device = new Device({ ...settings(url), hooks });
      await device.getParameters();
      await device.getParameters();
      await waitFor(() => warnings.length >= 3, "the warnings");
      expect(warnings.filter((text) => text.includes("broken onRequest"))).toHaveLength(1);
      expect(warnings.filter((text) => text.includes("broken onResponse"))).toHaveLength(1);
      expect(warnings).toHaveLength(3);
    } finally {
      process.off("warning", note);
    }
  });

  it("leave the option onRetry as it is: both are called", async () => {
    const url = await answering(500);
    const { events, hooks } = recorder();
    const errors: Error[] = [];
    await new Device({ ...settings(url), hooks, onRetry: ({ error }) => errors.push(error) }).getParameters();
    expect(errors).toHaveLength(1);
    expect(events.filter(([name]) => name === "onRetry")).toHaveLength(1);
  });

  it("see a cancelled attempt end", async () => {
    server = await smallServer(() => undefined);
    const { events, hooks } = recorder();
    const abort = new AbortController();
    const call = new Device({ ...settings(server.url), hooks }).info({ signal: abort.signal });
    await waitFor(() => server?.seen.length === 1, "the request");
    abort.abort();
    await failureOf(call);
    expect(events).toMatchObject([
      ["onRequest", { attempt: 1 }],
      ["onResponse", { status: -1, failure: "CANCELLED" }],
    ]);
  });

  it("are called once for calls that share a request, and not for a result from the cache", async () => {
    const url = await answering();
    const { events, hooks } = recorder();
    const dictionary = new Dictionary({ ...settings(url), hooks });
    const read = () => dictionary.getLanguagesData("TEST", "en-US");
    await Promise.all([read(), read()]);
    await read();
    expect(events.map(([name]) => name)).toEqual(["onRequest", "onResponse"]);
  });

  const calls: readonly [name: string, call: (params: ReturnType<typeof settings>) => Promise<unknown>][] = [
    ["Account", (params) => new Account(params).devices.list()],
    ["Resources", (params) => new Resources(params).run.listUsers()],
    ["Device", (params) => new Device(params).info()],
    ["Network", (params) => new Network(params).info()],
    ["RunUser", (params) => new RunUser(params).info("example.tago.run")],
    ["Services", (params) => new Services(params).console.log("x")],
    [
      "Analysis",
      (params) =>
        new Analysis(() => undefined, { ...params, autostart: false }).client.call(
          { method: "GET", path: "/info" },
          {},
        ),
    ],
    ["rawRequest", (params) => rawRequest(params, { method: "GET", path: "/info" })],
  ];
  it.each(calls)("are called by %s", async (_, call) => {
    const { events, hooks } = recorder();
    const params = { ...settings(await answering()), hooks };
    await call(params);
    expect(events.map(([name]) => name)).toEqual(["onRequest", "onResponse"]);
  });

  it.each(["http", "undici", "fetch"] as const)("are called on the transport %s", async (transport) => {
    const { events, hooks } = recorder();
    await new Device({ ...settings(await answering(503)), transport, hooks }).getParameters();
    expect(events.map(([name]) => name)).toEqual(["onRequest", "onResponse", "onRetry", "onRequest", "onResponse"]);
    expect(events[1]?.[1]).toMatchObject({ status: 503, requestId: "r1" });
  });
});
