import type { Route } from "../../lib/api/route.ts";
import { dashboardRoutes } from "../../lib/resources/dashboards.ts";
import { deviceRoutes } from "../../lib/resources/devices.ts";
import { widgetRoutes } from "../../lib/resources/widgets.ts";
import { PlatformError } from "../core/platform-error.ts";

/** What the console may read of an account. No route whose response is a token, a secret or somebody's password. */
const READS: readonly Route[] = [
  deviceRoutes.list,
  deviceRoutes.info,
  deviceRoutes.amount,
  deviceRoutes.getDeviceData,
  dashboardRoutes.list,
  dashboardRoutes.info,
  widgetRoutes.info,
  widgetRoutes.getData,
];

/** What viewers of a dashboard do with its widgets, and what its editor saves. */
const WRITES: readonly Route[] = [
  dashboardRoutes.create,
  dashboardRoutes.edit,
  widgetRoutes.create,
  widgetRoutes.edit,
  widgetRoutes.delete,
  widgetRoutes.sendData,
  widgetRoutes.editData,
  widgetRoutes.deleteData,
  widgetRoutes.editResource,
  dashboardRoutes.runWidgetHeaderButtonAnalysis,
];

const ID = "[0-9a-f]{24}";

/** Methods and paths that are passed on, as they come on the line. */
const patternOf = ({ method, path }: Route): RegExp =>
  new RegExp(`^${method} ${path.replace(/\/$/, "").replaceAll(/:\w+/g, ID)}$`);

const reads = READS.map(patternOf);
const writes = WRITES.map(patternOf);

/** A request that is passed on. */
export interface Passed {
  readonly method: Route["method"];
  /** With the query. */
  readonly path: string;
  readonly isWrite: boolean;
}

/** Headers and parameters by which some servers take another method than that of the request. */
const OTHER_METHOD = /^(x-)?(http-)?method(-override)?$/i;

/** The path of the API in a request target: only plain names, so that no server reads it in another way. */
const TARGET = /^\/api((?:\/[\w-]+)+)\/?(\?[\w\-.~!$&'()*+,;=:@/%?[\]]*)?$/;

/**
 * Decides whether a request is passed on.
 *
 * @throws PlatformError 403
 */
export function passed(method: string, target: string, headers: readonly string[], mayWrite: boolean): Passed {
  const [, path = "", query = ""] = TARGET.exec(target) ?? [];
  const names = [...headers, ...new URLSearchParams(query).keys()];
  if (names.some((name) => OTHER_METHOD.test(name.replace(/^_/, ""))))
    throw new PlatformError(403, "The console passes on no request that names another method");
  const line = `${method} ${path}`;
  const found = { method: method as Passed["method"], path: `${path}${query}` };
  if (reads.some((pattern) => pattern.test(line))) return { ...found, isWrite: false };
  if (!writes.some((pattern) => pattern.test(line)))
    throw new PlatformError(403, "The console does not pass on this request");
  if (!mayWrite) throw new PlatformError(403, "The console only reads: start it with --write to change something");
  return { ...found, isWrite: true };
}
