import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";

/** A folder of programs that print what they get. */
function programs(...names: readonly string[]): string {
  const folder = temporaryFolder();
  for (const name of names) {
    const path = join(folder, name);
    const script = `#!/bin/sh
case "$1" in
  exit) exit "$2" ;;
  signal) kill -9 $$ ;;
  stop) trap 'exit 5' TERM; kill -TERM $PPID; while :; do sleep 0.1; done ;;
esac
printf '[%s]' "$IOT_ENV" "\${IOT_TOKEN-no token}" "$@"; cat
`;
    writeFileSync(path, script);
    chmodSync(path, 0o755);
  }
  return folder;
}

const pathOf = (...folders: readonly string[]): string => [...folders, process.env["PATH"] ?? ""].join(":");

describe("a program iot-<name> in PATH", { tags: ["posix"] }, () => {
  it("runs as a command, with its arguments and the environment of the line, and without a token", async () => {
    const env = { PATH: pathOf(programs("iot-hello")) };
    const args = ["--env", "prod", "hello", "--env", "x", "--", "a b", "--json"];
    expect(await runCli(args, { env, stdin: "in" })).toEqual({
      code: 0,
      stdout: "[prod][no token][--env][x][--][a b][--json]in",
      stderr: "",
    });
  });

  it("hands on exit codes and signals, in both directions", { tags: ["slow"] }, async () => {
    const env = { PATH: pathOf(programs("iot-hello")) };
    const codes = ["exit 7", "signal", "stop", "exit 7 --env"].map(async (words) => {
      const { code } = await runCli(["hello", ...words.split(" ")], { env });
      return code;
    });
    expect(await Promise.all(codes)).toEqual([7, 137, 5, 7]);
  });

  it("does not run for a word of iot, a relative folder, an alias, other flags before it or an empty environment", {
    tags: ["slow"],
  }, async () => {
    const folder = programs("iot-hello", "iot-deploy");
    const config = temporaryFolder();
    writeFileSync(join(config, "aliases.json"), '{"aliases":{"hey":"hello"}}');
    const env = { PATH: pathOf(folder), IOT_CONFIG_DIR: config };
    for (const line of ["deploy", "hey", "--json hello", "--env= hello", "../hello", "hello/../hello"])
      expect({ line, ...(await runCli(line.split(" "), { env })) }).toMatchObject({ line, code: 2, stdout: "" });
    expect((await runCli(["hello"], { cwd: folder, env: { PATH: pathOf(".", "") } })).code).toBe(2);
  });

  it("never runs for a line of another command, such as a call of iot mcp", async () => {
    const { code, stdout } = await runHere(["hello", "exit", "0"], { env: { PATH: pathOf(programs("iot-hello")) } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  it("is listed with what shadows it, and completed where nothing does", async () => {
    const first = programs("iot-hello", "iot-device", "iot-deploy", "iot-env-list", "iot-cold", "iot-a.b");
    const second = programs("iot-hello");
    writeFileSync(join(second, "iot-text"), "no program");
    mkdirSync(join(second, "iot-folder"));
    const env = { PATH: ["relative", first, second].join(":"), IOT_CONFIG_DIR: temporaryFolder() };
    expect((await runHere(["alias", "set", "cold", "device list"], { env })).code).toBe(0);
    const { stdout } = await runHere(["plugin", "list", "--json", "--fields", "path,shadowed_by"], { env });
    expect(JSON.parse(stdout)).toEqual([
      { path: join(first, "iot-cold"), shadowed_by: "alias" },
      { path: join(first, "iot-deploy"), shadowed_by: "suggestion" },
      { path: join(first, "iot-device"), shadowed_by: "command" },
      { path: join(first, "iot-env-list"), shadowed_by: "suggestion" },
      { path: join(first, "iot-hello"), shadowed_by: null },
      { path: join(second, "iot-hello"), shadowed_by: join(first, "iot-hello") },
    ]);
    const offered = await runHere(["__complete", "--", "h"], { env });
    expect(offered.stdout).toContain(`hello\tplugin ${join(first, "iot-hello")}\n`);
    expect((await runHere(["__complete", "--", "dep"], { env })).stdout).toBe("");
  });
});
