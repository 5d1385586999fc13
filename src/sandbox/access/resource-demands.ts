import { get, post } from "../../lib/api/route.ts";
import { currentNetworkRoutes } from "../../lib/clients/network.ts";
import { isRecord } from "../../lib/core/json.ts";
import { accessRoutes } from "../../lib/resources/access.ts";
import { actionRoutes } from "../../lib/resources/actions.ts";
import { analysisRoutes } from "../../lib/resources/analyses.ts";
import { connectorRoutes } from "../../lib/resources/connectors.ts";
import { dictionaryRoutes } from "../../lib/resources/dictionaries.ts";
import { entityRoutes } from "../../lib/resources/entities.ts";
import { networkRoutes } from "../../lib/resources/networks.ts";
import { notificationRoutes } from "../../lib/resources/notifications.ts";
import { secretRoutes } from "../../lib/resources/secrets.ts";
import { serviceAuthorizationRoutes } from "../../lib/resources/service-authorization.ts";
import { sqlRoutes } from "../../lib/resources/sql.ts";
import { tagocoreRoutes } from "../../lib/resources/tagocores.ts";
import { tagRoutes } from "../../lib/resources/tags.ts";
import { templateRoutes } from "../../lib/resources/template.ts";
import {
  creation,
  type Demand,
  type DemandEntry,
  list,
  named,
  portal,
  RUN_ACTIONS,
  record,
  tokenOwner,
  whole,
} from "./demands.ts";

interface CrudTable {
  readonly list: DemandEntry[0];
  readonly info: DemandEntry[0];
  readonly create: DemandEntry[0];
  readonly edit: DemandEntry[0];
  readonly delete: DemandEntry[0];
}

/** The five ordinary routes. */
function ordinary(routes: CrudTable, resource: string, kind: string, part: string): readonly DemandEntry[] {
  return [
    [routes.list, list(resource, kind, "access")],
    [routes.info, record(resource, part, "access")],
    [routes.create, creation(resource, "create")],
    [routes.edit, record(resource, part, "edit")],
    [routes.delete, record(resource, part, "delete")],
  ];
}

/** Opens the list and the records to portal users too. */
const forPortal = ([rows, info, ...others]: readonly DemandEntry[]): readonly DemandEntry[] => [
  ...[rows, info].flatMap((entry): DemandEntry[] => (entry === undefined ? [] : [[entry[0], portal(entry[1])]])),
  ...others,
];

const analysis = (...actions: readonly string[]): Demand => record("analysis", "analysisID", ...actions);
const entity = (...actions: readonly string[]): Demand => record("entity", "entityID", ...actions);
const dictionary = (...actions: readonly string[]): Demand => record("dictionary", "dictionaryID", ...actions);

/** Kinds whose tag keys can be asked for, as rules call them. */
const TAGGED: Readonly<Record<string, string>> = { am: "access_management" };

/** A template shows what it was made of. */
const templateSource: Demand = {
  resource: "dashboard",
  resourceFor: ({ body }) => (isRecord(body) && body["dashboard"] !== undefined ? "dashboard" : "analysis"),
  actions: ["access"],
  subjects: ({ body }, { record: find }) => {
    const id = isRecord(body) ? (body["dashboard"] ?? body["analysis"]) : undefined;
    return [typeof id === "string" ? find(id) : {}];
  },
};

const tagKeys: DemandEntry = [
  tagRoutes.getTagKeys,
  {
    ...whole("", "access"),
    resourceFor: ({ params }) => TAGGED[params["type"] ?? ""] ?? params["type"] ?? "",
  },
];

export const accessSettingsRoute = get("/am/settings");
const entityBackupRoute = post("/entity/:entityID/data/backup");

/** Everything but devices, dashboards, the account and the portal. */
export const resourceDemands: readonly DemandEntry[] = [
  ...ordinary(actionRoutes, "action", "action", "actionID"),
  ...ordinary(analysisRoutes, "analysis", "analysis", "analysisID"),
  [analysisRoutes.run, analysis(...RUN_ACTIONS)],
  [analysisRoutes.tokenGenerate, analysis("token_access")],
  [analysisRoutes.uploadScript, analysis("upload", "edit")],
  [analysisRoutes.downloadScript, analysis("access")],
  ...ordinary(accessRoutes, "access_management", "am", "accessID"),
  [accessSettingsRoute, whole("access_management", "access")],
  ...ordinary(connectorRoutes, "connector", "connector", "connectorID"),
  ...ordinary(networkRoutes, "network", "network", "networkID"),
  [networkRoutes.tokenList, record("network", "networkID", "token_access")],
  [networkRoutes.tokenCreate, named("network", "network", "token_access")],
  [networkRoutes.tokenDelete, tokenOwner("network", "token", "token_access")],
  [currentNetworkRoutes.deviceList, whole("network", "access")],
  ...ordinary(dictionaryRoutes, "dictionary", "dictionary", "dictionaryID"),
  [dictionaryRoutes.languageInfo, portal(dictionary("access"))],
  [dictionaryRoutes.languageEdit, dictionary("edit")],
  [dictionaryRoutes.languageDelete, dictionary("edit")],
  ...forPortal(ordinary(entityRoutes, "entity", "entity", "entityID")),
  [entityRoutes.amount, portal(entity("get_data", "access"))],
  [entityRoutes.getEntityData, portal(entity("get_data", "access"))],
  [entityRoutes.sendEntityData, entity("send_data", "edit")],
  [entityRoutes.editEntityData, entity("edit_data", "edit")],
  [entityRoutes.deleteEntityData, entity("delete_data", "edit")],
  [entityRoutes.emptyEntityData, entity("delete_data", "edit")],
  [entityRoutes.editSchemaIndex, entity("edit")],
  [entityBackupRoute, entity("get_data", "access")],
  ...ordinary(secretRoutes, "secrets", "secret", "secretID"),
  ...forPortal(ordinary(sqlRoutes, "sql", "sql", "sqlID")),
  [sqlRoutes.getVersion, record("sql", "sqlID", "access")],
  [sqlRoutes.execute, portal(record("sql", "sqlID", "execute"))],
  [sqlRoutes.tables, whole("sql", "access")],
  [serviceAuthorizationRoutes.tokenList, whole("service_authorization", "access")],
  [serviceAuthorizationRoutes.tokenCreate, whole("service_authorization", "create")],
  [serviceAuthorizationRoutes.tokenEdit, whole("service_authorization", "edit")],
  [serviceAuthorizationRoutes.tokenDelete, whole("service_authorization", "delete")],
  [notificationRoutes.list, whole("notification", "access")],
  [notificationRoutes.create, whole("notification", "create")],
  [notificationRoutes.markRead, whole("notification", "edit")],
  [notificationRoutes.markAllAsRead, whole("notification", "edit")],
  [notificationRoutes.notificationButton, whole("notification", "edit")],
  [notificationRoutes.remove, whole("notification", "delete")],
  [notificationRoutes.registerDevice, whole("notification", "edit")],
  [notificationRoutes.unRegisterDevice, whole("notification", "edit")],
  [tagocoreRoutes.list, whole("tcore", "access")],
  [tagocoreRoutes.info, whole("tcore", "access")],
  [tagocoreRoutes.edit, whole("tcore", "edit")],
  [tagocoreRoutes.tokenGenerate, whole("tcore", "token_access")],
  [tagocoreRoutes.delete, whole("tcore", "delete")],
  [templateRoutes.getTemplate, whole("dashboard", "create")],
  [templateRoutes.generateTemplate, { ...whole("dashboard", "create"), also: templateSource }],
  [templateRoutes.installTemplate, whole("dashboard", "create")],
  tagKeys,
];
