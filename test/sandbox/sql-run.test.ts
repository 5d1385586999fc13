import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { SEED_ACCOUNTS, SEED_PROFILES } from "../helpers/seed.ts";
import { type Answer, call, type NewDevice, ok } from "./client.ts";

let sandbox: Sandbox;
let device: string;
let other: string;

const START_MS = Date.parse("2026-03-01T00:00:00.000Z");
/** Rows of the device in the order they are stored; every tenth has no value. */
const ROWS = Array.from({ length: 240 }, (_, at) => ({
  variable: ["temperature", "humidity", "door"][at % 3] ?? "",
  group: `g${at % 7}`,
  time: new Date(START_MS + at * 60_000).toISOString(),
  ...(at % 4 === 0 ? { unit: at % 8 === 0 ? "°C" : "%" } : {}),
  ...(at % 10 === 9 ? {} : { value: ((at * 37) % 101) - 20 + (at % 2) / 2 }),
}));

const token = (): { token: string } => ({ token: sandbox.tokens.profile });

/** A device with these rows; answers its id. */
async function deviceWith(rows: readonly object[], members: object, auth = token()): Promise<string> {
  const made = await ok<NewDevice>(sandbox, "POST", "/device", { ...auth, body: { name: "Device", ...members } });
  await ok(sandbox, "POST", "/data", { token: made.token, body: rows });
  return made.device_id;
}

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  device = await deviceWith(ROWS, { name: "Plant", tags: [{ key: "site", value: "north" }] });
  other = await deviceWith([{ variable: "x", value: 42 }], { name: "Shed", tags: [{ key: "site", value: "south" }] });
});
afterAll(() => sandbox.close());

interface Result {
  readonly columns: readonly { name: string; type: string }[];
  readonly rows: readonly Record<string, unknown>[];
  readonly row_count: number;
}

let count = 0;
/** Stores a statement, with these defaults, and runs it. Answers the error of whichever fails. */
async function execute(query: string, params: readonly string[] = [], sent?: object, auth = token()): Promise<Answer> {
  count += 1;
  const defaults = params.map((value, at) => ({ key: `$${at + 1}`, value }));
  const body = { name: `q${count}`, query, params: defaults };
  const made = await call(sandbox, "POST", "/sql", { ...auth, body });
  if (!made.body.status) return made;
  const { id } = made.body.result as { id: string };
  return call(sandbox, "POST", `/sql/${id}/execute`, { ...auth, body: { params: sent } });
}

async function run(query: string, params: readonly string[] = [], sent?: object): Promise<Result> {
  const { status, body } = await execute(query, params, sent);
  if (status !== 200) throw new Error(`${query}: ${status} ${body.message}`);
  return body.result as Result;
}

const from = (rest = "") => `FROM device('${device}') AS d ${rest}`;

describe("running a stored query", () => {
  it("answers columns in the order of the statement, and rows", async () => {
    const { columns, rows, row_count } = await run(
      `SELECT d.value AS degrees, d.time, count(*) AS n, "d"."unit" ${from("GROUP BY value, time, unit ORDER BY time LIMIT 2")}`,
    );
    expect(columns).toEqual([
      { name: "degrees", type: "json" },
      { name: "time", type: "timestamp" },
      { name: "n", type: "integer" },
      { name: "unit", type: "string" },
    ]);
    expect(rows).toEqual([
      { degrees: -20, time: "2026-03-01T00:00:00.000Z", n: 1, unit: "°C" },
      { degrees: 17.5, time: "2026-03-01T00:01:00.000Z", n: 1, unit: null },
    ]);
    expect(row_count).toBe(2);
    expect((await run(`SELECT * ${from("LIMIT 1")}`)).columns.map(({ name }) => name)).toEqual(
      "variable value unit time id device group location metadata".split(" "),
    );
  });

  it("takes the stored defaults, and sent parameters before them", async () => {
    const query = `SELECT count(*) AS n ${from("WHERE variable = $1 AND time >= $2 AND value > $3 LIMIT $4")}`;
    const defaults = ["door", "2026-03-01T01:00:00+01:00", "80", "5"];
    const expected = (variable: string) =>
      ROWS.filter((row) => row.variable === variable && (row.value ?? 0) > 80).length;
    expect((await run(query, defaults)).rows).toEqual([{ n: expected("door") }]);
    expect((await run(query, defaults, [{ key: "$1", value: "humidity" }])).rows).toEqual([
      { n: expected("humidity") },
    ]);
    expect((await run(query, defaults, [{ key: "$3", value: 1_000 }])).rows).toEqual([{ n: 0 }]);
    const refusal = async (key: string, value: unknown): Promise<unknown> =>
      (await execute(query, defaults, [{ key, value }])).body.message;
    expect(await refusal("$2", "1")).toBe("Invalid value for parameter $2");
    expect(await refusal("$4", "all")).toBe("Invalid value for parameter $4");
    expect(await refusal("$1", {})).toBe("Invalid value for parameter $1");
  });

  it("reads the first device with a tag, and the list of devices", async () => {
    const { rows } = await run("SELECT d.device, count(*) AS n FROM device_tag('site', 'south') AS d GROUP BY device");
    expect(rows).toEqual([{ device: other, n: 1 }]);
    const devices = await run("SELECT d.name, d.tags FROM devices() AS d WHERE d.active = TRUE ORDER BY name DESC");
    expect(devices.rows).toEqual([
      { name: "Shed", tags: [{ key: "site", value: "south" }] },
      { name: "Plant", tags: [{ key: "site", value: "north" }] },
    ]);
    expect((await run("SELECT d.name FROM devices() AS d WHERE has_tag('site', 'south')")).rows).toEqual([
      { name: "Shed" },
    ]);
  });

  it("keeps numbers, strings and booleans apart, and compares strings that read as numbers as such", async () => {
    const values = [12, "12", "open", true, "007"];
    const mixed = await deviceWith(
      values.map((value, at) => ({ variable: "x", value, time: new Date(START_MS + at).toISOString() })),
      { name: "Mixed" },
    );
    const found = async (where: string): Promise<unknown[]> =>
      (await run(`SELECT value FROM device('${mixed}') AS d ${where} ORDER BY time`)).rows.map(({ value }) => value);
    expect(await found("")).toEqual(values);
    expect(await found("WHERE value > 10")).toEqual([12, "12"]);
    expect(await found("WHERE value = '12'")).toEqual([12, "12"]);
    expect(await found("WHERE value = true")).toEqual([true]);
    expect(await found("WHERE value LIKE '00%'")).toEqual(["007"]);
    expect(await found("WHERE NOT value < 10")).toEqual([12, "12", "open", true]);
    const sums = await run(`SELECT sum(value) AS s, count(value) AS n FROM device('${mixed}') AS d`);
    expect(sums.rows).toEqual([{ s: 12, n: 5 }]);
  });

  it.each([
    ["SELECT d.volts $", "Unknown column volts"],
    ["SELECT e.value $", "Unknown table e"],
    ["SELECT unit, count(*) $", "The column unit must be in GROUP BY or in an aggregate"],
    ["SELECT value, value $", "Two columns are named value: rename one with AS"],
    ["SELECT d.id FROM device(5) AS d", "The table device takes 1 string"],
    ["SELECT d.id FROM device_tag('a') AS d", "The table device_tag takes 2 strings"],
    ["SELECT d.id FROM device_data_by_tag('a', 'b', 'c') AS d", "The table device_data_by_tag takes 2 to 10 strings"],
    ["SELECT md5(unit) AS m $", "Unknown function md5"],
    ["SELECT d.id $ WHERE d.metadata IS NULL", "metadata can only be selected"],
    ["SELECT d.id $ ORDER BY location", "location can only be selected"],
    ["SELECT count(d.location) AS n $", "location can only be selected"],
    ["SELECT d.id $ WHERE time > 'soon'", '"soon" is not a date'],
    ["SELECT d.id $ WHERE time > unit", "A timestamp cannot be compared with a string"],
    ["SELECT d.id $ WHERE count(*) > 1", "The aggregate count cannot be used here"],
    ["SELECT sum(d.unit) AS s $", "A number is needed here, not a string"],
    ["SELECT session_user_id() AS me $", "session_user_id can be used in WHERE and in tables only"],
    ["SELECT d.id $ WHERE d.id = session_user_tag('a', 'b')", "session_user_tag takes 1 string"],
    [
      "SELECT f.value FROM device_data_by_tag('a', 'b') AS f WHERE time > '2026-01-01'",
      "A query of device_data_by_tag needs a condition on variable and a start of time",
    ],
  ])("rejects %s", async (query, message) => {
    const { status, body, headers } = await execute(query.replace("$", from()));
    expect([status, body.message, headers["x-sandbox-gap"]]).toEqual([400, message, "Mistakes in SQL"]);
  });

  it("rejects an unknown device as a read of that device does", async () => {
    expect((await execute("SELECT d.time FROM device('5f0000000000000000000000') AS d")).status).toBe(404);
  });
});

describe("SQL that the platform may not run", () => {
  const latest = () => `SELECT variable, max(time) AS at ${from("GROUP BY variable")}`;
  it.each<[query: string, rows: number | (() => object[])]>([
    ["SELECT a.name, b.value FROM devices() AS a LEFT JOIN device('$other') AS b ON a.id = b.device", 3],
    ["SELECT a.id FROM devices() AS a, devices() AS b, devices() AS c WHERE a.id = b.id AND b.id = c.id", 3],
    ["SELECT DISTINCT variable $from ORDER BY d.variable DESC", () => names("temperature", "humidity", "door")],
    ["SELECT x.variable FROM ($latest) AS x ORDER BY x.at LIMIT 1", () => names("temperature")],
    ["WITH w AS ($latest) SELECT v.variable FROM w AS v ORDER BY v.at DESC LIMIT 1", () => names("door")],
    ["SELECT variable $from UNION SELECT d.name FROM devices() AS d", 6],
    ["SELECT value $from UNION ALL SELECT value $from LIMIT 400 OFFSET 1", 400],
    ["SELECT variable $from GROUP BY variable HAVING count(*) > 80", 0],
    ["SELECT CASE WHEN value > 30 THEN 'warm' ELSE 'cold' END AS k $from GROUP BY k", 2],
    ["SELECT CAST(value AS INTEGER) * 2 + 1 AS n, unit || '!' AS u $from LIMIT 1", () => [{ n: -39, u: "°C!" }]],
    ["SELECT d.name FROM devices() AS d WHERE d.id IN (SELECT device $fromx)", () => [{ name: "Plant" }]],
    ["SELECT d.name FROM devices() AS d WHERE EXISTS (SELECT * $fromx WHERE x.device = d.id)", 1],
    [
      "SELECT lower('A') AS a, upper(variable) AS b, length(unit) AS c, round(value, 0) AS d, abs(value) AS e, nullif(1, 1) AS f, max(1, 2) AS g $from LIMIT 1",
      () => [{ a: "a", b: "TEMPERATURE", c: 2, d: -20, e: 20, f: null, g: 2 }],
    ],
  ])("runs and is marked: %s", async (query, expected) => {
    const text = query
      .replaceAll("$fromx", `FROM device('${device}') AS x`)
      .replaceAll("$from", from())
      .replaceAll("$latest", latest())
      .replaceAll("$other", other);
    const { status, body, headers } = await execute(text);
    expect([text, status, body.message]).toEqual([text, 200, undefined]);
    expect(headers["x-sandbox-gap"]).toContain("SQL that the platform may not run");
    const { rows } = body.result as Result;
    if (typeof expected === "number") expect(rows).toHaveLength(expected);
    else expect(rows).toEqual(expected());
  });

  const names = (...all: readonly string[]) => all.map((variable) => ({ variable }));

  it("is rejected by a strict sandbox, which runs all else", async () => {
    const strict = await createSandbox({ seed: "empty", strict: true });
    const auth = { token: strict.tokens.profile };
    const answer = async (query: string): Promise<number> => {
      const { id } = await ok<{ id: string }>(strict, "POST", "/sql", { ...auth, body: { name: "q", query } });
      return (await call(strict, "POST", `/sql/${id}/execute`, { ...auth, body: {} })).status;
    };
    expect(await answer("SELECT DISTINCT d.name FROM devices() AS d")).toBe(501);
    expect(await answer("SELECT d.name FROM devices() AS d WHERE active = true ORDER BY name")).toBe(200);
    await strict.close();
  });

  it("includes JOIN on the plan free, which is rejected when it is stored", async () => {
    const join = "SELECT a.id FROM devices() AS a JOIN devices() AS b ON a.id = b.id";
    const before = sandbox.limits.settings;
    sandbox.limits.set({ perMinute: false, plan: "free" });
    const { status, headers } = await call(sandbox, "POST", "/sql", { ...token(), body: { name: "j", query: join } });
    sandbox.limits.set(before);
    expect([status, headers["x-sandbox-gap"]]).toEqual([402, "JOIN in SQL on the plan free"]);
  });
});

describe("what a stored query cannot do", () => {
  it.each([
    ["ATTACH DATABASE '/tmp/x.db' AS x", 400, "Only SELECT statements are allowed"],
    ["PRAGMA table_list", 400, "Only SELECT statements are allowed"],
    ["VACUUM INTO '/tmp/x.db'", 400, "Only SELECT statements are allowed"],
    ["DELETE FROM devices() AS d", 400, "Only SELECT statements are allowed"],
    ["CREATE TABLE x (a)", 400, "Only SELECT statements are allowed"],
    ["SELECT d.id FROM devices() AS d; ATTACH '/tmp/x' AS y", 400, "Only a single SQL statement is allowed"],
    ["WITH x AS (DELETE FROM devices() AS d RETURNING d.id) SELECT y.id FROM x AS y", 501, '"DELETE"'],
    ["SELECT s.sql FROM sqlite_master AS s", 400, "Unknown table sqlite_master"],
    ["SELECT s.name FROM pragma_table_list() AS s", 400, "Unknown table pragma_table_list"],
    ["SELECT s.name FROM dbstat AS s", 400, "Unknown table dbstat"],
    ["SELECT j.value FROM json_each('[1]') AS j", 400, "Unknown table json_each"],
    ["SELECT t.token FROM token AS t", 400, "Unknown table token"],
    ["SELECT d.id FROM constructor() AS d", 400, "Unknown table constructor"],
    ["SELECT x.c0 FROM t0 AS x", 400, "Unknown table t0"],
    ["SELECT rowid FROM devices() AS d", 400, "Unknown column rowid"],
    ["SELECT d.id FROM devices() AS d WHERE s1.c0 = ''", 400, "Unknown table s1"],
    ...[
      "load_extension",
      "writefile",
      "fts3_tokenizer",
      "randomblob",
      "zeroblob",
      "printf",
      "replace",
      "group_concat",
    ].map((name) => [`SELECT ${name}('x') AS x FROM devices() AS d`, 400, `Unknown function ${name}`] as const),
    ["SELECT row_number() OVER () AS n FROM devices() AS d", 400, "Window functions are not allowed"],
    ["WITH RECURSIVE n AS (SELECT 1 AS x) SELECT d.id FROM devices() AS d", 400, "WITH RECURSIVE is not allowed"],
    ["SELECT d.id FROM devices() AS d WHERE d.id = 'x", 501, "a quote is not closed"],
    ["SELECT d.id FROM devices() AS d WHERE", 501, "it is not complete"],
    ["SELECT d.id FROM devices() AS d WHERE d.name = 'a\0b'", 400, "must not contain the NUL character"],
    ["SELECT EXTRACT(hour FROM d.last_input) AS h FROM devices() AS d", 501, '"FROM"'],
    [`SELECT ${"(".repeat(300)}1${")".repeat(300)} AS x FROM devices() AS d`, 501, "nesting deeper than 100 levels"],
    [`SELECT d.id FROM devices() AS d WHERE ${"NOT ".repeat(300)}active`, 501, "nesting deeper than 100 levels"],
    [`SELECT ${"1 + ".repeat(300)}1 AS x FROM devices() AS d`, 501, "a chain of more than 100 signs"],
    [`SELECT d.id FROM devices() AS d -- ${"x".repeat(30_000)}`, 400, "Error on Body parameters"],
  ] as const)("%.60s", async (query, status, message) => {
    const answer = await execute(query);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)]);
    if (status === 501) expect(answer.headers["x-sandbox-gap"]).toContain("SQL that the sandbox does not run");
  });

  it("is not changed by what strings contain: they are bound", async () => {
    const names = ["it's", '"d"', "a -- b", "a; DROP TABLE t0", "%_\\", "a/*b"];
    const values = [...names, "\ud800"].map((name) => `'${name.replaceAll("'", "''")}'`).join(", ");
    for (const name of names) await ok(sandbox, "POST", "/device", { ...token(), body: { name } });
    const { rows } = await run(`SELECT d.name FROM devices() AS d WHERE d.name IN (${values}) ORDER BY name`);
    expect(rows.map((row) => row["name"]).sort()).toEqual([...names].sort());
    const param = await run("SELECT d.name FROM devices() AS d WHERE d.name = $1", ["it's"]);
    expect(param.rows).toEqual([{ name: "it's" }]);
    const nul = await execute(
      "SELECT d.name FROM devices() AS d WHERE d.name = $1",
      ["x"],
      [{ key: "$1", value: "a\0" }],
    );
    expect([nul.status, nul.body.message]).toEqual([400, "Invalid value for parameter $1"]);
  });

  it("reads no device of another profile", async () => {
    const { email, password } = SEED_ACCOUNTS.demo;
    const body = { email, password, profile_id: SEED_PROFILES.empty, name: "test" };
    const foreign = await ok<{ token: string }>(sandbox, "POST", "/account/profile/token", { body });
    const auth = { token: foreign.token };
    await deviceWith([{ variable: "x", value: 7 }], { name: "Foreign", tags: [{ key: "site", value: "south" }] }, auth);
    const answer = async (query: string) => (await execute(query, [], undefined, auth)).body;
    expect(await answer(`SELECT d.time ${from()}`)).toMatchObject({ status: false, message: "Device Not Found" });
    expect(await answer("SELECT d.value FROM device_tag('site', 'south') AS d")).toMatchObject({
      result: { rows: [{ value: 7 }] },
    });
    const fleet = "FROM device_data_by_tag('site', 'south') AS f WHERE variable = 'x' AND time > '2020-01-01'";
    expect(await answer(`SELECT value ${fleet}`)).toMatchObject({ result: { rows: [{ value: 7 }] } });
    expect(await answer("SELECT d.name FROM devices() AS d")).toMatchObject({
      result: { rows: [{ name: "Foreign" }] },
    });
    expect((await run("SELECT d.name FROM devices() AS d WHERE name = 'Foreign'")).rows).toEqual([]);
  });

  it("returns 10,000 rows at most", { tags: ["slow"] }, async () => {
    const rows = (at: number) => Array.from({ length: 1_000 }, (_, i) => ({ variable: "x", value: at * 1_000 + i }));
    const made = await ok<NewDevice>(sandbox, "POST", "/device", { ...token(), body: { name: "Much" } });
    for (let at = 0; at < 11; at += 1) await ok(sandbox, "POST", "/data", { token: made.token, body: rows(at) });
    const all = `FROM device('${made.device_id}') AS d`;
    const message = "The result has more than 10,000 rows: add a condition or LIMIT";
    expect((await execute(`SELECT value ${all}`)).body.message).toBe(message);
    expect((await execute(`SELECT value, count(*) AS n ${all} GROUP BY value`)).body.message).toBe(message);
    expect((await run(`SELECT value ${all} ORDER BY value DESC LIMIT 2`)).rows).toEqual([
      { value: 10_999 },
      { value: 10_998 },
    ]);
    expect((await run(`SELECT value ${all} LIMIT 10000`)).row_count).toBe(10_000);
  });
});
