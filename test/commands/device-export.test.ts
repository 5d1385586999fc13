import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { relay } from "../helpers/relay.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { type StoredRow, storedDevice } from "../helpers/stored-device.ts";

const DAY_MS = 86_400_000;
const startMs = Date.parse("2026-01-30T00:00:00.000Z");
/** More than one page of the platform holds. */
const RECORDS = 12_000;
const texts = ['said "stop", then went', "two\nlines", "=SUM(A1)", "größer", " ", "cr\r\nlf"];

let here: SandboxUnderTest;
let folder: string;
let big: string;
let small: string;

const iot = (...args: string[]) => runHere(args, { env: here.env, cwd: folder });
const text = (name: string): string => readFileSync(join(folder, name), "utf8");
const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true });

beforeAll(async () => {
  here = await sandboxUnderTest({ clock: new Date("2026-03-01T12:00:00Z") });
  folder = mkdtempSync(join(tmpdir(), "iot-export-"));
  // Three records to a moment, over four days and two months.
  const many = Array.from({ length: RECORDS }, (_, n) => ({
    variable: n % 2 === 0 ? "temperature" : "state",
    value: n % 2 === 0 ? n / 10 : `s${n}`,
    time: new Date(startMs + Math.floor(n / 3) * Math.floor((12 * DAY_MS) / RECORDS)).toISOString(),
  }));
  big = await storedDevice(here, "Big", many);
  small = await storedDevice(
    here,
    "Small",
    texts.map((value, n) => ({
      variable: "note",
      value,
      time: new Date(startMs + n * DAY_MS).toISOString(),
      ...(n === 0 ? { location: { lat: 1.5, lng: -2 }, metadata: { a: 'b"c', n: 1 }, unit: "u", group: "g1" } : {}),
    })),
    "bulk=yes",
  );
  await storedDevice(
    here,
    "Other",
    [{ variable: "flag", value: true, time: new Date(startMs).toISOString() }],
    "bulk=yes",
  );
});
afterAll(() => here.close());

const range = ["--from", "2026-01-01", "--to", "2026-03-01T00:00:00Z"];

describe("device data export", () => {
  it("writes what a general CSV encoder writes, with every record once and in order", async () => {
    const done = await iot("device", "data", "export", small, ...range, "--out", "small.csv", "--json");
    expect(done).toMatchObject({ code: 0 });
    expect(JSON.parse(done.stdout)).toMatchObject([{ file: "small.csv", records: texts.length }]);
    const csv = text("small.csv");
    const rows = rowsOf(csv);
    expect(rows.map(({ value }) => value)).toEqual(texts);
    expect(rows[0]).toMatchObject({
      device: small,
      variable: "note",
      unit: "u",
      group: "g1",
      metadata: '{"a":"b\\"c","n":1}',
    });
    const again = stringify(rows, { header: true, record_delimiter: "\r\n", quoted_match: /[\r\n]|^\s|\s$/ });
    expect(csv).toBe(again);
    expect(readdirSync(folder)).toEqual(["small.csv"]);
  });

  it("reads records of the same moment once, across pages", { tags: ["slow"] }, async () => {
    const { code, stderr } = await iot(
      "device",
      "data",
      "export",
      big,
      ...range,
      "--out",
      "big.csv",
      "--yes",
      "--verify",
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("12,000 records on both sides");
    const rows = rowsOf(text("big.csv"));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(RECORDS);
    expect(rows).toHaveLength(RECORDS);
    const times = rows.map(({ time }) => time);
    expect(times).toEqual([...times].sort());
  });

  it("reads more records of one moment than a page holds", { tags: ["slow"] }, async () => {
    const rows = Array.from({ length: 10_050 }, (_, value) => ({
      variable: "burst",
      value,
      time: new Date(startMs).toISOString(),
    }));
    const id = await storedDevice(here, "Burst", [
      ...rows,
      { variable: "burst", value: -1, time: new Date(startMs + 1).toISOString() },
    ]);
    const { code } = await iot("device", "data", "export", id, "--out", "burst.csv", "--yes", "--fields", "value");
    expect(code).toBe(0);
    const values = text("burst.csv").trimEnd().split("\r\n").slice(1).map(Number);
    expect([...values].sort((a, b) => a - b)).toEqual([-1, ...rows.map(({ value }) => value)]);
    expect(values.at(-1)).toBe(-1);
  });

  it("neither doubles nor misses records although others arrive and vanish meanwhile", { tags: ["slow"] }, async () => {
    const args = ["device", "create", "--name", "Busy", "-o", "id"];
    const id = (await iot(...args)).stdout.trim();
    const token = (await iot("device", "token", "list", id, "-o", "id", "--reveal")).stdout.trim();
    const headers = { token, "content-type": "application/json" };
    const at = (n: number): string => new Date(startMs + n * 1_000).toISOString();
    const send = (rows: readonly StoredRow[]) =>
      fetch(`${here.sandbox.url}/data`, { method: "POST", headers, body: JSON.stringify(rows) });
    for (let from = 0; from < 11_000; from += 1_000) {
      await send(
        Array.from({ length: 1_000 }, (_, n) => ({
          variable: (from + n) % 4 === 0 ? "gone" : "kept",
          value: from + n,
          time: at(from + n),
        })),
      );
    }
    const running = iot("device", "data", "export", id, ...range, "--out", "busy.csv", "--yes");
    // Early records go, and early ones come, while the pages after them are read.
    await fetch(`${here.sandbox.url}/data?variable=gone&qty=10000`, { method: "DELETE", headers });
    await send([{ variable: "new", value: 1, time: at(-10) }]);
    expect((await running).code).toBe(0);
    const kept = rowsOf(text("busy.csv")).filter(({ variable }) => variable === "kept");
    expect(kept.map(({ value }) => Number(value))).toEqual(
      Array.from({ length: 11_000 }, (_, n) => n).filter((n) => n % 4 !== 0),
    );
  });

  it("gives each variable that was named, one after the other", async () => {
    const flags = ["--variable", "state", "--variable", "temperature", "--variable", "State", "--max-records", "8000"];
    await iot("device", "data", "export", big, ...range, ...flags, "--out", "two.ndjson");
    const names = text("two.ndjson")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as StoredRow).variable);
    expect(names.filter((name) => name === "state")).toHaveLength(RECORDS / 2);
    expect(names.indexOf("temperature")).toBe(RECORDS / 2);
    expect(names).toHaveLength(8_000);
  });

  it("writes one file per month or day, in UTC, and none for a period without records", async () => {
    const done = await iot(
      "device",
      "data",
      "export",
      small,
      ...range,
      "--split",
      "month",
      "--out",
      "month.json",
      "--json",
    );
    const files = JSON.parse(done.stdout) as { file: string; records: number }[];
    expect(files.map(({ file, records }) => [file, records])).toEqual([
      ["month-2026-01.json", 2],
      ["month-2026-02.json", 4],
    ]);
    expect((JSON.parse(text("month-2026-02.json")) as StoredRow[])[0]).toMatchObject({ value: "=SUM(A1)" });
    const daily = await iot(
      "device",
      "data",
      "export",
      small,
      ...range,
      "--split",
      "day",
      "--out",
      "day.csv",
      "--json",
    );
    expect(JSON.parse(daily.stdout)).toHaveLength(texts.length);
    const again = await iot("device", "data", "export", small, ...range, "--split", "day", "--out", "day.csv");
    expect(again.code).toBe(7);
    expect(again.stderr).not.toContain("Interrupted");
    const replaced = await iot(
      "device",
      "data",
      "export",
      small,
      ...range,
      "--split",
      "day",
      "--out",
      "day.csv",
      "--yes",
    );
    expect(replaced.code).toBe(0);
    expect(replaced.stderr).not.toContain("Replacing");
  });

  it("writes a fleet into one file, or a file per device into a folder", async () => {
    const one = await iot("device", "data", "export", "--tag", "bulk=yes", ...range, "--out", "fleet.csv");
    expect(one.code).toBe(0);
    expect(rowsOf(text("fleet.csv")).map(({ variable }) => variable)).toEqual([...texts.map(() => "note"), "flag"]);
    const many = await iot(
      "device",
      "data",
      "export",
      "--tag",
      "bulk=yes",
      ...range,
      "--out",
      "fleet/",
      "--format",
      "ndjson",
      "--json",
    );
    const files = JSON.parse(many.stdout) as { file: string; records: number }[];
    expect(files.map(({ records }) => records)).toEqual([texts.length, 1]);
    expect(files[0]?.file).toBe(join("fleet", `small--${small}.ndjson`));
    expect(readdirSync(join(folder, "fleet"))).toHaveLength(2);
  });

  it("writes Parquet with a type for each column", async () => {
    await iot("device", "data", "export", small, big, ...range, "--out", "all.parquet", "--max-records", "1000");
    const { asyncBufferFromFile, parquetReadObjects } = await import("hyparquet");
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(folder, "all.parquet")) });
    expect(rows).toHaveLength(1_000);
    expect(rows.slice(0, texts.length).map((row) => row["value_text"])).toEqual(texts);
    expect(rows[texts.length]).toMatchObject({ value: 0, variable: "temperature", time: new Date(startMs) });
    expect(existsSync(join(folder, "all.parquet.part"))).toBe(false);
  });

  it("prints to stdout without --out", async () => {
    const { code, stdout } = await iot("device", "data", "export", small, ...range, "-o", "json");
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as StoredRow[]).map(({ value }) => value)).toEqual(texts);
  });

  it("tells the cost above 10,000 records, and without a terminal goes on only when it was agreed to", {
    tags: ["slow"],
  }, async () => {
    const refused = await iot("device", "data", "export", big, ...range, "--out", "cost.csv");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/This reads about 12,000 records.*left this month/);
    expect(existsSync(join(folder, "cost.csv.part"))).toBe(false);
    expect(
      (await iot("device", "data", "export", big, ...range, "--out", "cost.csv", "--max-records", "5000")).code,
    ).toBe(0);
    expect(rowsOf(text("cost.csv"))).toHaveLength(5_000);
  });

  it("asks before a file is replaced", async () => {
    writeFileSync(join(folder, "mine.csv"), "mine");
    expect((await iot("device", "data", "export", small, ...range, "--out", "mine.csv")).code).toBe(2);
    expect(text("mine.csv")).toBe("mine");
  });

  it("asks before files of a folder are replaced, without a word about an interruption", async () => {
    const args = ["device", "data", "export", small, ...range, "--out", "again/"];
    expect((await iot(...args)).code).toBe(0);
    const { code, stderr } = await iot(...args);
    expect(code).toBe(2);
    expect(stderr).toContain("Overwrite 1 file in again");
    expect(stderr).not.toContain("Interrupted");
  });

  it.each([
    ["x.xlsx", 3, "Unknown file ending .xlsx."],
    ["nowhere/deep/x.csv", 3, `The folder ${join("nowhere", "deep")} does not exist.`],
    ["nowhere/deep/", 3, "The folder nowhere does not exist."],
    ["mine.csv/x.csv", 3, "cannot exist: part of its path is a file."],
  ])("refuses --out %s before it asks the platform for anything", async (out, exit, message) => {
    writeFileSync(join(folder, "mine.csv"), "mine");
    const asked = here.requests().length;
    const { code, stderr } = await iot("device", "data", "export", big, ...range, "--out", out);
    expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringContaining(`${message}\n`) });
    expect(here.requests()).toHaveLength(asked);
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });

  it("waits for the next minute when the rate limit is reached, and says so", async () => {
    here.sandbox.faults.set([
      { route: `GET /device/${small}/data`, kind: "status", status: 429, retryAfterSeconds: 2, count: 1 },
    ]);
    const args = ["device", "data", "export", small, ...range, "--out", "limited.csv"];
    const { code, stderr } = await here.iot(args, { cwd: folder, clock: quickClock() });
    expect({ code, waited: /Rate limit reached; retrying in 2 s/.test(stderr) }).toEqual({ code: 0, waited: true });
  });
});

describe("device data export --resume", () => {
  it("goes on after a failure of the platform, within the range of the first start", { tags: ["slow"] }, async () => {
    here.sandbox.faults.set([{ route: `GET /device/${big}/data`, kind: "status", status: 500 }]);
    const args = ["device", "data", "export", big, "--out", "failed.csv", "--yes"];
    const failed = await iot(...args, "--retries", "0");
    expect(failed.code).toBe(1);
    here.sandbox.faults.set([]);
    expect((await iot(...args, "--resume")).code).toBe(0);
    expect(rowsOf(text("failed.csv"))).toHaveLength(RECORDS);
  });

  /** An export whose platform fails after some pages of records. */
  async function failed(args: readonly string[], answered = 1): Promise<void> {
    let pages = 0;
    const platform = await relay(here.sandbox.url, async ({ url }) => {
      if (!/data[?].*qty=10000/.test(url)) return undefined;
      pages += 1;
      return pages <= answered ? undefined : { status: 500, body: JSON.stringify({ status: false, message: "down" }) };
    });
    const env = { IOT_API_URL: platform.url };
    const { code, stderr } = await here.iot([...args, "--retries", "0"], { env, cwd: folder });
    await platform.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/Interrupted after [1-9][\d,]* records/),
    });
  }

  it("refuses to continue with other flags, and has nothing to do for a file that is whole", {
    tags: ["slow"],
  }, async () => {
    const args = ["device", "data", "export", big, ...range, "--out", "other.csv"];
    await failed([...args, "--yes"]);
    const other = await iot(...args, "--yes", "--resume", "--fields", "value");
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("started with different flags") });
    expect((await iot(...args, "--yes", "--resume")).code).toBe(0);
    const whole = await iot(...args, "--yes", "--resume");
    expect(whole).toMatchObject({ code: 0, stderr: expect.stringContaining("Nothing to resume") });
    expect((await iot("device", "data", "export", small, "--resume")).code).toBe(2);
  });

  it("continues in the variable where it stopped", { tags: ["slow"] }, async () => {
    const flags = ["--variable", "state", "--variable", "temperature", "--yes"];
    const args = ["device", "data", "export", big, ...range, ...flags, "--out"];
    await iot(...args, "whole.csv");
    await failed([...args, "parts.csv"], 3);
    const before = here.requests().length;
    expect((await iot(...args, "parts.csv", "--resume")).code).toBe(0);
    const read = here
      .requests()
      .slice(before)
      .filter((request) => request.includes("qty=10000"));
    expect(read.filter((request) => request.includes("=state"))).toEqual([]);
    expect(text("parts.csv") === text("whole.csv")).toBe(true);
  });

  it("can still continue an export after the question whether to replace it was not answered", {
    tags: ["slow"],
  }, async () => {
    const args = ["device", "data", "export", big, ...range, "--out", "asked.csv"];
    await failed([...args, "--yes"]);
    const replaced = await iot(...args);
    expect(replaced).toMatchObject({ code: 2, stderr: expect.stringContaining("Replacing an unfinished export") });
    const resumed = await iot(...args, "--yes", "--resume");
    expect(resumed).toMatchObject({ code: 0, stderr: expect.stringMatching(/Continuing after [1-9]/) });
    expect(rowsOf(text("asked.csv"))).toHaveLength(RECORDS);
  });

  it("removes what the replaced export has left", { tags: ["slow"] }, async () => {
    await failed(["device", "data", "export", big, ...range, "--out", "left/", "--yes"]);
    expect(readdirSync(join(folder, "left"))).toEqual([`big--${big}.csv.part`]);
    expect((await iot("device", "data", "export", small, ...range, "--out", "left/", "--yes")).code).toBe(0);
    expect(readdirSync(join(folder, "left"))).toEqual([`small--${small}.csv`]);
  });

  it.each([
    ["older.csv", "older.csv.journal"],
    ["older/", "older/.iot-export.journal"],
  ])("refuses to continue an export of an older version to %s, and says how to start again", async (out, notes) => {
    mkdirSync(join(folder, "older"), { recursive: true });
    writeFileSync(join(folder, notes), '{"plan":{"asked":"{}","devices":[]}}\n');
    const args = ["device", "data", "export", small, ...range, "--out", out, "--yes"];
    const { code, stderr } = await iot(...args, "--resume");
    expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining("Leave out --resume to start again") });
    expect(existsSync(join(folder, notes))).toBe(true);
    expect(await iot(...args)).toMatchObject({ code: 0, stderr: expect.stringContaining("of an older version") });
    expect(existsSync(join(folder, notes))).toBe(false);
  });

  it("does nothing for a folder that is whole, and asks for --again where no run is known", async () => {
    const args = ["device", "data", "export", small, ...range, "--out", "whole/", "--yes"];
    expect(await iot(...args, "--resume")).toMatchObject({ code: 2, stderr: expect.stringContaining("--again") });
    expect((await iot(...args)).code).toBe(0);
    const asked = here.requests().length;
    expect(await iot(...args, "--resume")).toMatchObject({ code: 0, stderr: expect.stringContaining("finished on") });
    expect(here.requests()).toHaveLength(asked);
    expect((await iot(...args, "--again")).code).toBe(0);
  });

  it("stops after the running request with Ctrl-C, keeps the resume point and ends with 130", {
    tags: ["slow", "posix"],
  }, async () => {
    here.sandbox.faults.set([{ route: `GET /device/${big}/data`, kind: "latency", delayMs: 150 }]);
    const args = ["device", "data", "export", big, ...range, "--out", "stopped.csv", "--yes"];
    const child = await startCli(args, { env: here.env, cwd: temporaryFolder() });
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (/about 12,000/.test(said) && !child.killed) child.kill("SIGINT");
    });
    const code = await new Promise<number | null>((done) => child.once("close", done));
    here.sandbox.faults.set([]);
    expect(code, said).toBe(130);
    expect(said).toMatch(/Interrupted after [\d,]+ records; run the same command with --resume/);
  });
});
