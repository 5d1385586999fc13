import type { CommandContext } from "../context.ts";
import { ClosedPipeError } from "../io.ts";
import { messageOf } from "../resource/batch.ts";
import { convertFile, type Goal } from "./convert-file.ts";
import type { Inputs, WidgetInput } from "./inputs.ts";
import { createJudge, failureRow, type Judged } from "./outcome.ts";

export interface Plan {
  readonly inputs: Inputs;
  readonly goalOf: (input: WidgetInput) => Goal;
  readonly isStrict: boolean;
  readonly onWritten?: (input: WidgetInput) => Promise<void>;
}

/**
 * Processes all files and yields the outcome of each widget, in the order of the files. A file that fails gets a row
 * and does not stop the others; the only one ends the command. After Ctrl-C nothing more is started.
 */
export async function* judgeAll(ctx: CommandContext, plan: Plan): AsyncGenerator<Judged> {
  const { inputs, goalOf, isStrict } = plan;
  const isOnly = inputs.files.length + inputs.failures.length === 1;
  if (isOnly && inputs.failures[0] !== undefined) throw inputs.failures[0].error;
  const judge = await createJudge(isStrict);
  for (const { name, error } of inputs.failures) yield failed(ctx, name, error);
  for (const input of inputs.files) {
    if (ctx.signal.aborted) return;
    try {
      const onWritten = plan.onWritten === undefined ? {} : { onWritten: plan.onWritten };
      yield* convertFile({ ctx, input, goal: goalOf(input), judge, isStrict, ...onWritten });
    } catch (error) {
      if (isOnly || error instanceof ClosedPipeError) throw error;
      yield failed(ctx, input.name, error);
    }
  }
}

function failed(ctx: CommandContext, name: string, error: unknown): Judged {
  ctx.say.warning(`${name}: ${messageOf(error)}`);
  const why = error instanceof Error && "why" in error && typeof error.why === "string" ? ` ${error.why}` : "";
  return failureRow(name, messageOf(error) + why);
}
