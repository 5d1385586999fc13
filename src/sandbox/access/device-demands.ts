import { post } from "../../lib/api/route.ts";
import { isRecord } from "../../lib/core/json.ts";
import { dashboardRoutes } from "../../lib/resources/dashboards.ts";
import { deviceRoutes } from "../../lib/resources/devices.ts";
import { widgetRoutes } from "../../lib/resources/widgets.ts";
import { creation, type Demand, type DemandEntry, list, named, portal, record, tokenOwner } from "./demands.ts";

const device = (...actions: readonly string[]): Demand => record("device", "deviceID", ...actions);
const dashboard = (...actions: readonly string[]): Demand => record("dashboard", "dashboardID", ...actions);

/** Changes the storage of a device. The client has no method for it. */
const deviceConvertRoute = post("/device/:deviceID/convert");

/** Devices, their data, parameters and tokens. */
export const deviceDemands: readonly DemandEntry[] = [
  [deviceRoutes.list, portal(list("device", "device", "access"))],
  [deviceRoutes.info, portal(device("access"))],
  [deviceRoutes.create, creation("device", "create")],
  [deviceRoutes.edit, device("edit")],
  [deviceRoutes.delete, device("delete")],
  [deviceConvertRoute, device("edit")],
  [deviceRoutes.paramList, device("access")],
  [deviceRoutes.paramSet, device("edit")],
  [deviceRoutes.paramRemove, device("edit")],
  [deviceRoutes.tokenList, device("token_access")],
  [deviceRoutes.tokenCreate, named("device", "device", "token_access")],
  [deviceRoutes.tokenDelete, tokenOwner("device", "token", "token_access")],
  [deviceRoutes.amount, device("get_data")],
  [deviceRoutes.getDeviceData, portal(device("get_data"))],
  [deviceRoutes.sendDeviceData, portal(device("send_data"))],
  [deviceRoutes.editDeviceData, device("edit_data")],
  [deviceRoutes.deleteDeviceData, device("delete_data")],
  [deviceRoutes.emptyDeviceData, device("delete_data")],
  [deviceRoutes.getChunk, device("manage_chunks")],
  [deviceRoutes.deleteChunk, device("manage_chunks")],
  [deviceRoutes.copyChunk, device("manage_chunks")],
  [deviceRoutes.dataBackup, device("export_data")],
  [deviceRoutes.chunkBackup, device("export_data")],
  [deviceRoutes.dataRestore, device("import_data")],
];

/** Portal users may put widgets in other places with `arrangement`, and nothing else of a dashboard. */
const dashboardEdit: Demand = {
  ...portal(dashboard("edit")),
  actionsFor: ({ body }) => {
    const members = isRecord(body) ? Object.keys(body) : [];
    return members.length === 1 && members[0] === "arrangement" ? ["edit", "arrangement"] : ["edit"];
  },
};

/** Upload of a form field of a widget. */
const widgetFileRoute = post("/data/files/:dashboardID/:widgetID");

/** Upload of the source of a custom widget. */
const widgetSourceRoute = post("/dashboard/:dashboardID/widget/:widgetID/upload");

/** Dashboards, widgets and their data. Access to a dashboard is access to what its widgets show. */
export const dashboardDemands: readonly DemandEntry[] = [
  [dashboardRoutes.list, portal(list("dashboard", "dashboard", "access"))],
  [dashboardRoutes.info, portal(dashboard("access"))],
  [dashboardRoutes.create, creation("dashboard", "create")],
  [dashboardRoutes.edit, dashboardEdit],
  [dashboardRoutes.delete, dashboard("delete")],
  [dashboardRoutes.duplicate, dashboard("duplicate")],
  [dashboardRoutes.getPublicKey, dashboard("edit")],
  [dashboardRoutes.listDevicesRelated, dashboard("related_devices")],
  [dashboardRoutes.listAnalysisRelated, dashboard("related_analysis")],
  [dashboardRoutes.runWidgetHeaderButtonAnalysis, portal(dashboard("access"))],
  [widgetRoutes.info, portal(dashboard("access"))],
  [widgetRoutes.create, dashboard("edit")],
  [widgetRoutes.edit, dashboard("edit")],
  [widgetRoutes.delete, dashboard("edit")],
  [widgetRoutes.tokenGenerate, dashboard("edit")],
  [widgetRoutes.getData, portal(dashboard("access"))],
  [widgetRoutes.sendData, portal(dashboard("access"))],
  [widgetRoutes.editData, portal(dashboard("access"))],
  [widgetRoutes.deleteData, portal(dashboard("access"))],
  [widgetRoutes.editResource, portal(dashboard("access"))],
  [widgetSourceRoute, dashboard("edit")],
  [widgetFileRoute, portal(dashboard("access"))],
];
