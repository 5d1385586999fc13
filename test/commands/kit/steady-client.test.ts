import { describe, expect, it } from "vitest";
import type { CommandContext } from "../../../src/commands/kit/context.ts";
import { createStatusLine } from "../../../src/commands/kit/say/status-line.ts";
import { steadyClient } from "../../../src/commands/kit/steady-client.ts";
import { rates } from "../../../src/lib/core/rates.ts";
import { manualClock, scripted, success } from "../../helpers/scripted-transport.ts";
import { recordedIo } from "../../helpers/status-io.ts";

/** A context whose clock moves when somebody sleeps. */
function context() {
  const said: string[] = [];
  const transport = scripted(success([]));
  const { now, sleep } = manualClock();
  const ctx = {
    connection: async () => ({
      token: "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab",
      api: "https://api.example",
      events: "https://sse.example",
    }),
    clientOptions: () => ({ transport }),
    status: createStatusLine(recordedIo(false).io, { accessible: false, progress: true, quiet: false }, {}),
    say: { info: (text: string) => said.push(text) },
    clock: { now, elapsed: now, sleep },
  } as unknown as CommandContext;
  return { ctx, said, now, transport };
}

describe("clients of batches", () => {
  it("wait together before a limit is reached, and say so in one line", async () => {
    const { ctx, said, now, transport } = context();
    const [one, other] = [await steadyClient(ctx), await steadyClient(ctx)];
    const startMs = now();
    const most = rates.deviceList.perMinute.scale;
    for (let i = 0; i < most; i += 2) await Promise.all([one.devices.list(), other.devices.list()]);
    expect([now(), said]).toEqual([startMs, []]);
    await Promise.all([one, one, one].map(({ devices }) => devices.list()));
    expect(transport.requests).toHaveLength(most + 3);
    expect(now()).toBeGreaterThan(startMs);
    expect(said).toEqual([`Rate limit reached; retrying in ${Math.ceil((now() - startMs) / 1000)} s.`]);
  });
});
