import { widgetRoutes } from "../../lib/resources/widgets.ts";
import type { FullApp } from "../app.ts";
import { storeArrival } from "../data/arrive.ts";
import { toDataDevice } from "../data/device.ts";
import { parseDataQuery } from "../data/query.ts";
import type { DataStore } from "../data/store.ts";
import { isId, requireId } from "../ids.ts";
import { matchesWildcard } from "../list-records.ts";
import { booleanOf, listOf, numberOf, objectOf, textOf } from "../query-decode.ts";
import { isRecord } from "../records.ts";
import {
  type EntityDocument,
  type HandlerContext,
  type HandlerOptions,
  PlatformError,
  type QueryObject,
  type QueryValue,
} from "../types.ts";
import { needWidget, presentWidget } from "./widgets.ts";

type App = FullApp<DataStore>;
type Context = HandlerContext<"/data/:dashboardID/:widgetID">;

const DATES = ["start_date", "end_date", "timezone"] as const;
const MAX_RESOURCE_ROWS = 10_000;
/** Embed tokens and public keys read; writing needs more. */
const readers: HandlerOptions = { tokens: ["profile", "analysis", "dashboard"] };

/** The widget of a path. A key of one dashboard opens nothing of another. */
function widgetOf(app: App, { params, principal, profile }: Context): EntityDocument {
  if (principal.kind === "dashboard" && params.dashboardID !== principal.refId) {
    throw new PlatformError(401, "Authorization Denied");
  }
  return needWidget(app, params.dashboardID, params.widgetID, profile);
}

/** Blueprint devices of the request: blueprint id to device id. */
function chosenDevices(query: QueryObject): ReadonlyMap<string, string> {
  const value = query["blueprint_devices"];
  const items = typeof value === "string" ? parsedItems(value) : Array.isArray(value) ? value : [];
  const pairs = items.filter(isRecord).map(({ origin, id }) => [String(origin), String(id)] as const);
  return new Map(pairs);
}

function parsedItems(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    throw new PlatformError(400, "Invalid JSON in blueprint_devices");
  }
}

/** The dates of the request stand in for the entry's own, unless the entry forbids it. */
function withDates(entry: Record<string, unknown>, overwrite: QueryObject): Record<string, unknown> {
  if (entry["overwrite"] === false) return entry;
  const asked = DATES.flatMap((name) => {
    const text = textOf(overwrite[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { ...entry, ...Object.fromEntries(asked) };
}

/** Only members that mean something to a data query, without nulls. */
function queryOf(entry: Record<string, unknown>): Record<string, unknown> {
  const { origin: _, bucket: _bucket, overwrite: _overwrite, is_hide: _hide, ...params } = entry;
  const known = Object.entries(params).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const texts = known.map(([name, value]) => [name, typeof value === "number" ? String(value) : value]);
  return Object.fromEntries(texts);
}

/** Old widgets read origin and serie. A bare number becomes one row, like the queries by variable give. */
function toWidgetRows(result: unknown, deviceId: string, entry: Record<string, unknown>, nowMs: number): unknown[] {
  if (typeof result === "number") {
    const [variable = ""] = [entry["variables"]].flat().map(String);
    const time = new Date(nowMs).toISOString();
    return [{ variable, value: result, time, device: deviceId, origin: deviceId }];
  }
  if (!Array.isArray(result)) return [];
  return result.filter(isRecord).map((row) => ({
    ...row,
    device: deviceId,
    origin: deviceId,
    ...(row["group"] !== undefined && { serie: row["group"] }),
  }));
}

/** One `data` entry of a widget, answered. */
function resolveEntry(app: App, context: Context, entry: Record<string, unknown>): unknown[] {
  const { query, now, profile } = context;
  const origin = String(entry["origin"] ?? "");
  const deviceId = chosenDevices(query).get(origin) ?? origin;
  if (!isId(deviceId)) return [];
  const device = app.collection("device").get(deviceId);
  if (device === undefined || device.profile !== profile) return [];
  const params = queryOf(withDates(entry, objectOf(query["overwrite"])));
  const page = numberOf(query["page"]) ?? 1;
  const qty = numberOf(String(params["qty"] ?? "")) ?? numberOf(query["amount"]);
  const paged = page > 1 && qty !== undefined && params["skip"] === undefined ? { skip: String((page - 1) * qty) } : {};
  const result = app.data.read(toDataDevice(device), parseDataQuery({ ...params, ...paged }, now));
  return toWidgetRows(result, deviceId, entry, now);
}

/** What a column of a device list shows. */
function viewOf(app: App, device: EntityDocument, view: string): unknown {
  if (view.startsWith("param."))
    return app.params.list(device.id).find(({ key }) => key === view.slice(6))?.value ?? null;
  if (view === "bucket") return device.id;
  if (view === "bucket_name") return device["name"];
  if (view === "connector_name") return app.collection("connector").get(String(device["connector"]))?.["name"] ?? null;
  if (view === "network_name") return app.collection("network").get(String(device["network"]))?.["name"] ?? null;
  if (!view.startsWith("tags.")) return device[view] ?? null;
  const tags = Array.isArray(device["tags"]) ? device["tags"].filter(isRecord) : [];
  return tags.find(({ key }) => key === view.slice(5))?.["value"] ?? null;
}

function carries(device: EntityDocument, wanted: readonly Record<string, unknown>[]): boolean {
  const tags = Array.isArray(device["tags"]) ? device["tags"].filter(isRecord) : [];
  return wanted.every(({ key, value }) =>
    tags.some(
      (tag) =>
        (key === undefined || matchesWildcard(String(tag["key"]), String(key))) &&
        (value === undefined || matchesWildcard(String(tag["value"]), String(value))),
    ),
  );
}

/** Devices a widget lists, with the columns of all its resource entries. */
function resolveResource(app: App, context: Context, resource: readonly Record<string, unknown>[]): unknown[] {
  const [first] = resource;
  if (first === undefined || (first["type"] ?? "device") !== "device") return [];
  const filter = Array.isArray(first["filter"]) ? first["filter"].filter(isRecord) : [];
  const views = resource.map(({ view }) => String(view ?? "name"));
  const amount = Math.max(1, Math.min(MAX_RESOURCE_ROWS, numberOf(context.query["amount"]) ?? MAX_RESOURCE_ROWS));
  const from = (Math.max(1, numberOf(context.query["page"]) ?? 1) - 1) * amount;
  return app
    .collection("device")
    .all(context.profile)
    .filter((device) => carries(device, filter))
    .slice(from, from + amount)
    .map((device) => ({
      device: device.id,
      ...Object.fromEntries(views.map((view) => [view, viewOf(app, device, view)])),
    }));
}

function contentOf(app: App, context: Context, widget: EntityDocument): unknown[] {
  const entries = Array.isArray(widget["data"]) ? widget["data"].filter(isRecord) : [];
  const resource = Array.isArray(widget["resource"]) ? widget["resource"].filter(isRecord) : [];
  const fromData = entries.map((data) => ({ data, result: resolveEntry(app, context, data), cacheTime: null }));
  if (resource.length === 0) return fromData;
  const result = resolveResource(app, context, resource);
  return [...fromData, ...resource.map((each) => ({ resource: each, result, cacheTime: null }))];
}

/** Body rows with their device, in the order of the devices' first rows. */
function byOrigin(body: unknown): ReadonlyMap<string, Record<string, unknown>[]> {
  const rows = (Array.isArray(body) ? body : [body]).filter(isRecord);
  if (rows.length === 0) throw new PlatformError(400, "Error on Body parameters", { body: ["Rows are missing"] });
  const groups = new Map<string, Record<string, unknown>[]>();
  for (const row of rows) {
    const { origin: given, bucket: _, ...rest } = row;
    const origin = requireId(given ?? row["device"], "Device");
    groups.set(origin, [...(groups.get(origin) ?? []), rest]);
  }
  return groups;
}

function idPairs(value: QueryValue | undefined): ReadonlyMap<string, string[]> {
  const pairs = new Map<string, string[]>();
  for (const pair of listOf(value)) {
    const [dataId, deviceId] = pair.split(":");
    const device = requireId(deviceId, "Device");
    pairs.set(device, [...(pairs.get(device) ?? []), requireId(dataId, "Data")]);
  }
  if (pairs.size === 0) throw new PlatformError(400, "Error on Query parameters", { ids: ["Required"] });
  return pairs;
}

/** One change of name, tags and parameters; members are `tags.{key}` and `param.{key}`. */
function editResource(app: App, profile: string, change: Record<string, unknown>): void {
  const devices = app.collection("device");
  const device = devices.need(requireId(change["device"], "Device"), profile);
  const tags = (Array.isArray(device["tags"]) ? device["tags"].filter(isRecord) : []).map((tag) => ({ ...tag }));
  const params = app.params.list(device.id);
  for (const [name, value] of Object.entries(change)) {
    if (name.startsWith("tags.")) {
      const tag = tags.find(({ key }) => key === name.slice(5));
      if (tag === undefined) tags.push({ key: name.slice(5), value: String(value) });
      else tag["value"] = String(value);
    } else if (name.startsWith("param.")) {
      const key = name.slice(6);
      const known = params.find((param) => param.key === key);
      app.params.set(device.id, [{ ...(known && { id: known.id }), key, value: String(value) }]);
    }
  }
  const { name, active } = change;
  devices.update(device.id, {
    tags,
    ...(typeof name === "string" && name !== "" && { name }),
    ...(typeof active === "boolean" && { active }),
  });
}

/** Reading and writing through widgets. Analyses attached to widgets run on a later floor. */
export function registerWidgetDataRoutes(app: App): void {
  const devices = app.collection("device");

  app.handle(widgetRoutes.getData, readers, (context) => {
    const widget = widgetOf(app, context);
    return { widget: presentWidget(widget), content: contentOf(app, context, widget) };
  });

  app.handle(widgetRoutes.sendData, {}, (context) => {
    const widget = widgetOf(app, context);
    const groups = byOrigin(context.body);
    const display = isRecord(widget["display"]) ? widget["display"] : {};
    const stores = booleanOf(context.query["bypass_bucket"]) !== true && display["bypass_bucket"] !== true;
    return [...groups].map(([origin, rows]) => {
      const device = devices.need(origin, context.profile);
      if (!stores) return `${rows.length} Data Added`;
      const stored = storeArrival(app, { device, body: rows, nowMs: context.now, principal: context.principal });
      return `${stored.length} Data Added`;
    });
  });

  app.handle(widgetRoutes.editData, {}, (context) => {
    needWidget(app, context.params.dashboardID, context.params.widgetID, context.profile);
    for (const [origin, rows] of byOrigin(context.body)) {
      const device = devices.need(origin, context.profile);
      const amount = app.data.edit(toDataDevice(device), rows);
      app.signals.emit("dataChanged", { profile: context.profile, device, event: "edit", amount });
    }
    return "Device Data Updated";
  });

  app.handle(widgetRoutes.deleteData, (context) => {
    widgetOf(app, context);
    for (const [deviceId, ids] of idPairs(context.query["ids"])) {
      const qty = String(ids.length);
      const query = parseDataQuery({ ids, qty }, context.now);
      const device = devices.need(deviceId, context.profile);
      const amount = app.data.remove(toDataDevice(device), query);
      app.signals.emit("dataChanged", { profile: context.profile, device, event: "delete", amount });
    }
    return "Successfully Removed";
  });

  app.handle(widgetRoutes.editResource, {}, (context) => {
    needWidget(app, context.params.dashboardID, context.params.widgetID, context.profile);
    const changes = (Array.isArray(context.body) ? context.body : [context.body]).filter(isRecord);
    for (const change of changes) editResource(app, context.profile, change);
    return "Resource Updated";
  });
}
