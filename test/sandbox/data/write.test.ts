import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hybrid, immutable, mutable, NOW_MS, openStore, type TestStore } from "./store-helper.ts";

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const at = (offsetMs: number): string => new Date(NOW_MS + offsetMs).toISOString();

/** The field errors of a refused body, by field. */
function problems(body: unknown): Record<string, readonly string[]> {
  try {
    store.write(mutable, body);
  } catch (error) {
    expect(error).toMatchObject({ status: 400, message: "Error on Body parameters" });
    return (error as { fieldErrors: Record<string, readonly string[]> }).fieldErrors;
  }
  throw new Error("The body was stored");
}

describe("a written row", () => {
  it("keeps the type of its value", () => {
    store.write(
      mutable,
      [25, "25", true, false, "", 0, -1.5e-7].map((value) => ({ variable: "a", value })),
    );
    const rows = store.rows(mutable, { ordination: "ascending" });
    expect(rows.map((row) => row.value)).toEqual([25, "25", true, false, "", 0, -1.5e-7]);
  });

  it("has a lower-case variable, an id, a group and the present time", () => {
    const [row] = store.write(mutable, { variable: "TempÉrature", id: "mine", created_at: "1999-01-01", device: "x" });
    expect(row).toMatchObject({ device: mutable.id, variable: "température", time: at(0) });
    expect(row?.id).toMatch(/^[0-9a-f]{24}$/);
    expect(row?.group).toMatch(/^[0-9a-f]{24}$/);
    expect(store.rows(mutable, { details: "true" })[0]?.created_at).toBe(at(0));
  });

  it("shares one new group with the rows of its request that name none", () => {
    const [a, b, c] = store.write(mutable, [{ variable: "a" }, { variable: "b" }, { variable: "c", group: "own" }]);
    const [next] = store.write(mutable, { variable: "a" });
    expect(a?.group).toBe(b?.group);
    expect(c?.group).toBe("own");
    expect(next?.group).not.toBe(a?.group);
    const idBackwards = [...(a?.group ?? "")].reverse().join("");
    expect(Number.parseInt(idBackwards.slice(0, 8), 16)).toBe(NOW_MS / 1000);
  });

  it("takes its group from serie, and takes an empty one for none", () => {
    const rows = store.write(mutable, [
      { variable: "a", serie: "s1" },
      { variable: "a", serie: "s1", group: "g1" },
      { variable: "a", group: "" },
      { variable: "a", serie: 1_631_814_703_672 },
      { variable: "a", group: 5 },
    ]);
    expect(rows.map((row) => row.group)).toEqual([
      ...["s1", "g1", expect.stringMatching(/^[0-9a-f]{24}$/)],
      ...["1631814703672", "5"],
    ]);
  });

  it.each([
    ["2026-05-01T10:00:00+02:00", "2026-05-01T08:00:00.000Z"],
    ["2026-05-01 10:00:00", "2026-05-01T10:00:00.000Z"],
    [1_777_629_600_123, "2026-05-01T10:00:00.123Z"],
    [null, "2026-05-14T10:30:00.000Z"],
  ])("understands the time %j", (time, expected) => {
    expect(store.write(mutable, { variable: "a", time })[0]?.time).toBe(expected);
  });

  it.each([
    [{ lat: 10, lng: -20.5 }],
    [{ lat: "10", lng: "-20.5" }],
    [{ type: "Point", coordinates: [-20.5, 10] }],
    [{ coordinates: [-20.5, 10] }],
    [{ coordinates: [-20.5, 10, 300] }],
  ])("understands the location %j", (location) => {
    const [row] = store.write(mutable, { variable: "a", location });
    expect(row?.location).toEqual({ type: "Point", coordinates: [-20.5, 10] });
  });

  it("keeps metadata as it is", () => {
    const metadata = { color: "red", x: "0.5", nested: { list: [1, null, "ü"] }, __proto__: undefined };
    store.write(mutable, { variable: "a", metadata });
    expect(store.rows(mutable, {})[0]?.metadata).toEqual({ color: "red", x: "0.5", nested: { list: [1, null, "ü"] } });
  });

  it("keeps texts whatever is in them", () => {
    const texts = ["'quoted'", '"', "\\", "\u2028", "nul \0 inside", "emoji 🚚", "\ud800", "-- comment"];
    for (const value of texts) store.write(mutable, { variable: "a", value, unit: value, metadata: { value } });
    const rows = store.rows(mutable, { ordination: "ascending" });
    expect(rows.map((row) => row.value)).toEqual(texts);
    expect(rows.map((row) => row.metadata)).toEqual(texts.map((value) => ({ value })));
    expect(store.rows(mutable, { values: ["nul \0 inside"] })).toHaveLength(1);
  });

  it("may be as large as the limits say", () => {
    store.write(mutable, {
      variable: "v".repeat(100),
      value: "x".repeat(6_144),
      unit: "u".repeat(25),
      group: "g".repeat(100),
      metadata: { text: "m".repeat(10_000) },
    });
    expect(store.amount(mutable.id)).toBe(1);
  });
});

describe("a body that breaks a rule", () => {
  it.each<[string, unknown, string]>([
    ["without a variable", { value: 1 }, "variable"],
    ["with an empty variable", { variable: "" }, "variable"],
    ["with a numeric variable", { variable: 5 }, "variable"],
    ["with a long variable", { variable: "v".repeat(101) }, "variable"],
    ...["*", "?", "!", "<", ">", ".", "-", "=", "$", " "].map((char): [string, unknown, string] => [
      `with ${char} in the variable`,
      { variable: `a${char}b` },
      "variable",
    ]),
    ["with NUL in the variable", { variable: "a\0" }, "variable"],
    ["with an object as value", { variable: "a", value: {} }, "value"],
    ["with a list as value", { variable: "a", value: [1] }, "value"],
    ["with a long value", { variable: "a", value: "é".repeat(3_100) }, "value"],
    ["with a numeric unit", { variable: "a", unit: 5 }, "unit"],
    ["with a long unit", { variable: "a", unit: "u".repeat(26) }, "unit"],
    ["with a long group", { variable: "a", group: "g".repeat(101) }, "group"],
    ["with a group that is no text", { variable: "a", group: [5] }, "group"],
    ["with a bad time", { variable: "a", time: "yesterday" }, "time"],
    ["with a time that is no date", { variable: "a", time: true }, "time"],
    ["with a latitude of 91", { variable: "a", location: { lat: 91, lng: 0 } }, "location"],
    ["with a longitude of -181", { variable: "a", location: { lat: 0, lng: -181 } }, "location"],
    ["with a latitude that is no number", { variable: "a", location: { lat: "north", lng: "0" } }, "location"],
    ["with half a location", { variable: "a", location: { lat: 1 } }, "location"],
    ["with another shape", { variable: "a", location: { type: "Polygon", coordinates: [1, 2] } }, "location"],
    ["with a text as location", { variable: "a", location: "1,2" }, "location"],
    ["with a text as metadata", { variable: "a", metadata: "red" }, "metadata"],
    ["with large metadata", { variable: "a", metadata: { text: "m".repeat(10_240) } }, "metadata"],
    ["that is a text", "temperature=5", "data"],
    ["that is not there", undefined, "data"],
  ])("%s is refused by field", (_name, body, field) => {
    expect(Object.keys(problems(body))).toEqual([field]);
    expect(store.amount(mutable.id)).toBe(0);
  });

  it("names the row and every field, and stores none of its rows", () => {
    const body = [{ variable: "fine" }, { variable: "a b", value: {}, time: "never" }, null];
    expect(Object.keys(problems(body))).toEqual(["1.time", "1.variable", "1.value", "2.data"]);
    expect(store.amount(mutable.id)).toBe(0);
  });

  it("reports a bounded number of problems", () => {
    expect(Object.keys(problems(Array(5_000).fill({})))).toHaveLength(20);
  });

  it("is mended when the sandbox is lenient", () => {
    const lenient = openStore({ lenient: true });
    expect(lenient.write(mutable, { variable: "Room 1.Temp-A" })[0]?.variable).toBe("room_1_temp_a");
    lenient.close();
  });
});

describe("mutable storage", () => {
  it("holds 50,000 rows and not one more", { tags: ["slow"] }, () => {
    const rows = Array.from({ length: 49_999 }, (_, index) => ({
      variable: "a",
      group: "g",
      timeMs: NOW_MS - index,
    }));
    store.writeHistory(mutable, rows);
    store.write(mutable, { variable: "a" });
    const full = expect.objectContaining({
      status: 400,
      message: "The device has reached the limit of 50000 data registers",
    });
    expect(() => store.write(mutable, { variable: "a" })).toThrow(full);
    store.erase(mutable, { qty: "2" });
    expect(() => store.write(mutable, [{ variable: "a" }, { variable: "a" }, { variable: "a" }])).toThrow(full);
    store.write(mutable, [{ variable: "a" }, { variable: "a" }]);
    expect(store.amount(mutable.id)).toBe(50_000);
  });
});

describe("immutable storage", () => {
  it("takes times from its first kept period to the end of tomorrow", () => {
    for (const time of ["2026-03-01T00:00:00.000Z", "2026-05-15T23:59:59.999Z"]) {
      store.write(immutable, { variable: "a", time });
    }
    const outside = expect.objectContaining({
      status: 400,
      message: "Time must be between 2026-03-01T00:00:00.000Z and 2026-05-15T23:59:59.999Z",
    });
    for (const time of ["2026-02-28T23:59:59.999Z", "2026-05-16T00:00:00.000Z"]) {
      expect(() => store.write(immutable, [{ variable: "a" }, { variable: "a", time }])).toThrow(outside);
    }
    expect(store.amount(immutable.id)).toBe(2);
  });

  it("refuses edits and deletions", () => {
    const [row] = store.write(immutable, { variable: "a" });
    expect(() => store.edit(immutable, { id: row?.id, value: 1 })).toThrow("You cannot edit data on immutable device");
    expect(() => store.erase(immutable, {})).toThrow("Data in immutable devices cannot be deleted");
  });

  it("lists its chunks, the newest last, and removes one", () => {
    store.write(immutable, [
      { variable: "a" },
      { variable: "a", time: "2026-03-05" },
      { variable: "b", time: "2026-03-06" },
    ]);
    expect(store.chunks(immutable)).toEqual([
      {
        id: "1772323200_1775001599",
        from: "2026-03-01T00:00:00.000+00:00",
        to: "2026-03-31T23:59:59.999+00:00",
        amount: 2,
      },
      {
        id: "1777593600_1780271999",
        from: "2026-05-01T00:00:00.000+00:00",
        to: "2026-05-31T23:59:59.999+00:00",
        amount: 1,
      },
    ]);
    store.removeChunk(immutable, "1772323200_1775001599");
    expect(store.rows(immutable, {})).toHaveLength(1);
    expect(() => store.removeChunk(immutable, "1772323200_1775001599")).toThrow(
      expect.objectContaining({ status: 404, message: "Chunk Not Found" }),
    );
  });

  it.each([
    ["day", 2, "2026-05-12T00:00:00.000Z"],
    ["week", 1, "2026-05-04T00:00:00.000Z"],
    ["month", 3, "2026-02-01T00:00:00.000Z"],
    ["quarter", 1, "2026-01-01T00:00:00.000Z"],
  ] as const)("keeps the current %s and %i older ones", (chunkPeriod, chunkRetention, first) => {
    const device = { ...immutable, chunkPeriod, chunkRetention };
    const before = new Date(Date.parse(first) - 1).toISOString();
    store.write(device, { variable: "a", time: first });
    expect(() => store.write(device, { variable: "a", time: before })).toThrow(`Time must be between ${first} and`);
  });

  it("forgets chunks past their retention as time goes by", () => {
    store.write(immutable, [{ variable: "old", time: "2026-03-31T23:00:00Z" }, { variable: "new" }]);
    store.clock.set(Date.parse("2026-05-31T23:59:59.999Z"));
    expect(store.rows(immutable, {})).toHaveLength(2);
    store.clock.set(Date.parse("2026-06-01T00:00:00.000Z"));
    expect(store.rows(immutable, {}).map((row) => row.variable)).toEqual(["new"]);
    expect(store.count(immutable)).toBe(1);
    expect(store.chunks(immutable)).toHaveLength(1);
  });
});

describe("hybrid storage", () => {
  it("sends each variable to its side by the pattern, which need not match it whole", () => {
    store.write(hybrid, [
      { variable: "Setting_limit", time: at(-400 * DAY_MS) },
      { variable: "driver_note" },
      { variable: "speed" },
    ]);
    expect(store.chunks(hybrid)).toEqual([expect.objectContaining({ amount: 1 })]);
    expect(() => store.write(hybrid, { variable: "speed", time: at(-400 * DAY_MS) })).toThrow("Time must be between");
  });

  it("edits and deletes on the mutable side only", () => {
    const rows = store.write(hybrid, [{ variable: "setting_a" }, { variable: "speed" }]);
    expect(
      store.edit(
        hybrid,
        rows.map((row) => ({ id: row.id, value: 9 })),
      ),
    ).toBe(1);
    expect(store.erase(hybrid, { qty: "10" })).toBe(1);
    expect(store.rows(hybrid, {}).map((row) => [row.variable, row.value])).toEqual([["speed", undefined]]);
  });

  it("is emptied by side, or whole", () => {
    const both = [{ variable: "setting_a" }, { variable: "speed" }];
    store.write(hybrid, both);
    store.empty(hybrid, "mutable");
    expect(store.rows(hybrid, {}).map((row) => row.variable)).toEqual(["speed"]);
    store.write(hybrid, both);
    store.empty(hybrid, "immutable");
    expect(store.rows(hybrid, {}).map((row) => row.variable)).toEqual(["setting_a"]);
    store.empty(hybrid);
    expect(store.isEmpty?.(hybrid.id)).toBe(true);
  });

  it("takes a pattern that is no regular expression for one that matches nothing", () => {
    const device = { ...hybrid, mutableVariableRegex: "([" };
    store.write(device, { variable: "setting_a" });
    expect(store.chunks(device)).toHaveLength(1);
  });
});

describe("an edit", () => {
  it("replaces the members sent, clears those sent as null, and keeps the rest", () => {
    const [row] = store.write(mutable, {
      variable: "a",
      value: 1,
      unit: "C",
      metadata: { x: 1, y: 2 },
      location: { lat: 1, lng: 2 },
    });
    const change = { id: row?.id, variable: "other", value: "two", unit: null, metadata: { z: 3 }, serie: "s" };
    expect(store.edit(mutable, change)).toBe(1);
    expect(store.rows(mutable, { details: "true" })).toEqual([
      {
        id: row?.id,
        device: mutable.id,
        variable: "a",
        value: "two",
        group: "s",
        location: { type: "Point", coordinates: [2, 1] },
        metadata: { z: 3 },
        time: at(0),
        created_at: at(0),
      },
    ]);
  });

  it("is found by its new value, group, time and location", () => {
    const [row] = store.write(mutable, { variable: "a", value: 1, location: { lat: 1, lng: 2 } });
    store.edit(mutable, [{ id: row?.id, value: 50, group: "g2", time: at(-HOUR_MS), location: null }]);
    expect(store.rows(mutable, { value: "1" })).toEqual([]);
    expect(store.rows(mutable, { query: "last_location" })).toEqual([]);
    expect(store.rows(mutable, { group: "g2", end_date: at(-HOUR_MS), query: "max" })).toHaveLength(1);
  });

  it("skips ids it does not know and refuses the whole list for one bad item", () => {
    const [row] = store.write(mutable, { variable: "a", value: 1 });
    expect(store.edit(mutable, [{ id: "000000000000000000000000", value: 2 }])).toBe(0);
    for (const bad of [{ value: 2 }, { id: row?.id, value: [] }, { id: row?.id, time: "x" }, 5]) {
      expect(() => store.edit(mutable, [{ id: row?.id, value: 3 }, bad])).toThrow("Error on Body parameters");
    }
    expect(store.rows(mutable, {})[0]?.value).toBe(1);
  });

  it("does not reach the rows of another device", () => {
    const [row] = store.write(mutable, { variable: "a", value: 1 });
    expect(store.edit({ ...mutable, id: "665000000000000000000009" }, { id: row?.id, value: 2 })).toBe(0);
  });
});

describe("a deletion", () => {
  beforeEach(() => {
    const row = (variable: string, minute: number): object => ({ variable, value: minute, time: at(-minute * 60_000) });
    store.write(
      mutable,
      [...Array(20).keys()].flatMap((minute) => [row("a", minute), row("b", minute)]),
    );
  });

  it("takes 15 rows unless qty says otherwise, and for each variable when they are named", () => {
    expect(store.erase(mutable, {})).toBe(15);
    expect(store.erase(mutable, { variables: ["a", "b"], qty: "2" })).toBe(4);
    expect(store.amount(mutable.id)).toBe(21);
  });

  it("takes the queries that answer rows", () => {
    expect(store.erase(mutable, { query: "last_item" })).toBe(2);
    expect(store.rows(mutable, { query: "last_item" }).map((row) => row.value)).toEqual([1, 1]);
    expect(store.erase(mutable, { query: "conditional", start_date: "1 day", function: "gt", value: "17" })).toBe(4);
  });

  it.each(["count", "avg", "sum", "avg_by_variable"])("refuses %s", (query) => {
    expect(() => store.erase(mutable, { query, start_date: "1 day" })).toThrow(
      expect.objectContaining({ status: 400, message: "Invalid query" }),
    );
  });

  it("forgets a device that goes, and leaves the others alone", () => {
    store.write(hybrid, { variable: "a" });
    store.removeDevice(mutable.id);
    expect(store.amount(mutable.id)).toBe(0);
    expect(store.rows(mutable, {})).toEqual([]);
    expect(store.amount(hybrid.id)).toBe(1);
  });
});
