import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { find } from "../../../src/commands/program/program.ts";
import { runHere } from "../../helpers/in-process.ts";

const rows = readFileSync("test/fixtures/first-lines.tsv", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"))
  .map(([typed = "", meant = ""]) => ({ typed, meant }));

/** The command a line runs, or else the one that its error names. */
async function leadsTo(typed: string): Promise<string> {
  const found = await find(typed.split(" "));
  if (found.spec !== undefined) return found.title;
  if (found.noun !== undefined && found.unknown === undefined) return found.title;
  const { code, stderr } = await runHere(typed.split(" "));
  expect({ typed, code }).toEqual({ typed, code: 2 });
  return (
    /next: .*?(iot [a-z -]+)/
      .exec(stderr)?.[1]
      ?.replace(/^(iot [a-z].*) --help$/, "$1")
      .trim() ?? stderr
  );
}

async function exists(line: string): Promise<boolean> {
  if (line.startsWith("--") || line.startsWith("help")) return (await runHere(line.split(" "))).code === 0;
  const { noun, unknown, args } = await find(line.split(" "));
  return noun !== undefined && unknown === undefined && args.length === 0;
}

describe("the first lines that people type", () => {
  it("are many, each once", () => {
    expect(rows.length).toBeGreaterThan(300);
    expect(new Set(rows.map(({ typed }) => typed)).size).toBe(rows.length);
  });

  it("run, or fail with the command that does it", { tags: ["slow"] }, async () => {
    const found = await Promise.all(rows.map(async (row) => ({ ...row, found: await leadsTo(row.typed) })));
    expect(found.filter((row) => row.found !== `iot ${row.meant}`)).toEqual([]);
  });

  it("of each program lead on, as a sample shows", async () => {
    const sample = rows.filter((_, i) => i % 20 === 0);
    const found = await Promise.all(sample.map(async (row) => ({ ...row, found: await leadsTo(row.typed) })));
    expect(found.filter((row) => row.found !== `iot ${row.meant}`)).toEqual([]);
  });

  it("lead to commands that exist", { tags: ["slow"] }, async () => {
    const meant = [...new Set(rows.map((row) => row.meant))];
    const known = await Promise.all(meant.map(exists));
    expect(meant.filter((_, i) => !known[i])).toEqual([]);
  });
});
