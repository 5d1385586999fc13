import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { greatestEffect } from "../../src/commands/kit/command/effect.ts";
import { type ExamplePlace, examplePlace } from "../helpers/example-place.ts";
import { knownTokens } from "../helpers/known-tokens.ts";
import { byTitle, firstPlain, type Leaf, leaves, withFlags } from "../helpers/leaves.ts";

/** A value that looks like a secret, in a variable of an analysis. */
const VARIABLE = "a-password-of-the-analysis";

let place: ExamplePlace;
let known: readonly string[];

beforeAll(async () => {
  place = await examplePlace();
  known = [...(await knownTokens(place.here)), VARIABLE];
});
afterAll(() => place.close());

/** The column of a command's secrets. */
function secretOf({ command: { result } }: Leaf): string {
  const columns = result !== undefined && "columns" in result ? result.columns : [];
  return columns.find(({ kind }) => kind === "secret")?.key ?? "";
}

const hasReveal = ({ command }: Leaf): boolean => command.options?.some(({ name }) => name === "reveal") === true;

async function output(leaf: Leaf, flags: readonly string[], terminal?: number): Promise<string> {
  const line = firstPlain(leaf) ?? { words: [] };
  const words = withFlags(line.words, ...flags);
  const { code, stdout, stderr } = await place.runPlain({ ...line, words }, {}, terminal);
  expect({ words, code, stderr: code === 0 ? "" : stderr }).toEqual({ words, code: 0, stderr: "" });
  return stdout + stderr;
}

const tokensIn = (text: string): readonly string[] => known.filter((token) => text.includes(token));

describe("a command with --reveal shows a token in full only with it, in every format", { tags: ["posix"] }, () => {
  const formats = ["table", "tsv", "csv", "json", "ndjson", "yaml", "md", "id"].map((format) => ["-o", format]);
  const ways: readonly (readonly string[])[] = [
    ...formats,
    ["--template", "{{.}}"],
    ["--jq", "."],
    ["--jq", ".", "-o", "ndjson"],
  ];
  const revealing = leaves.filter(hasReveal);
  /** Those that read from the platform; test/commands/tokens-nowhere.test.ts has the settings of this machine. */
  const reading = revealing.filter(({ command }) => greatestEffect(command) === "reads" && command.asks !== "nothing");

  beforeAll(async () => {
    const set = ["analysis", "env", "set", "name:report", "MAIL_PASSWORD=-"];
    expect((await place.here.iot(set, { stdin: VARIABLE })).code).toBe(0);
  });

  it("is every command that can print tokens", () => {
    expect(revealing.map(({ title }) => title).sort()).toEqual([
      "iot analysis env delete",
      "iot analysis env list",
      "iot analysis env set",
      "iot config list",
      "iot config set",
      "iot device token list",
      "iot network devices",
      "iot network token list",
      "iot profile token list",
      "iot sandbox start",
      "iot service-auth list",
      "iot service-auth update",
      "iot tip hash",
    ]);
  });

  for (const [title, leaf] of byTitle(reading)) {
    /** Formats that have the secret; `-o id` has it where it names the rows. */
    const revealedIn = (way: readonly string[]): boolean =>
      !way.includes("id") || title.includes("token") || title.includes("auth");

    it.each(ways)(`${title} %s %s %s %s`, async (...given) => {
      const way = given.filter((word) => word !== undefined);
      expect(tokensIn(await output(leaf, way))).toEqual([]);
      const revealed = await output(leaf, ["--fields", secretOf(leaf), "--reveal", ...way]);
      expect(tokensIn(revealed).length > 0).toBe(revealedIn(way));
    });

    it.each([[], ["--accessible"], ["-o", "json"]])(`${title} %s %s on a terminal`, async (...given) => {
      const way = given.filter((word) => word !== undefined);
      expect(tokensIn(await output(leaf, way, 200))).toEqual([]);
      expect(tokensIn(await output(leaf, ["--fields", secretOf(leaf), "--reveal", ...way], 200))).not.toEqual([]);
    });
  }

  it("shows the result of a change in the same way", async () => {
    const { iot } = place.here;
    const update = ["service-auth", "update", "Old gateway", "--remove-code", "-o", "json"];
    expect(tokensIn((await iot(update)).stdout)).toEqual([]);
    expect(tokensIn((await iot([...update, "--reveal"])).stdout)).toHaveLength(1);
    const set = ["analysis", "env", "set", "name:report", "limit=8", "-o", "csv"];
    expect(tokensIn((await iot(set)).stdout)).toEqual([]);
    expect(tokensIn((await iot([...set, "--reveal"])).stdout)).toEqual([VARIABLE]);
  });
});

describe("a token that a list masks", { tags: ["posix"] }, () => {
  const device = "name:Freezer 1";
  const network = "name:Plant gateway";

  it.each([
    ["device", ["device", "token"], [device]],
    ["network", ["network", "token"], [network]],
    ["profile", ["profile", "token"], []],
    ["service authorization", ["service-auth"], []],
  ])("of a %s is deleted by what -o id prints", async (_, words, owner) => {
    const { iot, json } = place.here;
    const created = (await iot([...words, "create", ...owner, "--name", "to-delete"])).stdout.trim();
    const list = [...words, "list", ...owner, "--filter", "name=to-delete"];
    const id = (await iot([...list, "-o", "id"])).stdout.trim();
    expect(created).not.toContain(id);
    const { code, stdout, stderr } = await iot([...words, "delete", ...owner, id, "--yes"]);
    expect({ code, tokens: (stdout + stderr).includes(created) }).toEqual({ code: 0, tokens: false });
    expect(await json<object[]>(list)).toEqual([]);
  });

  it("is not told by a filter that compares the whole of it", async () => {
    const { iot, sandbox } = place.here;
    const filter = ["profile", "token", "list", "--filter", `token=${sandbox.tokens.profile}`, "-o", "json"];
    const { code, stdout, stderr } = await iot(filter);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("--reveal");
    expect(JSON.parse((await iot([...filter, "--reveal"])).stdout)).toMatchObject([{ token: sandbox.tokens.profile }]);
  });
});
