import type { Command, OptionSpec } from "../kit/command/define.ts";
import { globalOptions, groupOptions } from "../kit/command/shared-options.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { guessVerb } from "./guesses.ts";

/** Verbs everyone guesses, and the word used here. */
const verbAliases: Readonly<Record<string, string>> = { info: "get", edit: "update", rm: "delete", ls: "list" };

/** What the words of a command line name. */
export interface Location {
  /** Absent when the words stop at a noun or sub-noun. */
  readonly command?: Command;
  /** The words that were recognised, in their main spelling. */
  readonly words: readonly string[];
  /** The line without those words. */
  readonly rest: readonly string[];
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
}

/** Whether the token is a flag whose value is the next token. */
export function takesNext(token: string, options: readonly (OptionSpec & { readonly short?: string })[]): boolean {
  if (!token.startsWith("-") || token.includes("=")) return false;
  const isLong = token.startsWith("--");
  const name = isLong ? token.slice(2) : token.at(-1);
  return options.some((option) => option.value !== undefined && (isLong ? option.name : option.short) === name);
}

function isStepOf(word: string, command: Command, depth: number): boolean {
  const step = command.path[depth];
  if (step === undefined) return false;
  if (word === step) return true;
  const isLast = depth === command.path.length - 1;
  return isLast ? verbAliases[word] === step || (command.aliases ?? []).includes(word) : word === `${step}s`;
}

/**
 * Finds the command the words name. Flags may stand anywhere; before the verb only their spelling tells whether
 * they take a value, so all flags of the noun are known here.
 */
export function locate(noun: string, commands: readonly Command[], line: readonly string[]): Location {
  const options = [
    ...globalOptions,
    ...Object.values(groupOptions).flat(),
    ...commands.flatMap((command) => command.options ?? []),
  ];
  let candidates = commands;
  const words: string[] = [];
  const rest: string[] = [];
  let wantsHelp = false;
  let wantsVersion = false;
  let isOpen = true;

  for (let i = 0; i < line.length; i += 1) {
    const token = line[i] ?? "";
    if (token === "--") {
      rest.push(...line.slice(i));
      break;
    }
    if (token === "--help" || token === "-h") {
      wantsHelp = true;
      continue;
    }
    // A command may have a flag of this name: analysis download does.
    if (token === "-V" || (token === "--version" && !options.some(({ name }) => name === "version"))) {
      wantsVersion = true;
      continue;
    }
    if (token.startsWith("-") && token !== "-") {
      rest.push(token);
      const next = line[i + 1];
      if (next !== undefined && takesNext(token, options)) {
        rest.push(next);
        i += 1;
      }
      continue;
    }
    const exact = isOpen ? candidates.filter((command) => command.path[words.length] === token) : [];
    const matching =
      exact.length > 0 || !isOpen ? exact : candidates.filter((command) => isStepOf(token, command, words.length));
    const step = matching[0]?.path[words.length];
    if (step === undefined) {
      isOpen = false;
      rest.push(token);
      continue;
    }
    words.push(step);
    candidates = matching.filter((command) => command.path[words.length - 1] === step);
  }

  const command = candidates.find((candidate) => candidate.path.length === words.length);
  const unknown = rest.find((token, i) => !token.startsWith("-") && !takesNext(rest[i - 1] ?? "", options));
  if (command === undefined && unknown !== undefined) throw unknownWord(noun, words, unknown, candidates);
  return { ...(command === undefined ? {} : { command }), words, rest, wantsHelp, wantsVersion };
}

function unknownWord(noun: string, words: readonly string[], word: string, candidates: readonly Command[]): Error {
  const place = ["iot", noun, ...words].join(" ");
  const known = new Set(candidates.map((command) => command.path[words.length] ?? ""));
  const guess = guessVerb(place, word, known);
  return usageError(`${place} has no command ${quote(word)}.`, {
    code: "usage.unknown_command",
    why: `It knows ${[...known].join(", ")}.`,
    next: guess === undefined ? `Run "${place} --help".` : `Did you mean "${guess}"?`,
  });
}
