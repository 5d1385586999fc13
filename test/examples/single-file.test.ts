import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "../../src/index.ts";
import { root } from "../helpers/ci-project.ts";
import { type CliResult, cliEnvironment, temporaryFolder } from "../helpers/cli.ts";
import { localRegistry, npmFrom, packFolder } from "../helpers/registry.ts";
import { shell } from "../helpers/shell.ts";

const folder = temporaryFolder();
const file = join(folder, "iot");
const config = temporaryFolder();
const LONG_MS = 900_000;

/** A line on a machine that has neither Node nor npm. */
const run = (line: string): Promise<CliResult> =>
  shell(line, {
    cwd: folder,
    env: cliEnvironment({ PATH: `${folder}:/usr/sbin:/bin`, IOT_CONFIG_DIR: config, NO_COLOR: "1" }),
  });

describe.runIf(process.platform === "linux")("the program as one file", () => {
  beforeAll(async () => {
    const registry = await localRegistry();
    const { npm_config_registry = "", ...npm } = npmFrom(registry);
    const script = join(root, "scripts/single-file.js");
    // It installs, compresses and copies a hundred megabytes. Not from this process: it would not serve the packages while it waits.
    const made = await shell(`"${process.execPath}" ${script} ${packFolder(root, folder)} ${file}`, {
      cwd: folder,
      env: { ...cliEnvironment(npm), npm_config_registry },
      hangMs: LONG_MS,
    });
    await registry.close();
    expect(made).toMatchObject({ code: 0 });
    cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });
  }, LONG_MS);
  // Half a gigabyte, which is not left for the end of all tests.
  afterAll(() => {
    for (const path of [folder, config]) rmSync(path, { recursive: true });
  });

  it("prints its version and help, and unpacks itself once", async () => {
    expect(await run("iot --version")).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: "" });
    expect((await run("iot --help")).stdout).toContain("iot <noun>");
    expect(readdirSync(join(config, "cache/program"))).toHaveLength(1);
  });

  it("runs a command against a sandbox, and exits with its exit code", async () => {
    const listed = await run("iot sandbox exec -- iot device list --output json");
    expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ name: "Freezer 1" }));
    expect((await run("iot sandbox exec -- sh -c 'exit 9'")).code).toBe(9);
    expect((await run("iot device list --no-such-flag")).code).toBe(2);
  });

  it("starts a sandbox in the background that runs analyses, and stops it", async () => {
    const lines = [
      'eval "$(iot sandbox start --detach --port 0 --data-dir data)"',
      "iot analysis run name:report",
      "iot sandbox stop",
    ];
    expect(await run(lines.join(" && "))).toMatchObject({ code: 0 });
  });

  it("draws a widget", async () => {
    const preview = "iot widget preview examples/legacy-widgets.json --html preview.html --yes";
    expect(await run(preview)).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toContain("preview.html");
  });

  it("ends with the program when it is told to", async () => {
    const { code, stdout } = await run(
      "iot sandbox start --port 0 --ephemeral > out.txt 2>&1 & until grep -q IOT_TOKEN out.txt; do sleep 0.1; done; kill -TERM $!; wait $!; echo $?",
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "143\n" });
  });
});
