import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { programFolder } from "../../src/commands/sandbox/child.ts";
import { SEED_ACCOUNTS, SEED_RUN_USERS } from "../../src/sandbox/seed/index.ts";
import { type CliResult, cliEnvironment, cliPath, temporaryFolder } from "./cli.ts";
import { runHere } from "./in-process.ts";
import { type PlainLine, plainLine } from "./leaves.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "./sandbox.ts";
import { shell } from "./shell.ts";

/** An address that refuses every connection. */
export const DEAD_END = "http://127.0.0.1:9";

/** A place where the examples of the help run as they stand: a sandbox, a folder with the files they name, settings. */
export interface ExamplePlace {
  readonly here: SandboxUnderTest;
  /** The current folder of the examples. */
  readonly folder: string;
  /** Runs a line: inside this process where it needs no shell, else through `sh`. */
  run(line: string): Promise<CliResult>;
  /** Runs words inside this process, as `run` does; with a terminal of this many cells where it is given. */
  runPlain(line: PlainLine, extraEnv?: Readonly<Record<string, string>>, terminal?: number): Promise<CliResult>;
  /** Runs a line through `sh`. */
  runInShell(line: string): Promise<CliResult>;
  close(): Promise<void>;
}

/** Settings of somebody who works with the environments the examples name; every one of them is the sandbox. */
async function prepare(here: SandboxUnderTest, folder: string): Promise<string> {
  const prepared = temporaryFolder();
  const env = { ...here.env, IOT_CONFIG_DIR: prepared };
  const addresses = ["--api-url", here.sandbox.url, "--events-url", here.sandbox.eventsUrl];
  const lines: readonly (readonly string[])[] = [
    ...["prod", "old", "local"].flatMap((name) => [
      ["env", "add", name, ...addresses],
      ["auth", "login", "--with-token", "--env", name],
    ]),
    ["env", "add", "gone", "--api-url", DEAD_END],
    ["env", "use", "prod"],
    ["alias", "set", "cold", "device list --tag room=cold-store"],
    ["dashboard", "snapshot", "create", "name:Plant, old widgets"],
  ];
  for (const words of lines) {
    const { code, stderr } = await runHere(words, { env, cwd: folder, stdin: here.sandbox.tokens.profile });
    if (code !== 0) throw new Error(`iot ${words.join(" ")} ended with ${code}:\n${stderr}`);
  }
  return prepared;
}

/** The files the examples read. */
function writeFiles(here: SandboxUnderTest, folder: string): void {
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
  const here = await sandboxUnderTest();
  const folder = temporaryFolder();
  writeFiles(here, folder);
  const prepared = await prepare(here, folder);
  const programs = programFolder(await cliPath());
  // A proxy that is not there: an example that would leave this machine fails.
  const fence = { HTTPS_PROXY: DEAD_END, NO_PROXY: "127.0.0.1" };
  const env = cliEnvironment({ ...here.env, ...fence, PATH: `${programs.path}:${process.env["PATH"] ?? ""}` });

  /** A fresh copy of the settings for one example; empty for those that make them. */
  function configFor(line: string): string {
    const config = temporaryFolder();
    if (!line.startsWith("iot env add")) cpSync(prepared, config, { recursive: true });
    return config;
  }

  /** Logging in is about the environment in use, so no variable may go before it. */
  function environmentFor(line: string): Record<string, string> {
    const { IOT_API_URL: _, IOT_EVENTS_URL: __, IOT_TOKEN: ___, ...rest } = env;
    const config = line.includes("iot sandbox") ? (env["IOT_CONFIG_DIR"] ?? "") : configFor(line);
    return { ...(line.startsWith("iot auth login") ? rest : env), IOT_CONFIG_DIR: config };
  }

  function runPlain(
    { words, stdinFile }: PlainLine,
    extraEnv: Readonly<Record<string, string>> = {},
    terminal?: number,
  ): Promise<CliResult> {
    const stdin = stdinFile === undefined ? {} : { stdin: readFileSync(join(folder, stdinFile), "utf8") };
    const line = ["iot", ...words].join(" ");
    const width = terminal === undefined ? {} : { terminal };
    return runHere(words, { env: { ...environmentFor(line), ...extraEnv }, cwd: folder, ...stdin, ...width });
  }

  const runInShell = (line: string): Promise<CliResult> =>
    shell(`source() { cat > /dev/null; }; ${line}`, { env: environmentFor(line), cwd: folder });

  return {
    here,
    folder,
    run(line) {
      const plain = plainLine(line);
      const needsProcess = plain === undefined || /^(sandbox|mcp)$/.test(plain.words[0] ?? "");
      return needsProcess ? runInShell(line) : runPlain(plain);
    },
    runPlain,
    runInShell,
    async close() {
      await shell("iot sandbox stop --all", { env, cwd: folder });
      programs.remove();
      await here.close();
    },
  };
}
