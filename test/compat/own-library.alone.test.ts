import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { areaNames, type Row, runAreas } from "../../compat/rows.js";
import * as library from "../../src/index.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";

/** Areas of `npm run compat` that need no process of their own and no waiting. */
const AREAS = ["dictionaries"];
const LARGE_AREAS = ["devices", "data", "dashboards", "entities", "access"];

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await demoSandbox();
});
beforeEach(() => {
  vi.stubEnv("TAGOIO_API", sandbox.url);
  vi.stubEnv("TAGOIO_SSE", sandbox.eventsUrl);
});
afterAll(() => sandbox.close());

async function expectAllRows(name: string): Promise<void> {
  expect(areaNames).toContain(name);
  const rows: Row[] = [];
  const { url, tokens, profileId, inspectionHeaders } = sandbox;
  await runAreas([name], library, { url, tokens: { ...tokens }, inspectionHeaders, profileId, version: 12 }, (row) =>
    rows.push(row),
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
}

const TITLE = "the library passes the rows of the official packages: %s";
it.each(AREAS)(TITLE, expectAllRows);
it.each(LARGE_AREAS)(TITLE, { tags: ["slow"] }, expectAllRows);
