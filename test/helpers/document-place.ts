import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programFolder } from "../../src/commands/sandbox/child.ts";
import { type CliResult, cliEnvironment, cliPath, temporaryFolder } from "./cli.ts";
import { DEAD_END } from "./dead-end.ts";
import { runUntilCtrlC, runWithAnswers } from "./document-terminal.ts";
import { root } from "./documents.ts";
import { prepare, usualEnvironment, writeFiles } from "./example-place.ts";
import { runHere } from "./in-process.ts";
import { plainLine } from "./leaves.ts";
import { sandboxUnderTest } from "./sandbox.ts";
import { shell } from "./shell.ts";
import { startInTerminal } from "./terminal.ts";

/** Where the commands of one page run, one after the other. */
export interface DocumentPlace {
  /** Runs a command of a block: files, settings and variables stay for the next. */
  run(text: string): Promise<CliResult>;
  /** Runs a command that stands alone: files and settings stay, variables and the environment in use do not. */
  runAlone(text: string): Promise<CliResult>;
  /** Variables and the current folder are again those of the beginning; files and settings stay. */
  openTerminal(): void;
  close(): Promise<void>;
}

interface PreparedPlace {
  /** Folder of the settings. */
  readonly config: string;
  close(): Promise<void>;
}

/** Commands that run until Ctrl-C. */
const endless: readonly RegExp[] = [
  /^iot sandbox start\b(?!.*--(?:detach|use))/,
  /\biot (device watch|stream)\b(?!.*--(?:replay|for \d+s))/,
  /^iot (analysis|dashboard|widget) dev /,
  /^iot fleet .*--refresh/,
  /^iot device simulate\b(?!.*--count)/,
  /^iot .* --(?:follow|watch)\b/,
  /^iot dashboard migrate(?= *(?:#|$))/,
];

/** True for a command that runs until Ctrl-C. */
export const isEndless = (text: string): boolean => endless.some((known) => known.test(text));

/** Commands that start a program, are a server or open a browser. */
const needsOwnProcess = /^iot (mcp\b|sandbox (start|exec|open)\b|dashboard open\b|.* --open\b)/;

/** Commands about a running sandbox. */
const needsSandbox = /^iot sandbox (reset|snapshot|export|import|logs|open|fault|clock|limits)\b/;

/** Commands that start a sandbox and ask it for nothing: it needs no records of a demo account. */
const onlyStarts = /^iot sandbox (?:start\b(?!.*--(?:detach|use))|exec\b(?=.* npm test))(?!.*--(?:seed|scenario))/;
const shortened = (text: string): string => text.replace(onlyStarts, "$& --seed empty");

const withoutComment = (text: string): string => text.replace(/\s+# .*$/, "");

/** A project with a test, which passes with the variables of a sandbox. */
function writeProject(folder: string): void {
  const test = 'node -e "process.exit(process.env.TAGOIO_API ? 0 : 1)"';
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { test } }));
}

/** Files that commands which stand alone take as given. */
function writeGivenFiles(folder: string): void {
  if (existsSync(join(folder, "exports"))) return;
  mkdirSync(join(folder, "exports"));
  const widgets = join(root, "examples", "legacy-widgets.json");
  for (const name of ["old.json", "exports/old.json"]) cpSync(widgets, join(folder, name));
  cpSync(join(root, "examples", "data", "fleet.csv"), join(folder, "fleet.csv"));
}

/** The exported variables that a shell has left in a file. */
function readVariables(file: string): Record<string, string> {
  const entries = readFileSync(file, "utf8").split("\0").slice(0, -1);
  const { SHLVL: _, ...rest } = Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s, 2)));
  return rest;
}

/** What a reader has who follows the page: the program, and no settings. */
function newPlace(): PreparedPlace {
  return { config: temporaryFolder(), close: async () => undefined };
}

/** What somebody has who has worked with several environments for a while. */
async function usedPlace(folder: string): Promise<PreparedPlace> {
  const here = await sandboxUnderTest();
  writeFiles(here, folder);
  return { config: await prepare(here, folder), close: () => here.close() };
}

/** A new place has nothing: the lines of the page make what they need. */
export async function documentPlace(kind: "new" | "used"): Promise<DocumentPlace> {
  const folder = temporaryFolder();
  const isNew = kind === "new";
  const prepared = isNew ? newPlace() : await usedPlace(folder);
  writeProject(folder);
  const programs = programFolder(await cliPath());
  // Nobody looks at a page that a command opens.
  for (const name of ["xdg-open", "open"]) writeFileSync(join(programs.path, name), "#!/bin/sh\n", { mode: 0o755 });
  const initial: Record<string, string> = cliEnvironment({
    // A proxy that is not there: a command that would leave this machine fails.
    HTTPS_PROXY: DEAD_END,
    NO_PROXY: "127.0.0.1",
    IOT_CONFIG_DIR: prepared.config,
    PATH: `${programs.path}:${process.env["PATH"] ?? ""}`,
    PWD: folder,
  });
  let variables = initial;
  const surroundings = () => ({ env: variables, cwd: variables["PWD"] ?? folder });
  const onTerminal = (text: string) => startInTerminal("bash", ["-c", text], { ...surroundings(), columns: 200 });

  async function runInBash(text: string): Promise<CliResult> {
    const kept = join(temporaryFolder(), "variables");
    const script = `set -o pipefail\ntrap 'env -0 > ${kept}' EXIT\n${text}`;
    writeFileSync(`${kept}.sh`, script);
    const result = await shell(`exec bash ${kept}.sh`, surroundings());
    variables = readVariables(kept);
    return result;
  }

  async function runToEnd(text: string): Promise<CliResult> {
    const plain = needsOwnProcess.test(text) ? undefined : plainLine(withoutComment(text));
    if (plain === undefined) return runInBash(text);
    const { env, cwd } = surroundings();
    const stdin = plain.stdinFile === undefined ? {} : { stdin: readFileSync(join(cwd, plain.stdinFile), "utf8") };
    return runHere(plain.words, { ...stdin, env, cwd });
  }

  async function runningSandbox(): Promise<{ readonly url: string } | undefined> {
    const { stdout } = await runToEnd("iot sandbox status --json");
    return (JSON.parse(stdout) as { readonly url: string }[])[0];
  }

  /** What a command shows that waits for something to happen, and what makes it happen. */
  function eventFor(text: string): readonly [expected: RegExp, cause?: () => Promise<void>] {
    // Devices of a sandbox with a rate send by themselves.
    if (/\bsandbox (start|exec)\b.*--rate/.test(text)) return [/received [1-9]|Ctrl-C to stop/];
    const send = ["device", "data", "send", "name:Freezer 1", "temperature=9.25", "--unit", "°C"];
    const { env, cwd } = surroundings();
    if (/\biot (device watch|stream)\b/.test(text))
      return [/9\.25/, async () => void (await runHere(send, { env, cwd }))];
    if (!text.startsWith("iot sandbox logs")) return [/\S/];
    return [/\S/, async () => void (await fetch(`${(await runningSandbox())?.url}/no-such-route`))];
  }

  /** Environments are added to other settings: those of a used place have them already. */
  function addEnvironment(text: string): Promise<CliResult> {
    const { env, cwd } = surroundings();
    const words = plainLine(withoutComment(text))?.words ?? [];
    return runHere(words, { env: { ...env, IOT_CONFIG_DIR: temporaryFolder() }, cwd });
  }

  async function run(line: string): Promise<CliResult> {
    const text = shortened(line);
    if (needsSandbox.test(text) && (await runningSandbox()) === undefined)
      await runInBash("iot sandbox start --detach --port 0 --ephemeral --seed empty > /dev/null");
    if (isEndless(text)) return runUntilCtrlC(onTerminal(text), ...eventFor(text));
    if (text.startsWith("iot env add ") && !isNew) return addEnvironment(text);
    const result = await runToEnd(text);
    const isQuestion = result.code === 2 && /no terminal to (prompt|ask) on/.test(result.stderr);
    return isQuestion ? runWithAnswers(onTerminal(text)) : result;
  }

  return {
    run,
    async runAlone(text) {
      const before = variables;
      writeGivenFiles(folder);
      try {
        if (text.startsWith("iot sandbox start")) await runToEnd("iot sandbox stop --all");
        return await run(text);
      } finally {
        variables = before;
        if (/^iot (?:sandbox start\b.*--use|env use\b)/.test(text))
          await runToEnd(`iot env use ${isNew ? "sandbox" : usualEnvironment}`);
      }
    },
    openTerminal() {
      variables = initial;
    },
    async close() {
      await runToEnd("iot sandbox stop --all");
      programs.remove();
      await prepared.close();
    },
  };
}
