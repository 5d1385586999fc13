import { afterEach, describe, expect, it, vi } from "vitest";
import { Device, InputError, openEventStream, rawRequest, SSE } from "../../../src/index.ts";
import { batchWait } from "../../../src/lib/api/streaming.ts";
import { timeOption, timerMs } from "../../../src/lib/core/times.ts";
import { planOf } from "../../../src/lib/files/upload-options.ts";
import { type Clock, systemClock } from "../../../src/lib/http/retry.ts";
import { sleepUntilAborted } from "../../../src/lib/realtime/timing.ts";
import { failed, scripted, success } from "../../helpers/scripted-transport.ts";
import { sendJson, smallServer } from "../../helpers/small-server.ts";

const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";
const region = { api: "https://api.example", sse: "https://sse.example" };
const longestMs = 2_147_483_647;
const dayMs = 86_400_000;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a time longer than a timer can measure", () => {
  it.each([2 ** 31, 2 ** 31 + 5_000, Number.MAX_SAFE_INTEGER])("%d becomes the longest one as an option", (ms) => {
    expect(timeOption(ms, "timeoutMs")).toBe(longestMs);
    expect(batchWait(ms, 500)).toBe(longestMs);
    expect(planOf({ timeoutForEachFailedChunk: ms }).waitMs).toBe(longestMs);
  });

  it.each([2 ** 31, Number.MAX_SAFE_INTEGER])("as timeoutMs of a client or a call (%d) does not end it", async (ms) => {
    const transport = scripted(success({}));
    await new Device({ token, region, transport, timeoutMs: ms }).info();
    await new Device({ token, region, transport }).info({ timeoutMs: ms });
    expect(transport.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([longestMs, longestMs]);
  });

  it("in TAGOIO_REQUEST_TIMEOUT does not time out every call", async () => {
    vi.stubEnv("TAGOIO_REQUEST_TIMEOUT", "9999999999");
    const transport = scripted(success({}));
    await new Device({ token, region, transport }).info();
    expect(transport.requests[0]?.timeoutMs).toBe(longestMs);
  });

  it("from backoff or retryDelayMs is waited for, not skipped", async () => {
    vi.useFakeTimers();
    for (const wait of [{ backoff: () => 1e12 }, { backoff: () => Number.POSITIVE_INFINITY }, { retryDelayMs: 1e12 }]) {
      const transport = scripted(failed(500), success({}));
      const call = new Device({ token, region, transport, ...wait }).info();
      await vi.advanceTimersByTimeAsync(20 * dayMs);
      expect(transport.requests).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(5 * dayMs);
      await call;
      expect(transport.requests).toHaveLength(2);
    }
  });

  it("is waited for before an event stream connects again", async () => {
    vi.useFakeTimers();
    let isOver = false;
    void sleepUntilAborted(1e12, new AbortController().signal).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(20 * dayMs);
    expect(isOver).toBe(false);
  });
});

describe("a time that is negative, infinite or not a number", () => {
  const bad = [-1, Number.NaN, Number.POSITIVE_INFINITY, "soon" as unknown as number];

  it.each(bad)("is refused as an option: %s", (ms) => {
    expect(() => timeOption(ms, "poolingTime")).toThrow(InputError);
    expect(() => batchWait(ms, 500)).toThrow("Invalid poolingTime");
    expect(() => planOf({ timeoutForEachFailedChunk: ms })).toThrow(InputError);
    expect(() => new Device({ token, region, timeoutMs: ms })).toThrow("Invalid timeoutMs");
    expect(() => new Device({ token, region, retryDelayMs: ms })).toThrow("Invalid retryDelayMs");
  });

  it.each(["reconnectMs", "maxReconnectMs", "silenceMs"])("is refused as %s of an event stream", async (name) => {
    const channel = { channel: "ui" } as const;
    for (const ms of bad) {
      expect(() => openEventStream({ token, region, channels: channel, [name]: ms })).toThrow(`Invalid ${name}`);
      await expect(SSE.openSSEListening(channel, { token, region, [name]: ms })).rejects.toThrow(InputError);
    }
  });

  it("is rejected for a single call before anything is sent", async () => {
    const transport = scripted(success({}));
    const call = rawRequest({ token, region, transport }, { method: "GET", path: "/info", timeoutMs: -1 });
    await expect(call).rejects.toThrow("Invalid timeoutMs");
    expect(transport.requests).toEqual([]);
  });

  it("counts as 0 when a delay is computed", () => {
    expect([-5, Number.NaN].map(timerMs)).toEqual([0, 0]);
  });
});

describe("a system clock that is set back", () => {
  it("does not stop a stream of data", async () => {
    const rows = [1, 2, 3].map((n) => ({ id: `r${n}`, variable: "level", value: n, time: "2026-01-01T00:00:00.000Z" }));
    const server = await smallServer(({ url }, response) => {
      const skip = Number(new URL(url, "http://127.0.0.1").searchParams.get("skip"));
      sendJson(response, 200, { status: true, result: rows.slice(skip, skip + 1) });
    });
    const start = Date.now();
    const now = vi.spyOn(Date, "now").mockReturnValue(start);
    const device = new Device({ token, region: { api: server.url, sse: server.url } });
    const values: unknown[] = [];
    for await (const page of device.getDataStreaming({}, { poolingRecordQty: 1, poolingTime: 5 })) {
      values.push(...page.map(({ value }) => value));
      now.mockReturnValue(start - values.length * 3_600_000);
    }
    expect(values).toEqual([1, 2, 3]);
    await server.close();
  });

  it("does not make the duration of an attempt negative", () => {
    const clock: Clock = systemClock;
    const before = clock.now();
    vi.spyOn(Date, "now").mockReturnValue(0);
    expect(clock.now()).toBeGreaterThanOrEqual(before);
  });
});
