import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { inputError } from "../failures/command-error.ts";
import { type JsonObject, parseObject, writePrivate } from "../files/files.ts";
import { readInputFile } from "../files/input-file.ts";

/** A form of plans that are saved in a file and applied with `--apply`. */
export interface PlanForm {
  /** First property of every file. */
  readonly format: string;
  /** As a sentence ends with it: `a migration plan`. */
  readonly what: string;
  /** Command line that creates one. */
  readonly create: string;
  /** Checks everything that will be used. */
  isWhole(value: JsonObject): boolean;
}

/** The text of a plan file. */
const planText = ({ format }: Pick<PlanForm, "format">, plan: object): string =>
  `${JSON.stringify({ format, version: 1, ...plan }, undefined, 2)}\n`;

/** Writes a plan that `--apply` takes. */
export const savePlanFile = (path: string, form: Pick<PlanForm, "format">, plan: object): void =>
  writePrivate(path, planText(form, plan));

/** Reads a plan file and checks that it is one. */
export async function loadPlanFile<Plan extends object>(
  ctx: Pick<CommandContext, "path" | "signal">,
  place: string,
  form: PlanForm,
): Promise<Plan> {
  const text = String(await readInputFile(ctx.path(place), place, "--apply", ctx.signal));
  return planIn(parseObject(text, place), place, form);
}

/** The plan in a parsed file. */
function planIn<Plan extends object>(value: JsonObject, shown: string, form: PlanForm): Plan {
  const { format, what, create, isWhole } = form;
  if (value["format"] === format && value["version"] === 1 && isWhole(value)) return value as unknown as Plan;
  throw inputError(`${quote(shown)} is not ${what}.`, { code: "plan.invalid", next: `Create one with "${create}".` });
}
