import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openEventStream } from "../../src/index.ts";
import { createSandbox, gaps, type Sandbox } from "../../src/sandbox/index.ts";
import { call, newDevice, ok } from "./client.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", strict: true });
});
afterEach(() => switchTo(true));
afterAll(() => sandbox.close());

const switchTo = (strict: boolean) => ok(sandbox, "PUT", "/__sandbox/strict", { body: { strict } });
const secret = (key: string) =>
  call(sandbox, "POST", "/secrets", { token: sandbox.tokens.profile, body: { key, value: "a value" } });
const GAP = "x-sandbox-gap";

describe("a strict sandbox", () => {
  it("rejects what rests on an assumption, with the assumption as its text", async () => {
    expect((await secret("FIRST")).status).toBe(200);
    const answer = await secret("FIRST");
    expect([answer.status, answer.headers[GAP]]).toEqual([501, "Secrets the platform rejects"]);
    expect(answer.body.message).toBe(
      "Unknown platform behavior (strict mode): Secrets the platform rejects. The sandbox assumes: " +
        "400 Sorry, Internal Error for keys with other characters than letters, digits and _, keys in use, and values of fewer than 6 or more than 2,048 characters; the same for every kind of secret",
    );
  });

  it("is switched while it runs; otherwise the assumption is named in a header and in the request log", async () => {
    await secret("SECOND");
    await switchTo(false);
    const answer = await secret("SECOND");
    expect([answer.status, answer.headers[GAP]]).toEqual([400, "Secrets the platform rejects"]);
    expect(sandbox.requestLog().at(-1)).toMatchObject({ status: 400, gap: "Secrets the platform rejects" });
    expect(await ok(sandbox, "GET", "/__sandbox/strict")).toEqual({ strict: false });
    expect((await secret("THIRD")).headers[GAP]).toBeUndefined();
    expect(sandbox.requestLog().at(-1)).not.toHaveProperty("gap");
    expect((await call(sandbox, "PUT", "/__sandbox/strict", { body: { strict: "yes" } })).status).toBe(400);
  });

  it("rejects bodies whose error is assumed before any handler sees them", async () => {
    const token = sandbox.tokens.profile;
    const send = (raw: string, type = "application/json") =>
      call(sandbox, "POST", "/device", { token, raw, headers: { "content-type": type } });
    for (const [answer, gap] of [
      [await send("{"), "Body is not JSON"],
      [await send("{}", "application/xml"), "Body of another content type than JSON"],
      [await send('{"name":"Null","serie_number":null,"active":null}'), "null in a body"],
    ] as const) {
      expect([answer.status, answer.headers[GAP]]).toEqual([501, gap]);
    }
    expect(await ok(sandbox, "GET", "/device?filter[name]=Null", { token })).toEqual([]);
  });

  it("rejects assumptions of routes with a server of their own", async () => {
    const token = sandbox.tokens.profile;
    const stream = await call(sandbox, "GET", `/events?channels=nothing&token=${token}`);
    expect([stream.status, stream.headers[GAP]]).toEqual([501, "Event stream: unknown channel"]);
    const headers = { "last-event-id": "5" };
    const resumed = await call(sandbox, "GET", `/events?channels=ui&token=${token}`, { headers });
    expect([resumed.status, resumed.headers[GAP]]).toEqual([501, "Event stream: missed events"]);
    const nobody = await call(sandbox, "POST", "/pdf");
    expect([nobody.status, nobody.headers[GAP]]).toEqual([501, "No token"]);
  });

  it("leaves alone what is known, the event stream and its own routes", async () => {
    const { profile } = sandbox.tokens;
    const [connector, network] = await Promise.all(
      ["connector", "network"].map(async (kind) => {
        const [first] = await ok<{ id: string }[]>(sandbox, "GET", `/integration/${kind}`, { token: profile });
        return first?.id;
      }),
    );
    const { token } = await newDevice(sandbox, { type: "mutable", connector, network });
    expect((await call(sandbox, "POST", "/data", { token, body: { variable: "a", value: 1 } })).status).toBe(200);
    const bad = await call(sandbox, "PUT", "/__sandbox/faults", {
      raw: "{",
      headers: { "content-type": "application/json" },
    });
    expect([bad.status, bad.headers[GAP]]).toEqual([400, undefined]);
    const region = { api: sandbox.url, sse: sandbox.eventsUrl };
    const stream = openEventStream({ token: sandbox.tokens.profile, channels: { channel: "ui" }, region });
    for await (const item of stream) {
      expect(item.type).toBe("open");
      break;
    }
  });

  it("shows its header to web pages that may use it", async () => {
    const origin = sandbox.url;
    const { headers } = await call(sandbox, "GET", "/nowhere", { headers: { origin } });
    expect([headers["access-control-expose-headers"], headers[GAP]]).toEqual([GAP, "Unknown route"]);
  });
});

describe("the list of gaps", () => {
  it("has subjects that fit into a header and can be told apart in it", () => {
    const subjects = gaps.map(({ subject }) => subject);
    expect(subjects.filter((subject) => !/^[ -~]{1,80}$/.test(subject) || subject.includes("; "))).toEqual([]);
    expect(new Set(subjects).size).toBe(subjects.length);
  });

  it("says which are tied to requests", async () => {
    const rows = await ok<{ subject: string; scope: string }[]>(sandbox, "GET", "/__sandbox/gaps");
    expect(rows).toHaveLength(gaps.length);
    const scopeOf = (subject: string) => rows.find((row) => row.subject === subject)?.scope;
    expect(scopeOf("Secrets the platform rejects")).toBe("request");
    expect(scopeOf("Event stream: slow listener")).toBe("general");
  });
});
