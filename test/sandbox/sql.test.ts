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

describe("stored queries", () => {
  it("are created, listed, edited with a version for each statement, run and deleted", async () => {
    const body = { name: "Levels", query: "SELECT 1", tags: [{ key: "site", value: "plant" }] };
    const made = await ok<{ id: string }>(sandbox, "POST", "/sql", { token, body });
    expect(made).toMatchObject({ ...body, active: true, version: 1 });
    expect(made).not.toHaveProperty("versions");
    const edited = await ok(sandbox, "PUT", `/sql/${made.id}`, { token, body: { query: "SELECT 2" } });
    expect(edited).toMatchObject({ name: "Levels", query: "SELECT 2", version: 2 });
    await ok(sandbox, "PUT", `/sql/${made.id}`, { token, body: { name: "Level" } });
    expect(await ok(sandbox, "GET", `/sql/${made.id}`, { token })).toMatchObject({ name: "Level", version: 2 });
    expect(await ok(sandbox, "GET", `/sql/${made.id}/version/1`, { token })).toMatchObject({ query: "SELECT 1" });
    expect(await ok(sandbox, "GET", "/sql?filter[name]=lev*", { token })).toEqual([
      { id: made.id, name: "Level", tags: body.tags },
    ]);
    expect(await ok(sandbox, "POST", `/sql/${made.id}/execute`, { token, body: {} })).toEqual({
      columns: [],
      rows: [],
      row_count: 0,
    });
    expect(await ok(sandbox, "DELETE", `/sql/${made.id}`, { token })).toEqual({ id: made.id });
    const gone = await call(sandbox, "GET", `/sql/${made.id}`, { token });
    expect([gone.status, gone.body.message]).toEqual([404, "SQL Not Found"]);
  });

  it("are refused without a name or a statement, when switched off, and in versions that never were", async () => {
    const bad = await call(sandbox, "POST", "/sql", { token, body: { name: "" } });
    expect([bad.status, bad.body.message]).toEqual([400, "Error on Body parameters"]);
    const body = { name: "Off", query: "SELECT 1", active: false };
    const { id } = await ok<{ id: string }>(sandbox, "POST", "/sql", { token, body });
    expect((await call(sandbox, "POST", `/sql/${id}/execute`, { token, body: {} })).status).toBe(400);
    expect((await call(sandbox, "GET", `/sql/${id}/version/9`, { token })).body.message).toBe("SQL Version Not Found");
  });

  it("name the entities as their tables", async () => {
    const schema = { name: { type: "string" }, level: { type: "float" } };
    await ok(sandbox, "POST", "/entity", { token, body: { name: "silos", schema } });
    const tables = await ok<{ name: string; columns: { name: string }[] }[]>(sandbox, "GET", "/sql/tables?filter=sil", {
      token,
    });
    expect(tables.map(({ name }) => name)).toEqual(["silos"]);
    expect(tables[0]?.columns).toContainEqual({ name: "level", type: "float" });
    expect(await ok(sandbox, "GET", "/sql/tables?filter=other", { token })).toEqual([]);
  });
});
