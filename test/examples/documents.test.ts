import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodesOf } from "../../src/commands/kit/command/exit-codes.ts";
import type { CliResult } from "../helpers/cli.ts";
import { readLine } from "../helpers/command-line.ts";
import { type DocumentPlace, documentPlace, isEndless } from "../helpers/document-place.ts";
import { type DocumentLine, type DocumentPage, documents, type InlineCommand, root } from "../helpers/documents.ts";

/*
 * What is checked which way:
 * - commands in blocks run, in the order of the page, each where the one before left off, and end with 0, or with the
 *   exit code that their comment names. Those that run until Ctrl-C get one once they have shown something, and
 *   questions are answered with yes. A page whose first command starts a sandbox runs in a new folder without any
 *   settings; then it runs a second time, from another terminal, as readers do who try a page again;
 * - commands between backticks that stand alone in a cell of a table run as well, after the blocks;
 * - commands between backticks in a sentence, and those with placeholders, are read by the program's parser: noun,
 *   verb, flags and choices exist. So are cells that only name a command, such as `iot device list`.
 */

/** Lines that get the program. They do not run: it is here. */
const setUp: readonly RegExp[] = [
  /^npm ci && npm run build && npm pack && npm install -g \.\/iotdeck-\*\.tgz$/,
  /^npm (?:run demo|test|install (?:-g|--global|--save-dev) iotdeck)(?: +#.*)?$/,
];

/** Pages whose blocks run in tests of their own: in projects, containers, several accounts, with a queue and with engines (test/cluster). */
const elsewhere = new Set([
  "docs/ci.md",
  "docs/containers.md",
  "docs/promotion.md",
  "docs/scale.md",
  "docs/streams-out.md",
]);

/** Pages about several environments, or an account: a reader has them, a new folder has not. */
const needAccount: readonly string[] = ["docs/dashboards.md", "docs/profiles.md"];

const pages = documents("docs", "docs/for", "docs/commands/topics");
const isTopic = (path: string): boolean => path.startsWith("docs/commands/topics/");

/** True for a page that needs nothing but the program and a clone: its first command starts a sandbox. */
const isSelfContained = (blocks: readonly DocumentLine[]): boolean =>
  /^iot sandbox (?:start .*--use|exec )/.test(blocks.find(isOurs)?.text ?? "");

/** A line as it is typed where the program is installed. */
const installed = (text: string): string => text.replace(/^npx (?:--no )?(?:iotdeck|iot) /, "iot ");
const isOurs = ({ text }: DocumentLine): boolean => /^iot |\(iot /.test(installed(text));
const hasPlaceholder = (text: string): boolean => /<[\w -]+>|…|\.\.\.|\b[A-Z]{3,}\b|\w\|\w/.test(text);

/** `iot <noun> <verb>`: how commands are formed. */
const isForm = (text: string): boolean => /^iot (?:help )?</.test(text);

/** The lines that `snapshot list|show <id>` stands for, with words in the place of placeholders. */
function alternatives(text: string): string[] {
  const plain = text.replace(/<[\w -]+>/g, "x").replace(/ (?:\.\.\.|…)$/, "");
  const [choices] = plain.match(/[\w-]+(?:\|[\w-]+)+/) ?? [];
  return choices === undefined ? [plain] : choices.split("|").map((choice) => plain.replace(choices, choice));
}

/** `No devices match.`: the demo account has no such tag. What is looked for by time may not be there. */
function foundNothing(text: string, stderr: string): string {
  if (/--offline-for|[<>]-\d/.test(text)) return "";
  return /^info: No .* match(?:es)?\.$/m.exec(stderr)?.[0] ?? "";
}

function expectDone({ text }: DocumentLine, { code, stderr }: CliResult, codes: readonly number[]): void {
  const isDone = code === 0 || codes.includes(code);
  expect(isDone ? foundNothing(text, stderr) : `It ended with ${code}:\n${stderr}`, text).toBe("");
}

/** Rows for `it.each`: where it stands, and what it is. */
const rows = <Line extends DocumentLine>(lines: readonly Line[]) =>
  lines.map((one) => [one.line, one.text, one] as const);

interface Checks {
  readonly blocks: readonly DocumentLine[];
  readonly cells: readonly InlineCommand[];
  readonly sentences: readonly InlineCommand[];
}

/** The commands of a page by how they are checked. */
async function checksOf({ path, commands, inline }: DocumentPage): Promise<Checks> {
  const cells: InlineCommand[] = [];
  const sentences: InlineCommand[] = [];
  for (const one of inline.filter(isOurs)) {
    const text = installed(one.text);
    const mayRun = one.isExample && !hasPlaceholder(text);
    if (mayRun && ["line", "shell"].includes((await readLine(text)).kind)) cells.push(one);
    else if (!isForm(text)) sentences.push(one);
  }
  const blocks = commands.filter(({ text }) => !elsewhere.has(path) && !setUp.some((known) => known.test(text)));
  return { blocks, cells, sentences };
}

const checks = await Promise.all(pages.map(async (page) => [page.path, await checksOf(page)] as const));

describe.concurrent.each(checks.filter(([, { blocks, cells }]) => blocks.length + cells.length > 0))(
  "%s",
  (_, { blocks, cells }) => {
    let place: DocumentPlace;
    beforeAll(async () => {
      place = await documentPlace(isSelfContained(blocks) ? "new" : "used");
    });
    afterAll(() => place.close());

    it.sequential.each(rows(blocks))("runs line %s: %s", async (_line, text, one) => {
      expectDone(one, await place.run(installed(text)), one.codes);
    });

    const repeated = isSelfContained(blocks) ? blocks.filter(({ text }) => !isEndless(text)) : [];
    it.sequential.each(rows(repeated))("runs line %s a second time: %s", async (_line, text, one) => {
      if (one === repeated[0]) place.openTerminal();
      // The sandbox of the first time still runs: it is used, but does not get other settings.
      const codes =
        /^iot sandbox start --use(?! --)/.test(text) || !text.startsWith("iot sandbox start") ? one.codes : [7];
      expectDone(one, await place.run(installed(text)), codes);
    });

    it.sequential.each(rows(cells))("runs the cell in line %s: %s", async (_line, text, one) => {
      const { command } = await readLine(installed(text));
      const differs = command !== undefined && exitCodesOf(command).includes(11) ? [11] : [];
      expectDone(one, await place.runAlone(installed(text)), [...one.codes, ...differs]);
    });
  },
);

describe.each(checks.filter(([, { sentences }]) => sentences.length > 0))("%s", (_, { sentences }) => {
  it.each(rows(sentences))("names what there is in line %s: %s", async (_line, text) => {
    for (const line of alternatives(installed(text))) expect((await readLine(line)).problem, line).toBeUndefined();
  });
});

describe("the pages", () => {
  it("start a sandbox in their first line, but for those about an account", () => {
    const others = checks.filter(
      ([path, { blocks }]) => !isTopic(path) && blocks.length > 0 && !isSelfContained(blocks),
    );
    expect(others.map(([path]) => path)).toEqual(needAccount);
  });

  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly scripts: object };
  const all = pages.flatMap(({ path, inline, commands }) =>
    [...inline, ...commands].map(({ line, text }) => ({ place: `${path}:${line}`, text })),
  );

  it("have commands of every kind", () => {
    const found = checks.map(([, one]) => one);
    expect(found.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(100);
    expect(found.flatMap(({ cells }) => cells).length).toBeGreaterThan(20);
    expect(found.flatMap(({ sentences }) => sentences).length).toBeGreaterThan(100);
  });

  it("name scripts and files of this repository that exist", () => {
    const missing = all.filter(({ text }) => {
      const script = /^npm run ([\w:-]+)/.exec(text)?.[1];
      const file = /\b(?:node|vitest run) ((?:bench|scripts|compat|test)\/[\w/.-]+)/.exec(text)?.[1];
      const hasScript = script === undefined || Object.hasOwn(manifest.scripts, script);
      return !hasScript || (file !== undefined && !existsSync(join(root, file)));
    });
    expect(missing).toEqual([]);
  });
});
