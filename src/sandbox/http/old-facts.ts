import type { Route } from "../../lib/api/route.ts";
import { currentDeviceRoutes } from "../../lib/clients/device.ts";
import { deviceRoutes } from "../../lib/resources/devices.ts";
import { widgetRoutes } from "../../lib/resources/widgets.ts";
import { accountDemands } from "../access/account-demands.ts";
import { demandTable, type RouteRule } from "../access/demands.ts";
import { dashboardDemands, deviceDemands } from "../access/device-demands.ts";
import { resourceDemands } from "../access/resource-demands.ts";
import { routeKey } from "../core/route-key.ts";
import type { RouteOptions } from "./handler.ts";
import { CREATES, RATE_LIMITS } from "./limit-tables.ts";

/** Facts about routes that are not said where they are bound yet. */
export type OldOptions<Body = unknown> = Omit<RouteOptions<Body>, "rule"> & { readonly rule?: "own" | "free" };

const DEMANDS = demandTable([...deviceDemands, ...dashboardDemands, ...resourceDemands, ...accountDemands]);

function ruleOf(route: Route, options: OldOptions): RouteRule {
  const demand = DEMANDS.get(routeKey(route.method, route.path));
  if (route.anonymous === true) return "anyone";
  if (demand !== undefined) return options.rule === undefined ? demand : [demand, options.rule];
  return options.rule ?? "owner";
}

export function routeOptions(route: Route, options: OldOptions): RouteOptions {
  const key = routeKey(route.method, route.path);
  const creates = CREATES.find((limit) => limit.route.test(key))?.kind;
  const output = route === deviceRoutes.getDeviceData || route === currentDeviceRoutes.getData;
  return {
    ...options,
    rule: ruleOf(route, options),
    rate: RATE_LIMITS.filter((limit) => limit.route.test(key)),
    ...(creates !== undefined && { creates }),
    ...(output && { counts: "output" as const }),
    ...(route === widgetRoutes.getData && { counts: "dashboard_output" as const }),
  };
}
