import { accessRoutes } from "../../lib/resources/access.ts";
import { actionRoutes } from "../../lib/resources/actions.ts";
import { dashboardRoutes } from "../../lib/resources/dashboards.ts";
import { deviceRoutes } from "../../lib/resources/devices.ts";
import { dictionaryRoutes } from "../../lib/resources/dictionaries.ts";
import { entityRoutes } from "../../lib/resources/entities.ts";
import { runRoutes } from "../../lib/resources/run.ts";
import { secretRoutes } from "../../lib/resources/secrets.ts";
import { sqlRoutes } from "../../lib/resources/sql.ts";
import { tagocoreRoutes } from "../../lib/resources/tagocores.ts";
import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import { type CollectionSpec, createCollection, type Visible } from "./collection.ts";
import type { Collection, CollectionName } from "./document.ts";
import type { SandboxDatabase } from "./types.ts";

const TIMES = ["created_at", "updated_at"] as const;

/** What can be stored. A new kind of record is one entry here, and a line with `crud()`. */
const specs: Readonly<Record<CollectionName, CollectionSpec>> = {
  device: {
    kind: "device",
    thing: "Device",
    keys: {
      name: "text",
      active: "boolean",
      visible: "boolean",
      type: "exact",
      connector: "exact",
      network: "exact",
      last_input: "date",
      last_output: "date",
    },
    defaults: { ...deviceRoutes.list.list, fields: ["id", "name", "connector", "network"] },
  },
  dashboard: {
    kind: "dashboard",
    thing: "Dashboard",
    keys: { label: "text", type: "exact", visible: "boolean", active: "boolean", last_access: "date" },
    defaults: dashboardRoutes.list.list ?? {},
  },
  widget: {
    kind: "widget",
    thing: "Widget",
    keys: { label: "text", type: "exact", dashboard: "exact" },
    defaults: {},
    parent: "dashboard",
  },
  connector: {
    kind: "connector",
    thing: "Connector",
    keys: { name: "text" },
    defaults: { fields: ["id", "name"], orderBy: ["name", "asc"] },
    catalogue: true,
  },
  network: {
    kind: "network",
    thing: "Network",
    keys: { name: "text" },
    defaults: { fields: ["id", "name"], orderBy: ["name", "asc"] },
    catalogue: true,
  },
  analysis: {
    kind: "analysis",
    thing: "Analysis",
    keys: { name: "text", active: "boolean", run_on: "exact", runtime: "exact", last_run: "date" },
    defaults: { fields: ["id", "name"], orderBy: ["name", "asc"] },
    always: ["last_run"],
    sortable: ["name", "active", "run_on", "last_run", ...TIMES],
    unfiltered: ["run_on"],
    missing: [400, "Analysis can't be found"],
  },
  am: {
    kind: "am",
    thing: "Access Management",
    keys: { name: "text", active: "boolean" },
    defaults: { ...accessRoutes.list.list, fields: ["id", "name", "active", "profile", "created_at"] },
    sortable: ["name", "active", ...TIMES],
    failingFields: ["permissions", "targets"],
  },
  run_user: {
    kind: "run_user",
    thing: "User",
    keys: { name: "text", email: "text", active: "boolean", company: "text", last_login: "date" },
    defaults: { ...runRoutes.listUsers.list, fields: [] },
    sortable: ["name", "active", "last_login", ...TIMES],
  },
  run_notification: {
    kind: "run_notification",
    thing: "Notification",
    keys: { title: "text", run_user: "exact", read: "boolean" },
    defaults: { orderBy: ["created_at", "desc"] },
    parent: "run_user",
  },
  template: { kind: "template", thing: "Template", keys: { name: "text", type: "exact" }, defaults: {} },
  action: {
    kind: "action",
    thing: "Action",
    keys: { name: "text", active: "boolean", type: "exact", last_triggered: "date" },
    defaults: actionRoutes.list.list ?? {},
  },
  notification: {
    kind: "notification",
    thing: "Notification",
    keys: { read: "boolean", title: "text", type: "exact" },
    defaults: { orderBy: ["created_at", "desc"] },
  },
  entity: {
    kind: "entity",
    thing: "Entity",
    keys: { name: "text" },
    defaults: { ...entityRoutes.list.list, fields: ["id", "profile", "name", ...TIMES] },
  },
  dictionary: {
    kind: "dictionary",
    thing: "Dictionary",
    keys: { name: "text", slug: "text", fallback: "text" },
    defaults: { ...dictionaryRoutes.list.list, fields: ["id", "name", "slug", "languages", "fallback", ...TIMES] },
  },
  secret: { kind: "secret", thing: "Secret", keys: { key: "text" }, defaults: secretRoutes.list.list ?? {} },
  tcore: {
    kind: "tcore",
    thing: "TCore",
    keys: {
      name: "text",
      active: "boolean",
      connected: "boolean",
      machine_id: "text",
      tcore_version: "text",
      last_connection: "date",
      system_start_time: "date",
      tcore_start_time: "date",
    },
    defaults: tagocoreRoutes.list.list ?? {},
  },
  sql: {
    kind: "sql",
    thing: "SQL",
    keys: { name: "text", active: "boolean" },
    defaults: sqlRoutes.list.list ?? {},
    fixedFields: ["id", "name", "tags"],
  },
};

/** Makes all collections over one database. */
export function createCollections(
  db: SandboxDatabase,
  clock: Clock,
  ids: IdSource,
  visible?: Visible,
): Readonly<Record<CollectionName, Collection>> {
  const make = (name: CollectionName): Collection => createCollection(db, clock, ids, specs[name], visible);
  return {
    device: make("device"),
    dashboard: make("dashboard"),
    widget: make("widget"),
    connector: make("connector"),
    network: make("network"),
    analysis: make("analysis"),
    am: make("am"),
    run_user: make("run_user"),
    run_notification: make("run_notification"),
    template: make("template"),
    action: make("action"),
    notification: make("notification"),
    entity: make("entity"),
    dictionary: make("dictionary"),
    secret: make("secret"),
    tcore: make("tcore"),
    sql: make("sql"),
  };
}
