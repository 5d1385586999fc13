import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

/** The form of a service authorization; the platform has no such one. */
const token = `at${"0123abcd".repeat(4)}`;
const password = "pass-of-the-proxy";

describe("a secret", () => {
  it("in the path of a failed request is shown by its ends", async () => {
    for (const flags of [[], ["-o", "json"], ["--verbose"], ["--debug"]]) {
      const { stdout, stderr } = await here.iot(["api", "GET", `/serviceauth/${token}`, ...flags]);
      expect(stdout + stderr).not.toContain(token);
    }
  });

  it("is not cut in two where --debug cuts a body", async () => {
    const input = JSON.stringify({ text: "x".repeat(1_970), token, more: "y".repeat(20) });
    const { stderr } = await here.iot(["api", "POST", "/device", "--input", "-", "--debug"], { stdin: input });
    expect(stderr).toContain("body {");
    expect(stderr).not.toContain(token.slice(0, 5));
  });

  it("in the address of a setting is shown with --reveal only", async () => {
    const set = ["config", "set", "proxy", `http://joe:${password}@127.0.0.1:9`];
    const shown = await here.iot(set);
    expect(shown.code).toBe(0);
    expect(shown.stdout + shown.stderr).not.toContain(password);
    const list = ["config", "list", "-o", "json"];
    expect((await here.iot(list)).stdout).not.toContain(password);
    expect((await here.iot([...list, "--reveal"])).stdout).toContain(password);
    await here.iot(["config", "unset", "proxy"]);
  });

  it("is not left to others by a recording over a file that they can read", { tags: ["posix"] }, async () => {
    const cwd = temporaryFolder();
    const path = join(cwd, "live.ndjson");
    writeFileSync(path, "", { mode: 0o644 });
    const watch = ["device", "watch", "name:Freezer 1", "--save", "live.ndjson", "--for", "50ms", "--yes"];
    const { stderr } = await here.iot(watch, { cwd });
    expect({ stderr, mode: statSync(path).mode & 0o777 }).toMatchObject({ mode: 0o600 });
    expect(readFileSync(path, "utf8")).toContain("iotdeck-stream");
  });
});
