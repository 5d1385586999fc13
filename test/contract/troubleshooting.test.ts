import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { errorCodes } from "../../src/commands/program/topics/error-codes.ts";
import { root } from "./imports.ts";

const page = readFileSync(join(root, "docs", "troubleshooting.md"), "utf8");
const exits = new Map(errorCodes.flatMap(([, codes]) => codes.map(({ code, exit }) => [code, exit] as const)));

/** Error codes in the first cells of the tables, with the exit code of the second. */
const named = [...page.matchAll(/^\| ((?:`[a-z_.]+`(?:, )?)+) \| (\d+) \|/gm)].flatMap(([, codes = "", exit]) =>
  codes.split(", ").map((code) => [code.replaceAll("`", ""), Number(exit)] as const),
);

it("docs/troubleshooting.md names error codes that there are, with their exit codes", () => {
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter(([code, exit]) => exits.get(code) !== exit)).toEqual([]);
});
