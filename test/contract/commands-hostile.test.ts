import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFull } from "../helpers/amount.ts";
import { type ExamplePlace, examplePlace } from "../helpers/example-place.ts";
import { hostileProxy } from "../helpers/hostile-proxy.ts";
import { byTitle, firstPlain, type Leaf, leaves, needsProcess, type PlainLine, withFlags } from "../helpers/leaves.ts";

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
  // What is longer than a line is cut or wrapped on a screen; JSON goes on as it is.
  proxy.spoiling.isLong = flags.includes("--debug");
  const words = withFlags(line.words, "--no-color", "--retries", "0", ...flags);
  const env = { IOT_API_URL: proxy.url, IOT_EVENTS_URL: `${proxy.url}/events` };
  const { code, stdout, stderr } = await place.runPlain({ ...line, words }, env, cells);
  // Progress writes over its own line; that is the program's own doing.
  const found = { stdout: uncleaned(stdout, sought), stderr: uncleaned(stderr.replaceAll("\r\u001b[2K", ""), unclean) };
  const told = Object.entries(found).filter(([, text]) => text !== undefined);
  const faults = code === 70 ? [`ended as a fault of the program: ${stderr.slice(-1_000)}`] : [];
  return [...told.map(([name, text]) => `${flags.join(" ")}: ${name} has ${text}`), ...faults];
}

const asking = leaves.filter((leaf) => !needsProcess(leaf) && leaf.command.asks !== "nothing" && firstPlain(leaf));
/** Jobs are not waited for: in what this platform answers, none ever ends. */
function lineOf(leaf: Leaf): PlainLine {
  const line = firstPlain(leaf) ?? { words: [] };
  return { ...line, words: line.words.filter((word) => word !== "--wait") };
}
const isReading = ({ command }: Leaf): boolean => !command.groups?.some((group) => group !== "list");

/** The writers are shared: one command of each shape goes through all formats, in the nightly run every command. */
const shapes = new Map<string, Leaf>();
for (const leaf of asking.filter(isReading)) {
  const shape = leaf.command.result?.shape ?? "none";
  if (!shapes.has(shape)) shapes.set(shape, leaf);
}
const formatsOf = (leaf: Leaf): readonly string[] => {
  if (!isReading(leaf)) return isFull ? ["json"] : [];
  const hasAll = isFull || [...shapes.values()].includes(leaf);
  return hasAll ? ["json", "yaml", "md", "ndjson", "csv", "tsv"] : [];
};

describe("hostile text of the platform does not reach a terminal", () => {
  afterAll(() => place.here.sandbox.snapshots.restore(image));

  it.each(byTitle(asking))("%s", async (_, leaf) => {
    const line = lineOf(leaf);
    const found = [...(await problems(terminal, line, "--debug"))];
    for (const format of formatsOf(leaf)) found.push(...(await problems(terminal, line, "-o", format)));
    expect(found).toEqual([]);
  });
});

describe("hostile text of the platform commands no terminal behind a pipe", () => {
  afterAll(() => place.here.sandbox.snapshots.restore(image));

  it.each(byTitle(asking.filter(isReading)))("%s", async (_, leaf) => {
    const line = lineOf(leaf);
    const found = [...(await problems(pipe, line))];
    // CSV is exact for the next program.
    for (const format of formatsOf(leaf).filter((name) => name !== "csv"))
      found.push(...(await problems(pipe, line, "-o", format)));
    expect(found).toEqual([]);
  });
});

describe("hostile refusals of the platform do not reach a terminal", () => {
  afterAll(() => {
    proxy.spoiling.refuseWith = undefined;
  });

  // One way leads all refusals to the terminal: half of the commands take turns with them, all in the nightly run.
  const refusals = [400, 404, 500];
  const statusesOf = (leaf: Leaf): readonly number[] =>
    isFull ? refusals : [refusals[asking.indexOf(leaf) % refusals.length] ?? 400];

  it.each(byTitle(asking.filter((_, index) => isFull || index % 2 === 0)))("%s", async (_, leaf) => {
    for (const status of statusesOf(leaf)) {
      proxy.spoiling.refuseWith = status;
      expect(await problems(terminal, lineOf(leaf), "--debug")).toEqual([]);
    }
  });
});
