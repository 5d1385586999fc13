import type { Command, OptionSpec } from "../kit/command/define.ts";
import { globalOptions, groupOptions } from "../kit/command/shared-options.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { guessVerb } from "./guesses.ts";

/** A flag, of a command or of all. */
export type Flag = OptionSpec & { readonly short?: string };

/** Verbs everyone guesses, and the word used here. */
const verbAliases: Readonly<Record<string, string>> = { info: "get", edit: "update", rm: "delete", ls: "list" };

/** What the words of a command line name. */
export interface Location {
  /** Absent when the words stop at a noun or sub-noun. */
  readonly command?: Command;
  /** The words that were recognised, in their main spelling. */
  readonly words: readonly string[];
  /** The commands that start with those words. */
  readonly inside: readonly Command[];
  /** The line without those words. */
  readonly rest: readonly string[];
  /** What of the rest is neither a flag nor its value. */
  readonly given: readonly string[];
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
}

/** Whether the token is a flag whose value is the next token. */
function takesNext(token: string, options: readonly Flag[]): boolean {
  if (!token.startsWith("-") || token.includes("=")) return false;
  const isLong = token.startsWith("--");
  const name = isLong ? token.slice(2) : token.at(-1);
  return options.some((option) => option.value !== undefined && (isLong ? option.name : option.short) === name);
}

/** The line up to `--`. */
export function beforeEnd(line: readonly string[]): readonly string[] {
  const end = line.indexOf("--");
  return end < 0 ? line : line.slice(0, end);
}

/** The value that a line gives to `--output` and the like, whatever else is wrong with the line. */
export function valueIn(line: readonly string[], name: "env" | "output" | "profile"): string | undefined {
  const short = globalOptions.find((option) => option.name === name)?.short;
  const form = new RegExp(`^(?:--${name}(?:=(.*))?|-${short}(.+)|-[a-zA-Z]*${short})$`, "s");
  const words = beforeEnd(line);
  const at = words.findLastIndex((word) => form.test(word));
  const [, long, joined] = form.exec(words[at] ?? "") ?? [];
  return at < 0 ? undefined : (long ?? joined ?? words[at + 1]);
}

/** The first word, which is the noun, and the line without it: flags may come before it. */
export function splitNoun(
  line: readonly string[],
): { readonly word: string; readonly rest: readonly string[] } | undefined {
  for (let i = 0; i < line.length; i += 1) {
    const token = line[i] ?? "";
    if (token === "--") return undefined;
    if (takesNext(token, globalOptions)) i += 1;
    else if (!token.startsWith("-")) return { word: token, rest: [...line.slice(0, i), ...line.slice(i + 1)] };
  }
  return undefined;
}

function isStepOf(word: string, command: Command, depth: number): boolean {
  const step = command.path[depth];
  if (step === undefined) return false;
  const isLast = depth === command.path.length - 1;
  return isLast ? verbAliases[word] === step || (command.aliases ?? []).includes(word) : word === `${step}s`;
}

const flagsOf = (commands: readonly Command[]): readonly Flag[] => [
  ...globalOptions,
  ...Object.values(groupOptions).flat(),
  ...commands.flatMap((command) => command.options ?? []),
];

/**
 * Finds the command the words name. Flags may stand anywhere; before the verb only their spelling tells whether they
 * take a value, so those of all commands are known that it may still be.
 */
export function locate(noun: string, commands: readonly Command[], line: readonly string[]): Location {
  let inside = commands;
  const words: string[] = [];
  const rest: string[] = [];
  const given: string[] = [];
  let wantsHelp = false;
  let wantsVersion = false;

  for (let i = 0; i < line.length; i += 1) {
    const token = line[i] ?? "";
    if (token === "--") {
      rest.push(...line.slice(i));
      given.push(...line.slice(i + 1));
      break;
    }
    if (!token.startsWith("-") || token === "-") {
      const depth = words.length;
      const found =
        inside.find(({ path }) => path[depth] === token) ?? inside.find((one) => isStepOf(token, one, depth));
      const step = found?.path[depth];
      if (step === undefined || given.length > 0) {
        rest.push(token);
        given.push(token);
      } else {
        words.push(step);
        inside = inside.filter(({ path }) => path[depth] === step);
      }
      continue;
    }
    const known = flagsOf(inside);
    // A command may have a flag of this name: analysis download does.
    const isVersion = token === "-V" || (token === "--version" && !known.some(({ name }) => name === "version"));
    if (isVersion) wantsVersion = true;
    else if (token === "--help" || token === "-h") wantsHelp = true;
    else {
      const end = takesNext(token, known) ? i + 2 : i + 1;
      rest.push(...line.slice(i, end));
      i = end - 1;
    }
  }

  const command = inside.find(({ path }) => path.length === words.length);
  const [unknown] = given;
  if (command === undefined && unknown !== undefined) throw noCommand(noun, { words, inside }, unknown);
  return { ...(command === undefined ? {} : { command }), words, inside, rest, given, wantsHelp, wantsVersion };
}

/** The failure of words that lead to no command: they stop too early, or at a word that is unknown. */
export function noCommand(
  noun: string,
  { words, inside }: Pick<Location, "words" | "inside">,
  unknown?: string,
): Error {
  const place = ["iot", noun, ...words].join(" ");
  const known = new Set(inside.map((command) => command.path[words.length] ?? ""));
  const why = `It knows ${[...known].join(", ")}.`;
  const help = `Run "${place} --help".`;
  if (unknown === undefined)
    return usageError(`${place} needs a command after it.`, { code: "usage.missing_command", why, next: help });
  const guess = guessVerb(place, unknown, known);
  return usageError(`${place} has no command ${quote(unknown)}.`, {
    code: "usage.unknown_command",
    why,
    next: guess === undefined ? help : `Did you mean "${guess}"?`,
  });
}
