import type { CommandContext } from "../context.ts";
import type { Journal } from "../state/journal.ts";
import { throwStop } from "./ending.ts";
import type { JobNotes } from "./job.ts";
import { runItems } from "./run-items.ts";

/** What is done in a step. The row it returns is in the journal from then on. */
export type RunStep = (notes: JobNotes) => Promise<object>;

/** Does steps one after the other, in the order of their names here; those an earlier run has done are passed over. */
export async function runSteps(
  ctx: CommandContext,
  journal: Journal,
  steps: Readonly<Record<string, RunStep>>,
): Promise<void> {
  const { stop } = await runItems<{ readonly step: RunStep }, object>(ctx, journal, {
    phases: () => Object.entries(steps).map(([id, step]) => [{ id, args: { step } }]),
    run: ({ args }, notes) => args.step(notes),
    isFatal: () => true,
  });
  throwStop(stop);
}
