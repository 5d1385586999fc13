import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillPath, type Route } from "../../src/lib/api/route.ts";
import { routeTables } from "../helpers/route-tables.ts";
import { call } from "./client.ts";
import { automationCases } from "./routes/automation.ts";
import type { World } from "./routes/case.ts";
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

/** Whoever knows the id of a template may read and install it. */
const SHARED: readonly string[] = ["template.getTemplate", "template.installTemplate"];

type Kind = "run_user" | "analysis" | "device" | "network";

let world: World & { close(): Promise<void> };
let tokens: Readonly<Record<Kind, string>>;

/** Another account with one thing of each kind that has a token, and rules that allow them everything. */
beforeAll(async () => {
  world = await createWorld();
  const { token } = await world.newAccount();
  const own = <T>(method: string, path: string, body?: unknown): Promise<T> => world.send<T>(method, path, body, token);
  const { token: analysis } = await own<{ token: string }>("POST", "/analysis", { name: "Spy", run_on: "external" });
  const { token: device } = await own<{ token: string }>("POST", "/device", { name: "Spy" });
  const { network } = await own<{ network: string }>("POST", "/integration/network", { name: "Spy" });
  const made = { network, name: "Spy", permission: "full", expire_time: "never" };
  const { token: networkToken } = await own<{ token: string }>("POST", "/integration/network/token", made);
  const person = { name: "Spy", email: "spy@example.test", password: "Secret-123", timezone: "UTC", active: true };
  const { user } = await own<{ user: string }>("POST", "/run/users", person);
  const { token: portal } = await own<{ token: string }>("GET", `/run/users/${user}/login`);
  const all = ["device", "dashboard", "file", "dictionary"].map((resource) => ({
    effect: "allow",
    action: ["access", "arrangement", "get_data", "send_data", "edit", "upload", "delete"],
    resource: [resource],
  }));
  await own("POST", "/am", { name: "Everything", targets: [["run_user"]], permissions: all });
  tokens = { run_user: portal, analysis, device, network: networkToken };
});
afterAll(() => world.close());

const named = Object.entries(cases).filter(([name]) => {
  const route = routes.get(name);
  return route !== undefined && route.anonymous !== true && route.path.includes(":") && !SHARED.includes(name);
});

describe("a token of another profile", () => {
  it.each(named)("gets nothing from %s with ids that are not its own", async (name, routeCase) => {
    const route = routes.get(name);
    if (route === undefined) throw new Error(`The client has no route ${name}`);
    const { params = {}, query = "", body } = (await routeCase.given?.(world)) ?? {};
    const given = { ...params, ...(params["profileID"] === "current" && { profileID: world.sandbox.profileId }) };
    const path = `${fillPath(route.path, given)}${query === "" ? "" : `?${query}`}`;
    for (const [kind, token] of Object.entries(tokens)) {
      const { body: answer, status } = await call(world.sandbox, route.method, path, { token, body });
      const isEmpty = status === 200 && Array.isArray(answer.result) && answer.result.length === 0;
      if (!isEmpty) expect([400, 401, 403, 404], `${kind} ${path}: ${JSON.stringify(answer)}`).toContain(status);
    }
  });
});
