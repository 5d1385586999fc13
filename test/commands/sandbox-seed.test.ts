import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/index.ts";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { ok } from "../sandbox/client.ts";

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

const sandbox = (...args: string[]): Promise<CliResult> =>
  runHere(["sandbox", ...args], {
    cwd,
    env: { IOT_CONFIG_DIR: join(cwd, "config"), IOT_STATE_DIR: join(cwd, "state") },
  });

function seed(name: string, files: Readonly<Record<string, unknown>>): void {
  mkdirSync(join(cwd, name), { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(cwd, name, file), JSON.stringify(content));
}

/** Names of the devices in a data folder. */
async function namesIn(dataDir: string): Promise<string[]> {
  const opened = await createSandbox({ dataDir: join(cwd, dataDir) });
  try {
    const rows = await ok<{ name: string }[]>(opened, "GET", "/device?amount=10", { token: opened.tokens.profile });
    return rows.map(({ name }) => name);
  } finally {
    await opened.close();
  }
}

describe("--seed and --scenario", () => {
  it("take a folder, from where the command was started, and the name of a scenario", async () => {
    seed("plant", { "scenario.json": { extends: "empty" }, "devices.json": [{ name: "Boiler 1" }] });
    expect(await sandbox("seed", "--data-dir", "one", "--seed", "./plant")).toMatchObject({ code: 0 });
    expect(await namesIn("one")).toEqual(["Boiler 1"]);
    expect(await sandbox("seed", "--data-dir", "two", "--scenario", "empty")).toMatchObject({ code: 0 });
    expect(await namesIn("two")).toEqual([]);
  });

  it("refuse what is no seed before anything starts", async () => {
    mkdirSync(join(cwd, "plain"));
    seed("wrong", { "scenario.json": { extends: "empty" }, "devices.json": [{ name: "Boiler 1" }, { name: 5 }] });
    const cases = [
      [2, "--scenario", "nothing"],
      [2, "--seed", "nothing"],
      [2, "--seed", "1.5"],
      [2, "--seed", "demo", "--scenario", "factory"],
      [3, "--seed", "plain"],
      [3, "--seed", "wrong"],
    ] as const;
    for (const [code, ...flags] of cases) {
      expect((await sandbox("start", "--ephemeral", "--port", "0", ...flags)).code, flags.join(" ")).toBe(code);
    }
  });

  it("say which record of which file is wrong, and what to do", async () => {
    seed("wrong", { "scenario.json": { extends: "empty" }, "devices.json": [{ name: "Boiler 1" }, { name: 5 }] });
    const { stderr } = await sandbox("start", "--ephemeral", "--port", "0", "--seed", "wrong");
    expect(stderr).toContain("error: The seed cannot be used.");
    expect(stderr).toMatch(/why: devices\.json \[1\], name: /);
    expect(stderr).toContain("next: Fix the file");
  });
});
