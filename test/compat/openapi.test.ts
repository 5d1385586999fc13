import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { compareFile } from "../../compat/openapi/compare.js";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await demoSandbox();
});
afterEach(() => sandbox.close());

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

async function compare(operations: readonly object[], listed: readonly object[] = []) {
  const lines: string[] = [];
  const { url, tokens } = sandbox;
  const matches = await compareFile({ url, tokens: { ...tokens } }, operations, listed, (line) => lines.push(line));
  return { matches, lines };
}

it("an answer with the properties, types and texts of the file matches", { tags: ["slow"] }, async () => {
  const edit = operation(
    { method: "DELETE", path: "/dashboard/{dashboardID}", id: "remove" },
    { result: { type: "string" } },
    [{ result: "Successfully Removed", status: true }],
  );
  const { matches, lines } = await compare([
    person({ id: { type: "string" }, tags: { type: "array", items: {} } }),
    edit,
  ]);
  expect(lines).toEqual(["0 listed differences", "2 of 2 operations match"]);
  expect(matches).toBe(true);
});

it("a missing property, another type, another text, another status and a token let in are reported", {
  tags: ["slow"],
}, async () => {
  const text = operation(
    { method: "DELETE", path: "/dashboard/{dashboardID}", id: "remove" },
    { result: { type: "string" } },
    [{ result: "Gone", status: true }],
  );
  const codes = { ...person({}), id: "codes", responses: { 201: {} } };
  const open = operation({ method: "GET", path: "/status", id: "open" }, {});
  const { matches, lines } = await compare([person({ shoe: {}, name: { type: "number" } }), text, codes, open]);
  expect(lines).toEqual([
    "MISMATCH GET /run/users/{userID} (user): result.shoe: missing",
    "MISMATCH GET /run/users/{userID} (user): result.name: string, not number",
    'MISMATCH DELETE /dashboard/{dashboardID} (remove): result: "Successfully Removed", not "Gone"',
    "MISMATCH GET /run/users/{userID} (codes): status: 200 , not 201",
    "MISMATCH GET /status (open): as Device-Token: status: 200, not refused",
    "0 listed differences",
    "0 of 4 operations match",
  ]);
  expect(matches).toBe(false);
});

it("a listed difference passes while it occurs, and fails when it no longer does", async () => {
  const wrong = person({ id: { type: "number" } });
  const listed = (id: string, at: string) => ({ operation: id, at, reason: "known" });
  const { matches, lines } = await compare(
    [wrong, { ...wrong, id: "stale" }],
    [listed("user", "result.*"), listed("stale", "result.id"), listed("stale", "path"), listed("none", "path")],
  );
  expect(lines).toEqual([
    "MISMATCH GET /run/users/{userID} (stale): path: is listed as a difference, but no longer occurs",
    "MISMATCH none: is listed, but the file has no such operation",
    "4 listed differences",
    "1 of 3 operations match",
  ]);
  expect(matches).toBe(false);
});

it("compat/openapi.js starts a sandbox of its own and ends with 1 where something differs", { tags: ["slow"] }, () => {
  const folder = mkdtempSync(join(tmpdir(), "openapi-"));
  const [file, differences] = [join(folder, "file.json"), join(folder, "differences.json")];
  const operations = [person({ id: { type: "string" } }), { ...person({ id: { type: "number" } }), id: "wrong" }];
  writeFileSync(file, JSON.stringify({ operations }));
  writeFileSync(differences, "[]");
  const program = fileURLToPath(new URL("../../compat/openapi.js", import.meta.url));
  const args = [program, file, "--differences", differences];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(stdout.trim().split("\n")).toEqual([
    "MISMATCH GET /run/users/{userID} (wrong): result.id: string, not number",
    "0 listed differences",
    "1 of 2 operations match",
  ]);
  expect(status).toBe(1);
});
