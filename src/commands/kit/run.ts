import { findNoun, nouns } from "../registry.ts";
import { usageError } from "./command-error.ts";
import { type ParsedLine, parseLine } from "./commander.ts";
import { readProjectConfig, readUserConfig, resolveSettings } from "./config.ts";
import type { GlobalFlags, Io } from "./context.ts";
import { createContext } from "./create-context.ts";
import type { Command } from "./define.ts";
import { renderFailure, toFailure } from "./failures.ts";
import { processIo } from "./io.ts";
import { locate } from "./locate.ts";
import { nearest } from "./nearest.ts";
import { globalFlagsOf, quote } from "./options.ts";
import { switchOf } from "./settings.ts";
import { watchSignals } from "./signals.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the user asked for JSON; needed before the line can be parsed, for the failure that says why it cannot. */
function asksForJson(line: readonly string[], env: Environment): boolean {
  const end = line.indexOf("--");
  const words = end < 0 ? line : line.slice(0, end);
  const at = words.findIndex((word) => word === "-o" || word === "--output");
  const joined = words.find((word) => /^(-o|--output=)(nd)?json$/.test(word));
  const format = at >= 0 ? words[at + 1] : (env["IOT_OUTPUT"] ?? "");
  return words.includes("--json") || joined !== undefined || format === "json" || format === "ndjson";
}

function unknownNoun(word: string): Error {
  const guess = nearest(word, [...nouns.flatMap((noun) => [noun.name, ...noun.aliases]), "help"]);
  return usageError(`iot has no command ${quote(word)}.`, {
    code: "usage.unknown_command",
    next: guess === undefined ? 'Run "iot --help".' : `Did you mean "iot ${guess}"?`,
  });
}

/** Where the noun stands: flags may come before it. */
function splitNoun(line: readonly string[]): { readonly word: string; readonly rest: readonly string[] } | undefined {
  const valued = new Set([
    "-e",
    "--env",
    "-P",
    "--profile",
    "-o",
    "--output",
    "--color",
    "--tz",
    "--time",
    "--timeout",
    "--retries",
    "--concurrency",
    "--proxy",
    "--ca-file",
    "--env-file",
    "--fields",
    "--jq",
    "--template",
  ]);
  for (let i = 0; i < line.length; i += 1) {
    const token = line[i] ?? "";
    if (token === "--") return undefined;
    if (valued.has(token)) i += 1;
    else if (!token.startsWith("-")) return { word: token, rest: [...line.slice(0, i), ...line.slice(i + 1)] };
  }
  return undefined;
}

const settingFlags = ["env", "profile", "output", "tz", "time", "timeout", "retries", "concurrency", "proxy"] as const;

/** Puts variables and files under the flags. */
function withSettings(shared: ParsedLine["shared"], env: Environment, cwd: string) {
  const user = readUserConfig(env);
  const project = readProjectConfig(cwd);
  const flags: Record<string, string | undefined> = {};
  for (const name of settingFlags) if (typeof shared[name] === "string") flags[name] = shared[name];
  if (typeof shared["caFile"] === "string") flags["ca-file"] = shared["caFile"];
  if (shared["json"] === true) flags["output"] = "json";
  if (shared["color"] === false) flags["color"] = "never";
  else if (typeof shared["color"] === "string") flags["color"] = shared["color"];
  for (const name of ["accessible", "ascii", "debug"]) if (shared[name] === true) flags[name] = "true";
  if (shared["input"] === false) flags["no-input"] = "true";
  const settings = resolveSettings({ flags, env, project, user });
  const text = (name: string): string | undefined => settings.get(name)?.value;
  const isOn = (name: string): boolean => switchOf(text(name) ?? "") === true;
  const merged: Record<string, string | boolean | readonly string[] | undefined> = {
    ...shared,
    ...Object.fromEntries(settingFlags.map((name) => [name, text(name)])),
    caFile: text("ca-file"),
    color: text("color"),
    json: false,
    accessible: isOn("accessible") || switchOf(env["ACCESSIBLE"] ?? "") === true,
    ascii: isOn("ascii"),
    debug: isOn("debug"),
    input: !isOn("no-input"),
  };
  // Values the library has its own defaults and variables for are passed on only when somebody chose them.
  for (const name of ["timeout", "retries"] as const)
    if (settings.get(name)?.origin === "default") merged[name] = undefined;
  return { user, project, settings, flags: globalFlagsOf(merged) };
}

function checkOutput(flags: GlobalFlags): void {
  if (flags.template === undefined && flags.output !== "template") return;
  throw usageError("Templates are not available in this version.", {
    code: "output.template",
    next: "Use --jq, or -o json and another program.",
  });
}

async function runCommand(
  io: Io,
  command: Command,
  title: string,
  line: readonly string[],
  env: Environment,
): Promise<number> {
  const { input, shared } = parseLine(command, title, line);
  const envFile = shared["envFile"];
  const cwd = process.cwd();
  const allEnv =
    typeof envFile === "string" ? { ...(await import("./env-file.ts")).readEnvFile(envFile), ...env } : env;
  const { user, project, settings, flags } = withSettings(shared, allEnv, cwd);
  checkOutput(flags);
  const stop = watchSignals((text) => io.writeError(`info: ${text}\n`));
  const ctx = createContext({ io, env: allEnv, cwd, flags, signal: stop.signal, settings, user, project });
  try {
    const code = await command.run(ctx, input);
    return stop.exitCode() ?? code ?? 0;
  } catch (error) {
    const code = stop.exitCode();
    if (code !== undefined) return code;
    throw error;
  } finally {
    stop.release();
  }
}

async function dispatch(io: Io, line: readonly string[], env: Environment): Promise<number> {
  const found = splitNoun(line);
  if (found === undefined) {
    const flag = line.find((token) => token !== "-h" && token !== "--help") ?? "";
    throw usageError(`iot needs a command before ${quote(flag)}.`, { next: 'Run "iot --help".' });
  }
  const noun = findNoun(found.word);
  if (noun === undefined) throw unknownNoun(found.word);
  const { commands } = await noun.load();
  const location = locate(noun.name, commands, found.rest);
  const title = ["iot", noun.name, ...location.words].join(" ");
  if (location.wantsHelp || location.command === undefined) {
    const { commandHelp, nounHelp } = await import("./help.ts");
    const text =
      location.command === undefined
        ? nounHelp(noun, commands, location.words)
        : commandHelp(noun.name, location.command);
    if (location.wantsHelp) {
      await io.write(text);
      return 0;
    }
    const verbs = new Set(
      commands.map((command) => command.path[location.words.length]).filter((word) => word !== undefined),
    );
    throw usageError(`${title} needs a command after it.`, {
      code: "usage.missing_command",
      why: `It knows ${[...verbs].join(", ")}.`,
      next: `Run "${title} --help".`,
    });
  }
  return runCommand(io, location.command, title, location.rest, env);
}

/** Runs one command line to its exit code. Nothing is thrown. */
export async function run(line: readonly string[], env: Environment = process.env): Promise<number> {
  const io = processIo();
  try {
    return await dispatch(io, line, env);
  } catch (error) {
    const failure = toFailure(error);
    if (failure.exit !== 0) io.writeError(renderFailure(failure, asksForJson(line, env)));
    return failure.exit;
  }
}
