import type { ResultKind } from "../../src/lib/api/result-kind.ts";
import type { Route } from "../../src/lib/api/route.ts";
import { routeTables } from "./route-tables.ts";

/** All routes with their names: `device.list`. */
export const allRoutes = (await routeTables()).flatMap(([table, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ name: `${table}.${name}`, route })),
);

const samples: Readonly<Record<ResultKind, unknown>> = { any: "done", object: {}, list: [], data: [] };

const fixedParts = ({ path }: Route): number => path.split("/").filter((part) => !part.startsWith(":")).length;

/** A result of the kind that the route of a request returns. @param sends `GET /device/d1?query` */
export function usualAnswer(sends: string): unknown {
  const [method, path = ""] = (sends.split("?")[0] ?? "").split(" ");
  const fits = (route: Route) =>
    route.method === method && new RegExp(`^${route.path.replaceAll(/:[A-Za-z_]+/g, "[^/]+")}$`).test(path);
  const [found] = allRoutes
    .map(({ route }) => route)
    .filter(fits)
    .sort((a, b) => fixedParts(b) - fixedParts(a));
  return samples[found?.result ?? "any"];
}
