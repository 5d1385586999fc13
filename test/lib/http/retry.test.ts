import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError, CancelledError, type ClientOptions, RequestError, Resources } from "../../../src/index.ts";
import { type RetryEvent, systemClock } from "../../../src/lib/http/retry.ts";
import { TransportError } from "../../../src/lib/http/transport.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import {
  failed,
  lost,
  type ManualClock,
  manualClock,
  reply,
  type ScriptedTransport,
  type Step,
  scripted,
  success,
  unreachable,
} from "../../helpers/scripted-transport.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";
const region = { api: "https://api.example", sse: "https://sse.example" };

function bench(transport: ScriptedTransport, options: Omit<ClientOptions, "token"> = {}) {
  const clock = manualClock();
  const { devices } = new Resources({ token, region, transport, clock, ...options });
  return { transport, clock, devices };
}

const timeout = () =>
  new TransportError("No complete response within 60000 ms", { code: "TIMEOUT", reason: "TIMEOUT", maybeSent: true });
const untrusted = () =>
  new TransportError("self-signed certificate", {
    code: "NETWORK_ERROR",
    reason: "DEPTH_ZERO_SELF_SIGNED_CERT",
    maybeSent: false,
  });
const unusable = () =>
  new TransportError("The reply is larger than allowed", {
    code: "UNKNOWN",
    reason: "REPLY_TOO_LARGE",
    maybeSent: true,
  });
const stale = () =>
  new TransportError("other side closed", {
    code: "NETWORK_ERROR",
    reason: "UND_ERR_SOCKET",
    maybeSent: true,
    isStale: true,
  });

const fourWaits = [1500, 1500, 1500, 1500];

interface Row {
  readonly fault: string;
  readonly step: Step;
  /** Waits of a read; their number is that of the repeated attempts. */
  readonly waits: readonly number[];
  /** Whether a write that may have arrived is not sent again on request. */
  readonly ambiguous: boolean;
}

const table: Row[] = [
  { fault: "no connection", step: unreachable(), waits: fourWaits, ambiguous: false },
  { fault: "a lost connection", step: lost(), waits: fourWaits, ambiguous: true },
  { fault: "a timeout", step: timeout(), waits: fourWaits, ambiguous: true },
  { fault: "500", step: failed(500), waits: fourWaits, ambiguous: true },
  { fault: "502", step: failed(502), waits: fourWaits, ambiguous: true },
  { fault: "503", step: failed(503), waits: fourWaits, ambiguous: true },
  { fault: "599", step: failed(599), waits: fourWaits, ambiguous: true },
  { fault: "408", step: failed(408), waits: fourWaits, ambiguous: true },
  {
    fault: "429 with a wait",
    step: failed(429, "Slow down", { "retry-after": "2" }),
    waits: [2000, 2000, 2000, 2000],
    ambiguous: false,
  },
  { fault: "400", step: failed(400), waits: [], ambiguous: false },
  { fault: "401", step: failed(401), waits: [], ambiguous: false },
  { fault: "403", step: failed(403), waits: [], ambiguous: false },
  { fault: "404", step: failed(404), waits: [], ambiguous: false },
  { fault: "409", step: failed(409), waits: [], ambiguous: false },
  { fault: "422", step: failed(422), waits: [], ambiguous: false },
  { fault: "a refusal with 200", step: failed(200), waits: [], ambiguous: false },
  { fault: "an empty 200", step: reply(), waits: [], ambiguous: false },
  { fault: "HTML with 200", step: reply({ text: "<html>" }), waits: [], ambiguous: false },
  { fault: "a certificate nobody trusts", step: untrusted(), waits: [], ambiguous: false },
  { fault: "a reply nobody can use", step: unusable(), waits: [], ambiguous: false },
];

describe.each(table)("after $fault", ({ step, waits, ambiguous }) => {
  it(`a read is sent again ${waits.length} times`, async () => {
    const { transport, clock, devices } = bench(scripted(step));
    const error = await failureOf(devices.info("d1"));
    expect(transport.requests).toHaveLength(waits.length + 1);
    expect(clock.waits).toEqual(waits);
    expect(error["attempts"]).toHaveLength(waits.length + 1);
    for (const request of transport.requests) expect(request).toEqual(transport.requests[0]);
  });

  it.each(["create", "edit", "delete"] as const)(
    "a write (%s) is sent again as often, with the same body",
    async (method) => {
      const { transport, clock, devices } = bench(scripted(step));
      const call =
        method === "create"
          ? devices.create({ name: "Pump" })
          : method === "edit"
            ? devices.edit("d1", { name: "Pump" })
            : devices.delete("d1");
      await failureOf(call);
      expect(transport.requests).toHaveLength(waits.length + 1);
      expect(clock.waits).toEqual(waits);
      const body = method === "delete" ? undefined : '{"name":"Pump"}';
      for (const request of transport.requests) expect(request.body).toBe(body);
    },
  );

  it(`a write is ${ambiguous || waits.length === 0 ? "not " : ""}sent again when only unambiguous ones may be`, async () => {
    const { transport, devices } = bench(scripted(step), { retry: { ambiguousWrites: false } });
    await failureOf(devices.create({ name: "Pump" }));
    expect(transport.requests).toHaveLength(ambiguous ? 1 : waits.length + 1);
    await failureOf(devices.info("d1"));
    expect(transport.requests).toHaveLength(waits.length + 1 + (ambiguous ? 1 : waits.length + 1));
  });

  it("the next attempt may succeed", async () => {
    const { transport, devices } = bench(scripted(step, success({ id: "d1" })));
    if (waits.length === 0) {
      await failureOf(devices.info("d1"));
      return;
    }
    await expect(devices.info("d1")).resolves.toEqual({ id: "d1" });
    expect(transport.requests).toHaveLength(2);
  });
});

describe("Retry-After", () => {
  const waitsAfter = async (headers: Record<string, string>, status = 429) => {
    const { devices, clock, transport } = bench(scripted(failed(status, "Slow down", headers), success({ id: "d1" })));
    const outcome = await devices.info("d1").then(
      () => "answered",
      (error: unknown) => error,
    );
    return { outcome, waits: clock.waits, attempts: transport.requests.length };
  };

  it.each([
    ["0", []],
    ["1", [1_000]],
    ["0.2", [200]],
    [" 7 ", [7_000]],
    ["60", [60_000]],
  ])("of %j seconds is waited for", async (text, waits) => {
    expect(await waitsAfter({ "retry-after": text })).toEqual({ outcome: "answered", waits, attempts: 2 });
  });

  it("may be a date", async () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.parse("2026-01-31T08:00:00Z"));
    const { outcome, waits } = await waitsAfter({ "retry-after": "Sat, 31 Jan 2026 08:00:20 GMT" });
    expect({ outcome, waits }).toEqual({ outcome: "answered", waits: [20_000] });
  });

  it("in the past is no wait", async () => {
    expect(await waitsAfter({ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" })).toMatchObject({
      waits: [],
      attempts: 2,
    });
  });

  it.each([
    ["longer than a minute", { "retry-after": "61" }, 61_000],
    ["absent", {}, undefined],
    ["unreadable", { "retry-after": "soon" }, undefined],
    ["negative", { "retry-after": "-5" }, undefined],
    ["something an engine would take for a date", { "retry-after": "Try 3" }, undefined],
  ])("that is %s ends the call at once", async (_name, headers, retryAfterMs) => {
    const { outcome, waits, attempts } = await waitsAfter(headers as Record<string, string>);
    expect(outcome).toBeInstanceOf(ApiError);
    expect(outcome).toMatchObject({ message: "Slow down", status: 429 });
    expect((outcome as ApiError).retryAfterMs).toBe(retryAfterMs);
    expect({ waits, attempts }).toEqual({ waits: [], attempts: 1 });
  });

  it.each([
    [{ "retry-after": "7" }, [7_000]],
    [{ "retry-after": "1" }, [1_500]],
    [{}, [1_500]],
  ])("of a 503, %j, is waited for, but never less than the usual wait", async (headers, waits) => {
    expect(await waitsAfter(headers as Record<string, string>, 503)).toEqual({
      outcome: "answered",
      waits,
      attempts: 2,
    });
  });

  it("of a 503 that is longer than a minute ends the call at once", async () => {
    const { outcome, attempts } = await waitsAfter({ "retry-after": "61" }, 503);
    expect(outcome).toMatchObject({ status: 503, retryAfterMs: 61_000 });
    expect(attempts).toBe(1);
  });

  it("counts as an attempt", async () => {
    const slow = failed(429, "Slow down", { "retry-after": "3" });
    const { transport, clock, devices } = bench(scripted(slow, slow, failed(500), slow, slow, success(1)));
    expect(await failureOf(devices.info("d1"))).toMatchObject({ status: 429, retryAfterMs: 3_000 });
    expect(transport.requests).toHaveLength(5);
    expect(clock.waits).toEqual([3_000, 3_000, 1_500, 3_000]);
  });
});

describe("a stale connection", () => {
  it("is tried again at once, and counts as an attempt", async () => {
    const { transport, clock, devices } = bench(scripted(stale(), success({ id: "d1" })));
    await expect(devices.info("d1")).resolves.toEqual({ id: "d1" });
    expect(clock.waits).toEqual([]);
    const again = bench(scripted(stale()));
    await failureOf(again.devices.info("d1"));
    expect(again.transport.requests).toHaveLength(5);
    expect(transport.requests).toHaveLength(2);
  });

  it("is not tried again for a write that may have arrived, when that is not wanted", async () => {
    const { transport, devices } = bench(scripted(stale()), { retry: { ambiguousWrites: false } });
    await failureOf(devices.delete("d1"));
    expect(transport.requests).toHaveLength(1);
  });
});

describe("a server that cannot be reached", () => {
  const broken = (reason: string) => new TransportError(reason, { code: "NETWORK_ERROR", reason, maybeSent: false });

  it.each(["ECONNREFUSED", "ENOTFOUND"])("is given up after unreachableAttempts (%s)", async (reason) => {
    const told: (readonly [number, number])[] = [];
    const { transport, devices } = bench(scripted(broken(reason)), {
      retry: { unreachableAttempts: 2 },
      onRetry: ({ attempt, of }) => told.push([attempt, of]),
    });
    await failureOf(devices.info("d1"));
    expect(transport.requests).toHaveLength(2);
    expect(told).toEqual([[1, 2]]);
  });

  it("gets all attempts by default, and after a failure that may pass", async () => {
    const usual = bench(scripted(broken("ECONNREFUSED")));
    await failureOf(usual.devices.info("d1"));
    expect(usual.transport.requests).toHaveLength(5);
    const passing = bench(scripted(broken("EAI_AGAIN")), { retry: { unreachableAttempts: 2 } });
    await failureOf(passing.devices.info("d1"));
    expect(passing.transport.requests).toHaveLength(5);
  });
});

describe("onRetry", () => {
  it("is called before the wait of each repetition, without the query and the token of the request", async () => {
    const told: RetryEvent[] = [];
    const script = scripted(lost(), failed(429, "Slow down", { "retry-after": "2" }), success([]));
    const { clock, devices } = bench(script, {
      onRetry: (event) => {
        told.push(event);
        expect(clock.waits).toHaveLength(told.length - 1);
      },
    });
    await devices.list({ page: 2 });
    const common = { of: 5, method: "GET", url: "https://api.example/device", isWrite: false };
    expect(told).toEqual([
      { ...common, attempt: 1, delayMs: 1500, reason: expect.any(String), error: expect.any(RequestError) },
      { ...common, attempt: 2, delayMs: 2000, reason: expect.any(String), error: expect.any(ApiError) },
    ]);
    expect(JSON.stringify(told)).not.toContain(token);
  });

  it("is not called for the attempt that ends the call, nor for a call that succeeds at once", async () => {
    const onRetry = vi.fn();
    await failureOf(bench(scripted(lost()), { onRetry, attempts: 1 }).devices.info("d1"));
    await bench(scripted(success({ id: "d1" })), { onRetry }).devices.info("d1");
    expect(onRetry).not.toHaveBeenCalled();
  });

  it("tells reads from writes", async () => {
    const told: boolean[] = [];
    const { devices } = bench(scripted(unreachable()), {
      attempts: 2,
      onRetry: ({ isWrite }) => told.push(isWrite),
    });
    await failureOf(devices.create({ name: "Pump" }));
    await failureOf(devices.info("d1"));
    expect(told).toEqual([true, false]);
  });
});

describe("the number of attempts and the waits between them", () => {
  const count = async (options: Omit<ClientOptions, "token">) => {
    const { transport, clock, devices } = bench(scripted(failed(500)), options);
    await failureOf(devices.info("d1"));
    return [transport.requests.length, clock.waits];
  };

  it.each<[string, Omit<ClientOptions, "token">, number, number[]]>([
    ["defaults", {}, 5, fourWaits],
    ["two attempts", { attempts: 2 }, 2, [1500]],
    ["one attempt", { attempts: 1 }, 1, []],
    ["no attempt, which is one", { attempts: 0 }, 1, []],
    ["half an attempt more", { attempts: 2.9 }, 2, [1500]],
    ["another wait", { retryDelayMs: 10, attempts: 3 }, 3, [10, 10]],
    ["no wait", { retryDelayMs: 0, attempts: 3 }, 3, []],
    ["a growing wait", { backoff: (attempt) => 100 * 2 ** attempt, attempts: 4 }, 4, [200, 400, 800]],
    ["a growing wait before a fixed one", { backoff: () => 7, retryDelayMs: 10, attempts: 2 }, 2, [7]],
  ])("with %s", async (_name, options, attempts, waits) => {
    expect(await count(options)).toEqual([attempts, waits]);
  });

  it("come from TAGOIO_REQUEST_ATTEMPTS when the program names none", async () => {
    vi.stubEnv("TAGOIO_REQUEST_ATTEMPTS", "3");
    expect(await count({})).toEqual([3, [1500, 1500]]);
    expect(await count({ attempts: 2 })).toEqual([2, [1500]]);
  });

  it.each(["", "0", "-2", "many", "NaN", "Infinity"])("ignore TAGOIO_REQUEST_ATTEMPTS=%j", async (text) => {
    vi.stubEnv("TAGOIO_REQUEST_ATTEMPTS", text);
    expect(await count({})).toEqual([5, fourWaits]);
  });
});

describe("the error at the end", () => {
  it("keeps every attempt, each with its own fault and time", async () => {
    const clock: ManualClock = manualClock();
    const taking = (ms: number, step: Step) => () => {
      clock.pass(ms);
      if (step instanceof Error) throw step;
      return step as ReturnType<typeof failed>;
    };
    const transport = scripted(taking(5, lost()), taking(10, failed(503)), taking(20, timeout()));
    const { devices } = new Resources({ token, region, transport, clock, attempts: 3 });
    const error = await failureOf(devices.info("d1"));
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({
      from: "CLIENT_REQUEST",
      url: "https://api.example/device/d1",
      method: "GET",
      status: -1,
      code: "TIMEOUT",
      statusText: "Request timeout",
      attempts: [
        { number: 1, status: -1, code: "ECONNRESET", message: "socket hang up", durationMs: 5, mayHaveArrived: true },
        { number: 2, status: 503, code: "HTTP_ERROR", message: "Status 503", durationMs: 10, mayHaveArrived: true },
        {
          number: 3,
          status: -1,
          code: "TIMEOUT",
          message: "No complete response within 60000 ms",
          durationMs: 20,
          mayHaveArrived: true,
        },
      ],
    });
    expect(error.message).toBe(
      "No response from GET https://api.example/device/d1 after 3 attempts: No complete response within 60000 ms (TIMEOUT)",
    );
  });

  it("keeps the attempts before a refusal too", async () => {
    const clock = manualClock();
    const refuse = () => {
      clock.pass(30);
      return failed(404, "Device not found");
    };
    const { devices } = new Resources({ token, region, transport: scripted(failed(502), lost(), refuse), clock });
    expect(await failureOf(devices.info("d1"))).toMatchObject({
      message: "Device not found",
      attempts: [
        { number: 1, status: 502, code: "HTTP_ERROR" },
        { number: 2, status: -1, code: "ECONNRESET" },
        { number: 3, status: 404, code: "HTTP_ERROR", durationMs: 30 },
      ],
    });
    const { devices: again } = bench(scripted(failed(500), failed(200, "Not now")));
    expect((await failureOf(again.info("d1")))["attempts"]).toMatchObject([
      { number: 1, status: 500 },
      { number: 2, status: 200, code: "REFUSED" },
    ]);
  });

  it("of the last reply has its words and data", async () => {
    const { devices } = bench(scripted(failed(500, "First"), failed(500, "Last")), { attempts: 2 });
    const error = await failureOf(devices.info("d1"));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ message: "Last", status: 500, data: { status: false, message: "Last" } });
  });

  it("passes on what the transport should never throw", async () => {
    const { transport, devices } = bench(scripted(new RangeError("a fault of our own")));
    await expect(devices.info("d1")).rejects.toThrow(RangeError);
    expect(transport.requests).toHaveLength(1);
  });
});

describe("a signal", () => {
  it("ends the wait between attempts", async () => {
    const controller = new AbortController();
    const transport = scripted(() => {
      controller.abort("enough");
      return failed(500);
    });
    const { devices } = bench(transport);
    const error = await failureOf(devices.info("d1", { signal: controller.signal }));
    expect(error).toBeInstanceOf(CancelledError);
    expect(error["cause"]).toBe("enough");
    expect(transport.requests).toHaveLength(1);
  });

  it("ends a wait of the system's clock at once, and leaves no timer", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const controller = new AbortController();
    const wait = systemClock.sleep(3_600_000, controller.signal);
    controller.abort("enough");
    await expect(wait).rejects.toMatchObject({ name: "CancelledError", cause: "enough" });
    await expect(systemClock.sleep(3_600_000, AbortSignal.abort())).rejects.toThrow(CancelledError);
    expect(timers()).toBe(before);
    await expect(systemClock.sleep(1)).resolves.toBeUndefined();
  });
});
