import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillPath, type Route } from "../../src/lib/api/route.ts";
import { routeTables } from "../helpers/route-tables.ts";
import { SEED_TOKENS } from "../helpers/seed.ts";
import { call } from "./client.ts";
import { automationCases } from "./routes/automation.ts";
import type { Caller, World } from "./routes/case.ts";
import { dashboardCases } from "./routes/dashboards.ts";
import { deviceCases } from "./routes/devices.ts";
import { peopleCases } from "./routes/people.ts";
import { tableCases } from "./routes/tables.ts";
import { createWorld } from "./routes/world.ts";

const cases = { ...deviceCases, ...dashboardCases, ...automationCases, ...tableCases, ...peopleCases };

const routes = new Map<string, Route>(
  (await routeTables()).flatMap(([table, members]) =>
    Object.entries(members).map(([name, route]) => [`${table}.${name}`, route] as const),
  ),
);

let world: World & { close(): Promise<void> };

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

function tokenOf(caller: Caller): string | undefined {
  const { profile, analysis, device } = world.sandbox.tokens;
  return { profile, analysis, device, network: SEED_TOKENS.network, nobody: undefined }[caller];
}

describe("every route", () => {
  it("of the client has a case here, and no other has", () => {
    expect(Object.keys(cases).sort()).toEqual([...routes.keys()].sort());
  });

  it.each(Object.entries(cases))("%s answers a good call in the shape of the platform", async (name, routeCase) => {
    const route = routes.get(name);
    if (route === undefined) throw new Error(`The client has no route ${name}`);
    const { params = {}, query = "", body, token: own } = (await routeCase.given?.(world)) ?? {};
    const token = own ?? tokenOf(routeCase.as ?? "profile");
    const path = `${fillPath(route.path, params)}${query === "" ? "" : `?${query}`}`;
    const answer = await call(world.sandbox, route.method, path, { ...(token !== undefined && { token }), body });
    expect([200, 201], answer.text.slice(0, 500)).toContain(answer.status);
    expect(answer.body.status).toBe(true);
    expect(routeCase.result(answer.body.result, "result")).toEqual([]);
  });
});
