import type { OptionSpec } from "../command/options.ts";
import { parseJsonText } from "../command/parse-options.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { inputError } from "../failures/command-error.ts";

const isInline = (place: string): boolean => /^\s*[[{]/.test(place);

/** The file of a scope; undefined for inline JSON. */
export const scopeFile = (place: string): string | undefined => (isInline(place) ? undefined : place);

/** The flag of every command that runs an analysis. */
export const scopeOption = {
  name: "scope",
  file: scopeFile,
  value: "file",
  summary: "JSON list or object for the run: a file, - or JSON",
} as const satisfies OptionSpec;

/** The scope of a run: a file, `-` for stdin, or inline JSON. */
export async function readScope(
  ctx: CommandContext,
  place: string | undefined,
  flag: string,
): Promise<object | undefined> {
  if (place === undefined) return undefined;
  const shown = isInline(place) ? flag : quote(place);
  const scope = parseJsonText(isInline(place) ? place : await ctx.readInput(place, flag), shown);
  if (typeof scope === "object" && scope !== null) return scope;
  throw inputError(`The scope in ${shown} must be a list or an object.`, {
    next: 'Use the form [{"variable": "level", "value": 3}].',
  });
}
