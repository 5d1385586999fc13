import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

interface Data {
  readonly id: string;
  readonly variable: string;
  readonly value: unknown;
  readonly time: string;
  readonly unit?: string;
  readonly group?: string;
  readonly location?: unknown;
  readonly metadata?: unknown;
}

const freezer = "name:Freezer 1";
let here: SandboxUnderTest;
beforeAll(async () => {
  // Made now: what is read is the last day up to now.
  here = await sandboxUnderTest({ seed: "demo" });
});
afterAll(() => here.close());

/** An empty device for one test. */
async function emptyDevice(name: string): Promise<string> {
  return (await here.iot(["device", "create", "--name", name, "-o", "id"])).stdout.trim();
}

const list = (id: string, ...flags: string[]): Promise<Data[]> => here.json(["device", "data", "list", id, ...flags]);

function file(name: string, text: string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

describe("device data list", () => {
  it("shows the newest records first, twenty of them, and says that there are more", async () => {
    const { stdout, stderr } = await here.iot(["device", "data", "list", freezer, "-o", "ndjson"]);
    const times = stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as Data).time);
    expect(times).toHaveLength(20);
    expect(times).toEqual([...times].sort().reverse());
    expect(stderr).toContain("more exist");
  });

  it("gives the newest records of several variables together, not so many of each", async () => {
    const rows = await list(freezer, "--variable", "temperature", "--variable", "compressor", "--limit", "5");
    expect(rows).toHaveLength(5);
    const times = rows.map(({ time }) => time);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(rows.map(({ variable }) => variable))).toEqual(new Set(["temperature", "compressor"]));
  });

  it("pages through several variables without gaps or repeats", async () => {
    const flags = ["--variable", "temperature", "--variable", "compressor"];
    const whole = await list(freezer, ...flags, "--limit", "12");
    const first = await list(freezer, ...flags, "--limit", "6");
    const second = await list(freezer, ...flags, "--limit", "6", "--page", "2");
    expect([...first, ...second].map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  });

  it("narrows by time, as an instant, a span before now, or --last", async () => {
    const hours = async (...flags: string[]): Promise<number> =>
      (await list(freezer, "--variable", "temperature", "--limit", "500", ...flags)).length;
    expect(await hours("--last", "24h")).toBe(96);
    expect(await hours("--from", "-24h")).toBe(96);
    expect(await hours("--from", "-48h", "--to", "-24h")).toBe(96);
  });

  it("refuses times it cannot read and a range that runs backwards", async () => {
    for (const flags of [
      ["--from", "yesterdya"],
      ["--from", "now", "--to", "-1h"],
      ["--last", "1h", "--from", "-2h"],
    ]) {
      expect((await here.iot(["device", "data", "list", freezer, ...flags])).code, flags.join(" ")).toBe(2);
    }
  });

  it("answers questions with one record per variable, or with a bare number", async () => {
    const last = await list(freezer, "--query", "last");
    expect(last.map(({ variable }) => variable).sort()).toEqual(["compressor", "temperature"]);
    const range = ["--variable", "temperature", "--last", "7d"];
    const rows = await list(freezer, ...range, "--limit", "5000");
    const values = rows.map(({ value }) => Number(value));
    const number = async (query: string): Promise<number> =>
      Number((await here.iot(["device", "data", "list", freezer, ...range, "--query", query])).stdout);
    expect(await number("count")).toBe(values.length);
    expect(await number("sum")).toBeCloseTo(
      values.reduce((sum, value) => sum + value, 0),
      6,
    );
    expect(await number("avg")).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 6);
    expect((await list(freezer, ...range, "--query", "max"))[0]?.value).toBe(Math.max(...values));
  });

  it("names the flag that a question is missing", async () => {
    const average = await here.iot(["device", "data", "list", freezer, "--query", "avg"]);
    expect({ code: average.code, stderr: average.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("--last 24h"),
    });
    const aggregate = await here.iot(["device", "data", "list", freezer, "--query", "aggregate", "--interval", "day"]);
    expect({ code: aggregate.code, stderr: aggregate.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("--function"),
    });
  });

  it("asks before more than 10,000 records are read, and says what they cost", async () => {
    const asked = await here.iot(["device", "data", "list", "name:Vibration logger", "--all", "-o", "id"]);
    expect(asked.code).toBe(2);
    expect(asked.stdout).toBe("");
    expect(asked.stderr).toContain("This reads about 49,990 records");
    expect(asked.stderr).toContain("--yes");
    const bounded = await here.iot([
      "device",
      "data",
      "list",
      "name:Vibration logger",
      "--all",
      "--max-records",
      "12000",
      "-o",
      "id",
    ]);
    expect(bounded.code).toBe(0);
    expect(new Set(bounded.stdout.trimEnd().split("\n")).size).toBe(12_000);
  });

  it("streams every record once with --all", async () => {
    const { code, stdout } = await here.iot([
      "device",
      "data",
      "list",
      "name:Vibration logger",
      "--all",
      "--yes",
      "-o",
      "id",
    ]);
    expect(code).toBe(0);
    expect(new Set(stdout.trimEnd().split("\n")).size).toBe(49_990);
  });
});

describe("device data send", () => {
  it("sends typed values with unit, group, time, place and metadata through a token of the device", async () => {
    const id = await emptyDevice("Typed");
    const flags = [
      "--unit",
      "bar",
      "--group",
      "g1",
      "--time",
      "2026-01-31T08:00:00Z",
      "--location",
      "52.5,13.4",
      "--metadata",
      "source=test",
    ];
    const sent = await here.iot([
      "device",
      "data",
      "send",
      id,
      "pressure=4.21",
      "open=true",
      "note=a=b",
      "--raw-field",
      "code=007",
      ...flags,
    ]);
    expect({ code: sent.code, stderr: sent.stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('Sent 4 records of device "Typed"'),
    });
    const rows = await list(id);
    const values = Object.fromEntries(rows.map(({ variable, value }) => [variable, value]));
    expect(values).toEqual({ pressure: 4.21, open: true, note: "a=b", code: "007" });
    expect(rows[0]).toMatchObject({
      unit: "bar",
      group: "g1",
      time: "2026-01-31T08:00:00.000Z",
      location: { coordinates: [13.4, 52.5] },
      metadata: { source: "test" },
    });
  });

  it.each([
    ["json", "r.json", '[{"variable":"a","value":1},{"variable":"b","value":"x"}]'],
    ["one JSON object", "r.json", '{"variable":"a","value":1}'],
    ["ndjson", "r.ndjson", '{"variable":"a","value":1}\n{"variable":"b","value":"x"}\n'],
    ["csv", "r.csv", 'variable,value,unit,time,location\r\na,1,,2026-01-31T08:00:00Z,\r\nb,"x, y",C,,"52.5,13.4"\r\n'],
  ])("reads records from %s", async (_, name, text) => {
    const id = await emptyDevice(`From ${name}`);
    const { code, stderr } = await here.iot(["device", "data", "send", id, "--input", file(name, text)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Sent") });
    const rows = await list(id);
    expect(rows.find(({ variable }) => variable === "a")?.value).toBe(1);
  });

  it("reads records from stdin", async () => {
    const id = await emptyDevice("From stdin");
    await here.iot(["device", "data", "send", id, "--input", "-"], {
      stdin: '{"variable":"a","value":1}\n{"variable":"a","value":2}\n',
    });
    expect((await list(id)).length).toBe(2);
  });

  it("sends many records in several requests, each below the platform's limit", async () => {
    const id = await emptyDevice("Many");
    const records = Array.from({ length: 2_500 }, (_, i) => ({
      variable: "n",
      value: i,
      metadata: { text: "x".repeat(100) },
    }));
    const before = here.requests().length;
    const { code } = await here.iot([
      "device",
      "data",
      "send",
      id,
      "--input",
      file("many.json", JSON.stringify(records)),
    ]);
    expect(code).toBe(0);
    expect((await here.iot(["device", "data", "count", id])).stdout).toBe("2500\n");
    const posts = here
      .requests()
      .slice(before)
      .filter((request) => request.startsWith("POST /data"));
    expect(posts.length).toBeGreaterThanOrEqual(3);
  });

  it("reports what was refused, sends the rest, and ends with 8", async () => {
    const hybrid = ["--type", "hybrid", "--chunk-period", "month", "--chunk-retention", "1", "-o", "id"];
    const id = (await here.iot(["device", "create", "--name", "Partly refused", ...hybrid])).stdout.trim();
    const good = Array.from({ length: 1_000 }, (_, i) => ({ variable: "n", value: i }));
    // Which side of a hybrid device takes a record is the platform's word.
    const bad = Array.from({ length: 10 }, () => ({ variable: "n", value: 1, time: "2001-01-01" }));
    const { code, stderr } = await here.iot([
      "device",
      "data",
      "send",
      id,
      "--input",
      file("mixed.json", JSON.stringify([...good, ...bad])),
    ]);
    expect(code).toBe(8);
    expect(stderr).toContain("Records 1001 to 1010 failed");
    expect((await here.iot(["device", "data", "count", id])).stdout).toBe("1000\n");
  });

  it("names the row of a record that cannot be sent, and sends nothing", async () => {
    const id = await emptyDevice("Checked first");
    const text = '[{"variable":"a","value":1},{"variable":"b","value":{"nested":true}}]';
    const { code, stderr } = await here.iot([
      "device",
      "data",
      "send",
      id,
      "--input",
      file("bad.json", text),
      "-o",
      "json",
    ]);
    expect(code).toBe(3);
    expect(JSON.parse(stderr)).toMatchObject({ error: { exit: 3, row: 2 } });
    expect((await here.iot(["device", "data", "count", id])).stdout).toBe("0\n");
  });

  it("offers to create a token where the device has none that may write", async () => {
    const id = await emptyDevice("No token");
    expect((await here.iot(["device", "token", "delete", id, "Default", "--yes"])).code).toBe(0);
    expect((await here.iot(["device", "token", "create", id, "--permission", "read"])).code).toBe(0);
    const { code, stderr } = await here.iot(["device", "data", "send", id, "a=1"]);
    expect(code).toBe(5);
    expect(stderr).toContain(`iot device token create ${id} --permission write`);
  });

  it("shows with --dry-run what would be sent", async () => {
    const id = await emptyDevice("Dry");
    const { stdout } = await here.iot(["device", "data", "send", id, "a=1", "--dry-run"]);
    expect(stdout).toBe('POST /data [{"variable":"a","value":1}]\n');
    expect((await here.iot(["device", "data", "count", id])).stdout).toBe("0\n");
  });
});

describe("device data update, delete, count and empty", () => {
  it("changes the named members of one record", async () => {
    const id = await emptyDevice("Changed");
    await here.iot(["device", "data", "send", id, "a=1", "--unit", "C"]);
    const [row] = await list(id);
    const { code, stderr } = await here.iot(["device", "data", "update", id, row?.id ?? "", "--value", "2"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Changed 1 record") });
    expect((await list(id))[0]).toMatchObject({ value: 2, unit: "C" });
  });

  it("passes on that immutable storage cannot be changed", async () => {
    const [row] = await list("name:Weather station", "--limit", "1");
    const { code, stderr } = await here.iot([
      "device",
      "data",
      "update",
      "name:Weather station",
      row?.id ?? "",
      "--value",
      "2",
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain("You cannot edit data on immutable device");
  });

  it("deletes what matches after the device's name was given", async () => {
    const id = await emptyDevice("Cleared");
    await here.iot(["device", "data", "send", id, "a=1", "a=2", "b=3"]);
    expect((await here.iot(["device", "data", "delete", id, "--variable", "a", "--all", "--yes"])).code).toBe(2);
    const gone = ["device", "data", "delete", id, "--variable", "a", "--all", "--confirm", "Cleared"];
    expect(await here.json(gone)).toEqual({ device: id, deleted: 2, remaining: 0 });
    expect((await here.iot(["device", "data", "count", id])).stdout).toBe("1\n");
  });

  it("does not delete without a word on which records", async () => {
    expect((await here.iot(["device", "data", "delete", freezer, "--confirm", "Freezer 1"])).code).toBe(2);
  });

  it("counts what matches", async () => {
    const id = await emptyDevice("Counted");
    await here.iot(["device", "data", "send", id, "a=1", "a=2", "b=3"]);
    expect((await here.iot(["device", "data", "count", id, "--variable", "a", "--last", "24h"])).stdout).toBe("2\n");
    expect((await here.iot(["device", "data", "count", freezer, "--variable", "temperature"])).stdout).toBe("2880\n");
  });

  it("empties a device after its name was given", async () => {
    const id = await emptyDevice("Full");
    await here.iot(["device", "data", "send", id, "a=1", "b=2"]);
    expect((await here.iot(["device", "data", "empty", id, "--confirm", "Other"])).code).toBe(2);
    expect((await here.iot(["device", "data", "empty", id, "--confirm", "Full"])).code).toBe(0);
    expect((await here.iot(["device", "data", "count", id])).stdout).toBe("0\n");
  });
});

describe("device data list --tag", () => {
  it("gives one row per device and variable, and one per device where the answer is a number", async () => {
    for (const [name, levels] of [
      ["Tank 10", [1, 2]],
      ["Tank 9", [5]],
    ] as const) {
      const made = await here.iot(["device", "create", "--name", name, "--tag", "lot=tanks", "-o", "id"]);
      const records = levels.flatMap((value) => [
        { variable: "level", value },
        { variable: "flow", value: value * 10 },
      ]);
      const input = file("tank.json", JSON.stringify(records));
      await here.iot(["device", "data", "import", made.stdout.trim(), "--input", input, "--yes"]);
    }
    const tanks = ["device", "data", "list", "--tag", "lot=tanks"];
    const last = await here.iot([...tanks, "--query", "last", "-o", "csv", "--fields", "device_name,variable,value"]);
    expect(last.stdout.trim().split("\r\n")).toEqual([
      "device_name,variable,value",
      ...["Tank 9,flow,50", "Tank 9,level,5", "Tank 10,flow,20", "Tank 10,level,2"],
    ]);
    const counts = await here.json<{ device_name: string; value: number }[]>([...tanks, "--query", "count"]);
    expect(counts.map(({ device_name: name, value }) => [name, value])).toEqual([
      ["Tank 9", 2],
      ["Tank 10", 4],
    ]);
    const two = await here.json<Data[]>([...tanks, "--variable", "level", "--query", "max", "--limit", "1"]);
    expect(two.map(({ value }) => value)).toEqual([5]);
  });

  it("takes no device besides, and needs a query", async () => {
    const both = await here.iot(["device", "data", "list", freezer, "--tag", "device_type=freezer", "--query", "last"]);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("--tag")]);
    const alone = await here.iot(["device", "data", "list", "--tag", "device_type=freezer"]);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("--query")]);
  });

  it("lists only flags that apply to records in its help", async () => {
    const { stdout } = await here.iot(["device", "data", "list", "--help"]);
    expect(stdout).not.toMatch(/^ +--filter/m);
    expect((await here.iot(["device", "data", "list", freezer, "--filter", "value=1"])).code).toBe(2);
    expect((await here.iot(["device", "data", "list", freezer, "--sort", "value"])).code).toBe(2);
  });
});
