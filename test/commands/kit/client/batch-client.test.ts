import { describe, expect, it } from "vitest";
import { batchClient, readingClient } from "../../../../src/commands/kit/client/batch-client.ts";
import { ownLimits, workerLimits } from "../../../../src/commands/kit/client/rate-limits.ts";
import type { CommandClock, CommandContext } from "../../../../src/commands/kit/context.ts";
import { createStatusLine } from "../../../../src/commands/kit/say/status-line.ts";
import { rates } from "../../../../src/lib/core/rates.ts";
import { failed, manualClock, scripted, success } from "../../../helpers/scripted-transport.ts";
import { recordedIo } from "../../../helpers/status-io.ts";

/** A context whose clock moves when somebody sleeps. */
function context(reply = success([])) {
  const said: string[] = [];
  const transport = scripted(reply);
  const { now, sleep } = manualClock();
  const clock = { now, elapsed: now, sleep };
  const ctx = {
    connection: async () => ({
      token: "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab",
      api: "https://api.example",
      events: "https://sse.example",
    }),
    clientOptions: () => ({ transport }),
    status: createStatusLine(recordedIo(false).io, { accessible: false, progress: true, quiet: false }, {}),
    say: { info: (text: string) => said.push(text) },
    clock,
    limits: ownLimits(clock),
  } as unknown as CommandContext;
  return { ctx, said, now, transport };
}

describe("clients of batches", () => {
  it("wait together before a limit is reached, and say so in one line", async () => {
    const { ctx, said, now, transport } = context();
    const [one, other] = [await batchClient(ctx), await batchClient(ctx)];
    const startMs = now();
    const most = rates.deviceList.perMinute.scale;
    for (let i = 0; i < most; i += 2) await Promise.all([one.devices.list(), other.devices.list()]);
    expect([now(), said]).toEqual([startMs, []]);
    await Promise.all([one, one, one].map(({ devices }) => devices.list()));
    expect(transport.requests).toHaveLength(most + 3);
    expect(now()).toBeGreaterThan(startMs);
    expect(said).toEqual([`Rate limit reached; retrying in ${Math.ceil((now() - startMs) / 1000)} s.`]);
  });

  it("wait and send a request again that the platform rejected for its rate", async () => {
    const limited = failed(429, "Too many requests", { "retry-after": "30" });
    for (const [makeClient, limits, sent] of [
      [batchClient, ownLimits, 30],
      [readingClient, ownLimits, 30],
      [batchClient, (clock: CommandClock) => workerLimits(clock, 1), 5],
    ] as const) {
      const { ctx, transport } = context(limited);
      const { devices } = await makeClient({ ...ctx, limits: limits(ctx.clock) });
      await expect(devices.info("65a1000000000000000d0001")).rejects.toMatchObject({ status: 429 });
      expect(transport.requests).toHaveLength(sent);
    }
  });
});
