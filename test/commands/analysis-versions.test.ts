import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parsePattern } from "../../src/commands/kit/pattern.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { growthOf, IN_PROPORTION } from "../helpers/growth.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const iot = (...args: string[]) => here.iot(["analysis", ...args]);
const json = <T>(...args: string[]): Promise<T> => here.json<T>(["analysis", ...args]);

interface Version {
  readonly version: number;
  readonly current: boolean;
  readonly file_name: string;
  readonly created_by: string;
}

let count = 0;
/** An analysis with an upload for each text. */
async function analysisWith(texts: readonly string[], file = "job.js", ...flags: string[]): Promise<string> {
  count += 1;
  const { id } = await json<{ id: string }>("create", "--name", `versions ${count}`);
  const path = join(temporaryFolder(), file);
  for (const text of texts) {
    writeFileSync(path, text);
    await json("deploy", id, "--file", path, "--no-bundle", "--yes", ...flags);
  }
  return id;
}

const scriptOf = async (id: string, ...flags: string[]): Promise<string> =>
  (await iot("download", id, "--out", "-", ...flags)).stdout;
const numbers = async (id: string): Promise<number[]> =>
  (await json<Version[]>("versions", id)).map(({ version }) => version);

describe("analysis versions", () => {
  it("lists the uploads, the newest first, and marks the current one", async () => {
    const id = await analysisWith(["1;", "2;"]);
    expect(await json<Version[]>("versions", id)).toMatchObject([
      { version: 2, current: true, file_name: "job.js", created_by: expect.stringContaining("@") },
      { version: 1, current: false },
    ]);
    const empty = await iot("versions", await analysisWith([]));
    expect([empty.code, empty.stdout, empty.stderr]).toEqual([0, "", "info: No script has been uploaded.\n"]);
    expect((await iot("versions", "5f0000000000000000000000")).code).toBe(6);
  });
});

describe("analysis rollback", () => {
  it("puts the version before back, as a new one, and itself with the next rollback", async () => {
    const id = await analysisWith(["console.log(1);", "console.log(2);"]);
    const { stderr } = await iot("rollback", id, "--yes");
    expect(stderr).toContain("Restored version 1 of analysis");
    expect([await scriptOf(id), await numbers(id)]).toEqual(["console.log(1);", [3, 2, 1]]);
    expect(await json("rollback", id, "--yes")).toMatchObject({ restored: 2, version: 4, file_name: "job.js" });
    expect(await scriptOf(id)).toBe("console.log(2);");
  });

  it("puts a named version back, which deploy --changed then knows", async () => {
    const id = await analysisWith(["console.log(1);", "console.log(2);", "console.log(3);"]);
    expect(await json("rollback", id, "1", "--yes")).toMatchObject({ restored: 1, version: 4 });
    const file = join(temporaryFolder(), "job.js");
    writeFileSync(file, "console.log(1);");
    const again = await json<{ state: string }[]>("deploy", id, "--file", file, "--no-bundle", "--changed", "--yes");
    expect(again.map(({ state }) => state)).toEqual(["unchanged"]);
  });

  it("keeps the runtime, unless it cannot run the file", async () => {
    const id = await analysisWith(["1;"], "job.js", "--language", "deno-rt2025");
    await json("deploy", id, "--file", await python(), "--yes", "--language", "python-rt2025");
    await json("rollback", id, "--yes");
    expect(await json("get", id)).toMatchObject({ runtime: "node-rt2025", file_name: "job.js" });
    await json("rollback", id, "1", "--language", "deno-rt2025", "--yes");
    expect(await json("get", id)).toMatchObject({ runtime: "deno-rt2025", version: 4 });
  });

  it("changes nothing with --dry-run, without an answer, and for versions that are not there", async () => {
    const id = await analysisWith(["1;", "2;"]);
    const planned = await json<{ path: string; body: { file: string } }[]>("rollback", id, "--dry-run");
    expect(planned).toMatchObject([{ path: `/analysis/${id}/upload`, body: { file_name: "job.js" } }]);
    expect(planned[0]?.body.file).toMatch(/^\(base64 of 2 bytes, sha256 [0-9a-f]{64}\)$/);
    expect((await iot("rollback", id)).code).toBe(2);
    expect(await iot("rollback", id, "9", "--yes")).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("It has 2, 1."),
    });
    expect((await iot("rollback", id, "x", "--yes")).code).toBe(2);
    const single = await analysisWith(["1;"]);
    expect(await iot("rollback", single, "--yes")).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("has no earlier version"),
    });
    expect([await numbers(id), await numbers(single)]).toEqual([[2, 1], [1]]);
  });
});

async function python(): Promise<string> {
  const file = join(temporaryFolder(), "job.py");
  writeFileSync(file, "print(1)\n");
  return file;
}

describe("analysis console", () => {
  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const printing = (lines: readonly string[]): string =>
    lines.map((line) => `console.log(${JSON.stringify(line)});`).join("\n");
  const lines = async (id: string, ...flags: string[]): Promise<string[]> =>
    (await json<{ message: string }[]>("console", id, ...flags)).map(({ message }) => message);

  it("shows lines that match --grep, of those --lines the last", async () => {
    const id = await analysisWith([printing(["one", "Error 1", "two", "Error 2"])]);
    await iot("run", id, "--wait");
    expect(await lines(id, "--grep", "^Error \\d$")).toEqual(["Error 1", "Error 2"]);
    expect(await lines(id, "--grep", "(?i)ERROR", "--lines", "1")).toEqual(["Error 2"]);
    const none = await iot("console", id, "--grep", "absent");
    expect([none.code, none.stdout, none.stderr]).toEqual([0, "", "info: No lines match.\n"]);
  });

  it("shows lines since a time, as far as they show one", { tags: ["slow"] }, async () => {
    const id = await analysisWith([
      printing([`${ago(90)} old`, "  of the old one", `[${ago(30)}] new`, "  of the new one"]),
    ]);
    await iot("run", id, "--wait");
    const { stdout, stderr } = await iot("console", id, "--since", "1h", "-o", "ndjson");
    expect(stdout).toContain("of the new one");
    expect(stdout).not.toContain("old");
    expect(stderr).toBe("");
    expect((await iot("console", id, "--since", "10m")).stderr).toBe("info: No lines match.\n");
    const other = await analysisWith([printing(["no date"])]);
    await iot("run", other, "--wait");
    const all = await iot("console", other, "--since", "1h");
    expect(all.stdout).toContain("no date");
    expect(all.stderr).toContain("--since has no effect");
  });

  it("follows only lines that match --grep, and counts them", { tags: ["slow"] }, async () => {
    const id = await analysisWith([printing(["skip", "take 1", "skip", "take 2"])]);
    const running = iot("console", id, "--follow", "--grep", "^take", "--count", "2", "--for", "10m", "-o", "ndjson");
    let isDone = false;
    void running.then(() => {
      isDone = true;
    });
    // A run before the stream is open is missed, so there are some.
    while (!isDone) await iot("run", id, "--wait");
    const { code, stdout } = await running;
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { message: string }).message),
    ).toEqual(["take 1", "take 2"]);
  });

  it("rejects patterns that are not valid, and matches dangerous ones in a time in proportion to the line", async () => {
    const id = await analysisWith([printing([`${"a".repeat(5_000)}!`])]);
    await iot("run", id, "--wait");
    const isMatch = await parsePattern("^(a+)+$", "--grep");
    expect(await growthOf((length) => isMatch(`${"a".repeat(length)}!`), 3)).toBeLessThan(IN_PROPORTION);
    expect(await lines(id, "--grep", "^(a+)+$")).toEqual([]);
    for (const pattern of ["(", "(?=a)", "a{1000}{1000}", "(a)\\1"]) {
      const { code, stderr } = await iot("console", id, "--grep", pattern);
      expect([pattern, code, stderr]).toEqual([pattern, 2, expect.stringContaining("--grep is not a valid")]);
    }
    expect((await iot("console", id, "--since", "soon")).code).toBe(2);
  });
});
