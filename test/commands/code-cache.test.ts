import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const isBuiltIn =
  typeof (process.getBuiltinModule("node:module") as { enableCompileCache?: unknown }).enableCompileCache ===
  "function";

describe("the kept code of the program", () => {
  let config = "";

  beforeAll(() => {
    if (!existsSync(join(root, "dist", "cli.cjs")))
      throw new Error("dist/cli.cjs is missing: run `npm run build` first");
  });
  beforeEach(() => {
    config = mkdtempSync(join(tmpdir(), "iotdeck-code-"));
  });
  afterEach(() => {
    chmodSync(config, 0o700);
    rmSync(config, { recursive: true, force: true });
  });

  /** A topic of the help loads the large file and asks for nothing else. */
  function iot(args: readonly string[], extra: Readonly<Record<string, string>> = {}) {
    const { IOT_CONFIG_DIR: _own, ...rest } = process.env;
    const env = { ...rest, HOME: config, XDG_CACHE_HOME: join(config, "cache"), ...extra };
    return spawnSync(process.execPath, [join(root, "bin", "iot.js"), ...args], { env, encoding: "utf8" });
  }
  const folder = () => join(config, "cache", "iotdeck", "code");
  const kept = () => readdirSync(folder()).filter((name) => name.endsWith(".bin"));

  it.runIf(!isBuiltIn)("is written by the first run, for the user alone, and used by the second", () => {
    const first = iot(["help", "output"]);
    expect(first.status).toBe(0);
    const [name = ""] = kept();
    expect(kept()).toHaveLength(1);
    expect(statSync(join(folder(), name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    const { ino } = statSync(join(folder(), name));
    expect(iot(["help", "output"]).stdout).toBe(first.stdout);
    expect(statSync(join(folder(), name)).ino).toBe(ino);
  });

  it.runIf(!isBuiltIn)("is made again when it is damaged", () => {
    const first = iot(["help", "output"]);
    const [name = ""] = kept();
    writeFileSync(join(folder(), name), "not code", { mode: 0o600 });
    expect(iot(["help", "output"]).stdout).toBe(first.stdout);
    expect(readFileSync(join(folder(), name)).length).toBeGreaterThan(1000);
  });

  it.runIf(!isBuiltIn)("is not used when others may write it", () => {
    iot(["help", "output"]);
    const [name = ""] = kept();
    const path = join(folder(), name);
    chmodSync(path, 0o666);
    const { ino } = statSync(path);
    expect(iot(["help", "output"]).status).toBe(0);
    expect(statSync(path).ino).not.toBe(ino);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("does without where it cannot be written", () => {
    writeFileSync(join(config, "cache"), "a file where a folder should be");
    const { status, stdout, stderr } = iot(["help", "output"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("json");
  });

  it("leaves a folder of settings alone", () => {
    expect(iot(["help", "output"], { IOT_CONFIG_DIR: join(config, "own") }).status).toBe(0);
    expect(readdirSync(config)).toEqual([]);
  });

  it("leaves nothing behind after --version and --help", () => {
    expect(iot(["--version"]).status).toBe(0);
    expect(iot(["--help"]).status).toBe(0);
    expect(readdirSync(config)).toEqual([]);
  });
});
