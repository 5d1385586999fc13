import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { programFolder } from "../../src/commands/sandbox/child.ts";
import { type CliResult, cliEnvironment, cliPath, temporaryFolder } from "./cli.ts";
import { DEAD_END, prepare, writeFiles } from "./example-place.ts";
import { runHere } from "./in-process.ts";
import { plainLine } from "./leaves.ts";
import { sandboxUnderTest } from "./sandbox.ts";
import { SEED_ACCOUNTS } from "./seed.ts";
import { shell } from "./shell.ts";
import { startInTerminal, type TerminalRun } from "./terminal.ts";

/** Where the commands of one page run, one after the other: settings, files and variables stay for the next. */
export interface DocumentPlace {
  readonly folder: string;
  run(text: string): Promise<CliResult>;
  /** As `run`; what it does to variables is forgotten. */
  runAlone(text: string): Promise<CliResult>;
  /** Writes the files that commands between backticks take as given. */
  writeStandIns(): void;
  close(): Promise<void>;
}

/** Commands that run until Ctrl-C. */
const endless: readonly RegExp[] = [
  /^iot sandbox start\b(?!.*--detach)/,
  /\biot (device watch|stream)\b(?!.*--(?:replay|for \d+s))/,
  /^iot analysis dev /,
  /^iot fleet .*--refresh/,
  /^iot device simulate\b(?!.*--count)/,
  /^iot .* --follow/,
];
const isWatching = /\biot (device watch|stream)\b/;
const isEndless = (text: string): boolean => endless.some((known) => known.test(text));

/** Commands that start a program or are a server. */
const needsOwnProcess = /^iot (mcp\b|sandbox (start|exec|open)\b|dashboard open\b|.* --open\b)/;

/** Commands about a running sandbox. */
const needsSandbox = /^iot sandbox (reset|snapshot|export|import|logs|open|fault|clock|limits)\b/;

/** Questions, and what a person types. */
const answers: readonly (readonly [RegExp, (found: RegExpMatchArray) => string])[] = [
  [/\[y\/N\]/g, () => "y"],
  [/Type (.+) to (?:confirm|continue):/g, ([, name = ""]) => name],
  [/Password/g, () => SEED_ACCOUNTS.demo.password],
];

const withoutComment = (text: string): string => text.replace(/\s+# .*$/, "");

export async function documentPlace(): Promise<DocumentPlace> {
  const here = await sandboxUnderTest();
  const folder = temporaryFolder();
  writeFiles(here, folder);
  const programs = programFolder(await cliPath());
  // Nobody looks at a page that a command opens.
  for (const name of ["xdg-open", "open"]) writeFileSync(join(programs.path, name), "#!/bin/sh\n", { mode: 0o755 });
  const manifest = { scripts: { test: 'node -e "process.exit(process.env.TAGOIO_API ? 0 : 1)"' } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  // A proxy that is not there: a command that would leave this machine fails.
  const fence = { HTTPS_PROXY: DEAD_END, NO_PROXY: "127.0.0.1" };
  const config = await prepare(here, folder);
  const path = `${programs.path}:${process.env["PATH"] ?? ""}`;
  let variables = cliEnvironment({ ...fence, IOT_CONFIG_DIR: config, PATH: path, PWD: folder });
  const cwd = (): string => variables["PWD"] ?? folder;

  /** In bash, whose variables and folder the next command finds. */
  async function runInBash(text: string): Promise<CliResult> {
    const kept = join(temporaryFolder(), "variables");
    const script = `set -o pipefail\ntrap 'env -0 > "${kept}"' EXIT\n${text}\n`;
    const result = await shell('exec bash -c "$DOCUMENT_LINE"', {
      env: { ...variables, DOCUMENT_LINE: script },
      cwd: cwd(),
      timeoutMs: 60_000,
    });
    const entries = readFileSync(kept, "utf8")
      .split("\0")
      .map((entry): [string, string] => [entry.split("=", 1)[0] ?? "", entry.slice(entry.indexOf("=") + 1)]);
    const { DOCUMENT_LINE: _, SHLVL: __, _: ___, "": ____, ...rest } = Object.fromEntries(entries);
    variables = rest;
    return result;
  }

  const startLine = (text: string): TerminalRun =>
    startInTerminal("bash", ["-c", text], { env: variables, cwd: cwd(), columns: 200 });

  /** Sends readings until one is on the screen. */
  async function sendUntilShown(screen: () => Promise<string>, hasEnded: () => boolean): Promise<void> {
    const words = ["device", "data", "send", "name:Freezer 1", "temperature=9.25", "--unit", "°C"];
    const end = Date.now() + 15_000;
    while (!hasEnded() && !(await screen()).includes("9.25")) {
      if (Date.now() > end) throw new Error(`No reading was shown:\n${await screen()}`);
      await here.iot(words);
      await sleep(200);
    }
  }

  /** In a terminal until it has shown something, and then Ctrl-C, if it has not ended by itself. */
  async function runUntilCtrlC(text: string): Promise<CliResult> {
    const run = startLine(text);
    const screen = async (): Promise<string> => (await run.lines()).join("\n");
    let isRunning = true;
    const ended = run.ended.finally(() => {
      isRunning = false;
    });
    try {
      await run.waitFor(/\S/);
      if (isWatching.test(text)) await sendUntilShown(screen, () => !isRunning);
      if (isRunning) run.type("\u0003");
      const code = await ended;
      return { code: code === 130 ? 0 : code, stdout: "", stderr: await screen() };
    } finally {
      run.kill();
    }
  }

  /** In a terminal where every question is answered as it asks. */
  async function runWithAnswers(text: string): Promise<CliResult> {
    const run = startLine(text);
    let ended: number | undefined;
    void run.ended.then((code) => {
      ended = code;
    });
    let answered = 0;
    while (ended === undefined) {
      const screen = (await run.lines()).join("\n");
      const replies = answers.flatMap(([question, answer]) => [...screen.matchAll(question)].map(answer));
      if (replies.length > answered) run.type(`${replies[answered]}\r`);
      answered = replies.length;
      await sleep(20);
    }
    return { code: ended, stdout: "", stderr: (await run.lines()).join("\n") };
  }

  async function runToEnd(text: string): Promise<CliResult> {
    const plain = needsOwnProcess.test(text) ? undefined : plainLine(withoutComment(text));
    if (plain === undefined) return runInBash(text);
    const { words, stdinFile } = plain;
    const stdin = stdinFile === undefined ? {} : { stdin: readFileSync(join(cwd(), stdinFile), "utf8") };
    return runHere(words, { ...stdin, env: variables, cwd: cwd() });
  }

  /** Environments are added to settings of their own: those of this place have them already. */
  async function addEnvironment(text: string): Promise<CliResult> {
    const before = variables;
    variables = { ...before, IOT_CONFIG_DIR: temporaryFolder() };
    try {
      return await runToEnd(text);
    } finally {
      variables = before;
    }
  }

  async function startSandbox(): Promise<void> {
    const { stdout } = await runToEnd("iot sandbox status --json");
    if (stdout.trim() === "[]") await runInBash("iot sandbox start --detach --port 0 --ephemeral --seed empty");
  }

  async function run(text: string): Promise<CliResult> {
    if (needsSandbox.test(text)) await startSandbox();
    if (isEndless(text)) return runUntilCtrlC(text);
    if (text.startsWith("iot env add ")) return addEnvironment(text);
    const result = await runToEnd(text);
    const isQuestion = result.code === 2 && /no terminal to (prompt|ask) on/.test(result.stderr);
    return isQuestion ? runWithAnswers(text) : result;
  }

  return {
    folder,
    run,
    async runAlone(text) {
      const before = variables;
      try {
        return await run(text);
      } finally {
        variables = before;
      }
    },
    writeStandIns() {
      const example = (name: string): string => join(folder, "examples", name);
      mkdirSync(join(folder, "exports"), { recursive: true });
      for (const name of ["old.json", "exports/old.json"]) cpSync(example("legacy-widgets.json"), join(folder, name));
      cpSync(example("data/fleet.csv"), join(folder, "fleet.csv"));
    },
    async close() {
      await shell("iot sandbox stop --all", { env: variables, cwd: folder });
      programs.remove();
      await here.close();
    },
  };
}
