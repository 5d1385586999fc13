import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Command } from "../../src/commands/kit/define.ts";
import { nouns } from "../../src/commands/registry.ts";
import { programFolder } from "../../src/commands/sandbox/child.ts";
import { SEED_ACCOUNTS } from "../../src/sandbox/seed/index.ts";
import { cliEnvironment, cliPath, temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { shell } from "../helpers/shell.ts";

interface Example {
  readonly line: string;
  readonly command: Command;
}

const loaded = await Promise.all(nouns.map(async (noun) => ({ noun, commands: (await noun.load()).commands })));
const commands = loaded.flatMap(({ noun, commands: list }) => list.map((command) => ({ noun, command })));
const isLogout = ({ line }: Example): boolean => line.startsWith("iot auth logout");
/** Leaving comes last: it revokes the tokens that the others use. */
const examples: Example[] = commands
  .flatMap(({ command }) => command.examples.map((line) => ({ line, command })))
  .sort((a, b) => Number(isLogout(a)) - Number(isLogout(b)));

let here: SandboxUnderTest;
let env: Record<string, string>;
let folder: string;
/** Settings of somebody who works with the environments the examples name; every one of them is the sandbox. */
let prepared: string;

beforeAll(async () => {
  here = await sandboxUnderTest();
  const programs = programFolder(await cliPath());
  folder = temporaryFolder();
  prepared = temporaryFolder();
  cpSync(fileURLToPath(new URL("../../examples", import.meta.url)), join(folder, "examples"), { recursive: true });
  // A proxy that is not there: an example that would leave this machine fails.
  const fence = { HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1" };
  env = cliEnvironment({ ...here.env, ...fence, PATH: `${programs.path}:${process.env["PATH"] ?? ""}` });
  writeFileSync(join(folder, "password.txt"), SEED_ACCOUNTS.demo.password);
  writeFileSync(join(folder, "token.txt"), here.sandbox.tokens.profile);
  writeFileSync(join(folder, "report.js"), "process.exit(process.env.IOT_TOKEN ? 0 : 1);");
  const addresses = `--api-url ${here.sandbox.url} --events-url ${here.sandbox.eventsUrl}`;
  for (const name of ["prod", "old", "local"]) {
    const options = { env: { ...env, IOT_CONFIG_DIR: prepared }, cwd: folder, stdin: here.sandbox.tokens.profile };
    expect(
      await shell(`iot env add ${name} ${addresses} && iot auth login --with-token --env ${name}`, options),
    ).toMatchObject({ code: 0 });
  }
  await shell("iot env use prod", { env: { ...env, IOT_CONFIG_DIR: prepared }, cwd: folder });
  const keep = 'iot dashboard snapshot create "name:Plant, old widgets"';
  await shell(keep, { env: { ...env, IOT_CONFIG_DIR: prepared }, cwd: folder });
});
afterAll(async () => {
  await shell("iot sandbox stop --all", { env, cwd: folder });
  await here.close();
});

/** A fresh copy of the settings for one example; empty for those that make them. */
function configFor(line: string): string {
  const config = temporaryFolder();
  if (!line.startsWith("iot env add")) cpSync(prepared, config, { recursive: true });
  return config;
}

/** Logging in is about the environment in use, so no variable may go before it. */
function environmentFor(line: string, config: string): Record<string, string> {
  const { IOT_API_URL: _, IOT_EVENTS_URL: __, IOT_TOKEN: ___, ...rest } = env;
  return { ...(line.startsWith("iot auth login") ? rest : env), IOT_CONFIG_DIR: config };
}

describe("examples in the help", () => {
  it("are two or more for every command", () => {
    const lacking = commands.filter(({ command }) => command.examples.length < 2);
    expect(lacking.map(({ noun, command }) => [noun.name, ...command.path].join(" "))).toEqual([]);
  });

  it("start with the program, or lead to it", () => {
    expect(examples.filter(({ line }) => !/(^|[|&(] ?)iot /.test(line)).map(({ line }) => line)).toEqual([]);
  });

  it.each(examples.map((example) => [example.line, example] as const))("%s", async (line, { command }) => {
    const config = line.includes("iot sandbox") ? env["IOT_CONFIG_DIR"] : configFor(line);
    const options = { env: environmentFor(line, config ?? ""), cwd: folder };
    const { code, stderr } = await shell(`source() { cat > /dev/null; }; ${line}`, options);
    const known = new Set([0, ...(command.exitCodes ?? []).filter((exit) => exit === 11)]);
    expect({ line, code: known.has(code) ? 0 : code, stderr: known.has(code) ? "" : stderr }).toEqual({
      line,
      code: 0,
      stderr: "",
    });
  });
});
