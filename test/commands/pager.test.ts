import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chosenPager } from "../../src/commands/kit/say/pager.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { startTerminal } from "../helpers/terminal.ts";

let here: SandboxUnderTest;

beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

/** A pager that marks every line it was given, so that the screen tells where the text came from. */
const marking = "sed 's/^/| /'";

async function shown(args: readonly string[], env: Readonly<Record<string, string>>, rows = 8) {
  const run = await startTerminal(args, { env: { ...here.env, ...env }, rows, columns: 100 });
  const code = await run.ended;
  const lines = await run.lines();
  return { code, lines, marked: lines.filter((line) => line.startsWith("| ")).length };
}

describe("the pager", { tags: ["posix"] }, () => {
  it("leaves the terminal to the wait for the first rows", { tags: ["slow"] }, async () => {
    here.sandbox.faults.set([{ route: "GET /device", kind: "latency", delayMs: 1_500, count: 1 }]);
    const run = await startTerminal(["device", "list"], { env: { ...here.env, IOT_PAGER: marking }, rows: 8 });
    expect(await run.ended).toBe(0);
    expect(run.raw()).toContain("Waiting for 127.0.0.1");
  });

  it("gets a table that is longer than the screen, all of it", { tags: ["slow"] }, async () => {
    const { code, lines, marked } = await shown(["device", "list", "--limit", "8"], { IOT_PAGER: marking });
    expect({ code, marked }).toEqual({ code: 0, marked: 9 });
    // What is said about the table comes when the pager is left.
    expect(lines.at(-1)).not.toMatch(/^\| /);
  });

  it("gets nothing that fits the screen, and no other format", { tags: ["slow"] }, async () => {
    expect(await shown(["device", "list", "--limit", "3"], { IOT_PAGER: marking })).toMatchObject({ marked: 0 });
    expect(await shown(["device", "list", "-o", "csv"], { IOT_PAGER: marking })).toMatchObject({ marked: 0 });
  });

  it("is IOT_PAGER before PAGER, and none in CI, with --no-input or in a pipe", { tags: ["slow"] }, async () => {
    expect((await shown(["device", "list"], { PAGER: marking })).marked).toBeGreaterThan(5);
    expect(await shown(["device", "list"], { PAGER: marking, IOT_PAGER: "cat" })).toMatchObject({ marked: 0 });
    expect(await shown(["device", "list"], { PAGER: marking, CI: "true" })).toMatchObject({ marked: 0 });
    expect(await shown(["device", "list", "--no-input"], { PAGER: marking })).toMatchObject({ marked: 0 });
    const { stdout } = await here.iot(["device", "list"], { env: { IOT_PAGER: marking } });
    expect(stdout).not.toContain("| ");
  });

  it("is less where neither is set and there is one", () => {
    const folder = temporaryFolder();
    const env = { PATH: `/nowhere${delimiter}${folder}` };
    expect(chosenPager(undefined, env, true)).toBeUndefined();
    writeFileSync(join(folder, "less"), "");
    expect(chosenPager(undefined, env, true)).toBe("less -FRX");
    expect(chosenPager(undefined, { ...env, PAGER: "more" }, true)).toBe("more");
    expect(chosenPager("", env, true)).toBeUndefined();
    expect(chosenPager(undefined, { ...env, TERM: "dumb" }, true)).toBeUndefined();
    expect(chosenPager(undefined, env, false)).toBeUndefined();
  });

  it("that is left early ends the program quietly", async () => {
    expect(await shown(["device", "list", "--all"], { IOT_PAGER: "head -n 2" })).toMatchObject({ code: 0 });
  });

  it("that does not exist is told, and the table shown without it", { tags: ["slow"] }, async () => {
    const { code, lines } = await shown(["device", "list", "--limit", "8"], { IOT_PAGER: "no-such-pager-here" });
    expect(code).toBe(0);
    expect(lines.join("\n")).toContain('Could not start the pager "no-such-pager-here"');
    expect(lines.join("\n")).toContain("Freezer 1");
  });

  it("gets long help and topics", { tags: ["slow"] }, async () => {
    expect((await shown(["device", "list", "--help"], { IOT_PAGER: marking })).marked).toBeGreaterThan(20);
    expect((await shown(["help", "output"], { IOT_PAGER: marking })).marked).toBeGreaterThan(20);
  });
});
