import type { Route } from "../../lib/api/route.ts";
import { routeKey } from "../core/route-key.ts";
import { resources } from "../resources.ts";

interface OperationName {
  /** `device` */
  readonly tag: string;
  /** `deviceList`, unique in a document. */
  readonly id: string;
}

export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const named = new Map<string, readonly (OperationName & { readonly route: Route })[]>();
for (const [table, routes] of resources.flatMap(({ tables = {} }) => Object.entries(tables))) {
  const tag = table.replace(/Routes$/, "");
  for (const [name, route] of Object.entries(routes)) {
    const key = routeKey(route.method, route.path);
    named.set(key, [...(named.get(key) ?? []), { tag, id: `${tag}${capital(name)}`, route }]);
  }
}

/** `POST /device/:deviceID/convert` is `postDeviceConvert`. */
function nameOfPath({ method, path }: Route): OperationName {
  const parts = path.split("/").filter((part) => part !== "" && !part.startsWith(":"));
  const words = parts.flatMap((part) => part.split(/[^A-Za-z0-9]+/)).map(capital);
  return { tag: parts[0] ?? "platform", id: `${method.toLowerCase()}${words.join("")}` };
}

/** The name of a route in the client's tables; if it is in none, that of its path. */
export function operationName(route: Route): OperationName {
  const found = named.get(routeKey(route.method, route.path)) ?? [];
  return found.find((each) => each.route === route) ?? found[0] ?? nameOfPath(route);
}
