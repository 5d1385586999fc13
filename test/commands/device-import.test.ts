import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCli } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

interface Data {
  readonly variable: string;
  readonly value?: unknown;
  readonly time: string;
  readonly group?: string;
  readonly [member: string]: unknown;
}

let here: SandboxUnderTest;
let folder: string;
beforeAll(async () => {
  here = await sandboxUnderTest();
  folder = mkdtempSync(join(tmpdir(), "iot-import-"));
});
afterAll(() => here.close());
beforeEach(() => here.sandbox.faults.set([]));

const iot = (...args: string[]) => runHere(args, { env: here.env, cwd: folder });
const device = async (name: string): Promise<string> =>
  (await iot("device", "create", "--name", name, "-o", "id")).stdout.trim();
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
const held = async (id: string): Promise<Data[]> =>
  JSON.parse((await iot("device", "data", "list", id, "--limit", "9000", "--sort", "time", "--json")).stdout) as Data[];
const at = (n: number): string => new Date(Date.parse("2026-02-01T00:00:00Z") + n * 1_000).toISOString();
const csvOf = (rows: number, from = 0): string =>
  `time,variable,value,unit\n${Array.from({ length: rows }, (_, n) => `${at(from + n)},temperature,${from + n},C\n`).join("")}`;

describe("device data import", () => {
  it.each(["csv", "ndjson", "json", "parquet"])("takes back what export wrote (%s)", async (format) => {
    const [source, copy] = [await device(`Source ${format}`), await device(`Copy ${format}`)];
    const records = [
      { variable: "a", value: 1.5, unit: "C", time: at(0), group: "g1" },
      { variable: "b", value: 'said "x",\nthen', time: at(1), group: "g1", metadata: { n: [1, 2] } },
      { variable: "c", value: true, time: at(2), group: "g2", location: { lat: 1, lng: 2 } },
      { variable: "d", value: " padded ", time: at(3), group: "g2" },
    ];
    await iot("device", "data", "import", source, "--input", file("records.json", JSON.stringify(records)));
    await iot("device", "data", "export", source, "--out", `round.${format}`);
    const { code, stderr } = await iot("device", "data", "import", copy, "--input", `round.${format}`, "--verify");
    expect(code, stderr).toBe(0);
    const essence = (rows: readonly Data[]) => rows.map(({ id: _, device: __, ...rest }) => rest);
    expect(essence(await held(copy))).toEqual(essence(await held(source)));
    expect(await held(copy)).toHaveLength(4);
  });

  it("names the row of what cannot be sent, and sends nothing", async () => {
    const id = await device("Strict");
    const input = file("bad.csv", `${csvOf(3)}${at(9)},,1,C\n`);
    const { code, stderr } = await iot("device", "data", "import", id, "--input", input, "--json");
    expect(code).toBe(3);
    expect(JSON.parse(stderr)).toMatchObject({ error: { row: 4 } });
    expect(await held(id)).toEqual([]);
    const cut = await iot("device", "data", "import", id, "--input", file("cut.json", '[{"variable":"a"},{"var'));
    expect({ code: cut.code, says: cut.stderr.includes("The list is not closed") }).toEqual({ code: 3, says: true });
  });

  it("leaves bad rows out with --report, and says what became of each", async () => {
    const id = await device("Tolerant");
    const input = file("some.csv", `${csvOf(2)}${at(9)},,1,C\n${at(10)},temperature,7,C\n`);
    const { code } = await iot("device", "data", "import", id, "--input", input, "--report", "report.csv");
    expect(code).toBe(8);
    expect((await held(id)).map(({ value }) => value)).toEqual([0, 1, 7]);
    const report = parse(readFileSync(join(folder, "report.csv"), "utf8"), { columns: true }) as Record<
      string,
      string
    >[];
    expect(report.map(({ row, result }) => [row, result])).toEqual([
      ["3", "invalid"],
      ["1", "sent"],
      ["2", "sent"],
      ["4", "sent"],
    ]);
    expect(report[0]?.["reason"]).toContain("variable");
  });

  it("spreads rows over the devices that a column names, with columns called otherwise", async () => {
    const [one, two] = [await device("Sensor 1"), await device("Sensor 2")];
    const text = `sensor,at,temp\n${[0, 1, 2, 3].map((n) => `Sensor ${(n % 2) + 1},${at(n)},${n}\n`).join("")}`;
    const map = ["--map", "sensor=device_name", "--map", "at=time", "--map", "temp=value", "--variable", "t"];
    const { code, stdout } = await iot(
      "device",
      "data",
      "import",
      "--input",
      file("fleet.csv", text),
      ...map,
      "--json",
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { device: one, name: "Sensor 1", sent: 2 },
      { device: two, name: "Sensor 2", sent: 2 },
    ]);
    expect((await held(two)).map(({ value, variable }) => [variable, value])).toEqual([
      ["t", 1],
      ["t", 3],
    ]);
  });

  it("reads stdin, and sends nothing with --dry-run", async () => {
    const id = await device("Piped");
    const args = ["device", "data", "import", id, "--input", "-"];
    const planned = await runHere([...args, "--dry-run", "--json"], { env: here.env, stdin: csvOf(2_500) });
    expect((JSON.parse(planned.stdout) as { body: { records: number } }[]).map(({ body }) => body.records)).toEqual([
      1_000, 1_000, 500,
    ]);
    expect(await held(id)).toEqual([]);
    expect(
      (await runHere(args, { env: here.env, stdin: '{"variable":"a","value":1}\n{"variable":"a","value":2}' })).code,
    ).toBe(0);
    expect(await held(id)).toHaveLength(2);
  });

  it("does not send twice what arrived although the answer got lost", async () => {
    const id = await device("Lost answer");
    here.sandbox.faults.set([{ route: "POST /data", kind: "truncate", count: 1 }]);
    const { code, stderr } = await iot(
      "device",
      "data",
      "import",
      id,
      "--input",
      file("lost.csv", csvOf(50)),
      "--verify",
      "--retries",
      "3",
    );
    expect(code, stderr).toBe(0);
    expect(await held(id)).toHaveLength(50);
  });
});

describe("device data import --resume", () => {
  it("goes on after the batches that were sent, and sends those in doubt once", async () => {
    const id = await device("Resumed");
    const input = file("many.csv", csvOf(4_200));
    const args = ["device", "data", "import", id, "--input", input];
    here.sandbox.faults.set([{ route: "POST /data", kind: "status", status: 503 }]);
    expect((await iot(...args, "--retries", "0", "--verify")).code).toBe(1);
    here.sandbox.faults.set([]);
    const refused = await iot(...args);
    expect({ code: refused.code, says: refused.stderr.includes("--resume") }).toEqual({ code: 2, says: true });
    const done = await iot(...args, "--resume", "--verify");
    expect(done.code, done.stderr).toBe(0);
    expect((await held(id)).map(({ value }) => value)).toEqual(Array.from({ length: 4_200 }, (_, n) => n));
  });

  it("neither doubles nor misses a record when it is killed in the middle, again and again", {
    tags: ["slow"],
  }, async () => {
    const id = await device("Killed");
    const rows = 8_000;
    const input = file("killed.csv", csvOf(rows));
    for (let turn = 0; ; turn += 1) {
      expect(turn).toBeLessThan(40);
      const args = [
        "device",
        "data",
        "import",
        id,
        "--input",
        join(folder, input),
        ...(turn === 0 ? [] : ["--resume"]),
      ];
      const child = await startCli(args, { env: here.env });
      const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
      if (turn < 2) {
        const before = here.requests().filter((line) => line === "POST /data").length;
        await waitFor(
          () =>
            here.requests().filter((line) => line === "POST /data").length > before + turn || child.exitCode !== null,
          "another request",
        );
        child.kill("SIGKILL");
      }
      if ((await closed) === 0) break;
    }
    const values = (
      await Promise.all(
        [0, 1].map(async (half) => {
          const range = ["--from", at(half * 4_000), "--to", at(half * 4_000 + 3_999)];
          const listed = await iot(
            "device",
            "data",
            "list",
            id,
            ...range,
            "--limit",
            "9999",
            "--sort",
            "time",
            "--json",
          );
          return (JSON.parse(listed.stdout) as Data[]).map(({ value }) => value);
        }),
      )
    ).flat();
    expect(values).toEqual(Array.from({ length: rows }, (_, n) => n));
  });

  it("sends nothing after a finished import, until a new run is asked for", async () => {
    const id = await device("Finished");
    const args = ["device", "data", "import", id, "--input", file("finished.csv", csvOf(30))];
    expect((await iot(...args)).code).toBe(0);
    for (const more of [["--resume"], ["--resume", "--yes"]]) {
      const { code, stderr } = await iot(...args, ...more);
      expect([code, stderr]).toEqual([0, expect.stringContaining("nothing to do")]);
    }
    expect(await held(id)).toHaveLength(30);
    file("finished.csv", csvOf(30, 100));
    expect(await iot(...args, "--resume", "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--again"),
    });
    expect(await held(id)).toHaveLength(30);
    expect((await iot(...args, "--again")).code).toBe(0);
    expect(await held(id)).toHaveLength(60);
  });

  it("says that there is nothing to resume where no run is known, and sends nothing", async () => {
    const id = await device("Unknown run");
    const args = ["device", "data", "import", id, "--input", file("unknown.csv", csvOf(3)), "--yes"];
    const { code, stderr } = await iot(...args, "--resume", "--json");
    expect([code, JSON.parse(stderr)]).toMatchObject([2, { error: { code: "resume.nothing" } }]);
    expect(await held(id)).toEqual([]);
    expect((await iot(...args, "--resume", "--again")).code).toBe(2);
    expect((await iot(...args, "--again")).code).toBe(0);
  });

  it("refuses a second process while the first one is sending, and names it", { tags: ["slow", "posix"] }, async () => {
    const id = await device("Two at once");
    const args = ["device", "data", "import", id, "--input", join(folder, file("two.csv", csvOf(3_000)))];
    here.sandbox.faults.set([{ route: "POST /data", kind: "latency", delayMs: 20 }]);
    const sent = (): number => here.requests().filter((line) => line === "POST /data").length;
    const before = sent();
    const first = await startCli(args, { env: here.env });
    const ended = new Promise<number | null>((resolve) => first.once("close", resolve));
    await waitFor(() => sent() > before, "the first batch");
    first.kill("SIGSTOP");
    for (const more of [[], ["--resume"], ["--again", "--yes"]]) {
      const { code, stderr } = await iot(...args, ...more);
      expect([code, stderr]).toEqual([7, expect.stringContaining(`Process ${first.pid} `)]);
    }
    first.kill("SIGCONT");
    expect(await ended).toBe(0);
    expect(await held(id)).toHaveLength(3_000);
  });

  it("refuses a file that has changed since", { tags: ["slow"] }, async () => {
    const id = await device("Changed");
    const input = file("changed.csv", csvOf(2_000));
    here.sandbox.faults.set([{ route: "POST /data", kind: "status", status: 500 }]);
    await iot("device", "data", "import", id, "--input", input, "--retries", "0");
    here.sandbox.faults.set([]);
    file("changed.csv", csvOf(2_000, 5));
    expect((await iot("device", "data", "import", id, "--input", input, "--resume")).code).toBe(7);
    expect(await held(id)).toEqual([]);
  });
});

describe("device data import of files that spreadsheets write", () => {
  it("takes each other column as a variable with --wide, and detects ; with a decimal comma", async () => {
    const id = await device("Wide");
    const text = `"time";Temp;humidity;state\n${at(0)};-21,5;40;on\n${at(1)};;41,25;\n${at(2)};3;;off\n`;
    const flags = ["--wide", "--map", "Temp=temperature"];
    const input = file("wide.csv", text);
    const planned = await iot("device", "data", "import", id, "--input", input, ...flags, "--dry-run", "--json");
    expect(JSON.parse(planned.stdout)).toEqual([
      { method: "POST", path: "/data", body: { device: id, records: 6, from_row: 1, to_row: 3 } },
    ]);
    const done = await iot("device", "data", "import", id, "--input", input, ...flags);
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("Sent 6 records to 1 device")]);
    const records = (await held(id)).map(({ time, variable, value }) => [time, variable, value]);
    expect(records.sort()).toEqual([
      [at(0), "humidity", 40],
      [at(0), "state", "on"],
      [at(0), "temperature", -21.5],
      [at(1), "humidity", 41.25],
      [at(2), "state", "off"],
      [at(2), "temperature", 3],
    ]);
  });

  it.each([
    ["tab", "time\ttemperature\n", "\t"],
    ["semicolon", "time;temperature\n", ";"],
  ])("detects %s, and lets a comma in the header decide otherwise", async (name, header, mark) => {
    const id = await device(`Marks ${name}`);
    const plain = await iot(
      ...["device", "data", "import", id, "--wide", "--input"],
      file("marks.csv", `${header}${at(0)}${mark}1\n`),
    );
    expect(plain.code).toBe(0);
    const text = `time${mark}"a,b"${mark}c,d\n${at(1)}${mark}1${mark}2\n`;
    const mixed = ["device", "data", "import", id, "--wide", "--input", file("mixed.csv", text)];
    expect((await iot(...mixed)).code).toBe(3);
    const chosen = name === "tab" ? "tab" : ";";
    const maps = ["--map", "a,b=first", "--map", "c,d=second"];
    expect((await iot(...mixed, "--delimiter", chosen, ...maps)).code).toBe(0);
    expect((await held(id)).map(({ variable }) => variable).sort()).toEqual(["first", "second", "temperature"]);
  });

  it("names row and column of a wide file, and sends nothing", async () => {
    const id = await device("Wide and wrong");
    const long = `time,temperature,note\n${at(0)},1,ok\n${at(1)},2,"${"x".repeat(7_000)}"\n`;
    const { code, stderr } = await iot("device", "data", "import", id, "--wide", "--input", file("long.csv", long));
    expect([code, stderr]).toEqual([3, expect.stringMatching(/Row 2 .*\n.*Column "note"/)]);
    const gap = `time,temperature\n${at(0)},1\n${at(1)},\n`;
    const empty = await iot("device", "data", "import", id, "--wide", "--input", file("gap.csv", gap));
    expect([empty.code, empty.stderr]).toEqual([3, expect.stringContaining("Row 2")]);
    expect(await held(id)).toEqual([]);
  });

  it("names the columns it found where one that every row needs is missing", async () => {
    const id = await device("Headers");
    const wide = file("head.csv", `time,temperature,humidity\n${at(0)},1,2\n`);
    const records = await iot("device", "data", "import", id, "--input", wide);
    expect([records.code, records.stderr]).toEqual([
      3,
      expect.stringMatching(/no column "variable"[\s\S]*time, temperature, humidity[\s\S]*--wide/),
    ]);
    const long = await iot("device", "data", "import", id, "--wide", "--input", file("long2.csv", csvOf(1)));
    expect([long.code, long.stderr]).toEqual([3, expect.stringContaining("Leave out --wide")]);
    const fleet = file("names.csv", "serial number,device name,site\n1,Pump 1,7\n");
    const devices = await iot("device", "import", fleet);
    expect([devices.code, devices.stderr]).toEqual([
      3,
      expect.stringMatching(/serial number, device name, site[\s\S]*--map "device name=name"/),
    ]);
    const mapped = await iot("device", "import", fleet, "--map", "device name=name", "--dry-run");
    expect(mapped.code).toBe(0);
    const json = await iot("device", "data", "import", id, "--delimiter", ";", "--input", file("a.json", "[]"));
    expect([json.code, json.stderr]).toEqual([2, expect.stringContaining("--delimiter is about CSV")]);
  });
});
