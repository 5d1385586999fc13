import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { OpenDatabase } from "../../src/sandbox/store/database.ts";
import { amount } from "../helpers/amount.ts";
import { holdTimers } from "../helpers/held-timers.ts";
import { SEED_ACCOUNTS, SEED_PROFILES } from "../helpers/seed.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { call, type NewDevice, ok } from "./client.ts";

let sandbox: Sandbox;
let device: string;
let other: string;

/** Of a query. */
const LIMIT_MS = 5_000;
const START_MS = Date.parse("2026-03-01T00:00:00.000Z");
/** Rows of the device in the order they are stored; every fifth has no value, a text or a switch. */
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
/** Stores a statement, with these defaults, and runs it. */
async function execute(query: string, params: readonly string[] = [], sent?: object, auth = token()) {
  count += 1;
  const defaults = params.map((value, at) => ({ key: `$${at + 1}`, value }));
  const body = { name: `q${count}`, query, params: defaults };
  const { id } = await ok<{ id: string }>(sandbox, "POST", "/sql", { ...auth, body });
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
    expect((await run(`SELECT * ${from("LIMIT 1")}`)).columns.map(({ name }) => name)).toEqual([
      "id",
      "device",
      "variable",
      "value",
      "unit",
      "group",
      "time",
      "location",
      "metadata",
    ]);
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
  });

  it("reads devices by tag, and the list of devices", async () => {
    const { rows } = await run("SELECT d.device, count(*) AS n FROM device_tag('site', 'south') AS d GROUP BY device");
    expect(rows).toEqual([{ device: other, n: 1 }]);
    const devices = await run("SELECT d.name, d.tags FROM devices() AS d WHERE d.active = TRUE ORDER BY name DESC");
    expect(devices.rows).toEqual([
      { name: "Shed", tags: [{ key: "site", value: "south" }] },
      { name: "Plant", tags: [{ key: "site", value: "north" }] },
    ]);
  });

  it("names the statement's mistakes", async () => {
    const refusal = async (query: string): Promise<unknown> => {
      const { status, body } = await execute(query);
      return [status, body.message];
    };
    expect(await refusal(`SELECT d.volts ${from()}`)).toEqual([400, "Unknown column volts"]);
    expect(await refusal(`SELECT e.value ${from()}`)).toEqual([400, "Unknown table e"]);
    expect(await refusal(`SELECT unit, count(*) ${from()}`)).toEqual([
      400,
      "The column unit must be in GROUP BY or in an aggregate",
    ]);
    expect(await refusal(`SELECT value, value ${from()}`)).toEqual([
      400,
      "Two columns are named value: rename one with AS",
    ]);
    expect(await refusal("SELECT d.id FROM device(5) AS d")).toEqual([400, "The table device takes 1 strings"]);
    expect((await execute("SELECT d.id FROM device('5f0000000000000000000000') AS d")).status).toBe(404);
  });
});

describe("what a stored query cannot do", () => {
  it.each([
    ["SELECT a.id FROM devices() AS a JOIN devices() AS b ON a.id = b.id", '"JOIN"'],
    ["SELECT a.id FROM devices() AS a, devices() AS b", '","'],
    ["SELECT a.id FROM devices() AS a UNION SELECT b.id FROM devices() AS b", '"UNION"'],
    ["SELECT a.id FROM (SELECT b.id FROM devices() AS b) AS a", '"("'],
    ["SELECT a.id FROM devices() AS a WHERE id IN (SELECT b.id FROM devices() AS b)", '"SELECT"'],
    ["WITH w AS (SELECT d.id FROM devices() AS d) SELECT w.id FROM w AS w", '"WITH"'],
    ["SELECT DISTINCT d.id FROM devices() AS d", '"DISTINCT"'],
    ["SELECT load_extension('x') FROM devices() AS d", "the function load_extension"],
    ["SELECT d.token FROM token AS d", "the table token"],
    ["SELECT d.sql FROM sqlite_master AS d", "the table sqlite_master"],
    ["SELECT d.id FROM constructor AS d", "the table constructor"],
    ["SELECT d.value + 1 FROM device('x') AS d", '"+'],
    ["SELECT d.id FROM devices() AS d LIMIT 1 OFFSET 2", '"OFFSET"'],
    ["SELECT d.id FROM devices() AS d LIMIT -1", '"1"'],
    ["SELECT d.id FROM devices() AS d WHERE", "its end"],
    ["SELECT d.id FROM devices() AS d WHERE d.id = 'x", '"\'x"'],
    ["SELECT d.id FROM devices() AS d WHERE id; ", '";"'],
  ])("%s is answered with 501 and the gap", async (query, what) => {
    const { status, body, headers } = await execute(query);
    expect([status, body.message]).toEqual([501, expect.stringContaining(`${what}`)]);
    expect(headers["x-sandbox-gap"]).toContain("SQL beyond the subset of the sandbox");
  });

  it("reads no device of another profile", async () => {
    const { email, password } = SEED_ACCOUNTS.demo;
    const body = { email, password, profile_id: SEED_PROFILES.empty, name: "test" };
    const foreign = await ok<{ token: string }>(sandbox, "POST", "/account/profile/token", { body });
    const auth = { token: foreign.token };
    await deviceWith([{ variable: "x", value: 7 }], { name: "Foreign", tags: [{ key: "site", value: "south" }] }, auth);
    const answer = async (query: string) => (await execute(query, [], undefined, auth)).body;
    expect(await answer(`SELECT d.id ${from()}`)).toMatchObject({ status: false, message: "Device Not Found" });
    expect(await answer("SELECT d.value FROM device_tag('site', 'south') AS d")).toMatchObject({
      result: { rows: [{ value: 7 }] },
    });
    expect(await answer("SELECT d.name FROM devices() AS d")).toMatchObject({
      result: { rows: [{ name: "Foreign" }] },
    });
    expect((await run("SELECT d.name FROM devices() AS d ORDER BY name")).rows).toEqual([
      { name: "Plant" },
      { name: "Shed" },
    ]);
  });

  it("runs no longer than its time limit, and the sandbox responds meanwhile", { tags: ["slow"] }, async () => {
    const rows = Array.from({ length: 28 }, (_, at) => ({ variable: "x", value: `${"a".repeat(6_000)}${at}` }));
    const tags = [{ key: "slow", value: "yes" }];
    for (let at = 0; at < 5; at += 1) await deviceWith(rows, { tags });
    const test = Array.from({ length: 2 }, () => "value LIKE $1").join(" OR ");
    const pattern = `%${"a".repeat(100)}b`;
    sandbox.faults.set([{ route: "POST /sql/*/execute", kind: "latency", delayMs: LIMIT_MS, count: 1 }]);
    const time = holdTimers(LIMIT_MS);
    let isOver = false;
    const running = execute(`SELECT d.id FROM device_tag('slow', 'yes') AS d WHERE ${test}`, [pattern]).finally(() => {
      isOver = true;
    });
    await waitFor(() => time.waiting === 1, "the query to arrive");
    time.elapse();
    await ok(sandbox, "GET", "/status");
    expect(isOver).toBe(false);
    time.elapse();
    expect(await running).toMatchObject({ status: 400, body: { message: "The query ran longer than 5 seconds" } });
  });

  it("returns 10,000 rows at most", { tags: ["slow"] }, async () => {
    const rows = (at: number) => Array.from({ length: 1_000 }, (_, i) => ({ variable: "x", value: at * 1_000 + i }));
    const made = await ok<NewDevice>(sandbox, "POST", "/device", { ...token(), body: { name: "Much" } });
    for (let at = 0; at < 11; at += 1) await ok(sandbox, "POST", "/data", { token: made.token, body: rows(at) });
    const all = `FROM device('${made.device_id}') AS d`;
    const message = (what: string) => `The result has more than 10000 ${what}: add a condition or LIMIT`;
    expect((await execute(`SELECT value ${all}`)).body.message).toBe(message("rows"));
    expect((await execute(`SELECT value ${all} ORDER BY value`)).body.message).toBe(message("rows"));
    expect((await execute(`SELECT value, count(*) AS n ${all} GROUP BY value`)).body.message).toBe(message("groups"));
    expect((await run(`SELECT value ${all} ORDER BY value DESC LIMIT 2`)).rows).toEqual([
      { value: 10_999 },
      { value: 10_998 },
    ]);
    expect((await run(`SELECT value ${all} LIMIT 10000`)).row_count).toBe(10_000);
  });

  it.each([`${"(".repeat(300)}value > 1${")".repeat(300)}`, `${"NOT ".repeat(300)}value > 1`])(
    "rejects deep nesting: %.20s",
    async (condition) => {
      expect((await execute(`SELECT value ${from(`WHERE ${condition}`)}`)).status).toBe(501);
    },
  );
});

describe("the result of a statement", () => {
  const COLUMNS = ["variable", "value", "unit", "grp"] as const;
  const STATEMENTS = amount(100, 300);
  let random = 7;
  /** A number below `most`, the same ones at every run. */
  const below = (most: number): number => {
    random = (random * 48_271) % 2_147_483_647;
    return random % most;
  };
  const pick = <One>(list: readonly One[]): One => list[below(list.length)] as One;

  const test = (depth: number): string => {
    if (depth > 0 && below(2) === 0) {
      const inner = `${test(depth - 1)} ${pick(["AND", "OR"])} ${test(depth - 1)}`;
      return pick([inner, `(${inner})`, `NOT (${inner})`]);
    }
    return pick([
      () => `d.value ${pick(["=", "<>", "!=", "<", "<=", ">", ">="])} ${below(100) - 20}`,
      () => `d.value ${pick(["", "NOT "])}BETWEEN ${below(40) - 20} AND ${below(80)}.5`,
      () => `d.variable ${pick(["", "NOT "])}IN ('door', '${pick(["humidity", "o''x"])}')`,
      () => `d.unit ${pick(["", "NOT "])}LIKE '${pick(["%", "_", "°%", "%C", "_C"])}'`,
      () => `d.${pick(COLUMNS)} IS ${pick(["", "NOT "])}NULL`,
      () => `'g${below(7)}' ${pick(["<", "=", ">="])} d.grp`,
      () => `d.unit ${pick(["=", "<>"])} ${pick(["NULL", "'%'"])}`,
    ])();
  };

  function statement(): string {
    const where = below(4) === 0 ? "" : ` WHERE ${test(3)}`;
    const order = (name: string) => `${name} ${pick(["ASC", "DESC"])}`;
    if (below(2) === 0)
      return `SELECT d.id, d.value, d.grp${where} ORDER BY ${order("value")}, ${order("d.unit")}, d.id ASC LIMIT ${below(60)}`;
    const by = pick([[], ["variable"], ["grp", "unit"]]);
    const sums = [
      "count(*) AS n",
      "count(d.value) AS held",
      "sum(value) AS s",
      "avg(value) AS a",
      "min(value) AS low",
      "max(d.unit) AS high",
    ];
    const group =
      by.length === 0 ? "" : ` GROUP BY ${by.join(", ")} ORDER BY ${order("n")}, ${by.map(order).join(", ")}`;
    return `SELECT ${[...by, ...sums].join(", ")}${where}${group}`;
  }

  it(`is that of SQLite, for ${STATEMENTS} statements`, async () => {
    const db = new OpenDatabase({ path: ":memory:" });
    db.exec("CREATE TABLE data (id TEXT, variable TEXT, value REAL, unit TEXT, grp TEXT)");
    db.exec("PRAGMA case_sensitive_like = ON");
    const stored = (await run(`SELECT * ${from()}`)).rows;
    expect(stored).toHaveLength(ROWS.length);
    for (const { id, variable, value, unit, group } of stored)
      db.run(
        "INSERT INTO data VALUES (?, ?, ?, ?, ?)",
        ...[id, variable, value, unit, group].map((one) => one as string),
      );
    for (let at = 0; at < STATEMENTS; at += 1) {
      const text = statement();
      const [select = "", rest = ""] = text.split(/(?= WHERE | GROUP BY | ORDER BY )(.*)/s);
      const expected = db.all(
        `${select} FROM data AS d${rest.replaceAll("ASC", "ASC NULLS LAST").replaceAll("DESC", "DESC NULLS FIRST")}`,
      );
      const ours = await run(
        `${select} ${from()}${rest}`.replaceAll("d.grp", 'd."group"').replaceAll(/\bgrp\b/g, '"group"'),
      );
      const named = ours.rows.map(({ group, ...row }) => (group === undefined ? row : { ...row, grp: group }));
      expect({ text, rows: named }).toEqual({ text, rows: expected });
    }
    db.close();
  });
});
