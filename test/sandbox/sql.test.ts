import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { call, ok } from "./client.ts";

let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  token = sandbox.tokens.profile;
});
afterAll(() => sandbox.close());

const QUERY = "SELECT d.id FROM devices() AS d";

interface Stored {
  readonly id: string;
  readonly version: number;
  readonly versions: Record<string, unknown>;
  readonly [member: string]: unknown;
}

const make = (body: object): Promise<Stored> => ok<Stored>(sandbox, "POST", "/sql", { token, body });
const put = (id: string, body: object): Promise<Stored> => ok<Stored>(sandbox, "PUT", `/sql/${id}`, { token, body });

async function refusal(method: string, path: string, body: object): Promise<unknown> {
  const answer = await call(sandbox, method, path, { token, body });
  return [answer.status, answer.body.message];
}

describe("stored queries", () => {
  it("are answered whole when they are created, with the defaults of what was left out", async () => {
    const tags = [{ key: "site", value: "plant" }];
    const made = await make({ name: "Levels", query: QUERY, tags });
    expect(made).toMatchObject({
      name: "Levels",
      query: QUERY,
      tags,
      description: "",
      params: [],
      cache_enabled: false,
      rate_limit_rpm: null,
      active: true,
      version: 1,
      cache_version: 1,
      profile: sandbox.profileId,
    });
    expect(made.versions).toEqual({
      1: { created_at: expect.any(String), created_by: expect.any(String), version_id: expect.any(String) },
    });
    expect(await ok(sandbox, "GET", `/sql/${made.id}`, { token })).toEqual(made);
    expect(await ok(sandbox, "GET", "/sql?filter[name]=lev*", { token })).toEqual([
      { id: made.id, name: "Levels", tags },
    ]);
    expect(await ok(sandbox, "DELETE", `/sql/${made.id}`, { token })).toEqual({ id: made.id });
    expect(await refusal("PUT", `/sql/${made.id}`, { name: "Level", query: QUERY })).toEqual([404, "SQL Not Found"]);
  });

  it("are replaced whole, with a version more only for another statement", async () => {
    const { id } = await make({ name: "Levels", query: QUERY, description: "All", rate_limit_rpm: 60 });
    expect(await put(id, { name: "Level", query: QUERY })).toMatchObject({
      name: "Level",
      description: "",
      rate_limit_rpm: null,
      version: 1,
    });
    const other = QUERY.replace("d.id", "d.name");
    expect((await put(id, { name: "Level", query: other })).version).toBe(2);
    expect((await put(id, { name: "Level", query: QUERY })).versions).toHaveProperty("3");
    expect(await ok(sandbox, "GET", `/sql/${id}/version/2`, { token })).toMatchObject({ version: 2, query: other });
    expect((await call(sandbox, "GET", `/sql/${id}/version/9`, { token })).body.message).toBe("SQL Version Not Found");
    expect(await refusal("PUT", `/sql/${id}`, { name: "Level" })).toEqual([400, "Invalid JSON: missing field query"]);
    expect(await refusal("PUT", `/sql/${id}`, { query: QUERY })).toEqual([400, "Invalid JSON: missing field name"]);
  });

  it.each([
    ["", "Only a single SQL statement is allowed"],
    [`${QUERY}; ${QUERY}`, "Only a single SQL statement is allowed"],
    ["DELETE FROM devices() AS d", "Only SELECT statements are allowed"],
    ["SELECT 1", "A query must reference at least one table"],
    ["SELECT ' FROM devices() AS d'", "A query must reference at least one table"],
    ["SELECT EXTRACT(hour FROM now())", "A query must reference at least one table"],
    ["SELECT d.id FROM devices() d", "All tables must have an alias (use AS)"],
    [`${QUERY} JOIN entity('x') ON true`, "All tables must have an alias (use AS)"],
  ])("refuse the statement %j", async (query, message) => {
    expect(await refusal("POST", "/sql", { name: "x", query })).toEqual([400, message]);
  });

  it.each([
    "select d.id from devices() as d;",
    "SELECT a.n FROM (SELECT count(d.id) AS n FROM devices() AS d) AS a -- FROM b",
    "SELECT e.a FROM entity('x; y') AS e JOIN devices() AS d ON d.id = e.a",
    "WITH w AS (SELECT d.id FROM devices() AS d) SELECT v.id FROM w AS v",
  ])("take the statement %j", async (query) => {
    expect(await make({ name: "x", query })).toMatchObject({ query });
  });

  it("want a default for every parameter, and no other", async () => {
    const query = `${QUERY} WHERE d.name = $2 AND d.id = $1`;
    const param = (key: string) => ({ key, value: "x" });
    const made = await make({ name: "x", query, params: [param("$1"), param("$2")] });
    expect(made["params"]).toEqual([param("$1"), param("$2")]);
    const message = (key: string) => [400, `Invalid value for parameter ${key}`];
    const refused = (params: object) => refusal("POST", "/sql", { name: "x", query, params });
    expect(await refused([param("1"), param("$2")])).toEqual(message("1"));
    expect(await refused([param("$1")])).toEqual(message("$2"));
    expect(await refused([param("$1"), param("$2"), param("$3")])).toEqual(message("$3"));
    expect(await refusal("POST", "/sql", { name: "x", query: `${QUERY} WHERE d.id = $99999999999` })).toEqual(
      message("$99999999999"),
    );
    expect(await refusal("POST", `/sql/${made.id}/execute`, { params: [param("1")] })).toEqual(message("1"));
  });

  it("move the time of the cache into its bounds, and refuse a rate above the plan and a long name", async () => {
    const ttl = async (cache_ttl_seconds: number): Promise<unknown> =>
      (await make({ name: "x", query: QUERY, cache_ttl_seconds }))["cache_ttl_seconds"];
    expect([await ttl(99_999), await ttl(-1), await ttl(60)]).toEqual([86_400, 0, 60]);
    expect(await refusal("POST", "/sql", { name: "x", query: QUERY, rate_limit_rpm: 121 })).toEqual([
      400,
      "You have exceeded the maximum limit of SQL Query Rate Limit (120)",
    ]);
    expect(await refusal("POST", "/sql", { name: "x".repeat(65), query: QUERY })).toEqual([
      400,
      "Error on Body parameters",
    ]);
  });

  it("are run with the members of a result, and not while they are inactive", async () => {
    const { id } = await make({ name: "On", query: QUERY });
    expect(await ok(sandbox, "POST", `/sql/${id}/execute`, { token, body: { test: true } })).toEqual({
      columns: [{ name: "id", type: "string" }],
      rows: [],
      row_count: 0,
      execution_ms: expect.any(Number),
      served_from_cache: false,
    });
    await put(id, { name: "Off", query: QUERY, active: false });
    expect(await refusal("POST", `/sql/${id}/execute`, {})).toEqual([400, "SQL query is inactive"]);
  });

  it("are told what they can read: columns of an entity only when it is named", async () => {
    const schema = { name: { action: "create", type: "string" }, level: { action: "create", type: "float" } };
    const { id } = await ok<{ id: string }>(sandbox, "POST", "/entity", { token, body: { name: "silos", schema } });
    interface Tables {
      readonly tables: { function: string; tag_form: unknown; columns: unknown[] }[];
      readonly resources: Record<string, { name: string }[]>;
      readonly functions: unknown[];
    }
    const tables = (query: string): Promise<Tables> => ok(sandbox, "GET", `/sql/tables${query}`, { token });
    const all = await tables("?filter=ILO");
    expect(all.tables.map((table) => [table.function, table.tag_form])).toEqual([
      ["device", "device_tag"],
      ["entity", "entity_tag"],
      ["devices", null],
    ]);
    expect(all.resources).toEqual({ devices: [], entities: [{ id, name: "silos", tags: [] }] });
    expect(all.functions).toContainEqual(expect.objectContaining({ name: "count", kind: "aggregate" }));
    expect(all.tables[1]?.columns).toEqual([]);
    expect((await tables(`?entity_id=${id}`)).tables[1]?.columns).toContainEqual({ name: "level", type: "float" });
    expect((await tables("?filter=other")).resources["entities"]).toEqual([]);
  });
});
