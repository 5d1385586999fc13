import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realTarget } from "../../src/commands/kit/files/files.ts";
import { runCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
let token: string;
let api: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
  token = here.env["IOT_TOKEN"] ?? "";
  api = here.env["IOT_API_URL"] ?? "";
});
afterAll(() => here.close());

const own = (folder: string): Record<string, string> => ({ IOT_CONFIG_DIR: folder });
const contentOf = (path: string): Record<string, Record<string, unknown>> => JSON.parse(readFileSync(path, "utf8"));

async function withEnvironments(names: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  for (const name of names) {
    const { code, stderr } = await runHere(["env", "add", name, "--api-url", api], { env: own(folder) });
    expect(code, stderr).toBe(0);
  }
  return folder;
}

const login = (env: Record<string, string>, name: string) =>
  runHere(["auth", "login", "--with-token", "--env", name], { env, stdin: token });

describe("the file behind a path", () => {
  it("is the path itself while another process writes and removes it", async () => {
    const path = join(temporaryFolder(), "credentials.json");
    const program = `const { writeFileSync, unlinkSync } = require("node:fs");
      for (let i = 0; i < 60_000; i += 1) { writeFileSync(${JSON.stringify(path)}, ""); unlinkSync(${JSON.stringify(path)}); }`;
    const other = spawn(process.execPath, ["-e", program]);
    const end = once(other, "close");
    const found = new Set<string>();
    while (other.exitCode === null) {
      for (let i = 0; i < 500; i += 1) found.add(realTarget(path));
      await setImmediate();
    }
    expect([await end, [...found]]).toEqual([[0, null], [path]]);
  });
});

describe("processes that change settings at the same time", () => {
  async function expectKept(names: readonly number[]): Promise<void> {
    const folder = await withEnvironments(names.map((n) => `old-${n}`));
    const all = ["output=json", "timeout=30s", "retries=3", "time=iso", "ascii=true"];
    const settings = all.slice(0, names.length);
    const results = await Promise.all(
      names.flatMap((n) => [
        runCli(["config", "set", ...(settings[n - 1] ?? "").split("=")], { env: own(folder) }),
        runCli(["alias", "set", `short-${n}`, "device list"], { env: own(folder) }),
        runCli(["env", "add", `new-${n}`, "--region", "us-e1"], { env: own(folder) }),
        runCli(["auth", "login", "--with-token", "--env", `old-${n}`], { env: own(folder), stdin: token }),
      ]),
    );
    expect(results.filter(({ code }) => code !== 0)).toEqual([]);
    const config = contentOf(join(folder, "config.json"));
    expect(Object.keys(config["settings"] ?? {}).sort()).toEqual(settings.map((text) => text.split("=")[0]).sort());
    expect(Object.keys(config["environments"] ?? {})).toHaveLength(2 * names.length);
    expect(Object.keys(contentOf(join(folder, "aliases.json"))["aliases"] ?? {})).toHaveLength(names.length);
    const { credentials } = JSON.parse(readFileSync(join(folder, "credentials.json"), "utf8"));
    expect(credentials.map(({ env }: { env: string }) => env).sort()).toEqual(names.map((n) => `old-${n}`));
  }

  it("keep every change: settings, aliases, environments and credentials", { tags: ["slow"] }, () =>
    expectKept([1, 2]),
  );

  it("keep every change, however many there are", { tags: ["slow"] }, () => expectKept([1, 2, 3, 4, 5]));
});

describe("settings that are links", () => {
  it("stay links, and a logout takes the token out of the file behind them", { tags: ["posix"] }, async () => {
    const folder = await withEnvironments(["linked"]);
    const behind = temporaryFolder();
    for (const name of ["config.json", "credentials.json"]) {
      const text = name === "config.json" ? readFileSync(join(folder, name)) : '{"credentials":[]}';
      writeFileSync(join(behind, name), text, { mode: 0o600 });
    }
    const links = temporaryFolder();
    for (const name of ["config.json", "credentials.json", "aliases.json"])
      symlinkSync(join(behind, name), join(links, name));
    expect((await login(own(links), "linked")).code).toBe(0);
    expect(readFileSync(join(behind, "credentials.json"), "utf8")).toContain(token);
    expect((await runHere(["config", "set", "output", "json"], { env: own(links) })).code).toBe(0);
    expect((await runHere(["alias", "set", "cold", "device list"], { env: own(links) })).code).toBe(0);
    await runHere(["auth", "logout", "--env", "linked"], { env: own(links) });
    expect(readFileSync(join(behind, "credentials.json"), "utf8")).not.toContain(token);
    expect(readFileSync(join(behind, "config.json"), "utf8")).toContain('"output": "json"');
    expect(readFileSync(join(behind, "aliases.json"), "utf8")).toContain("cold");
    for (const name of ["config.json", "credentials.json", "aliases.json"])
      expect(lstatSync(join(links, name)).isSymbolicLink()).toBe(true);
  });
});

describe("a folder with credentials that others can write to", () => {
  it("is closed to them, with a warning", { tags: ["posix"] }, async () => {
    const folder = join(temporaryFolder(), "open");
    mkdirSync(folder);
    const credential = { env: "x", origin: "http://127.0.0.1:1", token: "t-1", created: "2026-01-31T08:00:00.000Z" };
    writeFileSync(join(folder, "credentials.json"), JSON.stringify({ credentials: [credential] }), { mode: 0o600 });
    chmodSync(folder, 0o777);
    const first = await runHere(["auth", "status"], { env: own(folder) });
    expect(first.stderr).toContain("could change the files");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect((await runHere(["auth", "status"], { env: own(folder) })).stderr).not.toContain("could change");
  });
});
