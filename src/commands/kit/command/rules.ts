import { usageError } from "../failures/command-error.ts";
import type { Command } from "./define.ts";
import type { FlagRule, OptionSpec, Options, Texts } from "./options.ts";
import { sharedOptionsOf } from "./shared-options.ts";
import { camelCase } from "./values.ts";

/** What a flag needs, and what it cannot be used together with: names of flags, and arguments in angle brackets. */
export interface FlagNotes {
  readonly needs: readonly string[];
  readonly conflicts: readonly string[];
}

const ruleOf = (rule: readonly string[] | FlagRule | undefined): FlagRule =>
  rule === undefined ? { flags: [] } : "flags" in rule ? rule : { flags: rule };

/** `--queue`, `<id>` */
export const shownName = (name: string): string => (name.startsWith("<") ? name : `--${name}`);

/** `--wait or --follow` */
export function listed(names: readonly string[], word: "and" | "or"): string {
  const shown = names.map(shownName);
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${word} ${shown.at(-1) ?? ""}`;
}

/** The rules of each flag. Of two that exclude each other, one says so and both are told. */
export function notesOf(options: Options): (name: string) => FlagNotes {
  const others = new Map<string, string[]>();
  const note = (name: string, other: string): unknown => others.set(name, [...(others.get(name) ?? []), other]);
  for (const { name, conflicts } of options) {
    for (const other of ruleOf(conflicts).flags) {
      note(name, other);
      note(other, name);
    }
  }
  const needs = new Map(options.map((option) => [option.name, ruleOf(option.needs).flags]));
  return (name) => ({ needs: needs.get(name) ?? [], conflicts: [...new Set(others.get(name))] });
}

/** The flags of a command, those it shares with others included. */
export const allOptionsOf = (command: Command): Options => [...(command.options ?? []), ...sharedOptionsOf(command)];

/** Refuses flags that contradict each other, and those that mean nothing without another. */
export function checkRules(command: Command, given: Texts, args: Texts): void {
  const isGiven = (name: string): boolean =>
    hasValue(name.startsWith("<") ? args[name.slice(1, -1)] : given[camelCase(name)]);
  for (const option of allOptionsOf(command)) if (isGiven(option.name)) checkRulesOf(option, isGiven);
}

const hasValue = (value: Texts[string]): boolean => value !== undefined && (!Array.isArray(value) || value.length > 0);

function checkRulesOf({ name, needs, conflicts }: OptionSpec, isGiven: (name: string) => boolean): void {
  const { flags: wanted, ...need } = ruleOf(needs);
  const { flags: excluded, ...conflict } = ruleOf(conflicts);
  const other = excluded.find(isGiven);
  if (other !== undefined) {
    throw usageError(`${listed([name, other], "and")} cannot be used together.`, {
      next: "Use one of them.",
      ...conflict,
    });
  }
  if (wanted.length === 0 || wanted.some(isGiven)) return;
  const next = wanted.length === 1 ? `Add ${listed(wanted, "or")}.` : "Add one of them.";
  throw usageError(`--${name} needs ${listed(wanted, "or")}.`, { next, ...need });
}
