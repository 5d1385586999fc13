import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { currentDeviceRoutes } from "../../src/lib/clients/device.ts";
import type { Route } from "../../src/lib/core/route.ts";
import { accountRoutes } from "../../src/lib/resources/account.ts";
import { dashboardRoutes } from "../../src/lib/resources/dashboards.ts";
import { deviceRoutes } from "../../src/lib/resources/devices.ts";
import { profileRoutes } from "../../src/lib/resources/profile.ts";
import { widgetRoutes } from "../../src/lib/resources/widgets.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { routeKey } from "../../src/sandbox/router.ts";
import { call } from "../sandbox/client.ts";

/** The client's tables. A new resource adds its table here; the test then fails until the sandbox serves it. */
const tables: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  account: accountRoutes,
  currentDevice: currentDeviceRoutes,
  dashboards: dashboardRoutes,
  devices: deviceRoutes,
  profiles: profileRoutes,
  widgets: widgetRoutes,
};

/** Routes whose part of the platform comes with a later floor. The list may only become shorter. */
const LATER: readonly string[] = [
  "dashboards.runWidgetHeaderButtonAnalysis",
  "devices.copyChunk",
  "devices.dataBackup",
  "devices.chunkBackup",
  "devices.dataRestore",
];

const rows = Object.entries(tables).flatMap(([table, routes]) =>
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
  it.each(rows.filter(({ name }) => !LATER.includes(name)))("$name has a handler in the sandbox", ({ route }) => {
    expect(served).toContain(routeKey(route.method, route.path));
  });

  it("that is put off is one the client has and the sandbox does not serve", () => {
    for (const name of LATER) {
      const route = rows.find((row) => row.name === name)?.route;
      expect(route, name).toBeDefined();
      expect(served.has(routeKey(route?.method ?? "", route?.path ?? "")), name).toBe(false);
    }
  });

  it.each(rows.filter(({ route, name }) => route.anonymous !== true && !LATER.includes(name)))(
    "$name is refused without a token, in the envelope",
    async ({ route }) => {
      const path = route.path.replaceAll(/:[A-Za-z]+/g, "65a1000000000000000d0001");
      const answer = await call(sandbox, route.method, path, route.method === "GET" ? {} : { body: {} });
      expect([answer.status, answer.body]).toEqual([401, { status: false, message: "Authorization Denied" }]);
    },
  );
});
