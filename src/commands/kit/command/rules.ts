import { defined } from "../../../lib/core/defined.ts";
import { usageError } from "../failures/command-error.ts";
import type { Command } from "./define.ts";
import type { FlagRule, OptionSpec, Options, TypedTexts } from "./options.ts";
import { isSwitch } from "./parse-options.ts";
import { sharedOptionsOf } from "./shared-options.ts";
import { camelCase } from "./values.ts";

/** What a flag needs, and what it cannot be used together with: names of flags, and arguments in angle brackets. */
export interface FlagNotes {
  readonly needs: readonly string[];
  readonly conflicts: readonly string[];
  /** What help calls those it excludes. */
  readonly called?: string | undefined;
}

export const ruleOf = (rule: readonly string[] | FlagRule | undefined): FlagRule =>
  rule === undefined ? { flags: [] } : "flags" in rule ? rule : { flags: rule };

/** `--queue`, `<id>` */
const shownName = (name: string): string => (name.startsWith("<") ? name : `--${name}`);

/** `--wait or --follow` */
export function listedFlags(names: readonly string[], word: "and" | "or"): string {
  const shown = names.map(shownName);
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${word} ${shown.at(-1) ?? ""}`;
}

/** The name as it is typed: `no-watch` of a switch that is on unless it is given. */
const typedName = (option: OptionSpec): string =>
  option.negatable === true && isSwitch(option) ? `no-${option.name}` : option.name;

/** The flags and arguments each one excludes: of two, one says so. */
function exclusions(options: Options, excluded: (option: OptionSpec) => readonly string[]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  const note = (name: string, other: string): unknown => all.set(name, [...(all.get(name) ?? []), other]);
  for (const option of options) {
    for (const other of excluded(option)) {
      note(typedName(option), other);
      note(other, typedName(option));
    }
  }
  return all;
}

/** The rules of each flag, as shown in help. */
export function ruleNotes(options: Options): (name: string) => FlagNotes {
  const others = exclusions(options, ({ conflicts }) => ruleOf(conflicts).flags);
  const own = new Map(options.map((option) => [option.name, option]));
  return (name) => {
    const { needs, conflicts, ...option } = own.get(name) ?? { name, summary: "" };
    const excluded = [...new Set(others.get(typedName(option)))];
    return { needs: ruleOf(needs).flags, conflicts: excluded, called: ruleOf(conflicts).called };
  };
}

const excludedBy = ({ conflicts, opposite }: OptionSpec): readonly string[] =>
  opposite === undefined ? ruleOf(conflicts).flags : [...ruleOf(conflicts).flags, opposite];

/** The flags that may follow on a line. */
export function allowedAfter<Spec extends OptionSpec>(
  options: readonly Spec[],
  isGiven: (name: string) => boolean,
): readonly Spec[] {
  const excluded = exclusions(options, excludedBy);
  return options.filter((option) => excluded.get(typedName(option))?.some(isGiven) !== true);
}

/** The flags of a command, those it shares with others included. */
export const allOptionsOf = (command: Command): Options => [...(command.options ?? []), ...sharedOptionsOf(command)];

/** Rejects flags that contradict each other, and those that mean nothing without another. */
export function checkRules(command: Command, given: TypedTexts, args: TypedTexts): void {
  const isGiven = (name: string): boolean =>
    name.startsWith("<") ? hasValue(args[camelCase(name.slice(1, -1))]) : isTyped(name, given);
  for (const option of allOptionsOf(command)) {
    if (isGiven(option.name)) checkRulesOf(option, isGiven);
    else if (option.required !== undefined) throw missingFlag(option.name, option.required);
  }
}

/** Whether a flag is on the line: `no-watch` is where `watch` is off. */
export function isTyped(name: string, given: TypedTexts): boolean {
  const value = given[camelCase(name)];
  return value === undefined && name.startsWith("no-") ? given[camelCase(name.slice(3))] === false : hasValue(value);
}

const missingFlag = (name: string, example: string): Error =>
  usageError(`--${name} is required.`, { code: "usage.missing_value", next: `Add ${example}.` });

const hasValue = (value: TypedTexts[string]): boolean =>
  value !== undefined && (!Array.isArray(value) || value.length > 0);

function checkRulesOf(option: OptionSpec, isGiven: (name: string) => boolean): void {
  const { name } = option;
  const { flags: wanted, why: whyNeeded } = ruleOf(option.needs);
  const { why, next = "Use one of them." } = ruleOf(option.conflicts);
  const other = excludedBy(option).find(isGiven);
  if (other !== undefined) {
    throw usageError(`${listedFlags([name, other], "and")} cannot be used together.`, { ...defined({ why }), next });
  }
  if (wanted.length === 0 || wanted.some(isGiven)) return;
  const names = listedFlags(wanted, "or");
  throw usageError(`--${name} needs ${names}.`, {
    ...defined({ why: whyNeeded }),
    next: `Add ${names}, or remove --${name}.`,
  });
}
