import { describe, expect, it } from "vitest";
import { listParameters } from "../../../src/lib/core/list-query.ts";
import type { ListDefaults } from "../../../src/lib/core/route.ts";
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
    ["falsy members", { page: 0, amount: 0, fields: null, filter: false, orderBy: "" }, ordinary],
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
