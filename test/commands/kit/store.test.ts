import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changeStored } from "../../../src/commands/kit/state/store.ts";
import { cliEnvironment, cliPath, temporaryFolder } from "../../helpers/cli.ts";
import { runHere } from "../../helpers/in-process.ts";
import { shell } from "../../helpers/shell.ts";

const own = (folder: string) => ({ IOT_CONFIG_DIR: folder });

describe("a file that is kept for the user", () => {
  it("is written whole, for the user alone, with what iot does not know", { tags: ["posix"] }, async () => {
    const folder = temporaryFolder();
    const path = join(folder, "config.json");
    writeFileSync(path, '{"settings":{"tz":"UTC"},"later":{"than":["this"]}}', { mode: 0o644 });
    const { code, stderr } = await runHere(["config", "set", "output", "json"], { env: own(folder) });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      settings: { tz: "UTC", output: "json" },
      later: { than: ["this"] },
      environments: {},
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["config.json"]);
  });

  it("loses what a killed process has left beside it, and nothing else", async () => {
    const folder = temporaryFolder();
    const left = ["config.json.tmp-1234567890abcdef", "config.json.999999999.abc123.tmp"];
    const others = ["config.json.tmp-mine", "other.json.tmp-1234567890abcdef"];
    for (const name of [...left, ...others]) writeFileSync(join(folder, name), "{}");
    await runHere(["config", "set", "output", "json"], { env: own(folder) });
    expect(readdirSync(folder).sort()).toEqual(["config.json", ...others]);
  });

  it("is in a folder of the user's own", { tags: ["posix"] }, async () => {
    const folder = join(temporaryFolder(), "new", "iot");
    await runHere(["alias", "set", "cold", "device list"], { env: own(folder) });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["config.json", ["config", "set", "output", "json"]],
    ["aliases.json", ["alias", "set", "cold", "device list"]],
  ])("is reported and left as it is when it is broken: %s", async (name, line) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), '{"settings":');
    const { code, stderr } = await runHere(line, { env: own(folder) });
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(`${name} is not valid JSON.`);
    expect(readFileSync(join(folder, name), "utf8")).toBe('{"settings":');
    expect(readdirSync(folder)).toEqual([name]);
  });

  it("is as it was after a change that the disk took only in part", { tags: ["posix"] }, async () => {
    const folder = temporaryFolder();
    const before = JSON.stringify({ aliases: { long: `device list --tag a=${"x".repeat(3_000)}` } });
    writeFileSync(join(folder, "aliases.json"), before);
    const line = `ulimit -f 6; exec '${process.execPath}' '${await cliPath()}' alias set more "device list --tag b=${"y".repeat(3_000)}"`;
    const { code, stderr } = await shell(line, { env: { ...cliEnvironment(), ...own(folder) }, cwd: folder });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("aliases.json could not be") });
    expect(readFileSync(join(folder, "aliases.json"), "utf8")).toBe(before);
    expect(readdirSync(folder)).toEqual(["aliases.json"]);
  });

  it("leaves the signals to the program: one Ctrl-C stays one", async () => {
    const folder = join(temporaryFolder(), "signals");
    mkdirSync(folder);
    await changeStored(join(folder, "a.json"), () => ({}));
    const once = (signal: string) => process.rawListeners(signal).filter((handler) => "listener" in handler);
    expect([once("SIGINT"), once("SIGVTALRM")]).toEqual([[], []]);
  });
});
