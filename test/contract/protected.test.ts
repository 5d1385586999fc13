import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changesPlatform, greatestEffect } from "../../src/commands/kit/command/effect.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type ExamplePlace, examplePlace } from "../helpers/example-place.ts";
import { runHere } from "../helpers/in-process.ts";
import { byTitle, firstPlain, type Leaf, leaves, type PlainLine, plainLine, withFlags } from "../helpers/leaves.ts";

let place: ExamplePlace;
/** Settings in which every environment the examples name is protected. */
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  place = await examplePlace();
  const { sandbox } = place.here;
  settings = { IOT_CONFIG_DIR: temporaryFolder(), IOT_API_URL: "", IOT_EVENTS_URL: "", IOT_TOKEN: "" };
  const addresses = ["--api-url", sandbox.url, "--events-url", sandbox.eventsUrl];
  for (const name of ["old", "prod"]) {
    for (const words of [
      ["env", "add", name, ...addresses, "--protected", "--use"],
      ["auth", "login", "--with-token", "--env", name],
    ]) {
      const { code, stderr } = await runHere(words, { env: settings, stdin: sandbox.tokens.profile });
      if (code !== 0) throw new Error(stderr);
    }
  }
});
afterAll(() => place.close());

/** Examples that change something, where the first one only reads. */
const changing: Readonly<Record<string, string>> = {
  "iot api": "iot api POST /device --field name=Pump",
  "iot lorawan qr parse":
    'iot lorawan qr parse "LW:D0:1122334455667788:AABBCCDDEEFF0033:AABB1122" --create-device --connector "name:Soil Probe S2"',
  "iot analysis token": 'iot analysis token "name:report" --renew',
  "iot file sync": "iot file sync examples files:/examples",
  "iot backup restore": "iot backup restore last --include device",
  "iot mcp": "iot mcp --allow-write",
  "iot console": "iot console --write --for 1s",
  "iot dashboard view": 'iot dashboard view "name:Plant overview" --write --for 1s',
  "iot widget dev": "iot widget dev examples/pages/route.ts --widget x --dashboard y --write",
};

/** A line that changes something, with `--yes` where it is taken and without the name of anything. */
function unnamed(leaf: Leaf): PlainLine {
  const own = changing[leaf.title];
  const line = (own === undefined ? firstPlain(leaf) : plainLine(own)) ?? { words: leaf.words };
  const words = line.words.filter(
    (word, i) => !["--dry-run", "--confirm"].includes(word) && line.words[i - 1] !== "--confirm",
  );
  return { ...line, words: leaf.command.groups?.includes("confirm") ? withFlags(words, "--yes") : words };
}

const writing = leaves.filter(({ command }) => changesPlatform(greatestEffect(command)));

const failureOf = (stderr: string): unknown => {
  const line = stderr.split("\n").find((text) => text.startsWith('{"error"')) ?? "null";
  return (JSON.parse(line) as { readonly error: unknown } | null)?.error;
};

describe("in a protected environment nothing is sent before its name was given", { tags: ["posix"] }, () => {
  it.each(byTitle(writing))("%s", async (_, leaf) => {
    const line = unnamed(leaf);
    const started = Date.now();
    const { code, stdout, stderr } = await place.runPlain(
      { ...line, words: withFlags(line.words, "-o", "json") },
      settings,
    );
    expect({ code, stdout, error: failureOf(stderr) }).toMatchObject({
      code: 2,
      stdout: "",
      error: {
        code: "confirm.needed",
        message: expect.stringContaining(" prod (Demo Plant)"),
        next: expect.stringContaining('--confirm "prod"'),
      },
    });
    expect(place.here.requestsSince(started)).toEqual([]);
  });
});

describe("the name of a protected environment", { tags: ["posix"] }, () => {
  const typical: readonly (readonly string[])[] = [
    ["device", "create", "--name", "Gate", "--type", "mutable"],
    ["device", "update", "name:Freezer 1", "--tag", "gate=1"],
    ["device", "data", "send", "name:Freezer 1", "gate=1"],
    ["device", "data", "delete", "name:Freezer 1", "--variable", "gate"],
    ["device", "param", "set", "name:Freezer 1", "gate=1"],
    ["device", "delete", "name:Gate"],
    ["file", "upload", "page.html", "--path", "gate.html"],
    ["file", "delete", "gate.html"],
    ["analysis", "run", "name:report"],
    ["action", "disable", "name:Freezer too warm"],
    ["dashboard", "create", "--label", "Gate"],
    ["dashboard", "migrate", "name:Plant, old widgets"],
    ["dashboard", "copy", "name:Plant overview", "--to-env", "prod"],
    ["api", "POST", "/device", "--field", "name=Gate", "--field", "type=mutable"],
  ];

  async function expectDone(_: string, words: readonly string[]): Promise<void> {
    const { code, stderr } = await place.runPlain({ words: [...words, "--confirm", "prod"] }, settings);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  }

  const isSlow = (words: readonly string[]): boolean => words.includes("migrate");
  const titled = typical.map((words) => [words.join(" "), words] as const);
  it.each(titled.filter(([, words]) => !isSlow(words)))("lets the work be done: iot %s", expectDone);
  it.each(titled.filter(([, words]) => isSlow(words)))("lets the work be done: iot %s", { tags: ["slow"] }, expectDone);

  it.each(titled)("has to be the right one: iot %s", async (_, words) => {
    const started = Date.now();
    const { code, stderr } = await place.runPlain({ words: [...words, "--confirm", "old", "-o", "json"] }, settings);
    expect({ code, error: failureOf(stderr) }).toMatchObject({ code: 2, error: { code: "confirm.wrong_name" } });
    expect(place.here.requestsSince(started)).toEqual([]);
  });

  it("is that of the environment that is written to, where it is another one", async () => {
    const words = ["dashboard", "copy", "name:Silo, any of them", "--to-env", "old", "--name", "Other", "--confirm"];
    expect((await place.runPlain({ words: [...words, "prod"] }, settings)).code).toBe(2);
    expect((await place.runPlain({ words: [...words, "old"] }, settings)).code).toBe(0);
  });

  it("is not asked for by a dry run and by commands that read", async () => {
    const dry = await place.runPlain({ words: ["device", "create", "--name", "Dry", "--dry-run"] }, settings);
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining("nothing is sent to prod (Demo Plant)") });
    expect((await place.runPlain({ words: ["api", "GET", "/info"] }, settings)).code).toBe(0);
    expect((await place.runPlain({ words: ["config", "set", "tz", "UTC"] }, settings)).code).toBe(0);
    expect((await place.runPlain({ words: ["dashboard", "diff", "examples/dashboards"] }, settings)).code).toBe(11);
  });
});
