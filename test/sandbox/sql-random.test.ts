import { afterAll, beforeAll, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { type NewDevice, ok } from "./client.ts";

/** Of a record or a resource; a missing one is absent. */
type Row = Readonly<Record<string, unknown>>;
/** A condition as SQL, and what it is for a row: neither true nor false beside a missing value. */
type Condition = readonly [sql: string, holds: (row: Row) => boolean | undefined];

const START_MS = Date.parse("2026-03-01T00:00:00.000Z");
const VALUES = [12.5, -3, 40, "open", true, "12.5", undefined, 0, "closed", false, 7.25];
const recordsOf = (device: number): Row[] =>
  Array.from({ length: 60 }, (_, at) => ({
    variable: ["temperature", "humidity", "door"][(at + device) % 3],
    // Every other time is one of the other devices, too.
    time: new Date(START_MS + (at * 10 + (at % 2) * device) * 60_000).toISOString(),
    ...(at % 4 === 0 ? {} : { unit: ["C", "%", "a'b"][at % 3] }),
    ...(VALUES[(at * 7 + device) % VALUES.length] !== undefined && {
      value: VALUES[(at * 7 + device) % VALUES.length],
    }),
  }));

let sandbox: Sandbox;
const devices: {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly records: readonly Row[];
}[] = [];
let query: { readonly id: string };

const admin = <T>(method: string, path: string, body: object): Promise<T> =>
  ok<T>(sandbox, method, path, { token: sandbox.tokens.profile, body });

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  for (const [at, name] of ["Gate", "Shed", "Roof", "Old"].entries()) {
    const tags = [{ key: "kind", value: "sensor" }];
    const made = await admin<NewDevice>("POST", "/device", { name, tags });
    const records = recordsOf(at).map((row) => ({ ...row, device: made.device_id, device_name: name }));
    await ok(sandbox, "POST", "/data", { token: made.token, body: recordsOf(at) });
    if (name === "Old") await admin("PUT", `/device/${made.device_id}`, { active: false });
    devices.push({ id: made.device_id, name, active: name !== "Old", records });
  }
  query = await admin("POST", "/sql", { name: "random", query: "SELECT d.id FROM devices() AS d" });
});
afterAll(() => sandbox.close());

let random = 11;
/** A number below `most`, the same ones at every run. */
const below = (most: number): number => {
  random = (random * 48_271) % 2_147_483_647;
  return random % most;
};
const pick = <One>(list: readonly One[]): One => list[below(list.length)] as One;

/** What a value is compared as: a number where it reads as one. */
function comparable(value: unknown): string | number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number") return value;
  const text = String(value);
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function compared(sign: string, left: unknown, right: unknown): boolean | undefined {
  const [one, other] = [comparable(left), comparable(right)];
  if (one === undefined || other === undefined) return undefined;
  if (sign === "=") return one === other;
  if (sign === "<>") return one !== other;
  if (typeof one !== typeof other) return false;
  return { "<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other }[sign];
}

const not = (outcome: boolean | undefined): boolean | undefined => (outcome === undefined ? undefined : !outcome);
const both = (one: boolean | undefined, other: boolean | undefined): boolean | undefined =>
  one === false || other === false ? false : one === undefined || other === undefined ? undefined : true;
const either = (one: boolean | undefined, other: boolean | undefined): boolean | undefined =>
  not(both(not(one), not(other)));

const SIGNS = ["=", "<>", "<", "<=", ">", ">="];
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const like = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^$()|[\]{}\\]/g, "\\$&")
      .replaceAll("%", ".*")
      .replaceAll("_", ".")}$`,
    "s",
  );

/** A time in one of the notations of ISO 8601. */
function instant(): readonly [sql: string, iso: string] {
  const ms = START_MS + below(70) * 600_000;
  const iso = new Date(ms).toISOString();
  const shifted = new Date(ms + 7_200_000).toISOString().replace("Z", "+02:00");
  return [quoted(pick([iso, shifted, iso.replace(".000Z", "Z")])), iso];
}

/** A condition on a column of records, read from the alias. */
function single(alias: string): Condition {
  const of = (row: Row, name: string): unknown => row[name];
  const sign = pick(SIGNS);
  const [time, iso] = instant();
  const value = pick<readonly [string, unknown]>([
    [String(below(50) - 10), undefined],
    ["'open'", "open"],
    ["'12.5'", 12.5],
    ["true", "true"],
  ]);
  const constant = value[1] ?? Number(value[0]);
  const [low, high] = [below(20) - 5, below(40)];
  const pattern = pick(["%", "C", "_", "a'%", "%p%", "%c"]);
  const text = (row: Row, name: string): unknown => (row[name] === undefined ? undefined : String(row[name]));
  return pick<() => Condition>([
    () => [`${alias}value ${sign} ${value[0]}`, (row) => compared(sign, of(row, "value"), constant)],
    () => [`${value[0]} ${sign} ${alias}value`, (row) => compared(sign, constant, of(row, "value"))],
    () => [`${alias}time ${sign} ${time}`, (row) => compared(sign, of(row, "time"), iso)],
    () => [
      `${alias}value BETWEEN ${low} AND ${high}`,
      (row) => both(compared(">=", of(row, "value"), low), compared("<=", of(row, "value"), high)),
    ],
    () => [
      `${alias}variable IN ('door', 'humidity')`,
      (row) => of(row, "variable") === "door" || of(row, "variable") === "humidity",
    ],
    () => [
      `${alias}unit LIKE ${quoted(pattern)}`,
      (row) => (text(row, "unit") === undefined ? undefined : like(pattern).test(String(text(row, "unit")))),
    ],
    () => [`${alias}unit IS NULL`, (row) => of(row, "unit") === undefined],
    () => [`${alias}value IS NOT NULL`, (row) => of(row, "value") !== undefined],
    () => [`${alias}unit ${sign} '%'`, (row) => compared(sign, of(row, "unit"), "%")],
    () => [`${alias}unit = NULL`, () => undefined],
  ])();
}

function condition(depth: number, alias = ""): Condition {
  if (depth === 0 || below(3) === 0) return single(alias);
  const [one, first] = condition(depth - 1, alias);
  const [other, second] = condition(depth - 1, alias);
  return pick<Condition>([
    [`(${one}) AND (${other})`, (row) => both(first(row), second(row))],
    [`(${one}) OR (${other})`, (row) => either(first(row), second(row))],
    [`NOT (${one})`, (row) => not(first(row))],
  ]);
}

/** Numbers, then strings, then what is missing. */
function order(left: unknown, right: unknown, isDescending: boolean): number {
  const [one, other] = [comparable(left), comparable(right)];
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  const found =
    typeof one === typeof other ? (one < other ? -1 : one > other ? 1 : 0) : typeof one === "number" ? -1 : 1;
  return isDescending ? -found : found;
}

/** Booleans are compared as strings. */
const asBoolean = (value: unknown): unknown => (value === "true" || value === "false" ? value === "true" : value);

const shown = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]));

/** A statement, and the rows that plain JavaScript finds for it. */
interface Expected {
  readonly sql: string;
  readonly rows: readonly Row[];
}

const where = ([sql]: Condition): string => ` WHERE ${sql}`;

function plain(): Expected {
  const device = pick(devices);
  const test = condition(3);
  const isDescending = below(2) === 0;
  const name = pick(["value", "unit", "time", "variable"]);
  const most = below(40);
  const names = ["variable", "value", "unit", "time"];
  const rows = device.records
    .filter((row) => test[1](row) === true)
    .sort((a, b) => order(a[name], b[name], isDescending) || order(a["time"], b["time"], false));
  const sort = `ORDER BY ${name} ${isDescending ? "DESC" : "ASC"}, d.time LIMIT ${most}`;
  const sql = `SELECT variable, d.value, unit, time FROM device('${device.id}') AS d${where(test)} ${sort}`;
  return { sql, rows: rows.slice(0, most).map((row) => shown(row, names)) };
}

function aggregate(): Expected {
  const device = pick(devices);
  const test = condition(2, "d.");
  const by = pick([["variable"], ["unit", "variable"], []]);
  const groups = new Map<string, Row[]>(by.length === 0 ? [["[]", []]] : []);
  for (const row of device.records.filter((one) => test[1](one) === true)) {
    const key = JSON.stringify(by.map((name) => row[name] ?? null));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const rows = [...groups].map(([key, all]) => {
    const keys = JSON.parse(key) as unknown[];
    const held = all.flatMap(({ value }) => comparable(value) ?? []).sort((a, b) => order(a, b, false));
    const numbers = all.flatMap(({ value }) => (typeof value === "number" ? [value] : []));
    const sum = numbers.reduce((total, number) => total + number, 0);
    const times = all.map(({ time }) => String(time)).sort();
    return {
      ...Object.fromEntries(by.map((name, at) => [name, keys[at]])),
      n: all.length,
      held: held.length,
      total: numbers.length === 0 ? null : sum,
      mean: numbers.length === 0 ? null : sum / numbers.length,
      low: asBoolean(held[0] ?? null),
      high: asBoolean(held.at(-1) ?? null),
      last_at: times.at(-1) ?? null,
    };
  });
  rows.sort((a, b) => by.reduce((found, name) => found || order((a as Row)[name], (b as Row)[name], false), 0));
  const items =
    "COUNT(*) AS n, count(value) AS held, SUM(value) AS total, AVG(d.value) AS mean, MIN(value) AS low, MAX(value) AS high, MAX(time) AS last_at";
  const tail = by.length === 0 ? "" : ` GROUP BY ${by.join(", ")} ORDER BY ${by.join(", ")}`;
  const sql = `SELECT ${[...by, items].join(", ")} FROM device('${device.id}') AS d${where(test)}${tail}`;
  return { sql, rows };
}

function joined(): Expected {
  const [one, other] = [pick(devices), pick(devices)];
  const [left, right] = [condition(1, "a."), condition(1, "b.")];
  const rows = one.records.flatMap((a) =>
    other.records
      .filter((b) => a["time"] === b["time"] && both(left[1](a), right[1](b)) === true)
      .map((b) => ({ time: a["time"], first: a["value"] ?? null, second: b["value"] ?? null })),
  );
  rows.sort((a, b) => order(a.time, b.time, true));
  const from = `device('${one.id}') AS a JOIN device('${other.id}') AS b ON a.time = b.time`;
  const sql = `SELECT a.time, a.value AS first, b.value AS second FROM ${from} WHERE (${left[0]}) AND (${right[0]}) ORDER BY a.time DESC`;
  return { sql, rows };
}

function fleet(): Expected {
  const test = condition(1);
  const variable = pick(["temperature", "humidity", "door"]);
  const [time, iso] = instant();
  const rows = devices.flatMap(({ active, records }) => {
    const fitting = records.filter(
      (row) => row["variable"] === variable && String(row["time"]) > iso && test[1](row) === true,
    );
    const newest = fitting.sort((a, b) => order(a["time"], b["time"], true))[0];
    return active && newest !== undefined ? [shown(newest, ["device", "device_name", "value", "time"])] : [];
  });
  const conditions = `variable = '${variable}' AND time > ${time} AND (${test[0]})`;
  const sql = `SELECT device, device_name, value, time FROM device_data_by_tag('kind', 'sensor') AS f WHERE ${conditions} ORDER BY device`;
  return { sql, rows };
}

function inventory(): Expected {
  const pattern = pick(["%", "%e%", "R%", "_____", "Gate"]);
  const isActive = below(2) === 0;
  const isAnd = below(2) === 0;
  const found = devices.filter(({ active, name }) => {
    const [one, other] = [active === isActive, like(pattern).test(name)];
    return isAnd ? one && other : one || other;
  });
  const rows = found.map(({ id, name, active }) => ({ id, name, active })).sort((a, b) => order(a.name, b.name, true));
  const test = `active = ${isActive} ${isAnd ? "AND" : "OR"} name LIKE ${quoted(pattern)}`;
  return {
    sql: `SELECT id, name, active FROM devices_tag('kind', 'sensor') AS d WHERE ${test} ORDER BY name DESC`,
    rows,
  };
}

async function tryStatements(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const { sql, rows } = pick([plain, plain, plain, aggregate, aggregate, joined, fleet, inventory])();
    await admin("PUT", `/sql/${query.id}`, { name: "random", query: sql });
    const result = await admin<{ rows: Row[] }>("POST", `/sql/${query.id}/execute`, {});
    expect({ sql, rows: result.rows }).toEqual({ sql, rows });
  }
}

it("the result of random statements is that of plain JavaScript", () => tryStatements(25));

it.each(Array.from({ length: 10 }, (_, hundred) => hundred + 1))(
  "the result of 1,000 random statements is that of plain JavaScript, hundred %i",
  { tags: ["slow"] },
  () => tryStatements(100),
);
