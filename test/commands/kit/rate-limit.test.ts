import { describe, expect, it } from "vitest";
import type { CommandContext } from "../../../src/commands/kit/context.ts";
import { withinLimits } from "../../../src/commands/kit/say/rate-limit.ts";
import { createStatusLine } from "../../../src/commands/kit/say/status-line.ts";
import { ApiError } from "../../../src/lib/core/errors.ts";
import { recordedIo } from "../../helpers/status-io.ts";

const place = { url: "http://127.0.0.1/data", method: "GET" };
const refusal = (status: number, retryAfterMs?: number): ApiError =>
  new ApiError("Too many requests", { ...place, status, statusText: "", code: "HTTP_ERROR", data: {}, retryAfterMs });

/** A context whose clock moves when somebody sleeps. */
function context(startMs = 0) {
  let nowMs = startMs;
  const said: string[] = [];
  const flags = { accessible: false, progress: true, quiet: false };
  const ctx = {
    status: createStatusLine(recordedIo(false).io, flags, {}),
    say: { info: (text: string) => said.push(text) },
    clock: {
      now: () => nowMs,
      sleep: async (ms: number) => {
        nowMs += ms;
      },
    },
  } as unknown as CommandContext;
  return { ctx, said, now: () => nowMs };
}

describe("waiting for a rate limit", () => {
  it("is said in one line where nothing can be redrawn, unless it is short", async () => {
    for (const [waitMs, said] of [
      [3_000, ["Rate limit reached; retrying in 3 s."]],
      [1_500, []],
    ] as const) {
      const { ctx, now, said: lines } = context();
      let calls = 0;
      await withinLimits(ctx, async () => {
        calls += 1;
        if (calls === 1) throw refusal(429, waitMs);
      });
      expect([lines, now()]).toEqual([said, waitMs]);
    }
  });

  it("goes on in the next minute, or when the platform says", async () => {
    for (const [asked, expected] of [
      [undefined, 60_000],
      [7_000, 27_000],
    ] as const) {
      const { ctx, now } = context(20_000);
      let calls = 0;
      const answer = await withinLimits(ctx, async () => {
        calls += 1;
        if (calls === 1) throw refusal(429, asked);
        return "done";
      });
      expect([answer, calls, now()]).toEqual(["done", 2, expected]);
    }
  });

  it("gives up after five waits, and at once for any other refusal", async () => {
    const { ctx, now } = context();
    await expect(withinLimits(ctx, () => Promise.reject(refusal(429)))).rejects.toMatchObject({ status: 429 });
    expect(now()).toBe(300_000);
    const other = context();
    await expect(withinLimits(other.ctx, () => Promise.reject(refusal(402)))).rejects.toMatchObject({ status: 402 });
    expect(other.now()).toBe(0);
  });
});
