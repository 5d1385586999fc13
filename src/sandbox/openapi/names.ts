import { serviceRoutes } from "../../lib/analysis/services/routes.ts";
import type { Route } from "../../lib/api/route.ts";
import { authorizationRoutes } from "../../lib/clients/authorization.ts";
import { currentDeviceRoutes } from "../../lib/clients/device.ts";
import { dictionaryReaderRoutes } from "../../lib/clients/dictionary.ts";
import { currentNetworkRoutes } from "../../lib/clients/network.ts";
import { runUserRoutes, sdbRoutes } from "../../lib/clients/run-user.ts";
import { accessRoutes } from "../../lib/resources/access.ts";
import { accountRoutes, ownAccountRoutes } from "../../lib/resources/account.ts";
import { actionRoutes } from "../../lib/resources/actions.ts";
import { analysisRoutes } from "../../lib/resources/analyses.ts";
import { billingRoutes } from "../../lib/resources/billing.ts";
import { connectorRoutes } from "../../lib/resources/connectors.ts";
import { dashboardRoutes } from "../../lib/resources/dashboards.ts";
import { deviceRoutes } from "../../lib/resources/devices.ts";
import { dictionaryRoutes } from "../../lib/resources/dictionaries.ts";
import { entityRoutes } from "../../lib/resources/entities.ts";
import { fileRoutes } from "../../lib/resources/files.ts";
import { networkRoutes } from "../../lib/resources/networks.ts";
import { notificationRoutes } from "../../lib/resources/notifications.ts";
import { paymentHistoryRoutes, paymentMethodRoutes } from "../../lib/resources/payments.ts";
import { planRoutes } from "../../lib/resources/plan.ts";
import { profileRoutes } from "../../lib/resources/profile.ts";
import { runRoutes } from "../../lib/resources/run.ts";
import { secretRoutes } from "../../lib/resources/secrets.ts";
import { serviceAuthorizationRoutes } from "../../lib/resources/service-authorization.ts";
import { sqlRoutes } from "../../lib/resources/sql.ts";
import { tagocoreRoutes } from "../../lib/resources/tagocores.ts";
import { tagRoutes } from "../../lib/resources/tags.ts";
import { templateRoutes } from "../../lib/resources/template.ts";
import { widgetRoutes } from "../../lib/resources/widgets.ts";
import { routeKey } from "../core/route-key.ts";

type RouteTable = Readonly<Record<string, Route>>;

/** The client's tables. Their names, and those of their routes, are the names of the operations. */
const tables: Readonly<Record<`${string}Routes`, RouteTable>> = {
  accessRoutes,
  accountRoutes,
  actionRoutes,
  analysisRoutes,
  authorizationRoutes,
  billingRoutes,
  connectorRoutes,
  currentDeviceRoutes,
  currentNetworkRoutes,
  dashboardRoutes,
  deviceRoutes,
  dictionaryReaderRoutes,
  dictionaryRoutes,
  entityRoutes,
  fileRoutes,
  networkRoutes,
  notificationRoutes,
  ownAccountRoutes,
  paymentHistoryRoutes,
  paymentMethodRoutes,
  planRoutes,
  profileRoutes,
  runRoutes,
  // Like the other clients of one token: `runUserCreate` is what `run.userCreate` makes.
  currentRunUserRoutes: runUserRoutes,
  sdbRoutes,
  secretRoutes,
  serviceAuthorizationRoutes,
  serviceRoutes,
  sqlRoutes,
  tagRoutes,
  tagocoreRoutes,
  templateRoutes,
  widgetRoutes,
};

interface OperationName {
  /** `device` */
  readonly tag: string;
  /** `deviceList`, unique in a document. */
  readonly id: string;
}

export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const named = new Map<string, readonly (OperationName & { readonly route: Route })[]>();
for (const [table, routes] of Object.entries(tables)) {
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

/** The name of a route in the client's tables; that of its path where it is in none. */
export function operationName(route: Route): OperationName {
  const found = named.get(routeKey(route.method, route.path)) ?? [];
  return found.find((each) => each.route === route) ?? found[0] ?? nameOfPath(route);
}
