import { describe, expect, it } from "vitest";
import type { CommandContext } from "../../../src/commands/kit/context.ts";
import { countDown, withinLimits } from "../../../src/commands/kit/rate-limit.ts";
import { ApiError } from "../../../src/lib/core/errors.ts";

const place = { url: "http://127.0.0.1/data", method: "GET" };
const refusal = (status: number, retryAfterMs?: number): ApiError =>
  new ApiError("Too many requests", { ...place, status, statusText: "", code: "HTTP_ERROR", data: {}, retryAfterMs });

/** A context whose clock moves when somebody sleeps. */
function context(stderrIsTerminal: boolean, startMs = 0) {
  let nowMs = startMs;
  const said: string[] = [];
  const ctx = {
    io: { stderrIsTerminal, writeError: (text: string) => said.push(text) },
    flags: { accessible: false, progress: true, quiet: false },
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
  it("counts down on a terminal and takes the line away, and says it in one line elsewhere", async () => {
    const terminal = context(true);
    await countDown(terminal.ctx, 3_000);
    expect(terminal.said.map((text) => /in (\d+) s/.exec(text)?.[1])).toEqual(["3", "2", "1", undefined]);
    expect(terminal.said.at(-1)).toBe("\r\u001b[2K");
    const pipe = context(false);
    await countDown(pipe.ctx, 3_000);
    expect(pipe.said).toEqual(["The rate limit was reached; going on in 3 s."]);
    const short = context(false);
    await countDown(short.ctx, 1_500);
    expect([short.said, short.now()]).toEqual([[], 1_500]);
  });

  it("goes on in the next minute, or when the platform says", async () => {
    for (const [asked, expected] of [
      [undefined, 60_000],
      [7_000, 27_000],
    ] as const) {
      const { ctx, now } = context(false, 20_000);
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
    const { ctx, now } = context(false);
    await expect(withinLimits(ctx, () => Promise.reject(refusal(429)))).rejects.toMatchObject({ status: 429 });
    expect(now()).toBe(300_000);
    const other = context(false);
    await expect(withinLimits(other.ctx, () => Promise.reject(refusal(402)))).rejects.toMatchObject({ status: 402 });
    expect(other.now()).toBe(0);
  });
});
