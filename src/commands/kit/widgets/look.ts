import type { Input } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { createProgress } from "../say/progress.ts";
import { findInputs, type Inputs } from "./inputs.ts";
import type { filesArgument, globOption } from "./options.ts";
import type { Judged } from "./outcome.ts";
import { judgeAll } from "./run.ts";
import type { WidgetCounts } from "./tally.ts";

export async function* watched(
  ctx: CommandContext,
  rows: AsyncIterable<Judged>,
  tally: WidgetCounts,
): AsyncGenerator<Judged> {
  const progress = createProgress(ctx, ["Checked", "widgets"]);
  try {
    for await (const row of rows) {
      tally.add(row);
      progress.at(tally.total);
      yield row;
    }
  } finally {
    progress.end();
  }
}

/** Every widget the arguments lead to; nothing is written. */
export function lookAt(
  ctx: CommandContext,
  input: Input<[typeof filesArgument], [typeof globOption]>,
  tally: WidgetCounts,
): AsyncGenerator<Judged> {
  const inputs = findInputs(ctx, input.args.files, input.options.glob);
  return watched(ctx, judgeFiles(ctx, inputs), tally);
}

export function judgeFiles(ctx: CommandContext, inputs: Inputs): AsyncGenerator<Judged> {
  return judgeAll(ctx, { inputs, isStrict: false, goalOf: () => ({ kind: "nowhere" }) as const });
}

/** 3 or 8 when something is no widget or cannot be read. */
export function problemCode(tally: WidgetCounts): number {
  if (tally.bad === 0) return 0;
  return tally.isAllBad ? 3 : 8;
}
