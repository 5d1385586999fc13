import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { userFolders } from "../../src/commands/kit/settings/paths.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";

let folder: string;
let cwd: string;

beforeEach(() => {
  folder = join(temporaryFolder(), "config");
  cwd = temporaryFolder();
});

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runHere(args, { cwd, env: { IOT_CONFIG_DIR: folder, ...env } });
const project = (content: unknown, where = cwd): void =>
  writeFileSync(join(where, "iot.config.json"), typeof content === "string" ? content : JSON.stringify(content));

async function settingOf(name: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const { stdout } = await run(["config", "list", "-o", "ndjson", "--fields", "key,value,origin", ...args], env);
  const row = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .find((one) => one.key === name);
  return { value: row?.value, origin: row?.origin };
}

describe("where a setting comes from", () => {
  it("is, highest first: flag, variable, project file, user file, default", async () => {
    const seen = [await settingOf("tz")];
    await run(["config", "set", "tz", "Europe/Lisbon"]);
    seen.push(await settingOf("tz"));
    project({ defaults: { tz: "Asia/Tokyo" } });
    seen.push(await settingOf("tz"), await settingOf("tz", ["--tz", "UTC"]));
    expect(seen.map(({ value }) => value)).toEqual(["", "Europe/Lisbon", "Asia/Tokyo", "UTC"]);
    expect(seen[1]?.origin).toContain("config.json");
    expect(seen[2]?.origin).toContain("iot.config.json");
    expect(seen[3]?.origin).toBe("flag");
  });

  it("is a variable before any file", async () => {
    project({ env: "default" });
    expect(await settingOf("env", [], { IOT_ENV: "prod" })).toEqual({ value: "prod", origin: "IOT_ENV" });
    expect(await settingOf("output")).toMatchObject({ origin: "flag" });
  });

  it("decides what a command does", async () => {
    await run(["config", "set", "output", "json"]);
    expect(JSON.parse((await run(["config", "path"])).stdout)).toHaveProperty("settings");
    expect((await run(["config", "get", "output"], { IOT_OUTPUT: "yaml" })).stdout).toBe("yaml\n");
    expect((await run(["config", "get", "tz"])).code).toBe(6);
  });
});

describe("settings", () => {
  it.each([
    [["config", "set", "otput", "json"], "output"],
    [["config", "set", "output", "xml"], "ndjson"],
    [["config", "set", "retries", "many"], "whole number"],
    [["config", "set", "token", "abc"], "iot auth login"],
    [["config", "get", "password"], "iot auth login"],
    [["config", "set", "accessible", "maybe"], "true or false"],
  ])("%j is refused with 2", async (args, mention) => {
    const result = await run(args);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(mention);
    expect(existsSync(folder)).toBe(false);
  });

  it("are kept for the user alone, and taken out again", { tags: ["posix"] }, async () => {
    await run(["config", "set", "timeout", "30s"]);
    expect(statSync(join(folder, "config.json")).mode & 0o777).toBe(0o600);
    expect((await run(["config", "unset", "timeout"])).code).toBe(0);
    expect((await run(["config", "unset", "timeout"])).code).toBe(0);
    expect(await settingOf("timeout")).toEqual({ value: "60s", origin: "default" });
    expect(readdirSync(folder)).toEqual(["config.json"]);
  });

  it("reading them creates nothing", async () => {
    for (const args of [
      ["config", "list"],
      ["config", "path"],
      ["env", "list"],
      ["env", "current"],
      ["doctor", "--offline"],
      ["auth", "logout"],
    ]) {
      expect((await run(args)).code).toBe(0);
    }
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("in a variable are checked too", async () => {
    const result = await run(["config", "path"], { IOT_OUTPUT: "xml" });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("IOT_OUTPUT");
  });
});

describe("the project file", () => {
  it("is the nearest upwards, and none above the root of a repository", async () => {
    project({ defaults: { output: "yaml" } });
    const inside = join(cwd, "a", "b");
    mkdirSync(inside, { recursive: true });
    const env = { IOT_CONFIG_DIR: folder };
    expect((await runHere(["config", "get", "output"], { cwd: inside, env })).stdout).toBe("yaml\n");
    project({ defaults: { output: "json" } }, join(cwd, "a"));
    expect((await runHere(["config", "get", "output"], { cwd: inside, env })).stdout).toBe('"json"\n');
    mkdirSync(join(cwd, "a", "b", ".git"));
    expect((await runHere(["config", "get", "output"], { cwd: inside, env })).stdout).toBe("table\n");
  });

  it.each([
    [{ token: "x" }, "token"],
    [{ credentials: {} }, "credentials"],
    [{ "api-url": "http://evil.test" }, "api-url"],
    [{ api: "http://evil.test" }, "api"],
    [{ environments: { prod: { api: "http://evil.test" } } }, "environments"],
    [{ defaults: { proxy: "http://evil.test" } }, "proxy"],
    [{ defaults: { "ca-file": "evil.pem" } }, "ca-file"],
    [{ region: "eu-w1" }, "region"],
    [{ colour: "red" }, "colour"],
    [{ defaults: { output: "xml" } }, "output"],
    [{ defaults: [] }, "defaults"],
    ["{ not json", "not valid JSON"],
    ["[]", "JSON object"],
  ])("with %j is refused", async (content, mention) => {
    project(content);
    const result = await run(["env", "current"]);
    expect([2, 3]).toContain(result.code);
    expect(result.stderr).toContain(mention);
    expect(result.stderr).not.toMatch(/(why|next): *\n/);
  });

  it("matches the schema the program prints", async () => {
    const { stdout } = await run(["config", "schema"]);
    const schema = JSON.parse(stdout);
    expect(Object.keys(schema.properties)).toEqual(["$schema", "env", "analyses", "dashboards", "check", "defaults"]);
    expect(Object.keys(schema.properties.defaults.properties)).not.toContain("proxy");
    project({ $schema: "x", env: "default", defaults: { output: "ndjson", ascii: true, retries: 3 } });
    expect((await run(["env", "current"])).code).toBe(0);
  });
});

describe("a broken user file", () => {
  beforeEach(() => {
    mkdirSync(folder, { recursive: true });
  });

  it.each([
    "{",
    "[]",
    '{"settings":{"output":"xml"}}',
    '{"settings":{"outpt":"json"}}',
    '{"environments":[]}',
    '{"environments":{"a":1}}',
  ])("%j is named, not replaced", async (text) => {
    writeFileSync(join(folder, "config.json"), text);
    const result = await run(["env", "add", "x"]);
    expect([2, 3]).toContain(result.code);
    expect(readFileSync(join(folder, "config.json"), "utf8")).toBe(text);
  });

  it("does not keep doctor from saying what is wrong", async () => {
    writeFileSync(join(folder, "config.json"), "{");
    const result = await run(["doctor", "--json"]);
    expect(result.code).toBe(3);
    const found = JSON.parse(result.stdout).find((one: { check: string }) => one.check === "settings");
    expect(found).toMatchObject({ state: "error", next: expect.stringContaining("Fix the file") });
  });
});

describe("the user's folders", () => {
  it.each([
    ["linux", {}, "/home/u", "/home/u/.config/iotdeck"],
    ["linux", { XDG_CONFIG_HOME: "/x" }, "/home/u", "/x/iotdeck"],
    ["linux", { XDG_CONFIG_HOME: "relative" }, "/home/u", "/home/u/.config/iotdeck"],
    ["darwin", {}, "/Users/u", "/Users/u/Library/Application Support/iotdeck"],
    ["linux", { IOT_CONFIG_DIR: "/own" }, "/home/u", "/own"],
  ])("on %s with %j are where the system keeps them", (platform, env, home, config) => {
    expect(userFolders(env, platform, home).config).toBe(config);
  });

  it("on Windows are below AppData", () => {
    expect(userFolders({ APPDATA: "C:\\Roaming", LOCALAPPDATA: "C:\\Local" }, "win32", "C:\\Users\\u")).toMatchObject({
      config: expect.stringMatching(/^C:\\Roaming.iotdeck$/),
      cache: expect.stringMatching(/^C:\\Local.iotdeck.Cache$/),
    });
  });
});
