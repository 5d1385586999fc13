import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodesOf } from "../../src/commands/kit/command/exit-codes.ts";
import type { CliResult } from "../helpers/cli.ts";
import { readLine } from "../helpers/command-line.ts";
import { type DocumentPlace, documentPlace } from "../helpers/document-place.ts";
import { type DocumentLine, documents, root } from "../helpers/documents.ts";

/** Lines that get the program; afterwards `iot` is there, as it is here. */
const setUp = [/^git clone \S.* iotdeck && cd iotdeck$/, /^npm (run demo|test)$/, /^npm install (-g|--global) iotdeck$/];
/** The blocks of these pages run in tests of their own: in projects, containers and several environments. */
const elsewhere = new Set(["docs/ci.md", "docs/promotion.md"]);
const pages = documents("docs", "docs/commands/topics");

const scripts = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly scripts: object }).scripts;

/** A line as it runs here, where `iot` is on the path. */
const withoutNpx = (text: string): string => text.replace(/^npx (iotdeck|iot) /, "iot ");
const isSetUp = ({ text }: DocumentLine): boolean => setUp.some((known) => known.test(text));

/** `iot <noun> <verb>`: how commands are formed. */
const isForm = (text: string): boolean => /^iot (help )?</.test(text);

const hasPlaceholder = (text: string): boolean => /<[\w -]+>|…|\.\.\.|\b[A-Z]{3,}\b|\w\|\w/.test(text);

/** `snapshot list|show <id>` as the lines it stands for, with words in the place of placeholders. */
function alternatives(text: string): string[] {
  const plain = text.replace(/<([\w -]+)>/g, "x").replace(/ (\.\.\.|…)$/, "");
  const [choice] = plain.match(/[\w-]+(?:\|[\w-]+)+/) ?? [];
  return choice === undefined ? [plain] : choice.split("|").map((one) => plain.replace(choice, one));
}

/** `No devices match.`: a tag or a name that the demo account does not have. A time may have nothing to find. */
const foundNothing = (text: string, stderr: string): string =>
  /--(offline-for|where "last_input)|[<>]-\d/.test(text) ? "" : (/^info: No .* match(?:es)?\.$/m.exec(stderr)?.[0] ?? "");

function expectDone({ text }: DocumentLine, { code, stderr }: CliResult, codes: readonly number[]): void {
  const isDone = code === 0 || codes.includes(code);
  expect(isDone ? foundNothing(text, stderr) : `exit code ${code}\n${stderr}`, text).toBe("");
}

describe.each(pages.map((page) => [page.path, page] as const))("%s", (path, { commands, inline }) => {
  let place: DocumentPlace;
  beforeAll(async () => {
    place = await documentPlace();
  });
  afterAll(() => place.close());

  const blocks = elsewhere.has(path) ? [] : commands.filter((line) => !isSetUp(line));
  it.each(blocks.map((one) => [one.line, one.text, one] as const))("runs line %s: %s", async (_, text, line) => {
    expectDone(line, await place.run(withoutNpx(text)), line.codes);
  });

  const iot = inline.filter(({ text }) => /^(npx )?iot |\(iot /.test(text));
  const examples = iot.filter(({ text, isExample }) => isExample && !hasPlaceholder(text));
  it.each(examples.map((one) => [one.line, one.text, one] as const))("runs cell %s: %s", async (_, text, line) => {
    const { kind, command } = await readLine(withoutNpx(text));
    if (kind === "name" || kind === "fragment") return;
    place.writeStandIns();
    const codes = command === undefined ? [] : exitCodesOf(command).filter((code) => code === 11);
    expectDone(line, await place.runAlone(withoutNpx(text)), codes);
  });

  const read = iot.filter((one) => /^(npx )?iot /.test(one.text) && !examples.includes(one) && !isForm(one.text));
  it.each(read.map((one) => [one.line, one.text] as const))("reads line %s: %s", async (_, text) => {
    for (const line of alternatives(withoutNpx(text))) expect((await readLine(line)).problem, line).toBeUndefined();
  });
});

describe("the pages", () => {
  it("name scripts that exist", () => {
    const all = pages.flatMap(({ path, inline, commands }) => [...inline, ...commands].map((l) => ({ path, ...l })));
    const missing = all.filter(({ text }) => {
      const script = /^npm run ([\w:]+)/.exec(text)?.[1];
      const file = /\b(?:node|npx vitest run) ((?:bench|scripts|compat|test)\/[\w/.-]+)/.exec(text)?.[1];
      return (script !== undefined && !Object.hasOwn(scripts, script)) || (file !== undefined && !existsSync(join(root, file)));
    });
    expect(missing).toEqual([]);
  });
});
