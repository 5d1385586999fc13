import { countOf } from "../../../text/count.ts";
import type { Options, OptionsOf } from "../command/options.ts";
import type { CommandContext, Prompts } from "../context.ts";
import { conflictError, stoppedError, usageError } from "../failures/command-error.ts";

/** Flags that say what becomes of a run that was interrupted. */
export const interruptedOptions = [
  { name: "resume", summary: "resume an interrupted run", conflicts: ["undo"] },
  { name: "undo", summary: "undo an interrupted run" },
] as const satisfies Options;

export interface Interrupted {
  readonly startedAt: string;
  /** How many steps of it are done. */
  readonly steps: number;
}

/** What can be interrupted. */
export type InterruptedKind = "migration" | "write";

/** The failure where there is nothing to resume or to undo. */
export const noInterrupted = (what: InterruptedKind): Error =>
  conflictError(`There is no interrupted ${what}.`, {
    code: what === "migration" ? "migration.none" : "write.none",
    next: "Start a new one.",
  });

/**
 * What is to be done with a run that an earlier command has left: as the flags say, `--yes` finishes it, else the user is
 * asked. Undefined when there is none, or in a dry run.
 */
export async function choiceForInterrupted(
  ctx: CommandContext,
  { resume, undo }: OptionsOf<typeof interruptedOptions>,
  run: Interrupted | undefined,
  what: InterruptedKind,
): Promise<"finish" | "undo" | undefined> {
  const wants = undo ? "undo" : resume ? "finish" : undefined;
  if (run === undefined) {
    if (wants === undefined) return undefined;
    throw noInterrupted(what);
  }
  if (ctx.flags.dryRun) {
    ctx.say.warning(`The ${what} of ${runTime(run)} was interrupted; resume it with --resume or undo it with --undo.`);
    return undefined;
  }
  return wants ?? offer(ctx, run, what);
}

/** When a run began, for people. */
export function runTime({ startedAt }: Pick<Interrupted, "startedAt">): string {
  return startedAt.slice(0, 19).replace("T", " ");
}

async function offer(ctx: CommandContext, run: Interrupted, what: InterruptedKind): Promise<"finish" | "undo"> {
  if (ctx.flags.yes) return "finish";
  if (!ctx.canPrompt) {
    throw usageError(interruption(run, what), {
      code: what === "migration" ? "migration.interrupted" : "write.interrupted",
      why: `${countOf(run.steps, "step")} completed.`,
      next: "Run the command again with --resume to finish it, or with --undo to undo it.",
    });
  }
  return askForInterrupted(await ctx.prompts("--resume"), run, what);
}

/** Asks what is to be done with an interrupted run. */
export async function askForInterrupted(
  prompts: Pick<Prompts, "select">,
  run: Pick<Interrupted, "startedAt">,
  what: InterruptedKind,
): Promise<"finish" | "undo"> {
  const choice = await prompts.select(interruption(run, what), [
    { label: "Finish it", value: "finish" as const },
    { label: "Undo it", value: "undo" as const },
    { label: "Leave it and quit", value: "stop" as const },
  ]);
  if (choice === "stop") throw stoppedError();
  return choice;
}

const interruption = (run: Pick<Interrupted, "startedAt">, what: InterruptedKind): string =>
  `The ${what} of ${runTime(run)} was interrupted.`;
