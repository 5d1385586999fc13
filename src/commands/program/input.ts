import type { Command, CommandInput, OptionSpec } from "../kit/command/define.ts";
import { withDefaults } from "../kit/command/parse-options.ts";
import { allOptionsOf, checkRules } from "../kit/command/rules.ts";
import { globalOptions } from "../kit/command/shared-options.ts";
import { camelCase, emptyValue, quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { nearest } from "../kit/failures/nearest.ts";
import type { Word } from "./word.ts";

type Values = Record<string, string | boolean | readonly string[] | undefined>;

/** What a line passes to its command: its arguments, its own flags and the shared ones, all still strings. */
export interface Given {
  readonly args: CommandInput["args"];
  readonly texts: Readonly<Values>;
  readonly shared: Readonly<Values>;
  /** What to say about flags whose names have changed. */
  readonly renamed: readonly string[];
}

/**
 * What commander has read for a command, checked. Anything wrong with it is a usage error that names the argument or
 * flag.
 */
export function inputOf(word: Word, command: Command): Given {
  const values: Values = { ...word.opts() };
  const own = command.options ?? [];
  const specs = allOptionsOf(command);
  const renamed = specs.flatMap((option) => takeFormer(values, option));
  const ownNames = new Set(own.map((option) => camelCase(option.name)));
  const given: Values = {};
  const shared: Values = {};
  for (const [name, value] of Object.entries(values)) (ownNames.has(name) ? given : shared)[name] = value;
  for (const { name } of globalOptions) if (shared[camelCase(`no-${name}`)] === false) shared[name] = false;
  const args = argumentsOf(command, word.processedArgs);
  for (const spec of specs) refuseEmpty(`--${spec.name}`, values[camelCase(spec.name)], spec);
  for (const spec of command.args ?? []) refuseEmpty(`<${spec.name}>`, args[camelCase(spec.name)], spec);
  checkChoices(values, specs);
  checkRules(command, values, args);
  return { args, texts: withDefaults(own, given), shared, renamed };
}

/** Moves the value of a flag's former name to the flag. */
function takeFormer(values: Values, { name, formerly = [] }: OptionSpec): string[] {
  return formerly.flatMap((former) => {
    const value = values[camelCase(former)];
    delete values[camelCase(former)];
    if (value === undefined) return [];
    values[camelCase(name)] ??= value;
    return [`--${former} is now --${name}.`];
  });
}

/** A shell variable that is not set must not widen what is read or changed. */
function refuseEmpty(name: string, value: Values[string], spec: { readonly allowEmpty?: boolean }): void {
  const isEmpty = Array.isArray(value) ? value.includes("") : value === "";
  if (!isEmpty || spec.allowEmpty === true) return;
  throw emptyValue(name);
}

function argumentsOf(command: Command, given: readonly unknown[]): CommandInput["args"] {
  const args: Record<string, string | readonly string[]> = {};
  for (const [i, spec] of (command.args ?? []).entries()) {
    const [name, value] = [camelCase(spec.name), given[i]];
    if (typeof value === "string") args[name] = value;
    else if (spec.variadic === true) args[name] = Array.isArray(value) ? value.map(String) : [];
  }
  return args;
}

function checkChoices(values: Values, specs: readonly OptionSpec[]): void {
  for (const spec of specs) {
    const { choices } = spec;
    const value = values[camelCase(spec.name)];
    if (choices === undefined || value === undefined || typeof value === "boolean") continue;
    for (const text of typeof value === "string" ? [value] : value) {
      if (choices.includes(text)) continue;
      const guess = nearest(text, choices);
      throw usageError(`--${spec.name} cannot be ${quote(text)}.`, {
        code: "usage.invalid_value",
        why: `It takes ${choices.join(", ")}.`,
        ...(guess === undefined ? {} : { next: `Did you mean "${guess}"?` }),
      });
    }
  }
}
