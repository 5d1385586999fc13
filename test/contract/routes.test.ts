import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { routeKey } from "../../src/sandbox/router.ts";
import { routeTables } from "../helpers/route-tables.ts";
import { call } from "../sandbox/client.ts";

/** The client's tables, found by their names. A new one makes the test fail until the sandbox serves it. */
const tables = await routeTables();

/** Routes whose part of the platform comes with a later floor. The list may only become shorter. */
const LATER: Readonly<Record<string, "all" | readonly string[]>> = {
  sql: "all",
};

/** What the platform answers to anybody although the client sends a token. */
const OPEN: readonly string[] = ["billing.getPrices", "plan.getCurrentPrices"];

const rows = tables.flatMap(([table, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ name: `${table}.${name}`, route, isLater: isLater(table, name) })),
);

function isLater(table: string, name: string): boolean {
  const names = LATER[table];
  return names === "all" || names?.includes(name) === true;
}

let sandbox: Sandbox;
let served: ReadonlySet<string>;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  served = new Set(sandbox.routes.map(({ method, path }) => routeKey(method, path)));
});
afterAll(() => sandbox.close());

describe("every route of the client", () => {
  it.each(rows.filter((row) => !row.isLater))("$name has a handler in the sandbox", ({ route }) => {
    expect(served).toContain(routeKey(route.method, route.path));
  });

  it("that is put off is one the client has and the sandbox does not serve", () => {
    const putOff = Object.entries(LATER).flatMap(([table, names]) =>
      names === "all" ? [`${table}.`] : names.map((name) => `${table}.${name}`),
    );
    for (const start of putOff)
      expect(rows.filter(({ name }) => name.startsWith(start)).length, start).toBeGreaterThan(0);
    for (const { name, route } of rows.filter((row) => row.isLater))
      expect(served.has(routeKey(route.method, route.path)), name).toBe(false);
  });

  it.each(rows.filter(({ name, route, isLater }) => route.anonymous !== true && !isLater && !OPEN.includes(name)))(
    "$name is refused without a token, in the envelope",
    async ({ route }) => {
      const path = route.path.replaceAll(/:[A-Za-z_]+/g, "65a1000000000000000d0001");
      const answer = await call(sandbox, route.method, path, route.method === "GET" ? {} : { body: {} });
      expect([answer.status, answer.body]).toEqual([401, { status: false, message: "Authorization Denied" }]);
    },
  );
});
