import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseDataQuery } from "../../../src/sandbox/data/query.ts";
import type { WireRow } from "../../../src/sandbox/data/types.ts";
import { growthOf, IN_PROPORTION } from "../../helpers/growth.ts";
import { immutable, mutable, NOW_MS, openStore, type TestStore } from "./store-helper.ts";

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

const minutesAgo = (minutes: number): string => new Date(NOW_MS - minutes * 60_000).toISOString();

/** `count` rows of a variable, one a minute, valued 0 for the newest. */
function fill(variable: string, count: number): void {
  store.write(
    mutable,
    Array.from({ length: count }, (_, index) => ({ variable, value: index, time: minutesAgo(index) })),
  );
}

const values = (rows: readonly WireRow[]): unknown[] => rows.map((row) => row.value);
const refusal = (message: string) => expect.objectContaining({ status: 400, message });

describe("a page of data", () => {
  it("has the 15 newest rows when nothing is asked", () => {
    fill("a", 20);
    expect(values(store.rows(mutable, {}))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  });

  it("counts qty and skip for each variable, in the order asked", () => {
    fill("a", 20);
    fill("b", 3);
    const rows = store.rows(mutable, { variables: ["b", "a"], qty: "2", skip: "1" });
    expect(rows.map((row) => [row.variable, row.value])).toEqual([
      ["b", 1],
      ["b", 2],
      ["a", 1],
      ["a", 2],
    ]);
  });

  it("shares 10,000 rows among the variables", () => {
    const names = Array.from({ length: 3 }, (_, index) => `v${index}`);
    expect(parseDataQuery({ variables: names, qty: "5000" }, NOW_MS).question).toMatchObject({ qty: 3_333 });
    expect(parseDataQuery({ variables: names, qty: "3333" }, NOW_MS).question).toMatchObject({ qty: 3_333 });
    expect(parseDataQuery({ variables: ["a"], qty: "50000" }, NOW_MS).question).toMatchObject({ qty: 10_000 });
    expect(parseDataQuery({ qty: "50000" }, NOW_MS).question).toMatchObject({ qty: 10_000 });
  });

  it.each(["0", "-4", "many", "", "NaN"])("takes qty=%j for 15", (qty) => {
    expect(parseDataQuery({ qty }, NOW_MS).question).toMatchObject({ qty: 15, skip: 0 });
  });

  it("takes the first of two equal times last when ascending, and first when descending is asked", () => {
    store.write(mutable, [
      { variable: "a", value: "first", time: minutesAgo(1) },
      { variable: "a", value: "second", time: minutesAgo(1) },
    ]);
    expect(values(store.rows(mutable, { ordination: "ascending" }))).toEqual(["first", "second"]);
    expect(values(store.rows(mutable, {}))).toEqual(["second", "first"]);
  });

  it("leaves out what a row does not have, and created_at unless details are asked", () => {
    const [stored] = store.write(mutable, { variable: "a", value: null, unit: null, location: null, group: "g" });
    expect(store.rows(mutable, {})).toEqual([
      { id: stored?.id, device: mutable.id, variable: "a", group: "g", time: "2026-05-14T10:30:00.000Z" },
    ]);
    expect(store.rows(mutable, { details: "TRUE" })[0]).toHaveProperty("created_at", "2026-05-14T10:30:00.000Z");
  });

  it("finds a value by its text, whatever its type", () => {
    store.write(
      mutable,
      [25, "25", 25.5, true, "true", "", "0025"].map((value) => ({ variable: "a", value })),
    );
    expect(values(store.rows(mutable, { value: "25", ordination: "asc" }))).toEqual([25, "25"]);
    expect(values(store.rows(mutable, { values: ["true", "25.5"], ordination: "asc" }))).toEqual([25.5, true, "true"]);
  });

  it("reads a name with commas from a list, and several names from one text", () => {
    fill("a", 1);
    fill("b", 1);
    store.write(mutable, { variable: "a,b", value: "odd" });
    expect(values(store.rows(mutable, { variables: ["a,b"] }))).toEqual(["odd"]);
    expect(values(store.rows(mutable, { variables: "a,b" }))).toEqual([0, 0]);
  });

  it("holds 10,000 of 50,000 rows, read in a time in proportion to their number", { tags: ["slow"] }, async () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => ({
      variable: "a",
      value: index,
      group: "g",
      timeMs: NOW_MS - index * 1000,
    }));
    store.writeHistory(mutable, rows);
    const read = (qty: number) =>
      expect(store.rows(mutable, { qty: String(qty), skip: String(4 * qty) })).toHaveLength(qty);
    expect(await growthOf(read, 1_250)).toBeLessThan(IN_PROPORTION);
  });
});

describe("queries that name one thing", () => {
  beforeEach(() => {
    store.write(mutable, { variable: "a", value: 5, time: minutesAgo(3) });
    store.write(mutable, { variable: "a", value: "text", time: minutesAgo(9) });
    store.write(mutable, { variable: "a", location: { lat: 1, lng: 2 }, time: minutesAgo(1) });
    store.write(mutable, { variable: "b", value: -2, time: minutesAgo(2) });
  });

  it.each([
    ["last_item", [undefined, -2]],
    ["first_item", ["text", -2]],
    ["last_value", [5, -2]],
    ["first_value", ["text", -2]],
    ["last_location", [undefined]],
    ["last_insert", [undefined, -2]],
    ["first_insert", [5, -2]],
    ["min", [5, -2]],
    ["max", [5, -2]],
  ])("%s answers one row for each variable", (query, expected) => {
    expect(values(store.rows(mutable, { query }))).toEqual(expected);
  });

  it("keep the order of the variables asked, and pass over those without a row", () => {
    expect(values(store.rows(mutable, { query: "last_value", variables: ["b", "none", "a"] }))).toEqual([-2, 5]);
  });

  it("take no notice of qty", () => {
    expect(store.rows(mutable, { query: "last_item", qty: "1" })).toHaveLength(2);
  });
});

describe("queries that answer a number", () => {
  it("count every matching row", () => {
    fill("a", 30);
    fill("b", 2);
    expect(store.ask(mutable, { query: "count" })).toBe(32);
    expect(store.ask(mutable, { query: "count", variable: "B" })).toBe(2);
    expect(store.ask(mutable, { query: "count", start_date: minutesAgo(4) })).toBe(7);
  });

  it("average and add up numbers only", () => {
    store.write(
      mutable,
      [1, 2, 6, "100", true].map((value) => ({ variable: "a", value })),
    );
    expect(store.ask(mutable, { query: "avg", start_date: "1 day" })).toBe(3);
    expect(store.ask(mutable, { query: "sum", start_date: "1 day" })).toBe(9);
  });

  it("are 0 over nothing", () => {
    expect(store.ask(mutable, { query: "avg", start_date: "1 day" })).toBe(0);
    expect(store.ask(mutable, { query: "sum", start_date: "1 day" })).toBe(0);
  });

  it("stay numbers that JSON can carry", () => {
    store.write(mutable, Array(3).fill({ variable: "a", value: 1.7e308 }));
    expect(store.ask(mutable, { query: "sum", start_date: "1 day" })).toBe(Number.MAX_VALUE);
  });

  it.each(["avg", "sum"])("%s needs a start, and a range of about a month", (query) => {
    expect(() => store.ask(mutable, { query })).toThrow(refusal("start_date field is required"));
    const tooLong = refusal(`The maximum range for ${query} is 1 month between start_end and end_date`);
    expect(() => store.ask(mutable, { query, start_date: "2 months" })).toThrow(tooLong);
    expect(() => store.ask(mutable, { query, start_date: "2026-01-01", end_date: "2026-03-01" })).toThrow(tooLong);
    expect(store.ask(mutable, { query, start_date: "1 month" })).toBe(0);
    expect(store.ask(mutable, { query, start_date: "2026-01-01", end_date: "2026-01-31" })).toBe(0);
  });
});

describe("aggregates", () => {
  it("give one row per interval that holds numbers, the newest first, at its start in UTC", () => {
    const row = (time: string, value: unknown): object => ({ variable: "a", value, time });
    store.write(mutable, [
      row("2026-05-14T10:00:00Z", 1),
      row("2026-05-14T00:00:00Z", 3),
      row("2026-05-12T23:59:59.999Z", 10),
      row("2026-05-13T12:00:00Z", "text"),
    ]);
    const params = { query: "aggregate", interval: "day", function: "avg", timezone: "Asia/Tokyo" };
    expect(store.ask(mutable, params)).toEqual([
      { variable: "a", value: 2, time: "2026-05-14T00:00:00.000Z", device: mutable.id },
      { variable: "a", value: 10, time: "2026-05-12T00:00:00.000Z", device: mutable.id },
    ]);
  });

  it("are cut at 10,000 rows and have no other limit", () => {
    const rows = Array.from({ length: 10_020 }, (_, index) => ({
      variable: index < 20 ? "a" : "b",
      value: 1,
      group: "g",
      timeMs: NOW_MS - index * 60_000,
    }));
    store.writeHistory(mutable, rows);
    const found = store.rows(mutable, { query: "aggregate", interval: "minute", function: "max", qty: "3" });
    expect(found).toHaveLength(10_000);
    expect(found.filter((row) => row.variable === "a")).toHaveLength(20);
  });

  it.each([
    [{ function: "avg" }, "Invalid interval"],
    [{ function: "avg", interval: "week" }, "Invalid interval"],
    [{ interval: "day" }, "Invalid function"],
    [{ interval: "day", function: "median" }, "Invalid function"],
  ])("refuse %j", (params, message) => {
    expect(() => store.ask(mutable, { query: "aggregate", ...params })).toThrow(refusal(message));
  });

  it("by variable answer at the time of asking", () => {
    store.write(
      mutable,
      [1, 4].map((value) => ({ variable: "a", value, time: minutesAgo(90) })),
    );
    store.write(mutable, { variable: "b", value: "text" });
    const row = { variable: "a", time: "2026-05-14T10:30:00.000Z", device: mutable.id };
    expect(store.ask(mutable, { query: "avg_by_variable", start_date: "1 day" })).toEqual([{ ...row, value: 2.5 }]);
    expect(store.ask(mutable, { query: "max_by_variable" })).toEqual([{ ...row, value: 4 }]);
    expect(store.ask(mutable, { query: "count_by_variable" })).toEqual([
      { ...row, value: 2 },
      { ...row, variable: "b", value: 1 },
    ]);
  });
});

describe("conditional queries", () => {
  const asked = { query: "conditional", start_date: "1 day", function: "gte", value: "3" };

  it("compare numbers, the newest first, up to qty", () => {
    fill("a", 30);
    store.write(mutable, { variable: "b", value: "99" });
    expect(values(store.rows(mutable, { ...asked, qty: "3" }))).toEqual([3, 4, 5]);
    expect(store.rows(mutable, asked)).toHaveLength(15);
    expect(values(store.rows(mutable, { ...asked, function: "lt" }))).toEqual([0, 1, 2]);
    expect(values(store.rows(mutable, { ...asked, function: "eq", value: "7" }))).toEqual([7]);
  });

  it.each([
    [{ start_date: "" }, "start_date field is required"],
    [{ function: "like" }, "Invalid function"],
    [{ function: undefined }, "Invalid function"],
    [{ value: "warm" }, "Invalid value"],
    [{ value: undefined }, "Invalid value"],
  ])("refuse %j", (params, message) => {
    expect(() => store.ask(mutable, { ...asked, ...params })).toThrow(refusal(message));
  });
});

describe("queries that are not known", () => {
  it.each(["median", "LAST_ITEM", "constructor", "toString"])("refuse %s", (query) => {
    expect(() => store.ask(mutable, { query })).toThrow(refusal("Invalid query"));
  });

  it("refuse ids on immutable storage", () => {
    expect(() => store.ask(immutable, { ids: ["1"] })).toThrow(
      refusal("Filter using ID(s) is not supported on Immutable Storage Type"),
    );
  });

  it("survive parameters of every strange form", () => {
    fill("a", 2);
    for (const odd of [{ a: { b: ["x"] } }, [[[]]], null, 5, true, "\0", "'; DROP TABLE device_data; --", "\ud800"]) {
      for (const name of ["variables", "groups", "ids", "values", "qty", "skip", "details", "ordination"]) {
        expect(Array.isArray(store.ask(mutable, { [name]: odd })), `${name}=${JSON.stringify(odd)}`).toBe(true);
      }
    }
    expect(store.amount(mutable.id)).toBe(2);
  });
});
