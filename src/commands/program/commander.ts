import { CommanderError, Option, Command as Parser } from "commander";
import type { Command, CommandInput, OptionSpec } from "../kit/command/define.ts";
import { globalOptions, sharedOptionsOf } from "../kit/command/shared-options.ts";
import { camelCase, emptyValue, quote } from "../kit/command/values.ts";
import { type CommandError, usageError } from "../kit/failures/command-error.ts";
import { nearest } from "../kit/failures/nearest.ts";
import { guessFlag, offFlags } from "./guesses.ts";

type Values = Record<string, string | boolean | readonly string[] | undefined>;

/** One parsed line: the command's own part, and the shared flags still as text. */
export interface ParsedLine {
  readonly input: CommandInput;
  readonly shared: Readonly<Values>;
}

function addOption(parser: Parser, spec: OptionSpec & { readonly short?: string }): void {
  const short = spec.short === undefined ? "" : `-${spec.short}, `;
  const option = new Option(`${short}--${spec.name}${spec.value === undefined ? "" : ` <${spec.value}>`}`);
  if (spec.repeat === true) {
    option.argParser((text, before: unknown) => [...(Array.isArray(before) ? before : []), text]);
  }
  parser.addOption(option);
  if (spec.negatable === true) parser.addOption(new Option(`--no-${spec.name}`).default(undefined));
}

/**
 * `--no-input` of a command whose own `--input` names a file: a flag of its own, as the two say different things.
 */
function addHiddenSwitches(parser: Parser, command: Command): void {
  const own = new Map(command.options?.map((option) => [option.name, option]));
  for (const { name, negatable } of globalOptions) {
    if (negatable !== true || own.get(name)?.value === undefined) continue;
    const option = new Option(`--no-${name}`).default(undefined);
    option.attributeName = () => camelCase(`no-${name}`);
    parser.addOption(option);
  }
}

/** A command whose last argument takes all that is left still needs at least one when it is required. */
function buildParser(command: Command, title: string): Parser {
  const parser = new Parser(title).exitOverride().helpOption(false).helpCommand(false);
  parser.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  for (const option of [...sharedOptionsOf(command), ...(command.options ?? [])]) addOption(parser, option);
  addHiddenSwitches(parser, command);
  for (const argument of command.args ?? []) {
    const name = argument.variadic === true ? `${argument.name}...` : argument.name;
    parser.argument(argument.required === true ? `<${name}>` : `[${name}]`);
  }
  return parser.action(() => undefined);
}

/** Reads one command line. Everything wrong with it is a usage failure that names the place. */
export function parseLine(command: Command, title: string, line: readonly string[]): ParsedLine {
  const parser = buildParser(command, title);
  try {
    parser.parse([...line], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) throw explain(error, command, title, parser.args);
    throw error;
  }
  const values: Values = parser.opts();
  const ownNames = new Set((command.options ?? []).map((option) => camelCase(option.name)));
  const options: Values = {};
  const shared: Values = {};
  for (const [name, value] of Object.entries(values)) (ownNames.has(name) ? options : shared)[name] = value;
  for (const { name } of globalOptions) if (shared[camelCase(`no-${name}`)] === false) shared[name] = false;
  const args = argumentsOf(command, parser.processedArgs);
  const specs = [...sharedOptionsOf(command), ...(command.options ?? [])];
  for (const spec of specs) refuseEmpty(`--${spec.name}`, values[camelCase(spec.name)], spec);
  for (const spec of command.args ?? []) refuseEmpty(`<${spec.name}>`, args[spec.name], spec);
  for (const option of command.options ?? []) fillDefault(options, option);
  checkChoices(values, specs);
  checkAmount(values);
  return { input: { args, options }, shared };
}

/** A shell variable that is not set must not widen what is read or changed. */
function refuseEmpty(name: string, value: Values[string], spec: { readonly allowEmpty?: boolean }): void {
  const isEmpty = Array.isArray(value) ? value.includes("") : value === "";
  if (!isEmpty || spec.allowEmpty === true) return;
  throw emptyValue(name);
}

function fillDefault(options: Values, spec: OptionSpec): void {
  const name = camelCase(spec.name);
  if (options[name] !== undefined) return;
  const fallback = spec.default ?? (spec.negatable === true ? true : spec.repeat === true ? [] : undefined);
  if (fallback !== undefined) options[name] = fallback;
}

function argumentsOf(command: Command, given: readonly unknown[]): CommandInput["args"] {
  const args: Record<string, string | readonly string[]> = {};
  for (const [i, spec] of (command.args ?? []).entries()) {
    const value = given[i];
    if (typeof value === "string") args[spec.name] = value;
    else if (spec.variadic === true) args[spec.name] = Array.isArray(value) ? value.map(String) : [];
  }
  return args;
}

function checkAmount(values: Values): void {
  for (const name of ["limit", "page"]) {
    if (values["all"] !== true || values[name] === undefined) continue;
    throw usageError(`--all and --${name} exclude each other.`, { next: "Give one of the two." });
  }
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

function unknownFlag(flag: string, command: Command, title: string): CommandError {
  const known = [...sharedOptionsOf(command), ...(command.options ?? [])].flatMap((option) =>
    option.negatable === true ? [`--${option.name}`, `--no-${option.name}`] : [`--${option.name}`],
  );
  // Only a switch with a value gets here although it is known: `--active=false`.
  if (known.includes(flag)) {
    const off = offFlags(flag.slice(2)).find((candidate) => known.includes(candidate));
    return usageError(`${flag} takes no value.`, {
      code: "usage.unknown_flag",
      next: off === undefined ? `Write "${flag}" alone.` : `Write "${flag}" or "${off}".`,
    });
  }
  const guess = flag.startsWith("--") ? guessFlag(flag, [...known, "--help"]) : undefined;
  return usageError(`${title} has no flag ${quote(flag)}.`, {
    code: "usage.unknown_flag",
    next: guess === undefined ? `Run "${title} --help".` : `Did you mean "${guess}"?`,
  });
}

/** Where a name belongs to a flag, people write it as an argument. */
function tooMany(command: Command, title: string, given: readonly string[]): CommandError {
  const args = command.args ?? [];
  const [extra = ""] = given.slice(args.length);
  const hasName = command.options?.some(({ name, value }) => name === "name" && value !== undefined) === true;
  return usageError(`${title} does not take ${quote(extra)}.`, {
    code: "usage.too_many_arguments",
    why: args.length === 0 ? "It takes no arguments." : `It takes ${args.map(({ name }) => `<${name}>`).join(" ")}.`,
    next: hasName ? `Did you mean --name ${quote(extra)}?` : `Run "${title} --help".`,
  });
}

function explain(error: CommanderError, command: Command, title: string, given: readonly string[]): CommandError {
  const named = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  const help = `Run "${title} --help".`;
  switch (error.code) {
    case "commander.unknownOption":
      return unknownFlag(named.split("=")[0] ?? named, command, title);
    case "commander.missingArgument":
      return usageError(`${title} needs <${named}>.`, {
        code: "usage.missing_argument",
        next: help,
      });
    case "commander.optionMissingArgument": {
      const flag = /--[a-z0-9-]+/.exec(named)?.[0] ?? named;
      return usageError(`${flag} needs a value.`, {
        code: "usage.missing_value",
        next: help,
      });
    }
    case "commander.excessArguments":
      return tooMany(command, title, given);
    default:
      return usageError(error.message.replace(/^error: /, ""), { next: help });
  }
}
