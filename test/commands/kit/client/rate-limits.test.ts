import { describe, expect, it } from "vitest";
import { ownLimits, waitingTransport, workerLimits } from "../../../../src/commands/kit/client/rate-limits.ts";
import type { CommandClock, CommandContext } from "../../../../src/commands/kit/context.ts";
import { createStatusLine } from "../../../../src/commands/kit/say/status-line.ts";
import { rates } from "../../../../src/lib/core/rates.ts";
import { Resources } from "../../../../src/lib/resources/resources.ts";
import { failed, scripted, success } from "../../../helpers/scripted-transport.ts";
import { recordedIo } from "../../../helpers/status-io.ts";

const request = { method: "GET", url: "http://127.0.0.1/data", headers: {}, timeoutMs: 0 } as const;
const limited = (retryAfterSeconds?: number) =>
  failed(429, "Too many requests", retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) });

/** A context whose clock moves when somebody sleeps. */
function context(startMs = 0) {
  let nowMs = startMs;
  const said: string[] = [];
  const flags = { accessible: false, progress: true, quiet: false };
  const clock: CommandClock = {
    now: () => nowMs,
    elapsed: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
  const status = createStatusLine(recordedIo(false).io, flags, {});
  const ctx = { status, say: { info: (text: string) => said.push(text) }, clock } as unknown as CommandContext;
  return { ctx, said, now: () => nowMs };
}

describe("a transport that waits for rate limits", () => {
  it("says so in one line where nothing can be redrawn, unless the wait is short", async () => {
    for (const [seconds, said] of [
      [3, ["Rate limit reached; retrying in 3 s."]],
      [1.5, []],
    ] as const) {
      const { ctx, now, said: lines } = context();
      await waitingTransport(ctx, scripted(limited(seconds), success([]))).send(request);
      expect([lines, now()]).toEqual([said, seconds * 1000]);
    }
  });

  it("sends the request again in the next minute, or when the platform says", async () => {
    for (const [asked, expected] of [
      [undefined, 60_000],
      [7, 27_000],
    ] as const) {
      const { ctx, now } = context(20_000);
      const inner = scripted(limited(asked), success([]));
      const reply = await waitingTransport(ctx, inner).send(request);
      expect([reply.status, inner.requests.length, now()]).toEqual([200, 2, expected]);
    }
  });

  it("returns the sixth 429, and any other error response at once", async () => {
    const { ctx, now } = context();
    const inner = scripted(limited());
    expect((await waitingTransport(ctx, inner).send(request)).status).toBe(429);
    expect([inner.requests.length, now()]).toEqual([6, 300_000]);
    const other = context();
    expect((await waitingTransport(other.ctx, scripted(failed(402))).send(request)).status).toBe(402);
    expect(other.now()).toBe(0);
  });
});

describe("rate limits", () => {
  const most = rates.deviceList.perMinute.scale;

  it.each([
    ["are those of the plan for a process of its own", ownLimits, most],
    ["are shared by the workers of a queue", (clock: CommandClock) => workerLimits(clock, 4), most / 4],
  ])("%s", async (_, limitsOf, sent) => {
    const { ctx, now } = context();
    const transport = scripted(success([]));
    const clock = { now: ctx.clock.elapsed, sleep: ctx.clock.sleep };
    const limiter = await limitsOf(ctx.clock).limiter();
    const { devices } = new Resources({ token: "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab", transport, clock, limiter });
    for (let i = 0; i < sent; i += 1) await devices.list();
    expect(now()).toBe(0);
    await devices.list();
    expect(now()).toBeGreaterThan(0);
  });
});
