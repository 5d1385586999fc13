import { CommanderError } from "commander";
import { cleanText } from "../../text/clean.ts";
import type { Program, RunOptions } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { type Failure, renderFailure, toFailure } from "../kit/failures/failures.ts";
import { nearest } from "../kit/failures/nearest.ts";
import { processIo } from "../kit/io.ts";
import { redact, withOwnSecrets } from "../kit/say/redact.ts";
import { switchOf } from "../kit/settings/settings.ts";
import { findNoun, jobKinds, nouns } from "../registry.ts";
import { explain, meaningOf, noCommand, noNoun } from "./errors.ts";
import { createProgram } from "./program.ts";
import type { Environment, Run } from "./run-command.ts";
import type { Reading, Word } from "./word.ts";

/** Whether the user asked for JSON; asked too when the line could not be understood, for the failure that says why. */
function asksForJson({ reading, env, format: known }: Run): boolean {
  const flags = reading?.at?.opts() ?? {};
  const format: unknown = known ?? (flags["json"] === true ? "json" : (flags["output"] ?? env["IOT_OUTPUT"]));
  return format === "json" || format === "ndjson";
}

/** Long help goes through the user's pager. Settings are not read for it: help works whatever they hold. */
async function writeHelp({ io, env, line }: Run, text: string): Promise<void> {
  const mayWait = io.stdoutIsTerminal && !env["CI"] && !line.includes("--no-input") && !env["IOT_NO_INPUT"];
  const { chosenPager, UserPager } = await import("../kit/say/pager.ts");
  const name = chosenPager(env["IOT_PAGER"], env, mayWait);
  if (name === undefined) return io.write(text);
  const pager = new UserPager(io, name, env);
  try {
    await pager.write(text);
  } finally {
    await pager.close();
  }
}

/** Reads a line and does what it says. */
async function dispatch(run: Run, line = run.line): Promise<number> {
  let code = 0;
  const reading: Reading = {
    text: "",
    async act(word) {
      code = await runWord(run, word);
    },
  };
  run.reading = reading;
  const root = createProgram(reading, run.line.includes("--all"));
  try {
    await root.parseAsync(line, { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const word = reading.at ?? root;
    // What follows a word that is none of ours may be right for the alias or the plugin it names.
    if (error.exitCode !== 0 && word.title === "iot" && word.unknown !== undefined) return runAlias(run, word.unknown);
    if (error.exitCode !== 0) throw explain(error, word);
    await (error.code === "commander.version" ? run.io.write(reading.text) : writeHelp(run, reading.text));
    return 0;
  }
}

async function runWord(run: Run, word: Word): Promise<number> {
  if (word.spec !== undefined) {
    // Help does without what a command needs.
    const { runCommand } = await import("./run-command.ts");
    return runCommand(run, program, word, word.spec);
  }
  if (word.noun !== undefined) {
    // A noun alone asks what there is. With flags or other words it is a command that lacks its verb.
    if (word.unknown !== undefined || run.line.some((one) => one.startsWith("-"))) throw await noCommand(word);
    await writeHelp(run, word.helpInformation());
    return 0;
  }
  switch (word.title) {
    case "iot help":
      return runHelp(run, word.args);
    case "iot __complete": {
      const { complete } = await import("./complete/complete.ts");
      await run.io.write(await complete(run.line.slice(1), run.env, run.cwd));
      return 0;
    }
    case "iot __update": {
      const { checkForUpdate } = await import("./update-notice.ts");
      await checkForUpdate(run.env);
      return 0;
    }
    default:
      return runAlias(run, word.unknown);
  }
}

const MOST_ALIASES = 10;

/** Expands an alias and runs the result, or runs a plugin. Built-in commands are looked up first. */
async function runAlias(run: Run, word: string | undefined): Promise<number> {
  if (word === undefined) throw await noNoun(word, run.line);
  const { aliasWords, readAliases } = await import("../kit/state/aliases.ts");
  const text = new Map(Object.entries(readAliases(run.env))).get(word);
  if (text === undefined) {
    const { runPlugin } = await import("./run-plugin.ts");
    const code = await runPlugin(run, word);
    if (code === undefined) throw await noNoun(word, run.line);
    return code;
  }
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
    const { helpSchemaText } = await import("./help/help-schema.ts");
    await run.io.write(await helpSchemaText(rest));
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
  if (noun !== undefined) return dispatch(run, [first, ...rest, "--help"]);
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

/**
 * Shows that a newer version exists, on a terminal only. A file of variables may disable it, but not choose the
 * registry.
 */
async function tellOfUpdate({ io, env, noticeEnv }: Run, code: number): Promise<void> {
  if (noticeEnv === undefined || !io.stderrIsTerminal || code === 130 || code === 143) return;
  const { isUpdateCheckOff, updateNotice } = await import("./update-notice.ts");
  const notice = isUpdateCheckOff(noticeEnv) ? undefined : await updateNotice(env);
  if (notice !== undefined) io.writeError(notice);
}

/**
 * Runs one command line to its exit code. Never throws.
 *
 * @param place the surrounding process; the real one by default
 */
export async function run(
  line: readonly string[],
  env: Environment = process.env,
  place: RunOptions = {},
): Promise<number> {
  const { io = processIo(), cwd = process.cwd(), ...rest } = place;
  const current: Run = { ...rest, io, cwd, line, env, place: {}, isOfProcess: place.io === undefined };
  const code = await withOwnSecrets(() => runToCode(current));
  // Inside of another program there is no terminal of ours, and no iot to start.
  if (place.io === undefined && process.argv[2] === line[0]) await tellOfUpdate(current, code);
  return code;
}

const program: Program = { nouns, findNoun, meaningOf, jobKinds, run };

async function runToCode(current: Run): Promise<number> {
  const { line, env } = current;
  try {
    return await dispatch(current);
  } catch (error) {
    const plain = toFailure(error, current.place);
    if (plain.exit === 0) return 0;
    const failure = plain.exit === 70 ? await withReport(plain, error, current) : plain;
    current.io.writeError(renderFailure(failure, asksForJson(current), current.io, current.hasLinks));
    if ((line.includes("--debug") || switchOf(env["IOT_DEBUG"] ?? "") === true) && error instanceof Error) {
      current.io.writeError(`debug: ${cleanText(redact(error.stack ?? error.message))}\n`);
    }
    return failure.exit;
  }
}
