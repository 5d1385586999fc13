import { VERSION } from "../../lib/core/version.ts";
import { cleanText } from "../../text/clean.ts";
import type { Noun, Program, RunOptions } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { type Failure, renderFailure, toFailure } from "../kit/failures/failures.ts";
import { nearest, nearestFew } from "../kit/failures/nearest.ts";
import { processIo } from "../kit/io.ts";
import { redact } from "../kit/say/redact.ts";
import { switchOf } from "../kit/settings/settings.ts";
import { findNoun, nouns } from "../registry.ts";
import { guessLine, insteadOf, isVerb, splitWord } from "./guesses.ts";
import { beforeEnd, locate, noCommand, splitNoun, valueIn } from "./locate.ts";
import type { Environment, Run } from "./run-command.ts";

/** Whether the user asked for JSON; needed before the line can be parsed, for the failure that says why it cannot. */
function asksForJson({ line, env, format: known }: Run): boolean {
  const isShort = known === undefined && beforeEnd(line).includes("--json");
  const format = known ?? (isShort ? "json" : (valueIn(line, "output") ?? env["IOT_OUTPUT"]));
  return format === "json" || format === "ndjson";
}

const nounWords: readonly string[] = [...nouns.flatMap((noun) => [noun.name, ...noun.aliases]), "help"];

async function unknownNoun(word: string): Promise<Error> {
  const instead = insteadOf(word);
  return usageError(`iot has no command ${quote(word)}.`, {
    code: "usage.unknown_command",
    ...(instead === undefined ? {} : { why: "Nothing here does the same." }),
    next: instead ?? (await nextFor(word)),
  });
}

async function nextFor(word: string): Promise<string> {
  const line = guessLine(word);
  const next = line === undefined ? await nextOfSplit(word) : `Run "${line}".`;
  if (next !== undefined) return next;
  const names = nearestFew(word, nounWords).map((name) => findNoun(name)?.name ?? name);
  const few = [...new Set(names)].slice(0, 3).map((name) => `"iot ${name}"`);
  if (few.length > 0) return `Did you mean ${few.join(" or ")}?`;
  return isVerb(word) ? 'Name the noun first, as in "iot device list".' : 'Run "iot --help".';
}

/** `device-list` is "iot device list". */
async function nextOfSplit(word: string): Promise<string | undefined> {
  const [first = "", ...rest] = splitWord(word, nounWords) ?? [];
  const noun = findNoun(first);
  if (noun === undefined) return undefined;
  try {
    const { command, words } = locate(noun.name, (await noun.load()).commands, rest);
    return `Run "${["iot", noun.name, ...words, ...(command === undefined ? ["--help"] : [])].join(" ")}".`;
  } catch (error) {
    return toFailure(error).next;
  }
}

/** Long help goes through the user's pager. Settings are not read for it: help works whatever they hold. */
async function writeHelp({ io, env, line }: Run, text: string): Promise<void> {
  const mayWait = io.stdoutIsTerminal && !env["CI"] && !line.includes("--no-input") && !env["IOT_NO_INPUT"];
  const { chosenPager, openPager } = await import("../kit/say/pager.ts");
  const name = chosenPager(env["IOT_PAGER"], env, mayWait);
  if (name === undefined) return io.write(text);
  const pager = openPager(io, name, env);
  try {
    await pager.write(text);
  } finally {
    await pager.close();
  }
}

async function runNoun(run: Run, noun: Noun, rest: readonly string[]): Promise<number> {
  const { name } = noun;
  const { commands } = await noun.load();
  const found = locate(name, commands, rest);
  const { command, words, inside } = found;
  if (found.wantsVersion) {
    await run.io.write(`${VERSION}\n`);
    return 0;
  }
  if (found.wantsHelp) {
    const { commandHelp, nounHelp } = await import("./help/help.ts");
    const all = run.line.includes("--all");
    await writeHelp(run, command === undefined ? nounHelp(noun, inside, words) : commandHelp(name, command, all));
    return 0;
  }
  if (command === undefined) throw noCommand(name, found);
  const title = ["iot", name, ...words].join(" ");
  // Help does without what a command needs.
  const { runCommand } = await import("./run-command.ts");
  return runCommand(run, { program, name, commands, command, title, line: found.rest });
}

async function dispatch(run: Run): Promise<number> {
  const found = splitNoun(run.line);
  if (found === undefined) {
    const flag = run.line.find((token) => token !== "-h" && token !== "--help") ?? "";
    throw usageError(`iot needs a command besides ${quote(flag)}.`, {
      code: "usage.missing_command",
      next: 'Run "iot --help".',
    });
  }
  if (found.word === "__complete") {
    const { complete } = await import("./complete/complete.ts");
    await run.io.write(await complete(run.line.slice(1), run.env, run.cwd));
    return 0;
  }
  if (found.word === "__update") {
    const { checkForUpdate } = await import("./update-notice.ts");
    await checkForUpdate(run.env);
    return 0;
  }
  if (found.word === "help") return runHelp(run, found.rest);
  const noun = findNoun(found.word);
  if (noun !== undefined) return runNoun(run, noun, found.rest);
  return runAlias(run, found.word);
}

const MOST_ALIASES = 10;

/** Puts the words of an alias in its place, and goes on. Built-in commands were looked for before. */
async function runAlias(run: Run, word: string): Promise<number> {
  const { aliasWords, readAliases } = await import("../kit/state/aliases.ts");
  const text = new Map(Object.entries(readAliases(run.env))).get(word);
  if (text === undefined) throw await unknownNoun(word);
  const depth = (run.aliases ?? 0) + 1;
  if (depth > MOST_ALIASES)
    throw usageError(`The alias ${quote(word)} leads in a circle.`, { next: 'Run "iot alias list".' });
  const at = run.line.indexOf(word);
  run.line = [...run.line.slice(0, at), ...aliasWords(text), ...run.line.slice(at + 1)];
  run.aliases = depth;
  return dispatch(run);
}

/** `iot help <topic>`, `iot help device list`, `iot help schema device list`. */
async function runHelp(run: Run, words: readonly string[]): Promise<number> {
  const [first = "", ...rest] = words.filter((word) => !word.startsWith("-"));
  if (first === "schema") {
    const { schemaText } = await import("./help/help-schema.ts");
    await run.io.write(await schemaText(rest));
    return 0;
  }
  const { topics } = await import("./topics/topics.ts");
  const noun = findNoun(first);
  // Some topics have the name of a noun; more words can only be about its commands.
  const topic = noun !== undefined && rest.length > 0 ? undefined : topics.get(first);
  if (topic !== undefined) {
    const { topicText } = await import("./topics/blocks.ts");
    const more = noun === undefined ? "" : `\n"iot ${noun.name} --help" lists the commands.\n`;
    await writeHelp(run, topicText(topic) + more);
    return 0;
  }
  if (noun !== undefined) return runNoun(run, noun, [...rest, "--help"]);
  const guess = nearest(first, [...topics.keys(), ...nouns.map((one) => one.name)]);
  throw usageError(`There is no help on ${quote(first)}.`, {
    code: "usage.unknown_topic",
    why: `There are topics (${[...topics.keys()].join(", ")}) and commands.`,
    next: guess === undefined ? 'Run "iot --help".' : `Did you mean "iot help ${guess}"?`,
  });
}

async function withReport(failure: Failure, error: unknown, run: Run): Promise<Failure> {
  const { writeFaultReport } = await import("./report.ts");
  const place = writeFaultReport(error, run.line, run.env);
  if (place === undefined) return failure;
  return { ...failure, next: `Report it, and attach ${place}; it holds no secrets.` };
}

/** Tells of a newer version, on a terminal only. A file of variables may switch it off, but not say who is asked. */
async function tellOfUpdate({ io, env, noticeEnv }: Run, code: number): Promise<void> {
  if (noticeEnv === undefined || !io.stderrIsTerminal || code === 130 || code === 143) return;
  const { isUpdateCheckOff, updateNotice } = await import("./update-notice.ts");
  const notice = isUpdateCheckOff(noticeEnv) ? undefined : await updateNotice(env);
  if (notice !== undefined) io.writeError(notice);
}

/**
 * Runs one command line to its exit code. Nothing is thrown.
 *
 * @param place the process around it, unless it is the real one
 */
export async function run(
  line: readonly string[],
  env: Environment = process.env,
  place: RunOptions = {},
): Promise<number> {
  const { io = processIo(), cwd = process.cwd(), ...rest } = place;
  const current: Run = { ...rest, io, cwd, line, env, place: {} };
  const code = await runToCode(current);
  // Inside of another program there is no terminal of ours, and no iot to start.
  if (place.io === undefined && process.argv[2] === line[0]) await tellOfUpdate(current, code);
  return code;
}

const program: Program = { nouns, findNoun, run };

async function runToCode(current: Run): Promise<number> {
  const { line, env } = current;
  try {
    return await dispatch(current);
  } catch (error) {
    const plain = toFailure(error, current.place);
    if (plain.exit === 0) return 0;
    const failure = plain.exit === 70 ? await withReport(plain, error, current) : plain;
    current.io.writeError(renderFailure(failure, asksForJson(current)));
    if ((line.includes("--debug") || switchOf(env["IOT_DEBUG"] ?? "") === true) && error instanceof Error) {
      current.io.writeError(`debug: ${cleanText(redact(error.stack ?? error.message))}\n`);
    }
    return failure.exit;
  }
}
