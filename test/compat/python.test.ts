import { afterAll, beforeAll, expect, it } from "vitest";
import { runPython } from "../../compat/python.js";
import type { Row } from "../../compat/rows.js";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await demoSandbox();
});
afterAll(() => sandbox.close());

it("answers what the Python package sends, in its own encoding", { tags: ["slow"] }, async () => {
  const rows: Row[] = [];
  const { url, tokens, profileId, inspectionHeaders } = sandbox;
  await runPython({ url, tokens: { ...tokens }, inspectionHeaders, profileId }, (row) => rows.push(row));
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
});
