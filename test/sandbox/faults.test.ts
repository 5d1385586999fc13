import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { FaultInjector } from "../../src/sandbox/http/faults.ts";
import { createSandbox, type FaultRule, type Sandbox } from "../../src/sandbox/index.ts";
import { holdTimers } from "../helpers/held-timers.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { call, ok } from "./client.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", faults: [{ route: "GET /status", kind: "status", count: 1 }] });
});
afterEach(() => sandbox.faults.set([]));
afterAll(() => sandbox.close());

const status = async () => (await call(sandbox, "GET", "/status")).status;

describe("faults", () => {
  it("given at the start are injected as often as they say", async () => {
    expect([await status(), await status()]).toEqual([500, 200]);
  });

  it("refuse with any status, message and Retry-After", async () => {
    sandbox.faults.set([{ route: "/device", kind: "status", status: 429, retryAfterSeconds: 8 }]);
    const answer = await call(sandbox, "GET", "/device", { token: sandbox.tokens.profile });
    expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "8"]);
    expect(answer.body).toEqual({ status: false, message: "Too many requests" });
    expect(await status()).toBe(200);
  });

  it("cut the connection before the answer, or in the middle of it", async () => {
    sandbox.faults.set([{ route: "GET /status", kind: "drop" }]);
    await expect(status()).rejects.toThrow(/socket hang up|ECONNRESET/);
    sandbox.faults.set([{ route: "GET /status", kind: "truncate" }]);
    await expect(status()).rejects.toThrow(/aborted|ECONNRESET/);
  });

  it("make a request wait", async () => {
    sandbox.faults.set([{ route: "GET /status", kind: "latency", delayMs: 120 }]);
    const startedAt = performance.now();
    expect(await status()).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(100);
  });

  it("are injected into the opening of the event stream", async () => {
    sandbox.faults.set([{ route: "GET /events", kind: "status", status: 503, count: 1 }]);
    const answer = await call(sandbox, "GET", `/events?channels=ui&token=${sandbox.tokens.profile}`);
    expect(answer.status).toBe(503);
  });

  it("do nothing to what they refuse: a write they drop is not stored", async () => {
    sandbox.faults.set([{ route: "POST /device", kind: "drop" }]);
    const token = sandbox.tokens.profile;
    await expect(call(sandbox, "POST", "/device", { token, body: { name: "Lost" } })).rejects.toThrow();
    expect(await ok(sandbox, "GET", "/device?filter[name]=Lost", { token })).toEqual([]);
  });

  it("are switched through the inspection route, which they never reach", async () => {
    const rule: FaultRule = { route: "*", kind: "status", status: 500 };
    await ok(sandbox, "PUT", "/__sandbox/faults", { body: [rule] });
    expect(await status()).toBe(500);
    expect(await ok(sandbox, "GET", "/__sandbox/faults")).toEqual([{ ...rule, injected: 1 }]);
    await ok(sandbox, "DELETE", "/__sandbox/faults");
    expect(await status()).toBe(200);
    for (const bad of [
      [5],
      [{ kind: "explode" }],
      [{ kind: "status", status: 200 }],
      [{ kind: "latency", delayMs: 1e9 }],
    ]) {
      expect((await call(sandbox, "PUT", "/__sandbox/faults", { body: bad })).status).toBe(400);
    }
    expect(sandbox.faults.list()).toEqual([]);
  });

  it("do not keep a closing sandbox waiting", async () => {
    const delay = holdTimers(60_000);
    const other = await createSandbox({ seed: "empty", faults: [{ kind: "latency", delayMs: 60_000 }] });
    const pending = call(other, "GET", "/status").catch((error: Error) => error);
    await waitFor(() => delay.waiting === 1, "the request to wait");
    // The delay never ends: closing that waited for it would not end either.
    await other.close();
    expect(await pending).toBeInstanceOf(Error);
  });
});

describe("fault rules", () => {
  const isInjected = (rule: FaultRule, method: string, path: string): boolean =>
    new FaultInjector([rule]).inject(method, path).length > 0;

  it("match method and path with stars, and a final slash or none", () => {
    const at = (route: string) => ({ route, kind: "drop" }) as const;
    expect(isInjected(at("GET /device/*"), "GET", "/device/1/data")).toBe(true);
    expect(isInjected(at("GET /device/*"), "PUT", "/device/1")).toBe(false);
    expect(isInjected(at("* /data"), "POST", "/data/")).toBe(true);
    expect(isInjected(at("/data"), "POST", "/data")).toBe(true);
    expect(isInjected(at("/data"), "POST", "/database")).toBe(false);
    expect(isInjected({ kind: "drop" }, "GET", "/anything")).toBe(true);
  });

  const injectionsOf = (faults: FaultInjector, path = "/"): number[] =>
    Array.from({ length: 1_000 }, () => faults.inject("GET", path).length);

  it("are injected into the share of requests they name", () => {
    const injected = injectionsOf(new FaultInjector([{ kind: "drop", rate: 0.3 }])).filter((count) => count === 1);
    expect(injected.length).toBeGreaterThan(250);
    expect(injected.length).toBeLessThan(350);
  });

  it("are injected into the same requests with the same seed, also after they are set again", () => {
    const rules: FaultRule[] = [{ kind: "drop", rate: 0.5 }];
    const faults = new FaultInjector(rules, 7);
    const first = injectionsOf(faults);
    expect(injectionsOf(new FaultInjector(rules, 7))).toEqual(first);
    expect(injectionsOf(new FaultInjector(rules, 8))).not.toEqual(first);
    faults.set(rules);
    expect(injectionsOf(faults)).toEqual(first);
  });

  it("do not change which requests another rule is injected into", () => {
    const rule: FaultRule = { route: "/a", kind: "drop", rate: 0.5 };
    const other: FaultRule = { route: "/b", kind: "drop", rate: 0.5 };
    const faults = new FaultInjector([rule, other], 7);
    injectionsOf(faults, "/b");
    expect(injectionsOf(faults, "/a")).toEqual(injectionsOf(new FaultInjector([rule], 7), "/a"));
  });

  it("delay by random times within their range, the same ones with the same seed", () => {
    const delaysOf = (seed: number) => {
      const faults = new FaultInjector([{ kind: "latency", delayMs: 100, jitterMs: 300 }], seed);
      return Array.from({ length: 200 }, () => faults.inject("GET", "/")[0]?.delayMs ?? Number.NaN);
    };
    const delays = delaysOf(7);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(100);
    expect(Math.min(...delays)).toBeLessThan(120);
    expect(Math.max(...delays)).toBeGreaterThan(380);
    expect(Math.max(...delays)).toBeLessThanOrEqual(400);
    expect(delaysOf(7)).toEqual(delays);
    expect(delaysOf(8)).not.toEqual(delays);
  });

  it("follow from the seed of the sandbox", async () => {
    const statuses = async (): Promise<number[]> => {
      const fault: FaultRule = { route: "GET /status", kind: "status", rate: 0.5 };
      const seeded = await createSandbox({ seed: "empty", faults: [fault] });
      const seen: number[] = [];
      for (let i = 0; i < 40; i += 1) seen.push((await call(seeded, "GET", "/status")).status);
      await seeded.close();
      return seen;
    };
    const first = await statuses();
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await statuses()).toEqual(first);
  });

  it("refuse what makes no sense at the start", () => {
    expect(() => new FaultInjector([{ kind: "status", status: 99 }])).toThrow(/status is between/);
    const sets: readonly [FaultRule, RegExp][] = [
      [{ kind: "cut", route: "GET /device" }, /cut is for the event stream/],
      [{ kind: "drop", after: 3 }, /after is for cut, stall/],
      [{ kind: "cut", after: 3, afterMs: 3 }, /exclude each other/],
      [{ kind: "latency", delayMs: 100_000, jitterMs: 100_000 }, /together are at most/],
    ];
    for (const [rule, problem] of sets) expect(() => new FaultInjector([rule])).toThrow(problem);
  });
});
