import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exitCodeTexts } from "../../src/commands/kit/failures/exit-codes.ts";
import { errorCodes } from "../../src/commands/program/topics/error-codes.ts";
import { root } from "./imports.ts";

const documented = new Map(errorCodes.flatMap(([, codes]) => codes.map((one) => [one.code, one] as const)));
const folder = join(root, "src", "commands");

/** Codes of two words in the sources, each with the files it stands in. */
function codesInUse(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts") || name.includes("topics")) continue;
    const text = readFileSync(join(folder, name), "utf8");
    // A code stands behind `code:` or `const code =`, perhaps as one of two.
    for (const [, expression = ""] of text.matchAll(/(?:\bcode:|const code = \w+ \?) ([^\n]*)/g))
      for (const [, code = ""] of expression.matchAll(/"([a-z_]+\.[a-z_]+)"/g))
        found.set(code, [...(found.get(code) ?? []), name]);
  }
  return found;
}

describe('"iot help errors"', () => {
  it("explains every code the commands fail with; rows are added in program/topics/error-codes.ts", () => {
    const used = codesInUse();
    expect(used.size).toBeGreaterThan(80);
    const isKnown = (code: string) => documented.has(code) || /^[a-z_]+\.([a-z_]+_)?not_found$/.test(code);
    expect([...used].filter(([code]) => !isKnown(code))).toEqual([]);
  });

  it("names no code that nothing uses, and only exit codes of the contract", () => {
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.includes("topics"))
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n");
    const unused = [...documented.keys()].filter((code) => !code.startsWith("<") && !sources.includes(`"${code}"`));
    expect(unused).toEqual([]);
    for (const { exit } of documented.values()) expect(Object.keys(exitCodeTexts)).toContain(String(exit));
  });
});
