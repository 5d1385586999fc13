import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const FREEZER = "65a1000000000000000d0001";
const COUNT = "SELECT d.variable, count(*) AS readings FROM device_tag('room', 'cold-store') AS d GROUP BY variable";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
beforeEach(() => here.sandbox.faults.set([]));

const iot = (...args: string[]) => here.iot(["sql", ...args]);
const json = <T>(...args: string[]): Promise<T> => here.json<T>(["sql", ...args]);

interface Query {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly version: number;
  readonly params: readonly { key: string; value: string }[];
  readonly tags: readonly object[];
  readonly description?: string;
  readonly cache_ttl_seconds?: number;
}

let made = 0;
async function create(...args: string[]): Promise<string> {
  made += 1;
  const { code, stdout, stderr } = await iot("create", "--name", `query ${made}`, ...args, "-o", "id");
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}
const temporary = async (): Promise<string[]> =>
  (await json<Query[]>("list", "--all")).filter(({ name }) => name.includes("temporary")).map(({ id }) => id);

describe("sql create and update", () => {
  const both = `SELECT d.id FROM device('${FREEZER}') AS d WHERE value > $1 AND variable = $2 LIMIT 3`;

  it("store the statement with its parameters, and change only what is named", async () => {
    const id = await create("--query", both, "--param", "1=-19", "--param", "$2=temperature", "--tag", "a=b");
    await json("update", id, "--description", "Cold", "--cache-ttl", "60");
    expect(await json<Query>("get", id)).toMatchObject({
      query: both,
      version: 1,
      description: "Cold",
      cache_ttl_seconds: 60,
      tags: [{ key: "a", value: "b" }],
      params: [
        { key: "$1", value: "-19" },
        { key: "$2", value: "temperature" },
      ],
    });
    await json("update", id, "--param", "1=5");
    expect((await json<Query>("get", id)).params).toEqual([
      { key: "$1", value: "5" },
      { key: "$2", value: "temperature" },
    ]);
  });

  it("drop the parameters a new statement does not use, and list its versions", async () => {
    const id = await create("--query", both, "--param", "1=-19", "--param", "2=temperature");
    const file = join(temporaryFolder(), "next.sql");
    writeFileSync(file, both.replace(" AND variable = $2", ""));
    await json("update", id, "--query", `@${file}`);
    expect(await json<Query>("get", id)).toMatchObject({ version: 2, params: [{ key: "$1", value: "-19" }] });
    expect((await json<Query[]>("versions", id)).map(({ version }) => version)).toEqual([2, 1]);
    expect((await json<Query>("versions", id, "--version", "1")).query).toBe(both);
    expect((await iot("versions", id, "--version", "3")).code).toBe(6);
  });

  it("reject parameters without a number, or given twice", async () => {
    for (const words of [
      ["--param", "x=1"],
      ["--param", "0=1"],
      ["--param", "1=a", "--param", "$1=b"],
      ["--param", "1"],
    ]) {
      const { code, stderr } = await iot("run", "name:Warm freezer", ...words);
      expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining("--param")]);
    }
  });
});

describe("sql run", () => {
  it("runs a stored query with its defaults, and with other parameters", async () => {
    const rows = await json<{ time: string; temperature: number }[]>("run", "name:Warm freezer");
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.every(({ temperature }) => temperature > -12)).toBe(true);
    const warmest = Math.max(...rows.map(({ temperature }) => temperature));
    expect(await json<object[]>("run", "name:Warm freezer", "--param", `1=${warmest}`)).toEqual([]);
    const none = await iot("run", "name:Warm freezer", "--param", `1=${warmest}`);
    expect([none.code, none.stdout, none.stderr]).toEqual([0, "", "info: The query returned no rows.\n"]);
  });

  it("writes the rows in every format, with the columns in the order of the statement", async () => {
    const [first] = await json<object[]>("run", "--query", COUNT);
    expect(Object.keys(first ?? {})).toEqual(["variable", "readings"]);
    const all = `${COUNT} ORDER BY variable LIMIT 2`;
    const { stdout } = await iot("run", "--query", all);
    const [compressor = "", second = ""] = stdout.split("\n").slice(1);
    expect(stdout).toMatch(/^variable\treadings\ncompressor\t\d+\n\w+\t\d+\n$/);
    const csv = (await iot("run", "--query", all, "-o", "csv")).stdout;
    expect(csv).toBe(`variable,readings\r\n${compressor.replace("\t", ",")}\r\n${second.replace("\t", ",")}\r\n`);
    expect((await iot("run", "--query", all, "-o", "ndjson")).stdout.split("\n")[0]).toBe(
      JSON.stringify({ variable: "compressor", readings: Number(compressor.split("\t")[1]) }),
    );
    expect((await iot("run", "--query", all, "-o", "id")).stdout).toMatch(/^compressor\n/);
    expect((await iot("run", "--query", all, "-o", "md")).stdout).toContain("| variable | readings |");
    expect((await iot("run", "--query", all, "-o", "yaml")).stdout).toContain("variable: compressor");
    expect((await iot("run", "--query", all, "--jq", ".[0].variable")).stdout).toBe("compressor\n");
  });

  it("runs the statement of a file or of stdin, and leaves no query behind", async () => {
    const file = join(temporaryFolder(), "count.sql");
    writeFileSync(file, `-- a comment\n${COUNT}\n`);
    const expected = await json<object[]>("run", "--query", COUNT);
    expect(await json<object[]>("run", "--file", file)).toEqual(expected);
    expect(await here.json<object[]>(["sql", "run", "--file", "-"], { stdin: COUNT })).toEqual(expected);
    const parameter = "SELECT d.name FROM devices() AS d WHERE name = $1";
    expect(await json<object[]>("run", "--query", parameter, "--param", "1=Freezer 1")).toEqual([
      { name: "Freezer 1" },
    ]);
    expect(await temporary()).toEqual([]);
  });

  it("reports what the sandbox does not run, and mistakes, and leaves no query behind either", async () => {
    const beyond = await iot("run", "--query", "SELECT EXTRACT(hour FROM d.last_input) AS h FROM devices() AS d");
    expect([beyond.code, beyond.stderr]).toEqual([
      1,
      expect.stringContaining("The sandbox does not run this statement"),
    ]);
    expect(beyond.stderr).toContain("iot sandbox gaps");
    expect(beyond.stderr).not.toMatch(/server error|may have been made|Try again/);
    const mistake = await iot("run", "--query", "SELECT volts FROM devices() AS d");
    expect([mistake.code, mistake.stderr]).toEqual([1, expect.stringContaining("Unknown column volts")]);
    expect(await temporary()).toEqual([]);
  });

  it("runs a query as a portal user, who needs permission", async () => {
    const query =
      "SELECT d.name FROM devices() AS d WHERE d.id <> COALESCE(session_user_id(), 'owner') ORDER BY name LIMIT 1";
    const id = await create("--query", query, "--tag", "grant=yes");
    const denied = await iot("run", id, "--as", "name:Oda Operator");
    expect([denied.code, denied.stderr]).toEqual([5, expect.stringContaining("iot access create --who run_user")]);
    const rule = ["--who", "run_user", "--allow", "execute sql:tag:grant=yes"];
    await here.json(["access", "create", "--name", "queries", ...rule]);
    expect(await json<object[]>("run", id, "--as", "name:Oda Operator")).toHaveLength(1);
  });

  it("explains what a statement reads of each table, with its conditions, and runs nothing", async () => {
    const startMs = Date.now();
    const query = `SELECT a.value FROM device_tag('site', 'it''s') AS a JOIN device($1) AS b ON a.time = b.time
      WHERE b.variable = 'level' AND b.time > '2026-01-01'`;
    expect(await json("run", "--explain", "--param", "1=x", query)).toEqual([
      {
        table: "device_tag('site', 'it''s')",
        reads: "records of the first device by id with the tag",
      },
      {
        table: "device('x')",
        reads: "records of the device",
        variables: ["level"],
        from: "2026-01-01T00:00:00.000Z",
      },
    ]);
    expect(here.requestsSince(startMs)).toEqual([]);
    const stored = await json<{ table: string }[]>("run", "name:Warm freezer", "--explain");
    expect(stored).toMatchObject([{ reads: "records of the device", variables: ["temperature"] }]);
    expect(here.requestsSince(startMs).filter((request) => !request.startsWith("GET "))).toEqual([]);
    const broken = await iot("run", "--explain", "SELECT volts FROM devices() AS d");
    expect([broken.code, broken.stderr]).toEqual([3, expect.stringContaining("Unknown column volts")]);
  });

  it("reads a fleet page by page, or after a device", async () => {
    const fleet = (columns: string) =>
      `SELECT ${columns} FROM device_data_by_tag('site', 'plant') AS f WHERE variable = 'temperature' AND time > '2020-01-01' ORDER BY device LIMIT 2`;
    const all = await json<{ device: string }[]>("run", "--all", fleet("device, value"));
    const devices = all.map(({ device }) => device);
    expect(devices.length).toBeGreaterThan(2);
    expect(devices).toEqual([...new Set(devices)].sort());
    const rest = await json<{ device: string }[]>("run", "--after-device", devices[1] ?? "", fleet("device"));
    expect(rest.map(({ device }) => device)).toEqual(devices.slice(2, 4));
    const blind = await iot("run", "--all", fleet("value"));
    // Other rows than those of a fleet in its order would leave out devices, or never end.
    const others = [
      "SELECT device FROM device_tag('site', 'plant') AS d LIMIT 2",
      fleet("device").replace("ORDER BY device", "ORDER BY device DESC"),
    ];
    for (const { code, stderr } of [blind, ...(await Promise.all(others.map((sql) => iot("run", "--all", sql))))])
      expect([code, stderr]).toEqual([2, expect.stringContaining("--all needs rows of device_data_by_tag")]);
    expect(await temporary()).toEqual([]);
  });

  it("does not ask to check for a change when a stored query failed: it only reads", async () => {
    for (const status of [500, 501]) {
      here.sandbox.faults.set([{ route: "POST /sql/*/execute", kind: "status", status }]);
      const { stderr } = await iot("run", "name:Warm freezer", "--retries", "0");
      expect(stderr).toContain(`returned ${status}`);
      expect(stderr).not.toContain("may have been made");
    }
    here.sandbox.faults.set([{ route: "POST /sql/*/execute", kind: "truncate" }]);
    const lost = await iot("run", "name:Warm freezer", "--retries", "0");
    expect([lost.code, lost.stderr]).toEqual([10, expect.not.stringMatching("may have")]);
  });

  it("says which query is left when it cannot be deleted", async () => {
    here.sandbox.faults.set([{ route: "DELETE /sql/*", kind: "status", status: 403 }]);
    const { code, stdout, stderr } = await iot("run", "--query", COUNT, "-o", "csv");
    expect([code, stdout.split("\r\n")[0]]).toEqual([0, "variable,readings"]);
    here.sandbox.faults.set([]);
    const left = await temporary();
    expect(left).toHaveLength(1);
    expect(stderr).toContain(`The temporary query ${left[0]} was not deleted`);
    expect(stderr).toContain(`iot sql delete ${left[0]}`);
    expect((await iot("delete", left[0] ?? "", "--yes")).code).toBe(0);
  });

  it("runs a statement that stands where the id may, as a change", async () => {
    const { code, stdout } = await iot("run", COUNT, "-o", "tsv");
    expect({ code, header: stdout.split("\n")[0] }).toEqual({ code: 0, header: "variable\treadings" });
    expect(await temporary()).toEqual([]);
    expect((await iot("run", " select 1 ", "--dry-run")).stdout).toMatch(/^POST \/sql /);
    expect((await iot("run", "selections")).stderr).toContain('unique name: "name:selections"');
  });

  it("names the nearest name, whatever its case", async () => {
    await create("--query", COUNT, "--tag", "x=y");
    const { code, stderr } = await iot("get", `name:Qeury ${made}`);
    expect({ code, says: stderr.includes(`Did you mean "name:query ${made}"?`) }).toEqual({ code: 6, says: true });
  });

  it("sends nothing with --dry-run, and takes one source only", async () => {
    const start = Date.now();
    const { code, stdout } = await iot("run", "--query", COUNT, "--dry-run", "-o", "json");
    expect([code, (JSON.parse(stdout) as { path: string }[]).map(({ path }) => path)]).toEqual([
      0,
      ["/sql", "/sql/{id}/execute", "/sql/{id}"],
    ]);
    expect(here.requestsSince(start)).toEqual([]);
    expect((await iot("run", "name:Warm freezer", "--query", COUNT)).code).toBe(2);
    expect((await iot("run", "--file", "gone.sql")).code).toBe(3);
  });

  it("only reads a stored query in a protected environment, and asks before a statement is stored there", async () => {
    const env = { IOT_CONFIG_DIR: temporaryFolder(), IOT_API_URL: "", IOT_EVENTS_URL: "", IOT_TOKEN: "" };
    const addresses = ["--api-url", here.sandbox.url, "--events-url", here.sandbox.eventsUrl];
    await here.iot(["env", "add", "prod", ...addresses, "--protected"], { env });
    await here.iot(["auth", "login", "--with-token", "--env", "prod"], { env, stdin: here.sandbox.tokens.profile });
    const run = (...words: string[]) => here.iot(["sql", "run", ...words, "--env", "prod"], { env });
    expect((await run("name:Warm freezer")).code).toBe(0);
    expect(await run("--query", COUNT)).toMatchObject({ code: 2, stderr: expect.stringContaining("--confirm") });
    expect((await run("--query", COUNT, "--confirm", "prod")).code).toBe(0);
  });
});

describe("sql tables", () => {
  it("lists tables with their columns, those of an entity on request", async () => {
    interface Table {
      readonly function: string;
      readonly columns: readonly { name: string }[];
    }
    const tables = await json<Table[]>("tables");
    expect(tables.map((table) => table.function)).toEqual([
      "device",
      "entity",
      "devices",
      "entities",
      "device_data_by_tag",
    ]);
    expect(tables[1]?.columns).toEqual([]);
    const named = await json<Table[]>("tables", "--entity", "name:sites");
    expect(named[1]?.columns.map(({ name }) => name)).toContain("name");
    expect((await iot("tables")).stdout).toContain("variable string, value json");
  });
});

describe("sql check", () => {
  const write = (query: string): string => {
    const file = join(temporaryFolder(), "query.sql");
    writeFileSync(file, query);
    return file;
  };
  interface Row {
    readonly result: string;
    readonly line?: number;
    readonly column?: number;
  }

  it("accepts what the platform stores, and says what it reads and assumes", async () => {
    const file = write("SELECT DISTINCT d.variable\nFROM device($1) AS d");
    expect(await json<Row[]>("check", file)).toEqual([
      {
        file,
        result: "ok",
        tables: ["device"],
        params: ["$1"],
        assumptions: ["SQL that the platform may not run"],
      },
    ]);
  });

  it("exits with 3 for what would be rejected, and marks the place", async () => {
    const wrong = write("-- warm\nSELECT d.time\nFROM devices() AS d\nWHERE d.volts > 1 AND d.active");
    const right = write("SELECT d.name FROM devices() AS d");
    const { code, stdout, stderr } = await iot("check", right, wrong, "-o", "json");
    expect(code).toBe(3);
    expect((JSON.parse(stdout) as Row[]).map(({ result, line, column }) => [result, line, column])).toEqual([
      ["ok", undefined, undefined],
      ["refused", 2, 8],
    ]);
    expect(stderr).toContain(`${wrong}:2:8: Unknown column time\n    SELECT d.time\n           ^^^^^^\n`);
    expect(stderr).toContain("The platform would reject 1 statement of 2.");
  });

  it("rejects with the text of the platform what that rejects", async () => {
    const { code, stderr } = await iot("check", write("SELECT d.name FROM devices() d"));
    expect([code, stderr]).toEqual([3, expect.stringContaining(":1:20: All tables must have an alias (use AS)")]);
    const file = await here.iot(["sql", "check", "-"], { stdin: "DROP TABLE x" });
    expect([file.code, file.stderr]).toEqual([3, expect.stringContaining("Only SELECT statements are allowed")]);
  });

  it("says that it does not know what the sandbox cannot read, and sends nothing", async () => {
    const start = Date.now();
    const file = write("SELECT EXTRACT(hour FROM d.last_input) AS h FROM devices() AS d");
    const { code, stdout, stderr } = await iot("check", file, "-o", "json");
    expect([code, (JSON.parse(stdout) as Row[])[0]?.result]).toEqual([0, "unknown"]);
    expect(stderr).toContain('"FROM" is not supported\n    SELECT EXTRACT(hour FROM');
    expect(here.requestsSince(start)).toEqual([]);
  });
});
