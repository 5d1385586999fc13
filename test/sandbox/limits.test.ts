import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, type ManualClock, manualClock, type Sandbox } from "../../src/sandbox/index.ts";
import { call, newDevice, ok } from "./client.ts";

const START = Date.parse("2026-01-31T12:00:15.000Z");

let sandbox: Sandbox;
let clock: ManualClock;
let token: string;

beforeAll(async () => {
  clock = manualClock(START);
  sandbox = await createSandbox({ seed: "empty", clock, rateLimits: true, plan: "free" });
  token = sandbox.tokens.profile;
});
beforeEach(() => {
  clock.advance(60_000);
  sandbox.limits.set({ perMinute: true, plan: "free" });
});
afterAll(() => sandbox.close());

const times = async (count: number, work: () => Promise<{ readonly status: number }>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < count; i += 1) statuses.push((await work()).status);
  return statuses;
};

describe("requests per minute", () => {
  it("are refused with 429, the seconds to wait, and the platform's text, until the next minute", async () => {
    clock.set(Math.ceil(clock.now() / 60_000) * 60_000 + 52_000);
    const list = () => call(sandbox, "GET", "/device", { token });
    expect(new Set(await times(50, list))).toEqual(new Set([200]));
    const refused = await list();
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "8"]);
    expect(refused.body).toEqual({ status: false, message: "Too many requests (Retry-After: 8)" });
    clock.advance(7_999);
    expect((await list()).headers["retry-after"]).toBe("1");
    clock.advance(1);
    expect((await list()).status).toBe(200);
  });

  it("are counted per kind of request: aggregates apart from other reads, one profile apart from another", async () => {
    const device = await newDevice(sandbox);
    const read = (query: string) => call(sandbox, "GET", `/data?variable=a${query}`, { token: device.token });
    const aggregate = () => read("&query=aggregate&interval=hour&function=avg&start_date=1 day");
    expect(await times(6, aggregate)).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await read("")).status).toBe(200);
    expect((await call(sandbox, "GET", "/device", { token })).status).toBe(200);
  });

  it("do nothing of a refused write", async () => {
    const create = () => call(sandbox, "POST", "/device", { token, body: { name: "One of many" } });
    sandbox.limits.set({ perMinute: true, plan: "free" });
    const before = await ok<unknown[]>(sandbox, "GET", "/device?amount=100", { token });
    const made = (await times(12, create)).filter((status) => status === 201).length;
    expect(await ok(sandbox, "GET", "/device?amount=100", { token })).toHaveLength(before.length + made);
  });

  it("are switched on and off while it runs, and show how far they are used", async () => {
    const put = (body: unknown) => call(sandbox, "PUT", "/__sandbox/limits", { body });
    expect((await put({ perMinute: true, plan: "starter" })).body.result).toEqual({
      perMinute: true,
      plan: "starter",
      uses: [],
    });
    await ok(sandbox, "GET", "/info", { token });
    expect(await ok(sandbox, "GET", "/__sandbox/limits")).toMatchObject({
      uses: [{ limit: "info", used: 1, most: 5_000, profile: sandbox.profileId }],
    });
    expect((await put({ perMinute: false })).status).toBe(200);
    expect(new Set(await times(60, () => call(sandbox, "GET", "/device", { token })))).toEqual(new Set([200]));
    for (const wrong of [undefined, {}, { perMinute: 1 }, { perMinute: true, plan: "gold" }, []]) {
      expect((await put(wrong)).status).toBe(400);
    }
  });

  it("are off unless asked for", async () => {
    const other = await createSandbox({ seed: "empty" });
    expect(other.limits.settings).toEqual({ perMinute: false });
    await other.close();
  });
});

describe("records of a plan", () => {
  it("fit one above the number, as on the platform, and are refused beyond with the platform's text", async () => {
    const other = await createSandbox({ seed: "empty", plan: "free" });
    const create = () => call(other, "POST", "/device", { token: other.tokens.profile, body: { name: "Next" } });
    expect(await times(6, create)).toEqual([201, 201, 201, 201, 201, 201]);
    const refused = await create();
    expect([refused.status, refused.body.message]).toEqual([
      402,
      "You have exceeded the maximum limit of Device (5). Please upgrade you plan or contact support.",
    ]);
    await other.close();
  });
});
