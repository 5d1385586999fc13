import fc from "fast-check";
import qs from "qs";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/lib/core/errors.ts";
import { queryString } from "../../../src/lib/http/query-string.ts";
import { amount } from "../../helpers/amount.ts";

const reference = (value: object): string => qs.stringify(value, { arrayFormat: "indices" });

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(..."!'()*[]&=+%# ~-._/?\\\0\n😀é") }),
);

const leaf = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.bigInt(),
  fc.constantFrom(null, undefined, -0, "", [], {}),
  fc.date({ noInvalidDate: true }),
);

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(text, tie("tree"), { maxKeys: 4 }),
  ),
}));

describe("query string", () => {
  it("is written as qs writes it, whatever is in it", { tags: ["slow"] }, () => {
    const anyQuery = fc.dictionary(text, tree, { maxKeys: 6 });
    fc.assert(
      fc.property(anyQuery, (query) => {
        expect(queryString(query)).toBe(reference(query));
      }),
      { numRuns: amount(1_000, 3_000) },
    );
  });

  it("can be read back", { tags: ["slow"] }, () => {
    const member = fc.string({ unit: fc.constantFrom(..."abcXYZ 0-_~é😀&=+%"), minLength: 1 });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        member,
        fc.array(tie("value"), { minLength: 1, maxLength: 3 }),
        fc.dictionary(fc.constantFrom("key", "time", "größe"), tie("value"), { minKeys: 1, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b b", "c&c"), value, { noNullPrototype: true }), (query) => {
        expect(qs.parse(queryString(query), { depth: 20 })).toEqual(query);
      }),
      { numRuns: amount(100, 300) },
    );
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      "a list query",
      { fields: ["id"], filter: { tags: [{ key: "a" }] } },
      "fields%5B0%5D=id&filter%5Btags%5D%5B0%5D%5Bkey%5D=a",
    ],
    ["null", { a: null, b: [null] }, "a=&b%5B0%5D="],
    ["undefined", { a: undefined, b: [undefined, 1] }, "b%5B1%5D=1"],
    ["empty lists and objects", { a: [], b: {}, c: [[], {}], d: { e: {} } }, ""],
    ["nothing", {}, ""],
    ["an empty text", { a: "" }, "a="],
    ["booleans", { a: true, b: false }, "a=true&b=false"],
    ["numbers", { a: 0, b: -1.5, c: 1e21 }, "a=0&b=-1.5&c=1e%2B21"],
    ["a date", { a: new Date(0) }, "a=1970-01-01T00%3A00%3A00.000Z"],
    ["a space", { "a b": "c d" }, "a%20b=c%20d"],
    ["the marks encodeURIComponent leaves alone", { a: "!'()*~-._" }, "a=%21%27%28%29%2A~-._"],
    ["characters beyond ASCII", { ü: "水😀" }, "%C3%BC=%E6%B0%B4%F0%9F%98%80"],
    ["functions", { a: () => 1, b: 2 }, "b=2"],
    ["a key that names a prototype", JSON.parse('{"__proto__":{"a":1}}'), "__proto__%5Ba%5D=1"],
  ])("writes %s", (_name, query, expected) => {
    expect(queryString(query)).toBe(expected);
  });

  it.each(["\ud800", "a\udc00b", "\udc00\ud800"])("refuses half a character, in a value and in a name: %j", (half) => {
    for (const query of [{ a: half }, { [half]: 1 }, { a: { [half]: 1 } }]) {
      expect(() => queryString(query)).toThrow(InputError);
      expect(() => queryString(query)).toThrow("The query holds text that is not valid Unicode");
    }
  });

  it("rejects an invalid Date", () => {
    expect(() => queryString({ start_date: new Date(Number.NaN) })).toThrow("The query contains an invalid Date");
  });

  it("rejects a circular query, however many ways lead round", () => {
    const object: Record<string, unknown> = {};
    Object.assign(object, { first: object, second: object, third: [object, object] });
    const list: unknown[] = [];
    list.push(list, list);
    for (const query of [object, { list }]) {
      expect(() => queryString(query)).toThrow(InputError);
      expect(() => queryString(query)).toThrow("The query is nested too deeply or circular");
    }
  });

  it("takes what is nested 30 deep", () => {
    let deep: unknown = "leaf";
    for (let i = 0; i < 30; i += 1) deep = [deep];
    expect(queryString({ a: deep })).toBe(`a${"%5B0%5D".repeat(30)}=leaf`);
  });

  it.each([null, "text", 5, true])("takes %j for no parameters, as qs does", (value) => {
    expect(queryString(value as never)).toBe("");
    expect(qs.stringify(value)).toBe("");
  });

  it("changes nothing in what it writes", () => {
    const query = Object.freeze({ a: Object.freeze([Object.freeze({ b: 1 })]) });
    expect(queryString(query)).toBe("a%5B0%5D%5Bb%5D=1");
  });
});
