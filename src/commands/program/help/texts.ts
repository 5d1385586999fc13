import type { ArgumentSpec, Command, OptionSpec } from "../../kit/command/define.ts";
import { exitCodesOf } from "../../kit/command/exit-codes.ts";
import { type FlagNotes, listedFlags } from "../../kit/command/rules.ts";
import type { SharedOption } from "../../kit/command/shared-options.ts";

/** `<id>`, `[files...]`. */
export function argumentText(argument: ArgumentSpec): string {
  const name = argument.variadic === true ? `${argument.name}...` : argument.name;
  return argument.required === true ? `<${name}>` : `[${name}]`;
}

/** What an argument means, and its values. */
export function argumentNote({ summary, values = [] }: ArgumentSpec): string {
  const isSaid = values.every((value) => summary.includes(value));
  return isSaid ? summary : `${summary} (one of ${values.join(", ")})`;
}

/** `-e, --env <name>`, `--no-header`. */
export function optionName(option: OptionSpec & { readonly short?: string }): string {
  // A switch that is on is only ever turned off; a flag with a value is shown with it.
  const isOff = option.negatable === true && option.value === undefined;
  const short = option.short === undefined ? "" : `-${option.short}, `;
  return `${short}--${isOff ? "no-" : ""}${option.name}${option.value === undefined ? "" : ` <${option.value}>`}`;
}

const freeFlag: FlagNotes = { needs: [], conflicts: [] };

/** Aligns long names. */
export const aligned = (name: string): string => (name.startsWith("--") ? `    ${name}` : name);

/** What a flag means, its values and default, and the flags it needs or excludes. */
export function optionText(option: OptionSpec, { needs, conflicts, called }: FlagNotes = freeFlag): string {
  const notes = [
    ...(option.required === undefined ? [] : ["required"]),
    ...(option.choices === undefined ? [] : [`one of ${option.choices.join(", ")}`]),
    ...(option.repeat === true ? ["may be repeated"] : []),
    ...(typeof option.default === "string" ? [`default ${option.default}`] : []),
    ...(Array.isArray(option.default) && option.default.length > 0 ? [`default ${option.default.join(", ")}`] : []),
    ...(needs.length === 0 ? [] : [`needs ${listedFlags(needs, "or")}`]),
    ...(conflicts.length === 0 ? [] : [`not with ${called ?? listedFlags(conflicts, "or")}`]),
  ];
  return notes.length === 0 ? option.summary : `${option.summary} (${notes.join("; ")})`;
}

/** The section of help a flag is in; without a section it is the command's own. */
export function flagsHeading(section?: SharedOption["section"]): string {
  if (section === undefined) return "Flags";
  return section === "Changes" ? "Flags for changes" : `${section} flags`;
}

/** The one flag that no command sees. */
export const helpFlag: SharedOption = { section: "General", name: "help", short: "h", summary: "this help" };

/** The words of a command, its arguments and `[flags]`. */
export function usageLine(noun: string, command: Command): string {
  return [
    ...["iot", noun, ...command.path],
    ...(command.args ?? []).map(argumentText),
    "[flags]",
    ...(command.passThrough === true ? ["-- <command>"] : []),
  ].join(" ");
}

/** Exit codes worth naming: every command can end with 0, 1 or 2. */
export function rareCodes(command: Command): readonly number[] {
  return exitCodesOf(command).filter((code) => code > 2);
}
