import { connectorRoutes } from "../../lib/resources/connectors.ts";
import { connectorCreate, connectorEdit } from "../../schema/integration.ts";
import { ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { perPlan } from "../core/plans.ts";
import { listOf } from "../core/query.ts";
import { resource } from "../resource.ts";
import { project } from "../store/collection.ts";
import { catalogueGaps, withoutOwner } from "./catalogue.ts";

const gaps = {
  ...catalogueGaps,
  alone: { subject: "Connector without a network", choice: "accepted" },
} as const;

/** Connectors: those of the profile, and the public ones. */
export const connectors = resource({
  tables: { connectorRoutes },
  kind: "connector",
  thing: "Connector",
  keys: { name: "text" },
  defaults: { fields: ["id", "name"], orderBy: ["name", "asc"] },
  catalogue: true,
  most: perPlan(3, 20, 50),
  audit: ["connector", "Connector"],
  backup: { file: "connectors" },
  amounts: ["connectors"],
  routes: connectorRoutes,
  rule: "connector",
  access: { label: "Connector", analysis: onRecords(...ORDINARY_ACTIONS) },
  openList: true,
  withTags: false,
  initial: { public: false, networks: [], device_parameters: [] },
  create: { body: connectorCreate, status: 200, answer: ({ id }) => ({ connector: id }) },
  edit: { body: connectorEdit, answer: "Connector Successfully Updated" },
  removed: "Connector Successfully Deleted",
  prepare: (_, body, { assume, document }) => {
    const networks = body.networks ?? document?.["networks"];
    if (!Array.isArray(networks) || networks.length === 0) assume(gaps.alone);
    return body;
  },
  listed: withoutOwner,
  shown: (connector, { query }) => project(withoutOwner(connector), listOf(query["fields"])),
  onlyOwn: gaps.notOwn,
  gaps,
});
