import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routeKey } from "../../src/sandbox/core/route-key.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { routeTables } from "../helpers/route-tables.ts";
import { call } from "../sandbox/client.ts";

/** The client's tables, found by their names. A new one makes the test fail until the sandbox serves it. */
const tables = await routeTables();

/** What the platform answers to anybody although the client sends a token. */
const OPEN: readonly string[] = ["billing.getPrices", "connector.list", "network.list", "plan.getCurrentPrices"];

const rows = tables.flatMap(([table, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ name: `${table}.${name}`, route })),
);

let sandbox: Sandbox;
let served: ReadonlySet<string>;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  served = new Set(sandbox.routes.map(({ method, path }) => routeKey(method, path)));
});
afterAll(() => sandbox.close());

describe("every route of the client", () => {
  it.each(rows)("$name has a handler in the sandbox", ({ route }) => {
    expect(served).toContain(routeKey(route.method, route.path));
  });

  it.each(rows.filter(({ name, route }) => route.anonymous !== true && !OPEN.includes(name)))(
    "$name is refused without a token, in the envelope",
    async ({ route }) => {
      const path = route.path.replaceAll(/:[A-Za-z_]+/g, "65a1000000000000000d0001");
      const answer = await call(sandbox, route.method, path, route.method === "GET" ? {} : { body: {} });
      expect([answer.status, answer.body]).toEqual([401, { status: false, message: "Authorization Denied" }]);
    },
  );
});
