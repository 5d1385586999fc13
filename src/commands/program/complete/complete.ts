import type { ArgumentSpec, Command, Noun, OptionSpec } from "../../kit/command/define.ts";
import { globalOptions, groupOptions, type SharedOption, sharedOptionsOf } from "../../kit/command/shared-options.ts";
import { findNoun, nouns } from "../../registry.ts";
import { helpFlag } from "../help/help.ts";
import { topicSummaries } from "../help/top-help.ts";
import { locate, takesNext } from "../locate.ts";
import { refreshFlag, refreshLater, refreshMs } from "./refresh.ts";
import { type Candidate, files, type Place } from "./types.ts";
import { environments, valuesOfArgument, valuesOfFlag } from "./values.ts";

type Option = OptionSpec & { readonly short?: string };
type Environment = Readonly<Record<string, string | undefined>>;

/** Completion gives up after this; a shell that waits is worse than one that offers nothing. */
const patienceMs = 300;
/** On a busy machine loading takes most of that; a platform nearby shall still have a chance. */
const leastMs = 150;

const versionFlag: SharedOption = { section: "General", name: "version", short: "V", summary: "version of iot" };

function flagNames(options: readonly Option[]): readonly Candidate[] {
  return options.flatMap((option): Candidate[] => {
    const on: Candidate = [`--${option.name}`, option.summary];
    const off: Candidate = [`--no-${option.name}`, option.summary];
    if (option.negatable !== true) return [on];
    return option.value === undefined ? [off] : [on, off];
  });
}

const isFlag = (option: Option, token: string): boolean => token === `--${option.name}` || token === `-${option.short}`;

const nounNames = (): readonly Candidate[] => nouns.map(({ name, summary }) => [name, summary]);

/** Words after those that are there, up to a command. */
function nextWords(commands: readonly Command[], words: readonly string[]): readonly Candidate[] {
  const steps = new Map<string, string>();
  for (const { path, summary } of commands) {
    const step = path[words.length];
    if (step === undefined || steps.has(step) || !words.every((word, i) => path[i] === word)) continue;
    steps.set(step, path.length === words.length + 1 ? summary : "");
  }
  return [...steps];
}

/** The argument the cursor is at: the one after those that are there, or the last when it takes all. */
function argumentAt(command: Command, rest: readonly string[], options: readonly Option[]): ArgumentSpec | undefined {
  const isEnded = rest.includes("--");
  const given = rest.filter(
    (token, i) =>
      token !== "--" &&
      ((isEnded && i > rest.indexOf("--")) || (!token.startsWith("-") && !takesNext(rest[i - 1] ?? "", options))),
  );
  const args = command.args ?? [];
  const last = args.at(-1);
  return args[given.length] ?? (last?.variadic === true ? last : undefined);
}

/** `--env` and `--profile` of the line, wherever they stand: they decide which platform is asked. */
function flagsOf(words: readonly string[]): Readonly<Record<string, string>> {
  const flags: Record<string, string> = {};
  for (const [i, token] of words.entries()) {
    for (const option of globalOptions.filter(({ name }) => name === "env" || name === "profile")) {
      const next = words[i + 1];
      if (isFlag(option, token) && next !== undefined) flags[option.name] = next;
      if (token.startsWith(`--${option.name}=`)) flags[option.name] = token.slice(option.name.length + 3);
    }
  }
  return flags;
}

/** Where the noun stands, and the flags before it. */
function splitNoun(words: readonly string[]): { readonly word: string; readonly rest: readonly string[] } | undefined {
  for (let i = 0; i < words.length; i += 1) {
    const token = words[i] ?? "";
    if (takesNext(token, globalOptions)) i += 1;
    else if (!token.startsWith("-")) return { word: token, rest: [...words.slice(0, i), ...words.slice(i + 1)] };
  }
  return undefined;
}

async function inNoun(
  place: Place,
  noun: Noun,
  before: readonly string[],
  typed: string,
): Promise<readonly Candidate[]> {
  const { commands } = await noun.load();
  const { command, words, rest } = locate(noun.name, commands, before);
  const options: readonly Option[] =
    command === undefined
      ? [...globalOptions, ...Object.values(groupOptions).flat()]
      : [...(command.options ?? []), ...sharedOptionsOf(command)];
  const isOpen = !before.includes("--");
  const around = { place, noun: noun.name, commands, command: command ?? emptyCommand, typed };
  const previous = before.at(-1) ?? "";
  const takesValue = isOpen
    ? options.find((option) => option.value !== undefined && isFlag(option, previous))
    : undefined;
  if (takesValue !== undefined) return valuesOfFlag(around, takesValue);
  if (isOpen && typed.startsWith("-")) return joinedOrNames(around, options, typed);
  const next = nextWords(commands, words);
  if (command === undefined || (next.length > 0 && rest.length === 0)) return next;
  if (command.passThrough === true && !isOpen) return files;
  const argument = argumentAt(command, rest, options);
  return argument === undefined ? [] : valuesOfArgument(around, argument);
}

const emptyCommand: Command = { path: [], effect: "reads", summary: "", examples: [], run: async () => undefined };

/** `--output=j` is completed like the value alone. */
async function joinedOrNames(
  around: Parameters<typeof valuesOfFlag>[0],
  options: readonly Option[],
  typed: string,
): Promise<readonly Candidate[]> {
  const [, flag, value] = /^(--[a-z0-9-]+)=(.*)$/s.exec(typed) ?? [];
  if (flag === undefined || value === undefined) return [...flagNames(options), ...flagNames([helpFlag])];
  const option = options.find((one) => one.value !== undefined && isFlag(one, flag));
  if (option === undefined) return [];
  const values = await valuesOfFlag({ ...around, typed: value }, option);
  return values === files ? files : values.map(([text, summary]) => [`${flag}=${text}`, summary]);
}

async function inHelp(rest: readonly string[]): Promise<readonly Candidate[]> {
  const [first, ...more] = rest[0] === "schema" ? rest.slice(1) : rest;
  const all = nounNames();
  if (first === undefined)
    return rest[0] === "schema" ? all : [...topicSummaries, ["schema", "JSON Schema of what a command prints"], ...all];
  const noun = findNoun(first);
  return noun === undefined ? [] : nextWords((await noun.load()).commands, more);
}

/** What may stand where the cursor is. */
async function candidates(words: readonly string[], place: Place): Promise<readonly Candidate[]> {
  const typed = words.at(-1) ?? "";
  // Some shells hand over an empty word where there is none.
  const before = words.slice(0, -1).filter((word) => word !== "");
  const found = splitNoun(before);
  if (found === undefined) {
    const option = globalOptions.find((one) => one.value !== undefined && isFlag(one, before.at(-1) ?? ""));
    if (option?.name === "env") return environments(place.env);
    if (option !== undefined) return (option.choices ?? []).map((choice) => [choice, option.summary]);
    if (typed.startsWith("-")) return flagNames([...globalOptions, helpFlag, versionFlag]);
    return [...nounNames(), ["help", "Explain a topic"]];
  }
  if (found.word === "help") return inHelp(found.rest);
  const noun = findNoun(found.word);
  return noun === undefined ? [] : inNoun(place, noun, found.rest, typed);
}

/** What is left of the patience: loading the program has taken some of it. */
function limitOf(): number {
  return Math.max(leastMs, patienceMs - performance.now());
}

/**
 * Lines `candidate<TAB>summary` for the last word; `:files` where the shell is to offer files. Never asks, never fails,
 * and answers within 300 ms.
 *
 * @param limitMs how long the platform may take
 */
export async function complete(
  words: readonly string[],
  env: Environment,
  cwd: string = process.cwd(),
  limitMs = limitOf(),
): Promise<string> {
  if (words[0] === refreshFlag) {
    await answer(words.slice(1), { env, cwd }, refreshMs);
    return "";
  }
  const found = await answer(words, { env, cwd }, limitMs);
  if (found === undefined) refreshLater(env, words);
  const typed = words.at(-1) ?? "";
  return (found ?? [])
    .filter((one) => one[0].startsWith(typed) || found === files)
    .map(([text, summary]) => `${text}${found === files ? "" : `\t${summary}`}\n`)
    .join("");
}

/** Undefined when the time was too short. */
async function answer(
  words: readonly string[],
  { env, cwd }: Pick<Place, "env" | "cwd">,
  limitMs: number,
): Promise<readonly Candidate[] | undefined> {
  const line = words[0] === "--" ? words.slice(1) : words;
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  // The client's own limit lies beyond, so that being too slow is never mistaken for a failure.
  const place: Place = { env, cwd, flags: flagsOf(line), signal: stop.signal, patienceMs: Math.ceil(limitMs) + 1_000 };
  try {
    const work = candidates(line, place);
    work.catch(() => undefined);
    return await Promise.race([work, patience]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
    // A connection that is still open would keep the process, and with it the shell.
    stop.abort();
  }
}
