import { networkRoutes } from "../../lib/resources/networks.ts";
import { networkCreate, networkEdit } from "../../schema/integration.ts";
import { ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { perPlan } from "../core/plans.ts";
import { listOf } from "../core/query.ts";
import { resource } from "../resource.ts";
import { project } from "../store/collection.ts";
import type { EntityDocument } from "../store/document.ts";
import { catalogueGaps, withoutOwner } from "./catalogue.ts";
import { bindNetworkTokens } from "./token-routes.ts";

/**
 * Placeholder for the sandbox itself in a network's `middleware_endpoint`: its port is known only at the time of the
 * request.
 */
const OWN_MIDDLEWARE = "127.0.0.1/middleware";

const gaps = {
  sharing: {
    subject: "Connectors and networks of other profiles",
    choice: "none is shared with another profile",
    general: true,
  },
  brokers: { subject: "MQTT broker and TagoTiP", choice: "none", general: true },
} as const;

/** A network with the sandbox's own middleware under the origin the caller uses. */
export function presentNetwork(network: EntityDocument, origin: string): Record<string, unknown> {
  const shown = withoutOwner(network);
  if (shown["middleware_endpoint"] !== OWN_MIDDLEWARE) return shown;
  return { ...shown, middleware_endpoint: `${origin.replace(/^https?:\/\//, "")}/middleware` };
}

/** Networks: those of the profile, and the public ones. Both have tokens. */
export const networks = resource({
  tables: { networkRoutes },
  kind: "network",
  thing: "Network",
  keys: { name: "text" },
  defaults: { fields: ["id", "name"], orderBy: ["name", "asc"] },
  catalogue: true,
  most: perPlan(1, 5, 10),
  audit: ["network", "Network"],
  backup: { file: "networks" },
  amounts: ["networks"],
  routes: networkRoutes,
  rule: "network",
  access: { label: "Network", analysis: onRecords(...ORDINARY_ACTIONS, "token_access") },
  openList: true,
  withTags: false,
  initial: { public: false, device_parameters: [] },
  create: { body: networkCreate, status: 200, answer: ({ id }) => ({ network: id }) },
  edit: { body: networkEdit, answer: "Network Successfully Updated" },
  listed: (network, { request }) => presentNetwork(network, request.origin),
  shown: (network, { query, request }) => project(presentNetwork(network, request.origin), listOf(query["fields"])),
  onlyOwn: catalogueGaps.notOwn,
  removing: (app, { id }) => app.tokens.removeOf(id),
  more: bindNetworkTokens,
  gaps,
});
