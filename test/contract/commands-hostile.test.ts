import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changesPlatform, greatestEffect } from "../../src/commands/kit/command/effect.ts";
import { isFull } from "../helpers/amount.ts";
import { type ExamplePlace, examplePlace } from "../helpers/example-place.ts";
import { hostileProxy } from "../helpers/hostile-proxy.ts";
import { byTitle, firstPlain, type Leaf, leaves, needsProcess, type PlainLine, withFlags } from "../helpers/leaves.ts";
import { isRepresentative, ofEachShape, tierOf } from "../helpers/tiers.ts";

let place: ExamplePlace;
let proxy: Awaited<ReturnType<typeof hostileProxy>>;
const image = "as-new";

beforeAll(async () => {
  place = await examplePlace();
  proxy = await hostileProxy(place.here.sandbox.url);
  await place.here.sandbox.snapshots.create(image);
});
afterAll(async () => {
  await proxy.close();
  await place.close();
});

// What a terminal obeys or an eye cannot see, but for the end of a line.
const unclean = /(?!\n|\r\n|\t)[\p{Cc}\p{Bidi_Control}\u200b\ufeff\u2028\u2029]|\p{Surrogate}/u;

// What a terminal obeys at the end of a pipe.
const commanding = /(?!\n|\r\n|\t)[\p{Cc}\p{Bidi_Control}]/u;

/** What of the text would reach the terminal uncleaned, with a little of what is around it. */
function uncleaned(text: string, sought: RegExp): string | undefined {
  const at = text.search(sought);
  return at < 0 ? undefined : JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
}

/** Names the line asks for must be found, or nothing would be shown. */
function namesIn({ words }: PlainLine): ReadonlySet<string> {
  return new Set(words.flatMap((word) => [word, ...word.split(/[:=,]/), word.slice(word.search(/[:=]/) + 1)]));
}

const terminal = { cells: 80, sought: unclean };
const pipe = { cells: undefined, sought: commanding };

/** What is wrong with what the line shows on a terminal of 80 cells, or writes to a pipe; nothing when all is clean. */
async function problems(
  { cells, sought }: typeof terminal | typeof pipe,
  line: PlainLine,
  ...flags: readonly string[]
): Promise<readonly string[]> {
  proxy.spoiling.kept = namesIn(line);
  const words = withFlags(line.words, "--no-color", "--retries", "0", ...flags);
  const env = { IOT_API_URL: proxy.url, IOT_EVENTS_URL: `${proxy.url}/events` };
  const { code, stdout, stderr } = await place.runPlain({ ...line, words }, env, cells);
  // Progress writes over its own line; that is the program's own doing.
  const found = { stdout: uncleaned(stdout, sought), stderr: uncleaned(stderr.replaceAll("\r\u001b[2K", ""), unclean) };
  const told = Object.entries(found).filter(([, text]) => text !== undefined);
  const faults = code === 70 ? [`ended as a fault of the program: ${stderr.slice(-1_000)}`] : [];
  return [...told.map(([name, text]) => `${flags.join(" ")}: ${name} has ${text}`), ...faults];
}

/** Commands that stand for the others, since readers and writers are shared; in the nightly run every command. */
const asking = leaves.filter(
  (leaf) =>
    (isFull || isRepresentative(leaf)) && !needsProcess(leaf) && leaf.command.asks !== "nothing" && firstPlain(leaf),
);
/** Jobs are not waited for: in what this platform answers, none ever ends. */
function lineOf(leaf: Leaf): PlainLine {
  const line = firstPlain(leaf) ?? { words: [] };
  return { ...line, words: line.words.filter((word) => word !== "--wait") };
}

/** What a command prints, what it does, and whether it lists. */
const shapeOf = ({ command }: Leaf): string =>
  [command.result?.shape, greatestEffect(command), command.groups?.includes("list")].join(" ");

/** One command of each shape, since the writers are shared; in the nightly run every command. */
const shapes = new Map(asking.toReversed().map((leaf) => [shapeOf(leaf), leaf]));
const samples = isFull ? asking : [...shapes.values()];

/** The one for which every format is among the quick tests. */
const isQuick = ({ title }: Leaf): boolean => title === "iot device list";
const quick = samples.filter(isQuick);
const others = samples.filter((leaf) => !isQuick(leaf));

/** A command that changes something may find nothing to change the second time. */
const formatsOf = ({ command }: Leaf): readonly string[] =>
  changesPlatform(greatestEffect(command)) ? ["json"] : ["json", "yaml", "md", "ndjson", "csv", "tsv"];

const refusals = [400, 404, 500];

/** As `problems`, where the platform refuses everything with a hostile message. */
async function problemsWhenRefused(status: number | undefined, line: PlainLine, ...flags: readonly string[]) {
  proxy.spoiling.refuseWith = status;
  try {
    return await problems(terminal, line, ...flags);
  } finally {
    proxy.spoiling.refuseWith = undefined;
  }
}

describe("hostile text and a hostile refusal of the platform do not reach a terminal", { tags: ["posix"] }, () => {
  afterAll(() => place.here.sandbox.snapshots.restore(image));

  for (const leaf of asking)
    it(leaf.title, tierOf(leaf, ofEachShape), async () => {
      expect(await problems(terminal, lineOf(leaf))).toEqual([]);
    });

  // Some commands word their own failures. One of each shape is among the quick tests below.
  it.each(byTitle(asking))("%s, when it is refused", { tags: ["slow"] }, async (_, leaf) => {
    const status = refusals[asking.indexOf(leaf) % refusals.length];
    expect(await problemsWhenRefused(status, lineOf(leaf))).toEqual([]);
  });
});

describe("neither do they in any format, nor a megabyte of them with --debug", { tags: ["posix"] }, () => {
  async function expectClean(_: string, leaf: Leaf): Promise<void> {
    const line = lineOf(leaf);
    const found: string[] = [];
    // What is longer than a line is cut or wrapped on a screen; JSON goes on as it is.
    proxy.spoiling.isLong = true;
    for (const status of refusals) found.push(...(await problemsWhenRefused(status, line, "--debug")));
    found.push(...(await problems(terminal, line, "--debug")));
    proxy.spoiling.isLong = false;
    for (const format of formatsOf(leaf)) found.push(...(await problems(terminal, line, "-o", format)));
    expect(found).toEqual([]);
  }

  it.each(byTitle(quick))("%s", expectClean);
  it.each(byTitle(others))("%s", { tags: ["slow"] }, expectClean);
});

describe("hostile text of the platform commands no terminal behind a pipe", { tags: ["posix"] }, () => {
  afterAll(() => place.here.sandbox.snapshots.restore(image));

  async function expectNoCommand(_: string, leaf: Leaf): Promise<void> {
    const line = lineOf(leaf);
    const found = [...(await problems(pipe, line))];
    // CSV is exact for the next program.
    for (const format of formatsOf(leaf).filter((name) => name !== "csv"))
      found.push(...(await problems(pipe, line, "-o", format)));
    expect(found).toEqual([]);
  }

  it.each(byTitle(quick))("%s", expectNoCommand);
  it.each(byTitle(others))("%s", { tags: ["slow"] }, expectNoCommand);
});
