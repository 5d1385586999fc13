import type { ArgumentSpec, Command } from "../../kit/command/define.ts";
import type { TypedTexts } from "../../kit/command/options.ts";
import { allowedAfter, isTyped } from "../../kit/command/rules.ts";
import { globalOptions, groupOptions, type SharedOption, sharedOptionsOf } from "../../kit/command/shared-options.ts";
import { copyEnvironment } from "../../kit/process/in-path.ts";
import { pluginsIn } from "../../kit/process/plugins.ts";
import { meaningOf } from "../errors.ts";
import { helpFlag } from "../help/texts.ts";
import { topicSummaries } from "../help/top-help.ts";
import { find } from "../program.ts";
import type { Flag, Word } from "../word.ts";
import { refreshFlag, refreshLater, refreshMs } from "./refresh.ts";
import { type CompletionContext, files, type Suggestion } from "./types.ts";
import { valuesOfArgument, valuesOfFlag } from "./values.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Completion stops after this; a shell that waits is worse than one that offers nothing. */
const patienceMs = 300;
/** On a busy machine loading takes most of that; a platform nearby shall still have a chance. */
const leastMs = 150;

const versionFlag: SharedOption = { section: "General", name: "version", short: "V", summary: "version of iot" };

function flagNames(options: readonly Flag[]): readonly Suggestion[] {
  return options.flatMap((option): Suggestion[] => {
    const on: Suggestion = [`--${option.name}`, option.summary];
    const off: Suggestion = [`--no-${option.name}`, option.summary];
    if (option.negatable !== true) return [on];
    return option.value === undefined ? [off] : [on, off];
  });
}

const isFlag = (option: Flag, token: string): boolean => token === `--${option.name}` || token === `-${option.short}`;

/** Words that may follow. */
const nextWords = (word: Word): readonly Suggestion[] =>
  word
    .createHelp()
    .visibleCommands(word)
    .map((one) => [one.name(), one.summary()]);

/** The plugins that start like this, and that no word of ours shadows. */
async function pluginWords(typed: string, env: Environment): Promise<readonly Suggestion[]> {
  const found = new Map(
    pluginsIn(copyEnvironment(env))
      .map(({ name, path }) => [name, path] as const)
      .reverse(),
  );
  const meant = await Promise.all(
    [...found].map(async ([name, path]): Promise<readonly Suggestion[]> => {
      const isOffered = name.startsWith(typed) && (await meaningOf(name)) === undefined;
      return isOffered ? [[name, `plugin ${path}`]] : [];
    }),
  );
  return meant.flat();
}

/** The argument the cursor is at: the one after those that are there, or the last when it takes all. */
function argumentAt(command: Command, given: readonly string[]): ArgumentSpec | undefined {
  const args = command.args ?? [];
  const last = args.at(-1);
  return args[given.length] ?? (last?.variadic === true ? last : undefined);
}

/** `--env` and `--profile` anywhere in the line: they decide which platform is asked. */
function flagsOf(word: Word): Readonly<Record<string, string>> {
  const { env, profile }: Readonly<Record<string, unknown>> = word.opts();
  return { ...(typeof env === "string" ? { env } : {}), ...(typeof profile === "string" ? { profile } : {}) };
}

const emptyCommand: Command = { path: [], effect: "reads", summary: "", examples: [], run: async () => undefined };

/** `--output=j` is completed like the value alone. */
async function joinedOrNames(
  around: Parameters<typeof valuesOfFlag>[0],
  options: readonly Flag[],
  typed: string,
): Promise<readonly Suggestion[]> {
  const [, flag, value] = /^(--[a-z0-9-]+)=(.*)$/s.exec(typed) ?? [];
  if (flag === undefined || value === undefined) return [...flagNames(options), ...flagNames([helpFlag])];
  const option = options.find((one) => one.value !== undefined && isFlag(one, flag));
  if (option === undefined) return [];
  const values = await valuesOfFlag({ ...around, typed: value }, option);
  return values === files ? files : values.map(([text, summary]) => [`${flag}=${text}`, summary]);
}

async function inHelp(given: readonly string[]): Promise<readonly Suggestion[]> {
  const isSchema = given[0] === "schema";
  const found = await find(isSchema ? given.slice(1) : given);
  if (found.noun !== undefined) return found.unknown === undefined ? nextWords(found) : [];
  if (found.unknown !== undefined) return [];
  const topics = isSchema ? [] : [...topicSummaries, ["schema", "JSON Schema of what a command prints"] as const];
  return [...topics, ...nextWords(found).filter(([name]) => name !== "help")];
}

/** What may be typed at the cursor. */
async function candidates(
  line: readonly string[],
  elsewhere: Omit<CompletionContext, "flags">,
): Promise<readonly Suggestion[]> {
  const typed = line.at(-1) ?? "";
  // Some shells hand over an empty word where there is none.
  const before = line.slice(0, -1).filter((word) => word !== "");
  const found = await find(before);
  const { noun, spec, args, all } = found;
  if (found.title === "iot help") return inHelp(args);
  if (found.unknown !== undefined) return [];
  const options = optionsOf(found);
  const place = { ...elsewhere, flags: flagsOf(found) };
  const around = { place, noun: noun?.name ?? "", commands: all, command: spec ?? emptyCommand, typed };
  const previous = before.at(-1) ?? "";
  const isOpen = !before.includes("--");
  const takesValue = options.find((option) => isOpen && option.value !== undefined && isFlag(option, previous));
  if (takesValue !== undefined) return valuesOfFlag(around, takesValue);
  if (isOpen && typed.startsWith("-")) return joinedOrNames(around, allowed(found, options), typed);
  const next = nextWords(found);
  if (spec === undefined) return noun === undefined ? [...next, ...(await pluginWords(typed, place.env))] : next;
  if (next.length > 0 && args.length === 0) {
    // Closed values cost nothing to offer beside the words; resources would have to be asked for.
    const values = argumentAt(spec, args)?.values ?? [];
    return [...next, ...values.map((value): Suggestion => [value, argumentAt(spec, args)?.summary ?? ""])];
  }
  if (spec.passThrough === true && !isOpen) return files;
  const argument = argumentAt(spec, args);
  return argument === undefined ? [] : valuesOfArgument(around, argument);
}

function optionsOf({ noun, spec }: Word): readonly Flag[] {
  if (spec !== undefined) return [...(spec.options ?? []), ...sharedOptionsOf(spec)];
  return [...globalOptions, ...(noun === undefined ? [versionFlag] : Object.values(groupOptions).flat())];
}

/** The flags that do not contradict what the line has already. */
function allowed(word: Word, options: readonly Flag[]): readonly Flag[] {
  const given: TypedTexts = word.opts();
  const args = (word.spec?.args ?? []).slice(0, word.args.length).map(({ name }) => `<${name}>`);
  const isGiven = (name: string): boolean => args.includes(name) || isTyped(name, given);
  return allowedAfter(options, isGiven);
}

/** What is left of the patience: loading the program has taken some of it. */
function limitOf(): number {
  return Math.max(leastMs, patienceMs - performance.now());
}

/**
 * Lines `candidate<TAB>summary` for the last word; `:files` if the shell should offer files. Never asks, never fails,
 * and returns within 300 ms.
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
  { env, cwd }: Pick<CompletionContext, "env" | "cwd">,
  limitMs: number,
): Promise<readonly Suggestion[] | undefined> {
  const line = words[0] === "--" ? words.slice(1) : words;
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  // The client's own limit lies beyond, so that being too slow is never mistaken for a failure.
  const place = { env, cwd, signal: stop.signal, patienceMs: Math.ceil(limitMs) + 1_000 };
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
