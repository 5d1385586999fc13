import type { CommanderError } from "commander";
import { quote } from "../kit/command/values.ts";
import { type CommandError, usageError } from "../kit/failures/command-error.ts";
import { nearestFew } from "../kit/failures/nearest.ts";
import { findNoun, nouns } from "../registry.ts";
import { foreignNouns, guessLine, startsLine } from "./foreign-lines.ts";
import {
  absent,
  beside,
  guessFlag,
  guessVerb,
  isVerb,
  longest,
  moved,
  offFlags,
  replaced,
  splitWord,
} from "./guesses.ts";
import { find } from "./program.ts";
import type { Word } from "./word.ts";

/** The failure of words that lead to no command: they stop too early, or at a word that is unknown. */
export async function noCommand(word: Word): Promise<CommandError> {
  const { title, commands, unknown } = word;
  const known = new Set(commands.map((one) => one.name()));
  const why = `It knows ${[...known].join(", ")}.`;
  const help = `Run "${title} --help".`;
  if (unknown === undefined)
    return usageError(`${title} needs a command after it.`, { code: "usage.missing_command", why, next: help });
  const guess = (await besideOf(word, unknown)) ?? guessVerb(title, unknown, known);
  return usageError(`${title} has no command ${quote(unknown)}.`, {
    code: "usage.unknown_command",
    why,
    next: guess === undefined ? (elsewhere.get(title)?.(unknown) ?? help) : `Did you mean "${guess}"?`,
  });
}

/** `portal user create` is "iot run user create": what stands under the noun beside this one. */
async function besideOf({ title, args }: Word, unknown: string): Promise<string | undefined> {
  const noun = beside.get(title);
  if (noun === undefined || moved.has(`${title} ${unknown}`)) return undefined;
  const [, ...rest] = wordsFrom(unknown, args);
  const [called, ...inside] = foreignNouns.get(unknown)?.split(" ") ?? [];
  const start = [noun, ...(called === noun ? inside : [unknown])];
  const found = await find([...start, ...rest]);
  if (found.path.length === 0) return undefined;
  if (found.unknown !== undefined) return found.title;
  const listed = found.spec === undefined ? await find([...start, "list"]) : found;
  return listed.spec === undefined ? found.title : listed.title;
}

/** What a noun may mean: other programs run things with `run`. */
const elsewhere = new Map([
  [
    "iot run",
    (word: string) => `To run an analysis: iot analysis run ${quote(word)}. To run a portal: iot run --help.`,
  ],
]);

/** The failure of a line whose first word is no noun, or that has none. */
export async function noNoun(word: string | undefined, line: readonly string[]): Promise<CommandError> {
  if (word === undefined)
    return usageError(`iot needs a command besides ${quote(line[0] ?? "")}.`, {
      code: "usage.missing_command",
      next: 'Run "iot --help".',
    });
  const instead = absent.get(word);
  const words = wordsFrom(word, line);
  return usageError(`iot has no command ${quote(word)}.`, {
    code: "usage.unknown_command",
    ...(instead === undefined ? {} : { why: "Nothing here does the same." }),
    next: instead ?? longest(replaced, words)?.text ?? (await nextFor(words)),
  });
}

/**
 * What a first word means here: a command, or a word whose error names the command that does it. Undefined for one that
 * a program of the user's own may have.
 */
export async function meaningOf(word: string): Promise<"command" | "suggestion" | undefined> {
  if (nounWords.includes(word)) return "command";
  const isExplained = absent.has(word) || replaced.has(word) || foreignNouns.has(word) || startsLine(word);
  if (isExplained || isVerb(word)) return "suggestion";
  const words = splitWord(word, nounWords);
  return words !== undefined && (await find(words)).spec !== undefined ? "suggestion" : undefined;
}

const nounWords: readonly string[] = [...nouns.flatMap((noun) => [noun.name, ...noun.aliases]), "help"];

/** The words of a line from the first that is none of ours; flags say nothing about what was meant. */
const wordsFrom = (word: string, line: readonly string[]): readonly string[] =>
  line.slice(line.indexOf(word)).filter((one) => !one.startsWith("-"));

async function nextFor(words: readonly string[]): Promise<string> {
  const [word = ""] = words;
  const guess = guessLine(words);
  const next =
    (guess !== undefined && guess.words > 1 ? run(guess.line) : undefined) ??
    (await nextOfNoun(words)) ??
    (await nextOfSwapped(words)) ??
    (guess === undefined ? await nextOfSplit(word) : run(guess.line));
  if (next !== undefined) return next;
  const names = nearestFew(word, nounWords).map((name) => findNoun(name)?.name ?? name);
  const few = [...new Set(names)].slice(0, 3).map((name) => `"iot ${name}"`);
  if (few.length > 0) return `Did you mean ${few.join(" or ")}?`;
  return isVerb(word) ? `Name the noun first, as in "${await withDevice(word)}".` : 'Run "iot --help".';
}

const run = (line: string): string => `Run "${line}".`;

/** The command that a verb means when the noun is missing, shown with the commonest noun. */
async function withDevice(verb: string): Promise<string> {
  const found = await find(["device", verb]);
  if (found.spec !== undefined) return found.title;
  return guessVerb(found.title, verb, new Set(found.commands.map((one) => one.name()))) ?? "iot device list";
}

/** `users`, `functions deploy`: what another program calls the noun. Alone it asks for the list. */
async function nextOfNoun([word = "", verb]: readonly string[]): Promise<string | undefined> {
  const noun = foreignNouns.get(word)?.split(" ");
  if (noun === undefined || (verb === undefined && guessLine([word]) !== undefined)) return undefined;
  const listed = await nextOf([...noun, verb ?? "list"]);
  return listed ?? `Run "iot ${noun.join(" ")} --help".`;
}

/** `get devices`, `describe device 1`: the verb comes first. */
async function nextOfSwapped([verb = "", word]: readonly string[]): Promise<string | undefined> {
  if (word === undefined || !(isVerb(verb) || verb === "ls")) return undefined;
  const noun = foreignNouns.get(word)?.split(" ") ?? (findNoun(word) === undefined ? undefined : [word]);
  if (noun === undefined) return undefined;
  const isList = verb === "get" && word.endsWith("s") && findNoun(word)?.name !== word;
  return nextOf([...noun, isList ? "list" : verb]);
}

/** The command that words with a noun of ours name or mean. */
async function nextOf(words: readonly string[]): Promise<string | undefined> {
  const found = await find(words);
  if (found.noun === undefined) return undefined;
  if (found.unknown !== undefined) return (await noCommand(found)).next;
  return run(`${found.title}${found.spec === undefined ? " --help" : ""}`);
}

/** `device-list` is "iot device list". */
async function nextOfSplit(word: string): Promise<string | undefined> {
  const words = splitWord(word, nounWords);
  return words === undefined ? undefined : nextOf(words);
}

/** What commander found wrong with a line, in our words. */
export function explain(error: CommanderError, word: Word): CommandError {
  const { title } = word;
  const named = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  const help = `Run "${title} --help".`;
  switch (error.code) {
    case "commander.unknownOption":
      return unknownFlag(named.split("=")[0] ?? named, word);
    case "commander.missingArgument":
      return usageError(`${title} needs <${named}>.`, { code: "usage.missing_argument", next: help });
    case "commander.optionMissingArgument": {
      const flag = /--[a-z0-9-]+/.exec(named)?.[0] ?? named;
      return usageError(`${flag} needs a value.`, { code: "usage.missing_value", next: help });
    }
    case "commander.excessArguments":
      return tooMany(word);
    default:
      return usageError(error.message.replace(/^error: /, ""), { next: help });
  }
}

function unknownFlag(flag: string, { title, options }: Word): CommandError {
  const known = options.flatMap(({ long }) => long ?? []);
  // Only a switch with a value gets here although it is known: `--active=false`.
  if (known.includes(flag)) {
    const off = offFlags(flag.slice(2)).find((candidate) => known.includes(candidate));
    return usageError(`${flag} takes no value.`, {
      code: "usage.unknown_flag",
      next: off === undefined ? `Write "${flag}" alone.` : `Write "${flag}" or "${off}".`,
    });
  }
  const guess = moved.get(`${title} ${flag}`) ?? guessFlag(flag, flag.startsWith("--") ? [...known, "--help"] : known);
  return usageError(`${title} has no flag ${quote(flag)}.`, {
    code: "usage.unknown_flag",
    next: guess === undefined ? `Run "${title} --help".` : `Did you mean "${guess}"?`,
  });
}

/** Where a name belongs to a flag, people write it as an argument. */
function tooMany({ title, args, options, registeredArguments: known }: Word): CommandError {
  const extra = quote(args[known.length] ?? "");
  const takes = (flag: string): boolean => options.some(({ long, required }) => long === flag && required);
  const meant = args[known.length] === "-" ? "--input" : "--name";
  return usageError(`${title} does not take ${extra}.`, {
    code: "usage.too_many_arguments",
    why: known.length === 0 ? "It takes no arguments." : `It takes ${known.map((one) => `<${one.name()}>`).join(" ")}.`,
    next: takes(meant) ? `Did you mean ${meant} ${meant === "--input" ? "-" : extra}?` : `Run "${title} --help".`,
  });
}
