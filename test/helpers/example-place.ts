import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { programFolder } from "../../src/commands/sandbox/child.ts";
import { type CliResult, cliEnvironment, cliPath, temporaryFolder } from "./cli.ts";
import { DEAD_END } from "./dead-end.ts";
import { type HereOptions, runHere } from "./in-process.ts";
import { type PlainLine, plainLine, shortened, splitLine } from "./leaves.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "./sandbox.ts";
import { SEED_ACCOUNTS, SEED_RUN_USERS, SEED_TOKENS } from "./seed.ts";
import { shell } from "./shell.ts";

/** A place where the examples of the help run as they stand: a sandbox, a folder with the files they name, settings. */
export interface ExamplePlace {
  readonly here: SandboxUnderTest;
  /** The current folder of the examples. */
  readonly folder: string;
  /** Paths that commands of this process made of words, or of their own, since `run` was called last. */
  readonly opened: readonly Opened[];
  /** Runs a line to the end of its last step, or of the first that fails. */
  run(line: string): Promise<CliResult>;
  /**
   * Runs the steps of a line (`a && b`): inside this process where a step needs no shell. Steps between
   * `iot sandbox start` and `iot sandbox stop` run on one sandbox that all lines share.
   */
  runSteps(line: string, flags?: (step: string) => string): Promise<readonly StepResult[]>;
  /** Runs words inside this process; with a terminal of this many cells where it is given. */
  runPlain(line: PlainLine, extraEnv?: Readonly<Record<string, string>>, terminal?: number): Promise<CliResult>;
  close(): Promise<void>;
}

interface Opened {
  readonly words: readonly string[];
  /** Whole path. */
  readonly path: string;
}

interface StepResult extends CliResult {
  readonly step: string;
}

type Variables = Readonly<Record<string, string>>;

const STOP = "iot sandbox stop --all";

/** True for a line that starts a sandbox only to show a command that works on a running one. */
function needsRunningSandbox(steps: readonly string[]): boolean {
  return steps.length > 2 && steps[0]?.startsWith("iot sandbox start") === true && steps.at(-1) === STOP;
}

/** Commands that start a program, are a server, or write bytes that are no text. */
const needsOwnProcess = /^iot (mcp\b|sandbox (start|exec)\b|sandbox export -)/;

/** What `echo`, `printf` or `cat` at the front of a pipe writes; undefined for other programs. */
function piped(part: string, folder: string): string | undefined {
  const [name = ""] = part.split(" ");
  const { words } = plainLine(part.replace(name, "iot")) ?? {};
  if (words === undefined) return undefined;
  if (name === "echo") return `${words.join(" ")}\n`;
  const [first = "", ...rest] = words;
  if (name === "printf") return first.replaceAll("\\n", "\n").replaceAll("%s", () => rest.shift() ?? "");
  return name === "cat" ? readFileSync(join(folder, first), "utf8") : undefined;
}

/** The environment that `prepare` leaves in use. */
export const usualEnvironment = "prod";

/** Settings of somebody who works with the environments the examples name; every one of them is the sandbox. */
export async function prepare(here: SandboxUnderTest, folder: string): Promise<string> {
  const prepared = temporaryFolder();
  const env = { ...here.env, IOT_CONFIG_DIR: prepared };
  const addresses = ["--api-url", here.sandbox.url, "--events-url", here.sandbox.eventsUrl];
  const lines: readonly (readonly string[])[] = [
    ...["prod", "old", "local"].flatMap((name) => [
      ["env", "add", name, ...addresses],
      ["auth", "login", "--with-token", "--env", name],
    ]),
    ["env", "add", "gone", "--api-url", DEAD_END],
    ["env", "add", "staging", ...addresses],
    ["env", "use", usualEnvironment],
    ["alias", "set", "cold", "device list --tag room=cold-store"],
    ["dashboard", "snapshot", "create", "name:Plant, old widgets"],
    ["profile", "apply", "examples/profile", "--include", "dictionary", "--yes"],
  ];
  const run = async (words: readonly string[], token: string): Promise<void> => {
    const { code, stderr } = await runHere(words, { env, cwd: folder, stdin: token });
    if (code !== 0) throw new Error(`iot ${words.join(" ")} ended with ${code}:\n${stderr}`);
  };
  for (const words of lines) await run(words, here.sandbox.tokens.profile);
  // Staging is another profile: what is taken there is not there yet.
  await run(["auth", "login", "--with-token", "--env", "staging"], SEED_TOKENS.empty);
  return prepared;
}

/** What a folder holds, to tell whether a command has changed it. */
function listing(folder: string): string {
  const marks = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
    const { size, mtimeMs, ino } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs} ${ino}`;
  });
  return marks.join("\n");
}

/** The files the examples read. */
export function writeFiles(here: SandboxUnderTest, folder: string): void {
  cpSync(fileURLToPath(new URL("../../examples", import.meta.url)), join(folder, "examples"), { recursive: true });
  writeFileSync(join(folder, "password.txt"), SEED_ACCOUNTS.demo.password);
  writeFileSync(join(folder, "token.txt"), here.sandbox.tokens.profile);
  writeFileSync(join(folder, "operator.txt"), SEED_RUN_USERS.operator.password);
  writeFileSync(join(folder, "page.html"), "<h1>Report</h1>\n");
  const credentials = {
    smtp: { host: "mail.example.test", port: 587, username: "plant", password: "not-a-real-one" },
    sendgrid: { sendgrid_api_key: "not-a-real-key" },
    twilio: { twilio_sid: "AC0000", twilio_token: "not-a-real-one" },
    sqs: { accessKeyId: "AK0000", secretAccessKey: "not-a-real-one", queueUrl: "https://sqs.example.test/q" },
  };
  for (const [name, secret] of Object.entries(credentials))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(secret));
  writeFileSync(join(folder, "report.js"), "process.exit(process.env.IOT_TOKEN ? 0 : 1);");
}

export async function examplePlace(): Promise<ExamplePlace> {
  // Each example has a state folder of its own, and so counters of its own.
  const here = await sandboxUnderTest({ tip: { lives: false, sequence: false } });
  const folder = temporaryFolder();
  writeFiles(here, folder);
  const prepared = await prepare(here, folder);
  const programs = programFolder(await cliPath());
  // A proxy that is not there: an example that would leave this machine fails.
  const fence = { HTTPS_PROXY: DEAD_END, NO_PROXY: "127.0.0.1" };
  const env = cliEnvironment({ ...here.env, ...fence, PATH: `${programs.path}:${process.env["PATH"] ?? ""}` });

  const opened: Opened[] = [];
  /** Copies of the settings that nobody uses now and no example has changed. */
  const spare: string[] = [];
  const listings = new Map<string, string>();

  /** A copy of the settings for one example; empty for those that make them. */
  function configFor(line: string): string {
    const used = line.startsWith("iot env add") ? undefined : spare.pop();
    if (used !== undefined) return used;
    const config = temporaryFolder();
    if (line.startsWith("iot env add")) return config;
    cpSync(prepared, config, { recursive: true });
    listings.set(config, listing(config));
    return config;
  }

  /** Logging in is about the environment in use, so no variable may go before it. */
  function environmentFor(line: string): Record<string, string> {
    const { IOT_API_URL: _, IOT_EVENTS_URL: __, IOT_TOKEN: ___, ...rest } = env;
    const config = line.includes("iot sandbox") ? (env["IOT_CONFIG_DIR"] ?? "") : configFor(line);
    return { ...(line.startsWith("iot auth login") ? rest : env), IOT_CONFIG_DIR: config };
  }

  /** Keeps a copy of the settings for the next example where this one has not changed it. */
  function giveBack({ IOT_CONFIG_DIR: config = "" }: Variables): void {
    if (config === env["IOT_CONFIG_DIR"]) return;
    if (listing(config) === listings.get(config)) spare.push(config);
    else rmSync(config, { recursive: true, force: true });
  }

  function runWords({ words, stdinFile }: PlainLine, variables: Variables, more: HereOptions = {}): Promise<CliResult> {
    const stdin = stdinFile === undefined ? {} : { stdin: readFileSync(join(folder, stdinFile), "utf8") };
    const allowFile = (path: string): void => void opened.push({ words, path });
    return runHere(words, { ...stdin, ...more, env: variables, cwd: folder, allowFile });
  }

  async function runPlain(line: PlainLine, extraEnv: Variables = {}, terminal?: number): Promise<CliResult> {
    const own = environmentFor(["iot", ...line.words].join(" "));
    const result = await runWords(line, { ...own, ...extraEnv }, terminal === undefined ? {} : { terminal });
    giveBack(own);
    return result;
  }

  /** Runs a pipe of commands inside this process, into a file of text where it names one; undefined where a shell is needed. */
  async function runPipe(step: string, variables: Variables): Promise<CliResult | undefined> {
    const [, pipe = step, file] = /^(.+) > (\/dev\/null|\S+\.json)$/.exec(step) ?? [];
    const parts = splitLine(pipe, " | ");
    const text = piped(parts[0] ?? "", folder);
    const lines = (text === undefined ? parts : parts.slice(1)).map((part) =>
      needsOwnProcess.test(part) ? undefined : plainLine(part),
    );
    let stdin = text;
    let result: CliResult | undefined;
    if (lines.includes(undefined)) return undefined;
    for (const line of lines) {
      if (line === undefined) continue;
      result = await runWords(line, variables, stdin === undefined ? {} : { stdin });
      stdin = result.stdout;
    }
    if (file === undefined || result === undefined) return result;
    if (file !== "/dev/null") writeFileSync(join(folder, file), result.stdout);
    return { ...result, stdout: "" };
  }

  const runInShell = (step: string, variables: Variables): Promise<CliResult> =>
    shell(`source() { cat > /dev/null; }; ${step}`, { env: variables, cwd: folder });

  let running: Promise<Variables> | undefined;

  /** Starts the sandbox for the examples about a running one, once. */
  async function startShared(): Promise<Variables> {
    const variables = { ...env, IOT_CONFIG_DIR: temporaryFolder() };
    const clock = "--clock 2026-01-31T08:00:00Z";
    const start = `iot sandbox start --detach --port 0 --ephemeral --seed empty ${clock} > /dev/null`;
    const { code, stderr } = await runInShell(start, variables);
    if (code !== 0) throw new Error(`${start} ended with ${code}:\n${stderr}`);
    return variables;
  }

  /** Several examples make a snapshot of the same name. */
  async function forgetSnapshots(variables: Variables): Promise<void> {
    const { stdout } = await runWords({ words: ["sandbox", "snapshot", "list", "-o", "id"] }, variables);
    for (const name of stdout.split("\n").filter((name) => name !== ""))
      await runWords({ words: ["sandbox", "snapshot", "delete", name, "--yes"] }, variables);
  }

  async function runSteps(line: string, flags: (step: string) => string = () => ""): Promise<readonly StepResult[]> {
    const steps = splitLine(shortened(line), " && ");
    const onShared = needsRunningSandbox(steps);
    running ??= onShared ? startShared() : undefined;
    const variables = onShared && running !== undefined ? await running : environmentFor(line);
    const results: StepResult[] = [];
    for (const step of onShared ? steps.slice(1, -1) : steps) {
      const full = `${step}${flags(step)}`;
      const result = (await runPipe(full, variables)) ?? (await runInShell(full, variables));
      results.push({ step, ...result });
      if (result.code !== 0) break;
    }
    if (onShared) await forgetSnapshots(variables);
    else giveBack(variables);
    return results;
  }

  return {
    here,
    folder,
    opened,
    async run(line) {
      opened.length = 0;
      const last = (await runSteps(line)).at(-1);
      if (last === undefined) throw new Error(`"${line}" has no step`);
      return last;
    },
    runSteps,
    runPlain,
    async close() {
      for (const variables of [env, ...(running === undefined ? [] : [await running])])
        await shell(STOP, { env: variables, cwd: folder });
      programs.remove();
      await here.close();
    },
  };
}
