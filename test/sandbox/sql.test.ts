import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manualClock } from "../../src/sandbox/core/clock.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { call, ok } from "./client.ts";

const clock = manualClock(Date.parse("2026-05-14T10:00:00Z"));
let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", clock });
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
      session_context: false,
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

  it("are replaced whole, with a version more for another statement or other defaults", async () => {
    const { id } = await make({ name: "Levels", query: QUERY, description: "All", rate_limit_rpm: 60 });
    expect(await put(id, { name: "Level", query: QUERY })).toMatchObject({
      name: "Level",
      description: "",
      rate_limit_rpm: null,
      version: 1,
    });
    const other = QUERY.replace("d.id", "d.name");
    expect((await put(id, { name: "Level", query: other })).version).toBe(2);
    const third = await put(id, { name: "Level", query: QUERY });
    expect(third.versions).toHaveProperty("3");
    expect(third).toMatchObject({ version: 3, cache_version: 4 });
    const byName = `${QUERY} WHERE d.name = $1`;
    for (const [value, version] of [
      ["a", 4],
      ["a", 4],
      ["b", 5],
    ] as const) {
      const params = [{ key: "$1", value }];
      expect(await put(id, { name: "Level", query: byName, params })).toMatchObject({ version, params });
    }
    expect(await ok(sandbox, "GET", `/sql/${id}/version/4`, { token })).toMatchObject({
      version: 4,
      query: byName,
      params: [{ key: "$1", value: "a" }],
    });
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

  it("return a cached result until it is too old or the query is edited, with one for each user and parameter", async () => {
    const query =
      "SELECT count(*) AS n FROM devices() AS d WHERE d.name <> $1 AND d.id <> COALESCE(session_user_id(), 'x')";
    const settings = {
      name: "Count",
      query,
      params: [{ key: "$1", value: "a" }],
      cache_enabled: true,
      cache_ttl_seconds: 60,
    };
    const { id, ...made } = await make(settings);
    expect(made).toMatchObject({ session_context: true });
    const isCached = async (body: object = {}, auth = token): Promise<unknown> =>
      (await ok<{ served_from_cache: boolean }>(sandbox, "POST", `/sql/${id}/execute`, { token: auth, body }))
        .served_from_cache;
    const user = { name: "Uma", email: "uma@example.com", password: "12345678", timezone: "UTC" };
    const uma = await ok<{ user: string }>(sandbox, "POST", "/run/users", { token, body: user });
    const login = await ok<{ token: string }>(sandbox, "GET", `/run/users/${uma.user}/login`, { token });
    const permissions = [{ effect: "allow", action: ["execute"], resource: ["sql"] }];
    await ok(sandbox, "POST", "/am", { token, body: { name: "sql", targets: [["run_user"]], permissions } });

    expect([await isCached(), await isCached()]).toEqual([false, true]);
    expect(await isCached({ test: true })).toBe(false);
    expect(await isCached({ params: [{ key: "$1", value: "b" }] })).toBe(false);
    expect([await isCached({}, login.token), await isCached({}, login.token)]).toEqual([false, true]);
    await put(id, { ...settings, description: "edited" });
    expect([await isCached(), await isCached()]).toEqual([false, true]);
    clock.advance(61_000);
    expect(await isCached()).toBe(false);
  });

  it("run as often in a minute as rate_limit_rpm says, and more often from the cache", async () => {
    const { id } = await make({
      name: "Rare",
      query: QUERY,
      rate_limit_rpm: 1,
      cache_enabled: true,
      cache_ttl_seconds: 60,
    });
    const execution = (body: object) => call(sandbox, "POST", `/sql/${id}/execute`, { token, body });
    expect((await execution({})).status).toBe(200);
    expect((await execution({})).status).toBe(200);
    const { status, headers } = await execution({ test: true });
    expect([status, Number(headers["retry-after"]) > 0]).toEqual([429, true]);
    clock.advance(60_000);
    expect((await execution({ test: true })).status).toBe(200);
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
      ["devices", "devices_tag"],
      ["entities", "entities_tag"],
      ["device_data_by_tag", null],
    ]);
    expect(all.resources).toEqual({ devices: [], entities: [{ id, name: "silos", tags: [] }] });
    expect(all.functions).toContainEqual(expect.objectContaining({ name: "count", kind: "aggregate" }));
    expect(all.tables[1]?.columns).toEqual([]);
    expect((await tables(`?entity_id=${id}`)).tables[1]?.columns).toContainEqual({ name: "level", type: "number" });
    expect((await tables("?filter=other")).resources["entities"]).toEqual([]);
  });
});
