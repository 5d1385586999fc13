import type { ArgumentSpec, Command, Noun } from "../../kit/command/define.ts";
import { globalOptions, groupOptions, type SharedOption, sharedOptionsOf } from "../../kit/command/shared-options.ts";
import { findNoun, nouns } from "../../registry.ts";
import { helpFlag } from "../help/help.ts";
import { topicSummaries } from "../help/top-help.ts";
import { type Flag, type Location, locate, splitNoun, valueIn } from "../locate.ts";
import { refreshFlag, refreshLater, refreshMs } from "./refresh.ts";
import { type Candidate, files, type Place } from "./types.ts";
import { valuesOfArgument, valuesOfFlag } from "./values.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Completion gives up after this; a shell that waits is worse than one that offers nothing. */
const patienceMs = 300;
/** On a busy machine loading takes most of that; a platform nearby shall still have a chance. */
const leastMs = 150;

const versionFlag: SharedOption = { section: "General", name: "version", short: "V", summary: "version of iot" };

function flagNames(options: readonly Flag[]): readonly Candidate[] {
  return options.flatMap((option): Candidate[] => {
    const on: Candidate = [`--${option.name}`, option.summary];
    const off: Candidate = [`--no-${option.name}`, option.summary];
    if (option.negatable !== true) return [on];
    return option.value === undefined ? [off] : [on, off];
  });
}

const isFlag = (option: Flag, token: string): boolean => token === `--${option.name}` || token === `-${option.short}`;

const nounNames = (): readonly Candidate[] => nouns.map(({ name, summary }) => [name, summary]);

/** Words after those that are there, up to a command. */
function nextWords({ inside, words: { length } }: Pick<Location, "inside" | "words">): readonly Candidate[] {
  const steps = new Map<string, string>();
  for (const { path, summary } of inside) {
    const step = path[length];
    if (step !== undefined && !steps.has(step)) steps.set(step, path.length === length + 1 ? summary : "");
  }
  return [...steps];
}

/** The argument the cursor is at: the one after those that are there, or the last when it takes all. */
function argumentAt(command: Command, given: readonly string[]): ArgumentSpec | undefined {
  const args = command.args ?? [];
  const last = args.at(-1);
  return args[given.length] ?? (last?.variadic === true ? last : undefined);
}

/** `--env` and `--profile` of the line, wherever they stand: they decide which platform is asked. */
function flagsOf(line: readonly string[]): Readonly<Record<string, string>> {
  const given = (["env", "profile"] as const).map((name) => [name, valueIn(line, name)] as const);
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

const emptyCommand: Command = { path: [], effect: "reads", summary: "", examples: [], run: async () => undefined };

/** `--output=j` is completed like the value alone. */
async function joinedOrNames(
  around: Parameters<typeof valuesOfFlag>[0],
  options: readonly Flag[],
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
  return noun === undefined ? [] : nextWords(locate(noun.name, (await noun.load()).commands, more));
}

/** What may stand where the cursor is. */
async function candidates(line: readonly string[], place: Place): Promise<readonly Candidate[]> {
  const typed = line.at(-1) ?? "";
  // Some shells hand over an empty word where there is none.
  const before = line.slice(0, -1).filter((word) => word !== "");
  const found = splitNoun(before);
  if (found?.word === "help") return inHelp(found.rest);
  const noun = findNoun(found?.word ?? "");
  if (found !== undefined && noun === undefined) return [];
  const commands = (await noun?.load())?.commands ?? [];
  const location = locate(noun?.name ?? "", commands, found?.rest ?? before);
  const { command, given } = location;
  const options = optionsOf(noun, command);
  const around = { place, noun: noun?.name ?? "", commands, command: command ?? emptyCommand, typed };
  const previous = before.at(-1) ?? "";
  const isOpen = !before.includes("--");
  const takesValue = options.find((option) => isOpen && option.value !== undefined && isFlag(option, previous));
  if (takesValue !== undefined) return valuesOfFlag(around, takesValue);
  if (isOpen && typed.startsWith("-")) return joinedOrNames(around, options, typed);
  const next = noun === undefined ? [...nounNames(), ["help", "Explain a topic"] as const] : nextWords(location);
  if (command === undefined || (next.length > 0 && given.length === 0)) return next;
  if (command.passThrough === true && !isOpen) return files;
  const argument = argumentAt(command, given);
  return argument === undefined ? [] : valuesOfArgument(around, argument);
}

function optionsOf(noun: Noun | undefined, command: Command | undefined): readonly Flag[] {
  if (command !== undefined) return [...(command.options ?? []), ...sharedOptionsOf(command)];
  return [...globalOptions, ...(noun === undefined ? [versionFlag] : Object.values(groupOptions).flat())];
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
