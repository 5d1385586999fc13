import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertDates, toDate } from "../../../src/lib/api/dates.ts";

/** What the platform's own form means: a date when the engine reads one, else the text. */
function reference(text: string): unknown {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date;
}

const digits = (length: number, max: number) =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(length, "0"));

describe("moments", () => {
  it("are read as the engine reads them, anywhere between the years -271821 and 275760", { tags: ["slow"] }, () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        expect(toDate(date.toISOString())).toEqual(date);
      }),
      { numRuns: 20_000 },
    );
  });

  it("agree with the engine on every text of the same form, moments or not", { tags: ["slow"] }, () => {
    const parts = [
      digits(4, 9999),
      digits(2, 14),
      digits(2, 33),
      digits(2, 26),
      digits(2, 62),
      digits(2, 62),
      digits(3, 999),
    ];
    const form = fc.tuple(...parts).map(([y, mo, d, h, mi, s, ms]) => `${y}-${mo}-${d}T${h}:${mi}:${s}.${ms}Z`);
    fc.assert(
      fc.property(form, (text) => {
        expect(toDate(text)).toEqual(reference(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it("agree with the engine when one character of a moment is another one", { tags: ["slow"] }, () => {
    const near = fc
      .tuple(
        fc.date({ min: new Date("1500-01-01"), max: new Date("2600-01-01"), noInvalidDate: true }),
        fc.nat(23),
        fc.constantFrom(..."0159:-+.TZz x/:"),
      )
      .map(([date, at, mark]) => {
        const text = date.toISOString();
        return text.slice(0, at) + mark + text.slice(at + 1);
      })
      // What does not start like a date is no date, even if the engine could make something of it.
      .filter((text) => /^\d{4}-\d{2}/.test(text));
    fc.assert(
      fc.property(near, (text) => {
        expect(toDate(text)).toEqual(reference(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    "1600-02-29T00:00:00.000Z",
    "1700-02-28T23:59:59.999Z",
    "1900-03-01T00:00:00.000Z",
    "1969-12-31T23:59:59.999Z",
    "1970-01-01T00:00:00.000Z",
    "2000-02-28T12:00:00.000Z",
    "2000-03-01T00:00:00.000Z",
    "2024-02-29T00:00:00.000Z",
    "2100-03-01T00:00:00.000Z",
    "2024-02-30T00:00:00.000Z",
    "2023-02-29T00:00:00.000Z",
    "2024-12-31T24:00:00.000Z",
    "2024-01-31T12:00:60.000Z",
    "2024-01-31T12:60:00.000Z",
    "2024-13-01T00:00:00.000Z",
    "2024-00-10T00:00:00.000Z",
    "2024-01-00T00:00:00.000Z",
    "2024-01-31T12:00:00.00 Z",
    "2024-01-31T12:00:00Z",
    "2024-01-31T12:00:00+02:00",
    "2024-01-31",
    "+012024-01-31T12:00:00.000Z",
    "Wed, 31 Jan 2024 12:00:00 GMT",
  ])("%s is what the engine makes of it", (text) => {
    expect(toDate(text)).toEqual(reference(text));
  });

  it.each([
    "never",
    "",
    "Pump 3",
    "Line 2024",
    "1",
    "42",
    "12",
    "2024",
    "May",
    "Sunday Pump",
    "soon",
    "2024-99",
    "null",
  ])("%j stays a text", (text) => {
    expect(toDate(text)).toBe(text);
  });

  it.each([null, undefined, 0, 1_700_000_000_000, true, Number.NaN])("%s stays as it is", (value) => {
    expect(toDate(value)).toBe(value);
  });
});

function withDates<Value>(value: Value, paths: readonly string[]): unknown {
  convertDates(value, paths);
  return value;
}

describe("results with dates", () => {
  const moment = "2024-03-05T10:20:30.000Z";
  const date = new Date(moment);

  it("have the named members converted and all others left", () => {
    const input = { id: moment, created_at: moment, last_input: "never", updated_at: null, name: "Pump" };
    expect(withDates(input, ["created_at", "last_input", "updated_at", "missing"])).toStrictEqual({
      id: moment,
      created_at: date,
      last_input: "never",
      updated_at: null,
      name: "Pump",
    });
  });

  it("are converted through dotted paths, lists on the way item by item", () => {
    expect(withDates({ info: { created_at: moment, name: moment } }, ["info.created_at"])).toStrictEqual({
      info: { created_at: date, name: moment },
    });
    expect(withDates({ events: [{ date: moment }, { date: "x" }, null, 7] }, ["events.date"])).toStrictEqual({
      events: [{ date }, { date: "x" }, null, 7],
    });
    expect(withDates([{ a: { b: [{ c: moment }] } }, {}], ["a.b.c", "a.d"])).toStrictEqual([
      { a: { b: [{ c: date }] } },
      {},
    ]);
  });

  it.each([
    ["a text on the way", { info: moment }, ["info.created_at"]],
    ["null on the way", { info: null }, ["info.created_at"]],
    ["an object where a date was named", { time: { time: moment } }, ["time"]],
    ["an inherited name", {}, ["constructor", "toString.name", "__proto__.created_at"]],
  ])("stay whole with %s", (_name, input, paths) => {
    expect(withDates(input, paths)).toStrictEqual(input);
  });

  it.each([null, undefined, 5, "text", true])("that are %s stay", (value) => {
    expect(withDates(value, ["time"])).toBe(value);
  });

  it("are the objects that arrived, not copies", () => {
    const row = { date: moment };
    const input = { created_at: moment, info: { created_at: moment }, list: [row, null, "never"] };
    const { info, list } = input;
    withDates(input, ["created_at", "info.created_at", "list.date"]);
    expect(input).toStrictEqual({ created_at: date, info: { created_at: date }, list: [{ date }, null, "never"] });
    expect([input.info, input.list, list[0]]).toEqual([info, list, row]);
    expect(input.info === info && list[0] === row).toBe(true);
  });

  it("take a member called __proto__ as any other", () => {
    const input = JSON.parse(
      `{"__proto__":{"created_at":"${moment}","admin":true},"created_at":"${moment}"}`,
    ) as object;
    const result = withDates(input, ["created_at"]) as Record<string, unknown>;
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(result["admin"]).toBeUndefined();
    expect(Object.hasOwn(result, "__proto__")).toBe(true);
    expect(result["created_at"]).toEqual(date);
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });
});
