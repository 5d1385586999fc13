import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../compat/openapi.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "openapi-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** An operation whose answer has these properties. */
const operation = (more: object, properties: object, examples: readonly object[] = []) => ({
  tokens: ["ProfileToken"],
  parameters: [],
  responses: {
    200: { "application/json": { schema: { properties: { status: { type: "boolean" }, ...properties } }, examples } },
  },
  ...more,
});

const user = { method: "GET", path: "/run/users/{userID}", id: "user" };
const person = (properties: object) => operation(user, { result: { type: "object", properties } });

function run(operations: readonly object[], differences: readonly object[] = []) {
  writeFileSync(join(folder, "file.json"), JSON.stringify({ operations }));
  writeFileSync(join(folder, "differences.json"), JSON.stringify(differences));
  const args = [program, join(folder, "file.json"), "--differences", join(folder, "differences.json")];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, lines: stdout.trim().split("\n") };
}

it("an answer with the properties, types and texts of the file matches", () => {
  const edit = operation(
    { method: "DELETE", path: "/dashboard/{dashboardID}", id: "remove" },
    { result: { type: "string" } },
    [{ result: "Successfully Removed", status: true }],
  );
  const { status, lines } = run([person({ id: { type: "string" }, tags: { type: "array", items: {} } }), edit]);
  expect(lines).toEqual(["0 listed differences", "2 of 2 operations match"]);
  expect(status).toBe(0);
});

it("a missing property, another type, another text, another status and a token let in are reported", () => {
  const text = operation(
    { method: "DELETE", path: "/dashboard/{dashboardID}", id: "remove" },
    { result: { type: "string" } },
    [{ result: "Gone", status: true }],
  );
  const codes = { ...person({}), id: "codes", responses: { 201: {} } };
  const open = operation({ method: "GET", path: "/status", id: "open" }, {});
  const { status, lines } = run([person({ shoe: {}, name: { type: "number" } }), text, codes, open]);
  expect(lines).toEqual([
    "MISMATCH GET /run/users/{userID} (user): result.shoe: missing",
    "MISMATCH GET /run/users/{userID} (user): result.name: string, not number",
    'MISMATCH DELETE /dashboard/{dashboardID} (remove): result: "Successfully Removed", not "Gone"',
    "MISMATCH GET /run/users/{userID} (codes): status: 200 , not 201",
    "MISMATCH GET /status (open): as Device-Token: status: 200, not refused",
    "0 listed differences",
    "0 of 4 operations match",
  ]);
  expect(status).toBe(1);
});

it("a listed difference passes while it occurs, and fails when it no longer does", () => {
  const wrong = person({ id: { type: "number" } });
  const listed = (id: string, at: string) => ({ operation: id, at, reason: "known" });
  const { status, lines } = run(
    [wrong, { ...wrong, id: "stale" }],
    [listed("user", "result.*"), listed("stale", "result.id"), listed("stale", "path"), listed("none", "path")],
  );
  expect(lines).toEqual([
    "MISMATCH GET /run/users/{userID} (stale): path: is listed as a difference, but no longer occurs",
    "MISMATCH none: is listed, but the file has no such operation",
    "4 listed differences",
    "1 of 3 operations match",
  ]);
  expect(status).toBe(1);
});
