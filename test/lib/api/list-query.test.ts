import { describe, expect, it } from "vitest";
import { listParameters, pageParameters } from "../../../src/lib/api/list-query.ts";
import type { ListDefaults } from "../../../src/lib/api/route.ts";
import { queryString } from "../../../src/lib/http/query-string.ts";

const defaults: ListDefaults = { fields: ["id", "name"], orderBy: ["name", "asc"] };

/** As it goes out, read by a person. */
const written = (query: Record<string, unknown> | undefined, of: ListDefaults = defaults) =>
  decodeURIComponent(queryString(listParameters(of, query)));

describe("a list query", () => {
  const ordinary = "page=1&fields[0]=id&fields[1]=name&amount=20&orderBy=name,asc";

  it.each<[string, Record<string, unknown> | undefined, string]>([
    ["nothing", undefined, ordinary],
    ["an empty object", {}, ordinary],
    ["falsy members", { page: "", amount: false, fields: null, filter: false, orderBy: "" }, ordinary],
    ["members that are null", { page: null, amount: null, filter: null, orderBy: null }, ordinary],
    ["zeros", { page: 0, amount: 0 }, ordinary],
    ["an empty order", { orderBy: [] }, ordinary],
    ["empty fields", { fields: [] }, "page=1&amount=20&orderBy=name,asc"],
    ["fields with gaps", { fields: ["id", undefined] }, "page=1&fields[0]=id&amount=20&orderBy=name,asc"],
    [
      "a filter with odd values",
      {
        filter: {
          active: false,
          last_input: new Date(0),
          name: null,
          rssi: 0,
          serial: undefined,
          tags: [{ key: "ünïcode & more", value: "#1/2?" }, {}],
          nested: { deep: [1, { at: "1 day" }] },
        },
      },
      `page=1&fields[0]=id&fields[1]=name&filter[active]=false&filter[last_input]=1970-01-01T00:00:00.000Z&filter[name]=&filter[rssi]=0&filter[tags][0][key]=ünïcode & more&filter[tags][0][value]=#1/2?&filter[nested][deep][0]=1&filter[nested][deep][1][at]=1 day&amount=20&orderBy=name,asc`,
    ],
    [
      "a very long value",
      { filter: { name: "x".repeat(100_000) } },
      `page=1&fields[0]=id&fields[1]=name&filter[name]=${"x".repeat(100_000)}&amount=20&orderBy=name,asc`,
    ],
    ["an empty filter", { filter: {} }, ordinary],
    ["a page", { page: 3, amount: 500 }, "page=3&fields[0]=id&fields[1]=name&amount=500&orderBy=name,asc"],
    ["fields", { fields: ["tags"] }, "page=1&fields[0]=tags&amount=20&orderBy=name,asc"],
    ["an order as a pair", { orderBy: ["created_at", "desc"] }, `${ordinary.slice(0, -8)}created_at,desc`],
    ["an order as text", { orderBy: "created_at,desc" }, `${ordinary.slice(0, -8)}created_at,desc`],
    [
      "a filter",
      { filter: { name: "pump*", tags: [{ key: "a" }] } },
      "page=1&fields[0]=id&fields[1]=name&filter[name]=pump*&filter[tags][0][key]=a&amount=20&orderBy=name,asc",
    ],
  ])("of %s is written over the defaults", (_name, query, expected) => {
    expect(written(query)).toBe(expected);
  });

  it("without defaults asks for a page only", () => {
    expect(written({}, {})).toBe("page=1&amount=20");
  });

  it("sends nothing but the members of a list query", () => {
    expect(written({ path: "/admin", method: "DELETE", page: 1 })).toBe(ordinary);
  });

  it("changes neither the query nor the defaults", () => {
    const query = Object.freeze({ fields: Object.freeze(["id"]), orderBy: Object.freeze(["name", "desc"]) });
    expect(listParameters(Object.freeze(defaults), query)["orderBy"]).toBe("name,desc");
    expect(query.orderBy).toEqual(["name", "desc"]);
  });
});

describe("a query of a call without defaults", () => {
  it.each<[string, object | undefined, string]>([
    ["nothing", undefined, ""],
    ["an empty object", {}, ""],
    ["a filter alone", { filter: { a: "1" } }, "filter[a]=1"],
    ["a page alone", { page: 2 }, "page=2"],
    ["an amount alone", { amount: 5 }, "amount=5"],
    ["zeros", { page: 0, amount: 0 }, "page=1&amount=20"],
    ["a page that is null or undefined", { page: null, amount: undefined, index: "a" }, "index=a"],
  ])("sends what was asked for: %s", (_name, query, sent) => {
    expect(decodeURIComponent(queryString(pageParameters(query) ?? {}))).toBe(sent);
  });
});
