import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { root } from "./imports.ts";

/** Exports that bodies are made of; the others are bodies. */
const parts = new Set(["common.ts", "emailAddress", "locale", "tokenMembers"]);
/** Whole files of the command line, checked by tests of their own. */
const ownFormats = new Set(["dashboard-files.ts"]);

const isTied = (node: ts.Expression): boolean =>
  ts.isObjectLiteralExpression(node)
    ? node.properties.every((one) => !ts.isPropertyAssignment(one) || isTied(one.initializer))
    : ts.isSatisfiesExpression(node) || ts.isArrowFunction(node);

function untied(file: string): string[] {
  const text = readFileSync(join(root, "src", "schema", file), "utf8");
  return ts
    .createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    .statements.filter(ts.isVariableStatement)
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .filter(({ name, initializer }) => !parts.has(name.getText()) && initializer !== undefined && !isTied(initializer))
    .map(({ name }) => `${file}: ${name.getText()}`);
}

it("every request body in src/schema is tied to a type of the library with `satisfies z.ZodType<…>`", () => {
  const files = readdirSync(join(root, "src", "schema")).filter((file) => file.endsWith(".ts"));
  expect(files).toContain("device.ts");
  expect(files.filter((file) => !parts.has(file) && !ownFormats.has(file)).flatMap(untied)).toEqual([]);
});
