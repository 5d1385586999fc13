import qs from "qs";
import { describe, expect, it } from "vitest";
import { booleanOf, decodeQuery, listOf, numberOf, objectOf, textOf } from "../../src/sandbox/core/query.ts";
import { growthOf, IN_PROPORTION } from "../helpers/growth.ts";

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("decodeQuery", () => {
  it("reads the four forms of a list", () => {
    expect(listOf(decodeQuery("fields[0]=id&fields[1]=name")["fields"])).toEqual(["id", "name"]);
    expect(listOf(decodeQuery("fields=id&fields=name")["fields"])).toEqual(["id", "name"]);
    expect(listOf(decodeQuery("fields[]=id&fields[]=name")["fields"])).toEqual(["id", "name"]);
    expect(listOf(decodeQuery("fields=id,name")["fields"])).toEqual(["id", "name"]);
  });

  it("reads nested objects and lists of objects", () => {
    const query = decodeQuery("filter%5Btags%5D%5B0%5D%5Bkey%5D=k&filter[tags][0][value]=v&filter[name]=a%20b+c");
    expect(plain(query)).toEqual({ filter: { tags: [{ key: "k", value: "v" }], name: "a b c" } });
  });

  it("keeps lists of more than twenty numbered items as lists, in their order", () => {
    const ids = Array.from({ length: 250 }, (_, index) => `v${index}`);
    const text = qs.stringify({ ids });
    expect(decodeQuery(text)["ids"]).toEqual(ids);
  });

  it("agrees with qs on what qs writes", () => {
    const value = { page: "1", fields: ["id", "name"], filter: { name: "*é&=[]*", tags: [{ key: "a", value: "1" }] } };
    expect(plain(decodeQuery(qs.stringify(value)))).toEqual(value);
  });

  it("gives objects without a prototype and drops hostile names", () => {
    const query = decodeQuery("__proto__[x]=1&a[__proto__][x]=1&constructor[prototype][x]=1&b=2");
    expect(Object.getPrototypeOf(query)).toBeNull();
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    expect(textOf(query["b"])).toBe("2");
    expect(Object.keys(query)).toEqual(["constructor", "b"]);
  });

  it("survives broken escapes, broken brackets and deep nesting", () => {
    expect(textOf(decodeQuery("a=%zz")["a"])).toBe("%zz");
    expect(textOf(decodeQuery("a[b=1")["a[b"])).toBe("1");
    expect(textOf(decodeQuery("=1&&x")["x"])).toBeUndefined();
    expect(() => decodeQuery(`a${"[b]".repeat(10_000)}=1`)).not.toThrow();
    expect(plain(decodeQuery("a=1&a[b]=2"))).toEqual({ a: { "0": "1", b: "2" } });
  });

  it("reads repeated keys in a time in proportion to their number", async () => {
    const read = (count: number) => {
      const query = decodeQuery("a=1&".repeat(count));
      expect(listOf(query["a"])).toHaveLength(count);
    };
    expect(await growthOf(read, 2_500)).toBeLessThan(IN_PROPORTION);
  });
});

describe("the readers", () => {
  it("take booleans in any case", () => {
    const read = (text: string) => booleanOf(decodeQuery(`x=${text}`)["x"]);
    expect(["true", "True", "TRUE", "1"].map(read)).toEqual([true, true, true, true]);
    expect(["false", "False", "0"].map(read)).toEqual([false, false, false]);
    expect(["", "yes"].map(read)).toEqual([undefined, undefined]);
  });

  it("take numbers written in decimal only", () => {
    const read = (text: string) => numberOf(text);
    expect(["12", "-1.5", "1e3", "0x10", "Infinity", "", "12px"].map(read)).toEqual([
      12,
      -1.5,
      1000,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("give an empty object for what is none", () => {
    expect(Object.keys(objectOf("text"))).toEqual([]);
    expect(Object.keys(objectOf(undefined))).toEqual([]);
  });
});
