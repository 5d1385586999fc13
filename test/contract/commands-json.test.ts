import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { resultSchema } from "../../src/commands/program/help/result-schema.ts";
import type { CliResult } from "../helpers/cli.ts";
import { type ExamplePlace, examplePlace } from "../helpers/example-place.ts";
import { camelCaseNames } from "../helpers/field-names.ts";
import { knownTokens } from "../helpers/known-tokens.ts";
import { byTitle, firstPlain, type Leaf, leaves, needsProcess, withFlags } from "../helpers/leaves.ts";
import { ofEachShape, tierOf } from "../helpers/tiers.ts";

let place: ExamplePlace;
let known: readonly string[];
const image = "as-new";

beforeAll(async () => {
  place = await examplePlace();
  known = await knownTokens(place.here);
  await place.here.sandbox.snapshots.create(image);
});
afterAll(() => place.close());

type Schema = Parameters<typeof z.fromJSONSchema>[0];

/** Why the result is not one JSON document of the command's own schema that ended as documented; undefined when it is. */
function problem({ title, command }: Leaf, { code, stdout, stderr }: CliResult): string | undefined {
  // Differences found, and findings of a check, are results.
  const isResult = code === 0 || code === 11 || title === "iot doctor";
  if (!isResult) return `ended with ${code}: ${stderr}`;
  const schema = resultSchema(title, command);
  if (schema === undefined) return stdout === "" ? undefined : `has no schema, but printed ${stdout.slice(0, 200)}`;
  let document: unknown;
  try {
    document = JSON.parse(stdout);
  } catch (error) {
    return `${String(error)} in ${stdout.slice(0, 300)}; stderr: ${stderr}`;
  }
  const parsed = z.fromJSONSchema(schema as Schema).safeParse(document);
  if (!parsed.success) return `${z.prettifyError(parsed.error)}\nin ${stdout.slice(0, 600)}`;
  const names = camelCaseNames(document);
  return names.length === 0 ? undefined : `names fields in camelCase: ${names.join(", ")}`;
}

/** Commands that print a token they are asked for by name, or a document of the platform as it is. */
const printing = ["iot auth token", "iot analysis token", "iot network resolve", "iot api"];

/** Tokens that existed before, in what a command says. */
function tokensIn({ title }: Leaf, { stdout, stderr }: CliResult): readonly string[] {
  return printing.includes(title) ? [] : known.filter((token) => `${stdout}${stderr}`.includes(token));
}

/** Reading comes first and leaving last, so that one sandbox can serve nearly all. */
const order = ({ words, command }: Leaf): number => {
  if (words.join(" ") === "auth logout") return 3;
  const verb = words.at(-1) ?? "";
  if (/^(delete|remove|empty|reset)$/.test(verb)) return 2;
  return command.groups?.includes("dryRun") === true ? 1 : 0;
};

const plain = leaves
  .filter((leaf) => !needsProcess(leaf) && firstPlain(leaf) !== undefined)
  .toSorted((a, b) => order(a) - order(b));

describe("the first example with -o json prints one document of the command's schema, without a token there was", {
  tags: ["posix"],
}, () => {
  for (const leaf of plain)
    it(leaf.title, tierOf(leaf, ofEachShape), async () => {
      const line = firstPlain(leaf) ?? { words: [] };
      const run = (): Promise<CliResult> => place.runPlain({ ...line, words: withFlags(line.words, "-o", "json") });
      let result = await run();
      if (problem(leaf, result) !== undefined) {
        // What an earlier command changed may be what this one needs.
        await place.here.sandbox.snapshots.restore(image);
        result = await run();
      }
      expect(problem(leaf, result)).toBeUndefined();
      expect(tokensIn(leaf, result)).toEqual([]);
    });

  it("is checked of every command but those that are a process of their own", () => {
    const unchecked = leaves.filter((leaf) => !needsProcess(leaf) && firstPlain(leaf) === undefined);
    expect(unchecked.map(({ title }) => title)).toEqual([]);
  });
});

describe("commands of the sandbox print one document, too", { tags: ["posix"] }, () => {
  const own = leaves.filter(({ words }) => words[0] === "sandbox" && words[1] !== "exec");

  async function expectOneDocument(_: string, leaf: Leaf): Promise<void> {
    const example = leaf.command.examples.find((line) => !/[|<>]/.test(line)) ?? "";
    const isAbout = (step: string): boolean => step === leaf.title || step.startsWith(`${leaf.title} `);
    const results = await place.runSteps(example, (step) => (isAbout(step) ? " -o json" : ""));
    const result = results.find(({ step }) => isAbout(step));
    expect(result === undefined ? `${example} did not come so far` : problem(leaf, result)).toBeUndefined();
  }

  /** They start a sandbox in the background. */
  const isSlow = ({ words: [, verb = ""] }: Leaf): boolean => verb === "start" || verb === "open";
  it.each(byTitle(own.filter((leaf) => !isSlow(leaf))))("%s", expectOneDocument);
  it.each(byTitle(own.filter(isSlow)))("%s", { tags: ["slow"] }, expectOneDocument);
});
