import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Account, CancelledError, InputError, Resources, VERSION } from "../../../src/index.ts";
import { type ClientOptions, HttpClient } from "../../../src/lib/api/client.ts";
import { get, post } from "../../../src/lib/api/route.ts";
import { setRuntimeRegion } from "../../../src/lib/core/regions.ts";
import { FetchTransport } from "../../../src/lib/http/fetch-transport.ts";
import { responseCache } from "../../../src/lib/http/response-cache.ts";
import { UndiciTransport } from "../../../src/lib/http/undici-transport.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { silence, startFaultServer } from "../../helpers/fault-server.ts";
import {
  failed,
  lost,
  manualClock,
  reply,
  type ScriptedTransport,
  type Step,
  scripted,
  success,
} from "../../helpers/scripted-transport.ts";

const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";
const region = { api: "https://api.example", sse: "https://sse.example" };

beforeEach(() => {
  responseCache.clear();
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  setRuntimeRegion(undefined);
});

function bench(steps: readonly [Step, ...Step[]], options: Partial<ClientOptions> = {}) {
  const transport: ScriptedTransport = scripted(...steps);
  const clock = manualClock();
  return { transport, clock, client: new HttpClient({ token, region, transport, clock, ...options }) };
}

/** The one request of a call. */
async function requestOf(call: (client: HttpClient) => Promise<unknown>, options: Partial<ClientOptions> = {}) {
  const { transport, client } = bench([success({})], options);
  await call(client);
  expect(transport.requests).toHaveLength(1);
  const [request] = transport.requests;
  if (request === undefined) throw new Error("Nothing was sent");
  return request;
}

describe("a request", () => {
  it("of a read carries token, kind and sender, and no body", async () => {
    const request = await requestOf((client) => client.call(get("/device/:deviceID"), { params: { deviceID: "d1" } }));
    expect(request).toEqual({
      method: "GET",
      url: "https://api.example/device/d1",
      headers: {
        accept: "application/json",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": `iotdeck|JS|${VERSION} (External; Node.js/${process.version} ${process.platform}/${process.arch})`,
        token,
      },
      body: undefined,
      timeoutMs: 60_000,
      signal: undefined,
    });
  });

  it("says when it comes from the platform itself", async () => {
    vi.stubEnv("T_ANALYSIS_CONTEXT", "tago-io");
    const { headers } = await requestOf((client) => client.call(get("/info"), {}));
    expect(headers["user-agent"]).toBe(`iotdeck|JS|${VERSION} (Running at TagoIO)`);
  });

  it("of a route for anybody carries no token", async () => {
    const request = await requestOf((client) => client.call(post("/account/login", { anonymous: true }), { body: {} }));
    expect(request.headers["token"]).toBeUndefined();
    expect(request.headers["content-type"]).toBe("application/json");
    expect(JSON.stringify(request)).not.toContain(token);
  });

  it.each<[string, unknown, string | undefined, string | undefined]>([
    ["an object", { a: [1, null] }, '{"a":[1,null]}', "application/json"],
    ["a list", [1], "[1]", "application/json"],
    ["a number", 0, "0", "application/json"],
    ["false", false, "false", "application/json"],
    ["dates", { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}', "application/json"],
    ["undefined members", { a: undefined, b: 1 }, '{"b":1}', "application/json"],
    ["text", "plain", "plain", "text/plain;charset=UTF-8"],
    ["empty text", "", "", "text/plain;charset=UTF-8"],
    ["null", null, undefined, undefined],
    ["nothing", undefined, undefined, undefined],
  ])("with %s as its body", async (_name, body, written, type) => {
    const request = await requestOf((client) => client.call(post("/data"), { body }));
    expect(request.body).toBe(written);
    expect(request.headers["content-type"]).toBe(type);
  });

  it("with a form or bytes leaves the type to the transport", async () => {
    const form = new FormData();
    form.set("file", new Blob(["x"]), "a.txt");
    for (const body of [form, new Uint8Array([1, 2])]) {
      const request = await requestOf((client) => client.call(post("/files"), { body }));
      expect(request.body).toBe(body);
      expect(request.headers["content-type"]).toBeUndefined();
    }
  });

  it("of a read never has a body", async () => {
    expect((await requestOf((client) => client.call(get("/info"), { body: { a: 1 } }))).body).toBeUndefined();
  });

  it("with a body JSON cannot hold is refused before anything is sent", async () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const { transport, client } = bench([success({})]);
    for (const body of [circle, { n: 1n }, () => 1, Symbol("x")]) {
      const error = await failureOf(client.call(post("/data"), { body }));
      expect(error).toBeInstanceOf(InputError);
      expect(error).toMatchObject({ field: "body" });
      expect(error.message).toMatch(/^The body cannot be written as JSON: /);
    }
    expect(transport.requests).toHaveLength(0);
  });

  it("goes where the region is at the moment of the call", async () => {
    vi.stubEnv("TAGOIO_API", undefined);
    const { transport, client } = bench([success({})], { region: undefined });
    const calls = async () => {
      await client.call(get("/info"), {});
      return transport.requests.at(-1)?.url;
    };
    expect(await calls()).toBe("https://api.tago.io/info");
    vi.stubEnv("TAGOIO_API", "http://127.0.0.1:9");
    expect(await calls()).toBe("http://127.0.0.1:9/info");
    setRuntimeRegion("eu-w1");
    expect(await calls()).toBe("https://api.eu-w1.tago.io/info");
  });

  it("to an invalid region is refused, as a rejection", async () => {
    const { transport, client } = bench([success({})], { region: "mars-1" as "us-e1" });
    await expect(client.call(get("/info"), {})).rejects.toThrow("Invalid region mars-1");
    expect(transport.requests).toHaveLength(0);
  });
});

describe("the time an attempt may take", () => {
  const timeoutOf = async (options: Partial<ClientOptions>, callMs?: number) =>
    (await requestOf((client) => client.call(get("/info"), { timeoutMs: callMs }), options)).timeoutMs;

  it("is that of the call, else of the client, else of the environment, else 60 s", async () => {
    expect(await timeoutOf({})).toBe(60_000);
    vi.stubEnv("TAGOIO_REQUEST_TIMEOUT", "7000");
    expect(await timeoutOf({})).toBe(7_000);
    expect(await timeoutOf({ timeoutMs: 500 })).toBe(500);
    expect(await timeoutOf({ timeoutMs: 500 }, 20)).toBe(20);
    expect(await timeoutOf({ timeoutMs: 500 }, 0)).toBe(0);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("is never %s", async (timeoutMs) => {
    expect(() => new HttpClient({ token, timeoutMs })).toThrow("Invalid timeoutMs: it must be a number from 0");
    const { client, transport } = bench([success({})]);
    await expect(client.call(get("/info"), { timeoutMs })).rejects.toThrow(InputError);
    expect(transport.requests).toHaveLength(0);
  });
});

describe("a signal", () => {
  it("that has ended before sends nothing", async () => {
    const { client, transport } = bench([success({})]);
    const error = await failureOf(client.call(get("/info"), { signal: AbortSignal.abort("enough") }));
    expect(error).toBeInstanceOf(CancelledError);
    expect(error["cause"]).toBe("enough");
    expect(transport.requests).toHaveLength(0);
  });

  it.each([
    ["undici", () => new UndiciTransport()],
    ["fetch", () => new FetchTransport()],
  ])("that ends while the first connection over %s is being opened ends the call", async (_name, make) => {
    const server = await startFaultServer(silence);
    try {
      const controller = new AbortController();
      const local = { api: server.url, sse: "" };
      const client = new HttpClient({ token, region: local, transport: make(), signal: controller.signal });
      const call = client.call(get("/info"), {});
      controller.abort("enough");
      await expect(call).rejects.toMatchObject({ name: "CancelledError", cause: "enough" });
      expect(server.requests).toHaveLength(0);
    } finally {
      await server.close();
    }
  });

  it("of the client ends every call of it, together with that of the call", async () => {
    const whole = new AbortController();
    const one = new AbortController();
    const states: unknown[] = [];
    const first: Step = ({ signal }) => {
      states.push(signal?.aborted);
      one.abort();
      states.push(signal?.aborted);
      return success({});
    };
    const { client, transport } = bench([first, success({})], { signal: whole.signal });
    await client.call(get("/info"), { signal: one.signal });
    expect(states).toEqual([false, true]);
    await expect(client.call(get("/info"), {})).resolves.toEqual({});
    whole.abort();
    await expect(client.call(get("/info"), {})).rejects.toThrow(CancelledError);
    await expect(client.exchange(get("/info"), {})).rejects.toThrow(CancelledError);
    expect(transport.requests).toHaveLength(2);
  });
});

describe("a cached route", () => {
  const texts = get("/dictionary/:slug", { cacheMs: 60_000, dates: ["at"] });
  const read = (client: HttpClient, slug = "HELLO", query?: Record<string, unknown>) =>
    client.call(texts, { params: { slug }, query });

  it("is asked once for 1,000 callers, and not again until its time is over", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    const { client, transport } = bench([success({ HELLO: "Hello" })]);
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => read(client)));
    for (const answer of answers) expect(answer).toEqual({ HELLO: "Hello" });
    expect(new Set(answers).size).toBe(1_000);
    vi.setSystemTime(59_999);
    await read(client);
    expect(transport.requests).toHaveLength(1);
    vi.setSystemTime(60_000);
    await read(client);
    expect(transport.requests).toHaveLength(2);
  });

  it("is asked anew for another path, query, token, region or method", async () => {
    const { client, transport } = bench([success({ a: 1 })]);
    await read(client);
    await read(client, "OTHER");
    await read(client, "HELLO", { fallback: true });
    await read(new HttpClient({ token: "other", region, transport }));
    await read(new HttpClient({ token, region: { api: "https://other.example", sse: "" }, transport }));
    await client.call({ ...texts, method: "POST" }, { params: { slug: "HELLO" } });
    expect(transport.requests).toHaveLength(6);
    await read(client);
    expect(transport.requests).toHaveLength(6);
  });

  it("keeps dates as dates", async () => {
    const { client } = bench([success({ at: "2024-03-05T10:20:30.000Z" })]);
    const first = await read(client);
    expect(first).toEqual({ at: new Date("2024-03-05T10:20:30.000Z") });
    expect(await read(client)).toEqual(first);
  });

  it.each<[string, Step]>([
    ["a refusal", failed(400)],
    ["no answer", lost()],
    ["an empty reply", reply()],
    ["a result that is null", success(null)],
  ])("does not keep %s", async (_name, step) => {
    const { client, transport } = bench([step, success({ a: 1 })], { attempts: 1 });
    await read(client).catch(() => undefined);
    await expect(read(client)).resolves.toEqual({ a: 1 });
    expect(transport.requests).toHaveLength(2);
  });
});

describe("a shareable route", () => {
  it("is sent once for callers of the same time, and again for later ones", async () => {
    const shared = get("/info", { share: true });
    const { client, transport } = bench([success({ id: "d1" })]);
    const [first, second] = await Promise.all([client.call(shared, {}), client.call(shared, {})]);
    expect(first).toEqual({ id: "d1" });
    expect(first).not.toBe(second);
    expect(transport.requests).toHaveLength(1);
    await client.call(shared, {});
    expect(transport.requests).toHaveLength(2);
  });

  it("is the only kind that is shared", async () => {
    const { client, transport } = bench([success({})]);
    await Promise.all([client.call(get("/info"), {}), client.call(get("/info"), {})]);
    await Promise.all([client.call(post("/data"), { body: 1 }), client.call(post("/data"), { body: 1 })]);
    expect(transport.requests).toHaveLength(4);
  });
});

describe("tokens", () => {
  const secret = "5e1c0de0-aaaa-bbbb-cccc-0123456789ab";

  /** All text an error can show, its causes included. */
  function textOf(error: Error): string {
    const members = Object.entries(error).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
    const cause = error.cause instanceof Error ? textOf(error.cause) : "";
    return [error.message, error.stack, String(error), ...members, cause].join("\n");
  }

  it.each<[string, Step]>([
    ["no answer", lost()],
    ["a refusal", failed(400)],
    ["500", failed(500)],
    ["an empty reply", reply({ status: 400 })],
    ["HTML", reply({ text: "<html>" })],
  ])("are in no error of %s", async (_name, step) => {
    const resources = new Resources({ token, region, transport: scripted(step), clock: manualClock() });
    for (const call of [
      resources.devices.tokenDelete(secret),
      resources.profiles.tokenDelete("current", secret),
      resources.devices.info("d1"),
      resources.devices.paramList("d1", true),
    ]) {
      const text = textOf(await failureOf(call));
      expect(text).not.toContain(token);
      expect(text).not.toContain(secret);
    }
  });

  it("in a path show their ends, short ones nothing", async () => {
    const { devices } = new Resources({ token, region, transport: scripted(failed(400)), clock: manualClock() });
    expect((await failureOf(devices.tokenDelete(secret)))["url"]).toBe("https://api.example/device/token/5e1c...89ab");
    expect((await failureOf(devices.tokenDelete("abcdefghijkl")))["url"]).toBe("https://api.example/device/token/...");
  });

  it("of a query are left out with the query", async () => {
    const { client } = bench([failed(400)]);
    const error = await failureOf(client.call(get("/events"), { query: { token: secret } }));
    expect(error["url"]).toBe("https://api.example/events");
    expect(textOf(error)).not.toContain(secret);
  });

  it("and passwords of a login are in no error", async () => {
    const error = await failureOf(Account.login({ email: "a@b.example", password: secret }, "mars-1" as "us-e1"));
    expect(textOf(error)).not.toContain(secret);
  });
});
