import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  CancelledError,
  type ClientOptions,
  type Clock,
  createLimiter,
  Device,
  InputError,
  type LimiterOptions,
  Resources,
  type Transport,
  type WaitEvent,
} from "../../../src/index.ts";
import { rates, ratesOf } from "../../../src/lib/core/rates.ts";
import { NodeTransport } from "../../../src/lib/http/node-transport.ts";
import { createSandbox, type ManualClock, manualClock, type Sandbox } from "../../../src/sandbox/index.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { routeTables } from "../../helpers/route-tables.ts";
import { failed, manualClock as scriptClock, scripted, success } from "../../helpers/scripted-transport.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const MINUTE_MS = 60_000;

describe("a limiter against the limits of the sandbox", () => {
  let sandbox: Sandbox;
  let time: ManualClock;
  let open = 0;
  /** The time of the sandbox, in which waits take no time of ours. It passes while no request is under way. */
  let clock: Clock;
  let base: ClientOptions & { readonly token: string };

  beforeAll(async () => {
    time = manualClock(Date.now());
    clock = {
      now: () => time.now(),
      sleep: async (ms, signal) => {
        if (signal?.aborted) throw new CancelledError();
        do await setImmediate();
        while (open > 0);
        time.advance(ms);
      },
    };
    sandbox = await createSandbox({ seed: "empty", ephemeral: true, clock: time, rateLimits: true, plan: "free" });
    base = {
      token: sandbox.tokens.profile,
      region: { api: sandbox.url, sse: sandbox.eventsUrl },
      clock,
      transport: timeless(new NodeTransport({})),
    };
  });
  beforeEach(() => toLater());
  afterAll(() => sandbox.close());

  let turns = 0;
  /** Moves to a later minute, in step with the real time: that is all a new limiter knows of the server's. */
  const toLater = (): void => {
    turns += 1;
    time.set(Date.now() + turns * 100 * MINUTE_MS);
  };

  /** Hides the `Date` of the responses, which is not the time of this sandbox. */
  const timeless = (inner: Transport): Transport => ({
    name: inner.name,
    stream: (request) => inner.stream(request),
    async send(request) {
      open += 1;
      const reply = await inner.send(request).finally(() => {
        open -= 1;
      });
      return { ...reply, header: (name) => (name === "date" ? undefined : reply.header(name)) };
    },
  });

  async function refusals(work: () => Promise<unknown>): Promise<number> {
    const from = sandbox.requestLog().length;
    await work();
    return sandbox
      .requestLog()
      .slice(from)
      .filter(({ status }) => status === 429).length;
  }

  async function lanes(count: number, width: number, task: () => Promise<unknown>): Promise<void> {
    let left = count;
    const lane = async (): Promise<void> => {
      for (; left > 0; ) {
        left -= 1;
        await task();
      }
    };
    await Promise.all(Array.from({ length: width }, lane));
  }

  const limiterOf = (options: LimiterOptions = {}) => createLimiter({ plan: "free", clock, ...options });

  it("is never refused, where a client without one is", { tags: ["slow"] }, async () => {
    const plain = new Resources(base);
    expect(await refusals(() => lanes(120, 8, () => plain.devices.list()))).toBeGreaterThan(0);
    toLater();
    const limited = new Resources({ ...base, limiter: limiterOf() });
    const startMs = time.now();
    expect(await refusals(() => lanes(120, 8, () => limited.devices.list()))).toBe(0);
    // 120 requests at 50 a minute: two turns of the minute, and no more.
    expect((time.now() - startMs) / MINUTE_MS).toBeLessThan(2.1);
  });

  it("counts kinds apart: one that waits does not hold another back", async () => {
    const waits: WaitEvent[] = [];
    const hooks = { onWait: (event: WaitEvent) => waits.push(event) };
    const { devices, tags } = new Resources({ ...base, hooks, limiter: limiterOf({ limits: { deviceList: 2 } }) });
    await lanes(2, 1, () => devices.list());
    const startMs = time.now();
    await lanes(30, 4, () => tags.getTagKeys("device"));
    expect([time.now(), waits]).toEqual([startMs, []]);
    await devices.list();
    expect(time.now()).toBeGreaterThan(startMs);
    expect(waits).toEqual([
      { method: "GET", url: `${sandbox.url}/device`, limit: "device list", delayMs: time.now() - startMs },
    ]);
    expect(Object.isFrozen(waits[0])).toBe(true);
  });

  it("counts the requests of all clients it is given to", async () => {
    const limiter = limiterOf();
    const clients = [1, 2, 3].map(() => new Resources({ ...base, limiter }));
    expect(await refusals(() => Promise.all(clients.map(({ devices }) => lanes(30, 2, () => devices.list()))))).toBe(0);
  });

  it("sends in the order of the calls", async () => {
    const { devices } = new Resources({ ...base, limiter: limiterOf({ limits: { deviceList: 3 } }) });
    const order: number[] = [];
    const asked = Array.from({ length: 10 }, (_, i) => devices.list({ amount: i + 1 }).then(() => order.push(i)));
    await Promise.all(asked);
    const from = sandbox.requestLog().length - 10;
    const amounts = sandbox
      .requestLog()
      .slice(from)
      .map(({ url }) => Number(new URL(url, sandbox.url).searchParams.get("amount")));
    // Those of one minute are sent together and may overtake each other on the way.
    const groups = [amounts.slice(0, 3), amounts.slice(3, 6), amounts.slice(6, 9), amounts.slice(9)];
    expect(groups.map((group) => group.sort((a, b) => a - b))).toEqual([[1, 2, 3], [4, 5, 6], [7, 8, 9], [10]]);
  });

  it("pauses a kind that was refused, until the platform takes it again", async () => {
    // The plan is not known: the highest limits are too high for this account.
    const limited = new Resources({ ...base, limiter: createLimiter({ clock }) });
    const first = await refusals(() => lanes(120, 8, () => limited.devices.list()));
    expect(first).toBeGreaterThan(0);
    // At most those that were under way when the first refusal of each of the two minutes came.
    expect(first).toBeLessThanOrEqual(16);
  });

  it("counts an aggregation apart from other reads, as the platform does", async () => {
    const { devices } = new Resources(base);
    const { token } = await devices.create({ name: "One", type: "mutable" });
    const device = new Device({ ...base, token, limiter: limiterOf() });
    const aggregate = { query: "aggregate", function: "avg", interval: "hour", variable: "a" } as const;
    const startMs = time.now();
    expect(await refusals(() => lanes(5, 1, () => device.getData({ variables: "a" })))).toBe(0);
    expect(await refusals(() => lanes(5, 1, () => device.getData(aggregate as never).catch(() => undefined)))).toBe(0);
    expect(time.now()).toBe(startMs);
    expect(await refusals(() => lanes(1, 1, () => device.getData(aggregate as never).catch(() => undefined)))).toBe(0);
    expect(time.now()).toBeGreaterThan(startMs);
  });
});

describe("a limiter", () => {
  const region = { api: "https://api.example", sse: "https://sse.example" };
  const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";

  it("lets go of a call that is cancelled while it waits, and leaves no timer", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const limiter = createLimiter({ limits: { deviceList: 1 } });
    const transport = scripted(success([]));
    const { devices } = new Resources({ token, region, transport, limiter });
    await devices.list();
    const abort = new AbortController();
    const calls = [1, 2].map(() => devices.list({}, { signal: abort.signal }));
    const failures = Promise.all(calls.map(failureOf));
    abort.abort();
    for (const error of await failures) expect(error).toBeInstanceOf(CancelledError);
    expect(transport.requests).toHaveLength(1);
    // The next one waits in its turn, with a timer that its own end takes away.
    const again = new AbortController();
    const last = failureOf(devices.list({}, { signal: again.signal }));
    await waitFor(() => timers() > before, "the timer of the wait");
    again.abort();
    expect(await last).toBeInstanceOf(CancelledError);
    await waitFor(() => timers() <= before, "the end of the timer");
  });

  it("ends the calls that wait when its clock does", async () => {
    const clock = { ...scriptClock(), sleep: () => Promise.reject(new CancelledError()) };
    const limiter = createLimiter({ limits: { info: 1 }, clock });
    const device = new Device({ token, region, transport: scripted(success({})), limiter, clock });
    await device.info();
    const failures = await Promise.all([1, 2, 3].map(() => failureOf(device.info())));
    for (const error of failures) expect(error).toBeInstanceOf(CancelledError);
  });

  it("counts its wait neither as time of the attempt nor against the timeout", async () => {
    const clock = scriptClock();
    const limiter = createLimiter({ limits: { info: 1 }, clock });
    const transport = scripted(success({}), failed(500));
    const device = new Device({ token, region, transport, limiter, clock, attempts: 1, timeoutMs: 50 });
    await device.info();
    const error = await failureOf(device.info());
    expect(error).toMatchObject({ attempts: [{ number: 1, status: 500, durationMs: 0 }] });
    expect(transport.requests).toHaveLength(2);
  });

  it("waits for the minute of the server, whose clock it reads in the responses", async () => {
    const clock = scriptClock();
    const serverMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + 50_000;
    const reply = success({});
    const date = new Date(serverMs).toUTCString();
    const transport = scripted({ ...reply, header: (name) => (name === "date" ? date : undefined) });
    const waits: number[] = [];
    const hooks = { onWait: ({ delayMs }: WaitEvent) => waits.push(delayMs) };
    const device = new Device({
      token,
      region,
      transport,
      clock,
      hooks,
      limiter: createLimiter({ limits: { info: 1 }, clock }),
    });
    await device.info();
    await device.info();
    // Ten seconds are left of the server's minute.
    expect(waits).toEqual([10_000]);
  });

  it("does not hold calls without a token back", async () => {
    const transport = scripted(success({}));
    const limiter = createLimiter({ limits: { info: 1 } });
    const { client } = new Device({ token, region, transport, limiter });
    for (let i = 0; i < 3; i += 1) await client.call({ method: "GET", path: "/info", anonymous: true }, {});
    expect(transport.requests).toHaveLength(3);
  });

  it.each([
    [{ plan: "gold" }, "plan"],
    [{ limits: { everything: 5 } }, "limits"],
    [{ limits: { info: 0 } }, "limits"],
    [{ limits: { info: Number.NaN } }, "limits"],
  ])("rejects %j", (options, argument) => {
    const make = () => createLimiter(options as LimiterOptions);
    expect(make).toThrow(InputError);
    expect(make).toThrow(expect.objectContaining({ field: argument }));
  });

  it("is rejected by a client when it is something else", () => {
    expect(() => new Device({ token, region, limiter: {} as never })).toThrow(InputError);
  });
});

describe("the table of limits", () => {
  it("names for every route of the library what the sandbox counts it as, filled in or not", async () => {
    const routes = (await routeTables()).flatMap(([, table]) => Object.values(table));
    for (const { method, path } of routes) {
      const filled = path.replaceAll(/:[A-Za-z_]+/g, "65a1000000000000000d0001");
      expect(ratesOf(method, filled)).toEqual(ratesOf(method, path));
    }
    expect(routes.filter(({ method, path }) => ratesOf(method, path).length > 0).length).toBeGreaterThan(80);
  });

  it.each([
    ["POST", "/device", ["device writes"]],
    ["DELETE", "/device/1", ["device writes"]],
    ["GET", "/device", ["device list"]],
    ["GET", "/device/1", ["device reads"]],
    ["PUT", "/device/1", ["device changes"]],
    ["DELETE", "/device/token/1", ["device changes"]],
    ["GET", "/data", ["data aggregates", "data reads"]],
    ["POST", "/device/1/data", ["data writes"]],
    ["DELETE", "/device/1/data", ["data edits"]],
    ["GET", "/device/1/chunk", ["chunk reads"]],
    ["POST", "/dashboard/1/widget/2/upload", ["widget sources"]],
    ["POST", "/profile/1/backup/2/download", ["backup downloads and deletions"]],
    ["GET", "/analysis/", ["analysis list"]],
    ["GET", "/analysis/1", []],
    ["GET", "/dashboard", []],
    ["POST", "/data/1/2", []],
    ["GET", "/entity", []],
  ])("counts %s %s as %j", (method, path, names) => {
    expect(ratesOf(method, path).map(({ name }) => name)).toEqual(names);
  });

  it("has a limit for each plan that is not below that of a smaller one", () => {
    for (const { perMinute } of Object.values(rates)) {
      expect(perMinute.starter).toBeGreaterThanOrEqual(perMinute.free);
      expect(perMinute.scale).toBeGreaterThanOrEqual(perMinute.starter);
    }
  });
});
