import { shellWord } from "../../../text/shell-word.ts";
import type { MigrationJob, TargetChoice } from "./types.ts";

/** What a migration was asked for. */
export interface CommandParts {
  readonly ids: readonly string[];
  readonly mode: TargetChoice;
  /** A saved plan; it says everything else. */
  readonly plan?: string | undefined;
  /** Flags with their values, in order: `["name", "%s (new)"]`. */
  readonly flags?: readonly (readonly [flag: string, value: string])[];
}

/** The dashboards a job was asked for, and its target. */
export function askedOf({ mode, dashboards }: MigrationJob): Pick<CommandParts, "ids" | "mode"> {
  const isUpdate = dashboards.some(({ original }) => original !== undefined);
  return { ids: dashboards.map(({ id, original }) => original ?? id), mode: isUpdate ? "update" : mode };
}

/** The command that does a migration again without a question. */
export function commandLine({ ids, mode, plan, flags = [] }: CommandParts): string {
  const what =
    plan === undefined
      ? [...ids, `--${mode}`, ...flags.map(([flag, value]) => `--${flag} ${shellWord(value)}`)]
      : [`--apply ${shellWord(plan)}`];
  return ["iot dashboard migrate", ...what, "--yes"].join(" ");
}
