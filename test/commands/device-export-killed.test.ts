import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { relay } from "../helpers/relay.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { storedDevice } from "../helpers/stored-device.ts";
import { waitFor } from "../helpers/wait-for.ts";

const DAY_MS = 86_400_000;
const startMs = Date.parse("2026-01-30T00:00:00.000Z");
let here: SandboxUnderTest;

beforeAll(async () => {
  here = await sandboxUnderTest({ clock: new Date("2026-03-01T12:00:00Z") });
  // Two records to a time, 200 a day: more than a surely last page has, so that there is a position in each file.
  const rows = Array.from({ length: 800 }, (_, n) => ({
    variable: n % 2 === 0 ? "temperature" : "state",
    value: n % 2 === 0 ? n / 10 : `s${n}`,
    time: new Date(startMs + (Math.floor(n / 2) * DAY_MS) / 100).toISOString(),
  }));
  await storedDevice(here, "One", rows, "site=a");
  await storedDevice(here, "Two", rows.slice(0, 300), "site=a");
});
afterAll(() => here.close());

const args = (flags: readonly string[]): string[] => [
  ...["device", "data", "export", "--tag", "site=a", "--from", "2026-01-01", "--to", "2026-03-01T00:00:00Z"],
  ...[...flags, "--yes"],
];

/** When the program is killed: while a request is held, and once its journal says something. */
interface Moment {
  readonly request: RegExp;
  /** Requests are held from when the journal says this, after `passed` others. */
  readonly held: RegExp;
  readonly passed?: number;
  readonly journal?: RegExp;
  readonly flags?: readonly string[];
  /** What is in the folder then. */
  readonly left?: RegExp;
}

const [search, page, count] = [/qty=1&/, /qty=10000&/, /query=count/];
const part = /\.part$/m;
const beforeFirst: Moment = { request: search, held: /files plan/ };
const inPart: Moment = { request: page, held: /files position/, left: part };
const betweenParts: Moment = { request: search, held: /files file 0(?!.*position)/s, left: /-01-30\.\w+$/m };
const inSecondPart: Moment = {
  ...{ request: page, held: /files file 0/, passed: 1 },
  ...{ journal: /files file 0.*files position/s, left: part },
};
const beforeEnd: Moment = { request: count, held: /files file/, flags: ["--verify"] };
const split = ["--split", "day"];

function journalPath(config: string): string | undefined {
  const folder = join(config, "state", "journals");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name))[0];
}

function journalIn(config: string): string {
  const path = journalPath(config);
  return path === undefined ? "" : readFileSync(path, "utf8");
}

/** Runs the export in a process, and kills it at the moment. */
async function killed(flags: readonly string[], cwd: string, config: string, moment: Moment): Promise<void> {
  const { request, held, passed = 0, journal = held } = moment;
  let seen = 0;
  const platform = await relay(here.sandbox.url, async ({ url }) => {
    if (!request.test(url) || !held.test(journalIn(config))) return undefined;
    seen += 1;
    return seen <= passed ? undefined : new Promise(() => undefined);
  });
  try {
    const env = { ...here.env, IOT_CONFIG_DIR: config, IOT_API_URL: platform.url };
    const child = await startCli(args(flags), { env, cwd });
    let said = "";
    child.stdout?.resume();
    child.stderr?.on("data", (chunk) => {
      said += String(chunk);
    });
    const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(signal ?? `${code} ${said}`)));
    const isTime = (): boolean => seen > passed && journal.test(journalIn(config));
    await waitFor(() => isTime() || child.exitCode !== null, "the moment to kill");
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
  } finally {
    await platform.close();
  }
}

function filesIn(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.sort().map((path) => [path.slice(folder.length), readFileSync(path, "base64")]));
}

/** Kills an export at each of the moments, one run after the other, and finishes it. */
async function expectSame(out: string, flags: readonly string[], moments: readonly Moment[]): Promise<void> {
  const [cwd, undisturbed, config] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const all = [...flags, ...moments.flatMap((moment) => moment.flags ?? []), "--out", out];
  expect(await here.iot(args(all), { cwd: undisturbed })).toMatchObject({ code: 0 });
  for (const [number, moment] of moments.entries()) {
    await killed(number === 0 ? all : [...all, "--resume"], cwd, config, moment);
    expect(Object.keys(filesIn(cwd)).join("\n")).toMatch(moment.left ?? /^/);
  }
  const resumed = await here.iot(args([...all, "--resume"]), { cwd, env: { IOT_CONFIG_DIR: config } });
  const noted = moments.at(-1) === beforeFirst ? /Continuing after 0 records/ : /Continuing after [1-9][\d,]* records/;
  expect(resumed).toMatchObject({ code: 0, stderr: expect.stringMatching(noted) });
  expect(filesIn(cwd)).toEqual(filesIn(undisturbed));
}

describe("device data export that is killed", () => {
  const TITLE = "%s continues with --resume, byte for byte: %s %j";
  const same = (_: string, out: string, flags: readonly string[], moment: Moment) => expectSame(out, flags, [moment]);

  it.each([["in the middle of a part", "all.csv", [], inPart] as const])(TITLE, same);

  it.each([
    ["in the middle of a part", "all.json", [], inPart],
    ["in the middle of a part", "all.parquet", [], inPart],
    ["in the middle of the second part", "day.json", split, inSecondPart],
    ["in the middle of the second part", "fleet/", [], inSecondPart],
    ["in the middle of the second part", "fleet/", ["--max-records", "1099"], inSecondPart],
    ["before the first part", "day.csv", split, beforeFirst],
    ["between two parts", "day.csv", split, betweenParts],
    ["between two parts", "day.parquet", split, betweenParts],
    ["between two parts", "fleet/", [...split, "--format", "ndjson"], betweenParts],
    ["after the last part", "all.ndjson", [], beforeEnd],
    ["after the last part", "all.parquet", [], beforeEnd],
    ["after the last part", "day.csv", split, beforeEnd],
  ] as const)(TITLE, { tags: ["slow"] }, same);

  it.each([
    ["before a whole part has its name", true],
    ["before the name is noted", false],
  ])("continues with --resume, byte for byte, %s", { tags: ["slow"] }, async (_, isPart) => {
    const [cwd, undisturbed, config] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const flags = ["--verify", "--out", "all.csv"];
    await here.iot(args(flags), { cwd: undisturbed });
    await killed(flags, cwd, config, beforeEnd);
    // Too short a time to kill in: the disk is put back to how it is then.
    const noted = journalIn(config).split("\n");
    const left = noted.filter((line) => !line.startsWith('["files file 0"'));
    expect(noted.length - left.length).toBe(1);
    writeFileSync(journalPath(config) ?? "", left.join("\n"));
    if (isPart) renameSync(join(cwd, "all.csv"), join(cwd, "all.csv.part"));
    const before = here.requests().length;
    const resumed = await here.iot(args([...flags, "--resume"]), { cwd, env: { IOT_CONFIG_DIR: config } });
    expect(resumed).toMatchObject({ code: 0, stderr: expect.stringContaining("Continuing after 1,100 records") });
    expect(
      here
        .requests()
        .slice(before)
        .filter((request) => page.test(request)),
    ).toEqual([]);
    expect(filesIn(cwd)).toEqual(filesIn(undisturbed));
  });

  it("continues after a kill at each of them", { tags: ["slow"] }, () =>
    expectSame("day.csv", split, [beforeFirst, inPart, betweenParts, inSecondPart, beforeEnd]),
  );
});
