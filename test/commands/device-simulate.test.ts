import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

interface Summary {
  devices: number;
  sent: number;
  failed: number;
  skipped: number;
  records: number;
  backfilled: number;
  seed: number;
}

interface Row {
  variable: string;
  value: unknown;
  unit?: string;
  time: string;
  group: string;
}

let here: SandboxUnderTest;
let cwd: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
  cwd = temporaryFolder();
});
afterAll(() => here.close());
beforeEach(() => here.sandbox.faults.set([]));

const iot = (...args: string[]) => runHere(args, { env: here.env, cwd, clock: quickClock() });
const device = async (name: string, ...flags: string[]): Promise<string> =>
  (await iot("device", "create", "--name", name, ...flags, "-o", "id")).stdout.trim();
/** Oldest first. */
const held = async (id: string): Promise<Row[]> =>
  JSON.parse((await iot("device", "data", "list", id, "--all", "--sort", "time", "--json", "--yes")).stdout) as Row[];
const simulate = async (...args: string[]): Promise<Summary> => {
  const { code, stdout, stderr } = await iot("device", "simulate", ...args, "--json");
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Summary;
};
const sends = (): number => here.requests().filter((request) => request === "POST /data").length;

describe("device simulate", () => {
  it("sends every variable of each device at the rate, with units, one group and the time of the sample", async () => {
    const ids = await Promise.all([1, 2, 3].map((n) => device(`Line ${n}`, "--tag", "sim=line")));
    const forms = [
      "temperature[°C]=sine(20,5,1h)+noise(0.3)",
      "door=toggle(10m)",
      "state=idle",
      "level=walk(50,5,40,60)",
    ];
    const summary = await simulate("--tag", "sim=line", ...forms, "--rate", "2/s", "--count", "4", "--yes");
    expect(summary).toMatchObject({ devices: 3, failed: 0, backfilled: 0 });
    // A busy machine may be too late for a sample: it is skipped, and counted.
    expect(summary.sent + summary.skipped).toBe(12);
    expect(summary.records).toBe(4 * summary.sent);
    let sent = 0;
    for (const id of ids) {
      const rows = await held(id);
      const samples = new Map<string, Row[]>();
      for (const row of rows) samples.set(row.group, [...(samples.get(row.group) ?? []), row]);
      expect(samples.size).toBeGreaterThan(0);
      expect(rows).toHaveLength(4 * samples.size);
      sent += samples.size;
      const times = [...samples.values()].map(([first]) => Date.parse(first?.time ?? ""));
      expect(times.slice(1).filter((ms, n) => ms <= (times[n] ?? 0) || (ms - (times[n] ?? 0)) % 500 !== 0)).toEqual([]);
      for (const sample of samples.values()) {
        const value = Object.fromEntries(sample.map((row) => [row.variable, row.value]));
        expect(sample.find(({ variable }) => variable === "temperature")?.unit).toBe("°C");
        expect(value["temperature"]).toBeGreaterThan(10);
        expect(value["temperature"]).toBeLessThan(30);
        expect(typeof value["door"]).toBe("boolean");
        expect(value["state"]).toBe("idle");
        expect(value["level"]).toBeGreaterThanOrEqual(40);
        expect(value["level"]).toBeLessThanOrEqual(60);
      }
    }
    expect(sent).toBe(summary.sent);
  });

  it("repeats the random values of a seed, and gives each device its own", async () => {
    const [a, b] = [await device("Seeded a"), await device("Seeded b")];
    const values = async (id: string): Promise<unknown[]> => {
      const found = (await held(id)).map(({ value }) => value);
      expect((await iot("api", "POST", `/device/${id}/empty`)).code).toBe(0);
      return found;
    };
    for (const id of [a, b]) await simulate(id, "n=noise(1)", "--backfill", "5s", "--count", "0", "--seed", "7");
    const first = await values(a);
    expect(new Set(first).size).toBe(5);
    expect(await values(b)).not.toEqual(first);
    await simulate(a, "n=noise(1)", "--backfill", "5s", "--count", "0", "--seed", "7");
    expect(await values(a)).toEqual(first);
    await simulate(a, "n=noise(1)", "--backfill", "5s", "--count", "0", "--seed", "8");
    expect(await values(a)).not.toEqual(first);
  });

  it("writes history up to now, a sample per step, and none live with --count 0", async () => {
    const id = await device("History");
    const before = Date.now();
    const forms = ["a=step(1,2,1h)", "b=5"];
    const summary = await simulate(id, ...forms, "--backfill", "2d", "--rate", "12/h", "--count", "0");
    expect(summary).toMatchObject({ sent: 0, records: 0, backfilled: 2 * 24 * 12 * 2 });
    const rows = await held(id);
    expect(rows).toHaveLength(1152);
    expect(new Set(rows.map(({ group }) => group)).size).toBe(576);
    const times = rows.filter(({ variable }) => variable === "a").map(({ time }) => Date.parse(time));
    expect(new Set(times.slice(1).map((ms, n) => ms - (times[n] ?? 0)))).toEqual(new Set([300_000]));
    expect(times[0]).toBeGreaterThanOrEqual(before - 2 * 86_400_000);
    expect(times.at(-1)).toBeLessThan(Date.now());
    for (const { variable, value, time } of rows.filter(({ variable }) => variable === "a"))
      expect([variable, value]).toEqual(["a", Math.floor(Date.parse(time) / 3_600_000) % 2 === 0 ? 1 : 2]);
  });

  it("goes on with --resume after a kill in the history, and writes nothing twice", { tags: ["slow"] }, async () => {
    const id = await device("Resumed");
    const forms = ["a=walk(5,1)", "b=1", "c=2"];
    const args = ["device", "simulate", id, ...forms, "--backfill", "10d", "--rate", "6/h", "--count", "0"];
    here.sandbox.faults.set([{ route: "POST /data", kind: "latency", delayMs: 40 }]);
    const before = sends();
    const child = await startCli([...args, "--concurrency", "1"], { env: here.env, cwd });
    const ended = new Promise((done) => child.once("close", (_, signal) => done(signal)));
    await waitFor(() => sends() >= before + 2 || child.exitCode !== null, "two requests");
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    here.sandbox.faults.set([]);
    expect(await iot(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining("--resume continues it") });
    const { code, stderr } = await iot(...args, "--resume");
    expect(code, stderr).toBe(0);
    const rows = await held(id);
    expect(rows).toHaveLength(4_320);
    expect(new Set(rows.map(({ variable, time }) => `${variable} ${time}`)).size).toBe(4_320);
  });

  it("rejects --resume when the file it replays has changed", { tags: ["slow"] }, async () => {
    const id = await device("Changed");
    const file = (value: number): void => writeFileSync(join(cwd, "changing.csv"), `v\n${value}\n`);
    file(1);
    const forms = ["v=file:changing.csv", "--backfill", "1d", "--rate", "2/m", "--count", "0", "--concurrency", "1"];
    here.sandbox.faults.set([{ route: "POST /data", kind: "latency", delayMs: 40 }]);
    const before = sends();
    const child = await startCli(["device", "simulate", id, ...forms], { env: here.env, cwd });
    const ended = new Promise((done) => child.once("close", (_, signal) => done(signal)));
    await waitFor(() => sends() > before || child.exitCode !== null, "a request");
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    here.sandbox.faults.set([]);
    file(2);
    const { code, stderr } = await iot("device", "simulate", id, ...forms, "--resume");
    expect({ code, says: stderr.includes("interrupted run was sending") }, stderr).toEqual({ code: 7, says: true });
    expect(new Set((await held(id)).map(({ value }) => value))).toEqual(new Set([1]));
  });

  it("replays a file at the distances of its times, again from its end on, and the values of a column", async () => {
    const id = await device("Replayed");
    const at = (n: number): string => new Date(Date.parse("2020-01-01T00:00:00Z") + n * 10_000).toISOString();
    const lines = ["a", "b", "c"].map((text, n) => `${at(n)},word,${text},${n}`);
    writeFileSync(join(cwd, "records.csv"), `time,variable,value,level\n${lines.join("\n")}\n`);
    const args = [
      id,
      "file:records.csv",
      "level=file:records.csv",
      "--backfill",
      "1m",
      "--rate",
      "12/m",
      "--count",
      "0",
    ];
    expect((await simulate(...args)).backfilled).toBe(18);
    const rows = await held(id);
    const words = rows.filter(({ variable }) => variable === "word");
    expect(words.map(({ value }) => value).join("")).toBe("abcabc");
    const times = words.map(({ time }) => Date.parse(time));
    expect(times.slice(1).map((ms, n) => ms - (times[n] ?? 0))).toEqual([10_000, 10_000, 10_000, 10_000, 10_000]);
    const levels = rows.filter(({ variable }) => variable === "level").map(({ value }) => value);
    expect(levels).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  it.each([
    ["t=sine(1,2", 'parentheses in "sine(1,2"'],
    ["t=sine(1,2)", "It has 2 arguments"],
    ["t=sine(1,x,1h)", '"x" is not a number'],
    ["t=sine(1,2,0s)", '"0s" is not a duration'],
    ["t=sine(1,2,-1h)", '"-1h" is not a duration'],
    ["t=noise(1e999)", '"1e999" is not a number'],
    ["t=noise(-1)", '"-1" is not a number from 0 on'],
    ["t=walk(5,1,6,9)", "outside its limits"],
    ["t=step(1,on,1m)", "different types"],
    ["t=sinus(1,2,1h)", 'Did you mean "sine"'],
    ["t=constructor(1)", 'no form "constructor"'],
    ["t=toggle(1m)+1", "cannot be added"],
    ["t=5+x", '"x" is neither a number nor a form'],
    ["t=((1))", "parentheses"],
    ["=5", "must be a name"],
    ["t[=5", "must be a name"],
    ["t=", "Nothing follows"],
  ])("rejects %s before anything is sent and says which part is wrong", async (form, says) => {
    const before = sends();
    const { code, stderr } = await iot("device", "simulate", "name:Freezer 1", "ok=1", form, "--count", "1");
    expect({ code, says: stderr.includes(says) }, stderr).toEqual({ code: 2, says: true });
    expect(sends()).toBe(before);
  });

  it.each([
    [["--rate", "0/s"], 2, "Invalid --rate"],
    [["--rate", "1000/s"], 2, "up to 100/s"],
    [["--rate", "1/w"], 2, "Invalid --rate"],
    [["--count", "0"], 2, "needs --backfill"],
    [["t=2"], 2, "given twice"],
    [["file:missing.csv"], 3, "does not exist"],
    [["file:untimed.csv"], 3, "Record 1"],
    [["u=file:untimed.csv"], 3, 'no values for "u"'],
  ])("rejects %j", async (flags, exit, says) => {
    writeFileSync(join(cwd, "untimed.csv"), "variable,value\nt,5\n");
    const { code, stderr } = await iot("device", "simulate", "name:Freezer 1", "t=1", ...flags);
    expect({ code, says: stderr.includes(says) }, stderr).toEqual({ code: exit, says: true });
  });

  it("asks before it writes as several devices, and prints the first requests with --dry-run", async () => {
    const before = sends();
    const fleet = ["device", "simulate", "name:Freezer 1", "name:Truck 7", "t=4"];
    expect(await iot(...fleet, "--count", "1")).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    const dry = await iot(...fleet, "--dry-run", "--json");
    expect(dry.code).toBe(0);
    expect(JSON.parse(dry.stdout)).toMatchObject([
      { method: "POST", path: "/data", body: { records: [{ variable: "t", value: 4 }] } },
      { method: "POST", path: "/data" },
    ]);
    expect(sends()).toBe(before);
  });

  it("waits when a rate limit is reached, instead of failing", async () => {
    const id = await device("Limited");
    here.sandbox.faults.set([{ route: "POST /data", kind: "status", status: 429, retryAfterSeconds: 0, count: 8 }]);
    expect(await simulate(id, "t=1", "--count", "1")).toMatchObject({ sent: 1, failed: 0 });
    expect(await held(id)).toHaveLength(1);
  });

  it("goes on for the others when a device is rejected, and ends with 8", async () => {
    const [good] = [
      await device("Accepted", "--tag", "sim=mixed"),
      await device("Rejected", "--tag", "sim=mixed", "--inactive"),
    ];
    const args = ["--tag", "sim=mixed", "t=1", "--rate", "2/s", "--count", "2", "--yes", "--json"];
    const { code, stdout, stderr } = await iot("device", "simulate", ...args);
    expect({ code, ...(JSON.parse(stdout) as Summary) }).toMatchObject({ code: 8, sent: 2, failed: 2 });
    expect(stderr).toContain("2 of 4 sends failed");
    expect(await held(good)).toHaveLength(2);
  });

  it("ends with its summary and 130 on Ctrl-C, once the running requests have finished", {
    tags: ["slow", "posix"],
  }, async () => {
    const id = await device("Stopped");
    const child = await startCli(["device", "simulate", id, "t=1", "--rate", "50/s", "--json"], { env: here.env, cwd });
    const before = sends();
    let [stdout, stderr] = ["", ""];
    child.stdout?.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
      if (/Sending as/.test(stderr) && !child.killed) child.kill("SIGINT");
    });
    const code = await new Promise<number | null>((done) => child.once("close", done));
    expect(code, stderr).toBe(130);
    const summary = JSON.parse(stdout) as Summary;
    expect(summary).toMatchObject({ failed: 0, sent: sends() - before });
    expect(await held(id)).toHaveLength(summary.records);
  });
});
