import type { createRandom } from "../../../lib/core/random.ts";
import { countOf } from "../../../text/count.ts";
import type { CommandContext } from "../../kit/context.ts";
import { createProgress } from "../../kit/say/progress.ts";
import type { Journal } from "../../kit/state/journal.ts";
import type { ImportRecord } from "../bulk/import-records.ts";
import { batchesOf, sendRecords } from "../bulk/import-run.ts";
import type { SimulatedDevice } from "./live.ts";

export interface BackfillPlan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
  readonly seed: number;
}

/** Writes history: one sample of each device per step, its records in a group of their own. */
export async function sendHistory(
  ctx: CommandContext,
  devices: readonly SimulatedDevice[],
  plan: BackfillPlan,
  random: typeof createRandom,
  journal: Journal,
): Promise<number> {
  const progress = createProgress(ctx, ["Writing", "records"]);
  const total = samplesOf(plan) * devices.length;
  let sent = 0;
  try {
    await sendRecords(ctx, journal, batchesOf(historyOf(devices, plan, random)), (records) => {
      sent += records;
      progress.at(sent);
    });
  } catch (error) {
    const all = countOf(total, "sample");
    ctx.say.warning(`Interrupted after ${countOf(sent, "record")} of ${all}; the same command with --resume goes on.`);
    throw error;
  } finally {
    progress.end();
  }
  return sent;
}

export const samplesOf = ({ fromMs, toMs, stepMs }: Omit<BackfillPlan, "seed">): number =>
  Math.floor((toMs - fromMs) / stepMs);

async function* historyOf(
  devices: readonly SimulatedDevice[],
  plan: BackfillPlan,
  random: typeof createRandom,
): AsyncGenerator<ImportRecord, void, undefined> {
  let row = 0;
  for (const { id, source } of devices) {
    const part = random(plan.seed, `${id} groups ${plan.fromMs}`);
    const prefix = hex(part()) + hex(part());
    for (let sample = 0; sample < samplesOf(plan); sample += 1) {
      const group = prefix + sample.toString(16).padStart(12, "0");
      for (const record of source(plan.fromMs + sample * plan.stepMs)) {
        row += 1;
        yield { row, device: id, records: [{ ...record, group }] };
      }
    }
  }
}

const hex = (part: number): string =>
  Math.floor(part * 0x1000000)
    .toString(16)
    .padStart(6, "0");
