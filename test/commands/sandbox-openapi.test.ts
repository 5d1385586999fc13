import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { variablesOf } from "../../src/sandbox/console/variables.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { type CliOptions, type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, unknown>>;
}

let config: string;
beforeEach(() => {
  config = temporaryFolder();
});

const withConfig = (options: CliOptions): CliOptions => ({ ...options, env: { IOT_CONFIG_DIR: config } });
const iot = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
  runHere(["sandbox", ...args], withConfig(options));

const parsed = (text: string): Document => JSON.parse(text) as Document;

describe("sandbox openapi", () => {
  it("starts a sandbox for itself when none runs, and names the usual address", async () => {
    const { code, stdout } = await iot(["openapi"]);
    expect(code).toBe(0);
    const { openapi, servers, paths } = parsed(stdout);
    expect([openapi, servers]).toEqual(["3.1.0", [{ url: "http://127.0.0.1:5410" }]]);
    expect(Object.keys(paths)).toContain("/device/{deviceID}");
    expect((await iot(["status"])).stderr).toContain("No sandbox is running");
  });

  it("writes the document of the sandbox that runs, and asks before it replaces a file", async () => {
    const sandbox = await createSandbox({ seed: "empty" });
    const running = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
      runHere(["sandbox", ...args], { cwd: config, ...options, env: variablesOf(sandbox) });
    try {
      const { url } = sandbox;
      const file = join(config, "made", "openapi.json");
      expect(await running(["openapi", "--out", "made/openapi.json", "--json"])).toMatchObject({
        code: 0,
        stdout: `${JSON.stringify(file)}\n`,
      });
      expect(parsed(readFileSync(file, "utf8")).servers).toEqual([{ url }]);

      writeFileSync(file, "mine");
      expect((await running(["openapi", "--out", file])).code).toBe(2);
      expect(readFileSync(file, "utf8")).toBe("mine");
      expect((await running(["openapi", "--out", file, "--yes"])).code).toBe(0);
      expect(parsed(readFileSync(file, "utf8")).openapi).toBe("3.1.0");
    } finally {
      await sandbox.close();
    }
  });

  it("writes nothing where no sandbox is or no file can be", async () => {
    const file = join(config, "openapi.json");
    expect(await iot(["openapi", "--port", "1", "--out", file])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("No sandbox is running on port 1"),
    });
    expect(existsSync(file)).toBe(false);
    expect((await iot(["openapi", "--out", config])).stderr).toContain("is a folder");
  });
});
