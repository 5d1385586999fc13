import ts from "typescript";
import { expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** Those of the limits that are hardly ever anything else, as numbers and in texts. */
const limits = /^(2048|10000|7340032)$/;
const limitTexts = /\b(2,048|10,000|50,000)\b/;
/** How many rows a request asks for, where it is more than a sample. */
const pageNames = /^(amount|qty|quantity|poolingRecordQty|PAGE_\w+)$/;
/** Times, and widths of what is shown. */
const others = /(ms|Ms|MS|[tT]imeout|lockDuration|maxStalledCount|setTimeout|cleanLine|shown)$/;

/** What a literal is the value of: a constant, a property or an argument of a function. */
function nameAbove(node: ts.Node): string {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  if (ts.isCallExpression(parent)) return parent.expression.getText();
  return ts.isConditionalExpression(parent) ? nameAbove(parent) : "";
}

function isLimit(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
    return limitTexts.test(node.text);
  if (!ts.isNumericLiteral(node)) return false;
  const name = nameAbove(node);
  return (limits.test(node.text) && !others.test(name)) || (pageNames.test(name) && Number(node.text) >= 1_000);
}

/** Each with the file it is in, as `file: code around it`. */
function limitsIn(name: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isLimit(node)) found.push(`${name}: ${node.parent.getText().slice(0, 60)}`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  return found;
}

it("writes a limit of the platform in limits.ts alone", () => {
  // The sandbox has limits of its own; numbers of the widgets' format stand in their rules.
  const mayHave = /^(sandbox|lib\/widgets)\/|^lib\/core\/(limits|rates)\.ts$/;
  const sources = readSources().filter(({ name }) => !mayHave.test(name));
  expect(sources.flatMap(({ name, text }) => limitsIn(name, text))).toEqual([
    // Chosen by the program or the sandbox, and equal to a limit by chance.
    "commands/device/bulk/s3/store.ts: MOST_PARTS = 10_000",
    "commands/kit/devices/cost.ts: BILLING_NOTICE = 10_000",
    "lib/realtime/handshake.ts: MAX_ID_CHARS = 2_048",
    "schema/analysis.ts: z.array(z.unknown()).min(1).max(10_000)",
    "schema/seed/history.ts: z.array(reading).max(10_000)",
    "text/clean.ts: MAX_CLEAN_LENGTH = 10_000",
  ]);
});

it.each([
  "const MOST = 10_000;",
  "const parts = read(7_340_032);",
  "const query = { page, amount: 1_000 };",
  "const PAGE_ROWS = 1000;",
  'const why = "A secret has 6 to 2,048 characters.";',
  "const why = `At most 10,000 rows.`;",
])("finds the limit in %s", (text) => {
  expect(limitsIn("a.ts", text)).toHaveLength(1);
});

it.each(["const WAIT_MS = 10_000;", "setTimeout(stop, 10_000);", "const query = { amount: 100 };"])(
  "finds no limit in %s",
  (text) => {
    expect(limitsIn("a.ts", text)).toEqual([]);
  },
);
