import { isRecord } from "../../lib/core/json.ts";
import { MAX_TAGS } from "../../lib/core/limits.ts";
import { widgetRoutes } from "../../lib/resources/widgets.ts";
import { widgetResourceEdit } from "../../schema/widget.ts";
import { portal, record } from "../access/demands.ts";
import type { App } from "../app.ts";
import { requireId } from "../core/ids.ts";
import { denied, invalidBody, PlatformError } from "../core/platform-error.ts";
import type { QueryValue } from "../core/query.ts";
import { booleanOf, listOf, textOf } from "../core/query.ts";
import { mayUse, sourceFinder } from "../dashboards/blueprint.ts";
import { originsOf } from "../dashboards/copy.ts";
import { toDataDevice } from "../data/device.ts";
import { parseDataQuery } from "../data/query.ts";
import type { HandlerContext } from "../http/handler.ts";
import { storeArrival } from "../ingest/arrive.ts";
import { prepareArrival } from "../ingest/decode.ts";
import type { EntityDocument } from "../store/document.ts";
import { needWidget } from "./routes.ts";
import { runWidgetAnalysis, type WidgetUse } from "./run.ts";
import { carries, recordsOf } from "./tags.ts";

type Context = HandlerContext<"/data/:dashboardID/:widgetID">;
type Row = Readonly<Record<string, unknown>>;

/** Assumptions about writing through widgets. */
export const inputGaps = {
  access: {
    subject: "Writing through a widget",
    choice:
      "profile tokens to any device; others to devices the widget reads, writes or lists, or that access rules allow",
  },
  bypassed: { subject: "Bypassed widget data", choice: "answers as if stored; the rows sent are the scope" },
  deletionScope: { subject: "Scope of a widget's deletion", choice: "the rows as they were" },
} as const;

/** Tags of one record. */

/** Rows of a body with their device, in the order of the devices' first rows. */
type ByDevice = ReadonlyMap<EntityDocument, readonly Row[]>;

type DataAction = "send_data" | "edit_data" | "delete_data";

/** True when the widget reads, writes or lists the device. */
function shows(widget: EntityDocument, origin: string, device: EntityDocument): boolean {
  const [first] = recordsOf(widget["resource"]);
  if (first !== undefined && carries(device, recordsOf(first["filter"]))) return true;
  return originsOf([widget]).includes(origin) || JSON.stringify(widget["display"] ?? null).includes(`"${origin}"`);
}

/**
 * Finds the device of a written row: placeholders of a blueprint are resolved here too. Callers other than the profile
 * write to devices of the widget, or to those that access rules allow.
 */
function finderOf(app: App, context: Context, widget: EntityDocument, action: DataAction) {
  const { assume, params, principal, profile, query } = context;
  const dashboard = app.collection("dashboard").need(params.dashboardID, profile);
  const find = sourceFinder(app, { dashboard, query, principal, assume });
  return (origin: unknown): EntityDocument => {
    const id = requireId(origin, "Device");
    const source = find(id);
    if (source?.kind !== "device") throw new PlatformError(404, "Device Not Found");
    const isOpen = principal.kind === "profile" || shows(widget, id, source.document);
    if (!isOpen && !mayUse(app, principal, source, action)) throw denied().assumed(inputGaps.access);
    return source.document;
  };
}

function byDevice(app: App, context: Context, widget: EntityDocument, action: DataAction): ByDevice {
  const rows = (Array.isArray(context.body) ? context.body : [context.body]).filter(isRecord);
  if (rows.length === 0) throw invalidBody({ body: ["Rows are missing"] });
  const find = finderOf(app, context, widget, action);
  const devices = new Map<string, EntityDocument>();
  const groups = new Map<EntityDocument, Row[]>();
  for (const row of rows) {
    const found = find(row["origin"] ?? row["device"]);
    const device = devices.get(found.id) ?? found;
    devices.set(device.id, device);
    groups.set(device, [...(groups.get(device) ?? []), row]);
  }
  return groups;
}

/** Fields of a row; what a form adds, such as the pressed button, bypasses the parsers. */
const ROW_MEMBERS: ReadonlySet<string> = new Set([
  ...["id", "variable", "value", "unit", "group", "serie", "time", "location", "metadata", "created_at"],
  ...["origin", "bucket", "device"],
]);

/** The rows of a request after the parsers of their devices, before they are stored. */
class ParsedRows {
  readonly groups: ByDevice;
  constructor(groups: ByDevice) {
    this.groups = groups;
  }
}

/** Runs rows through the parsers of their devices, like all data. */
async function parsed(app: App, context: Context, groups: ByDevice): Promise<ParsedRows> {
  const made = new Map<EntityDocument, readonly Row[]>();
  for (const [device, rows] of groups) {
    const body = await prepareArrival(app, device, { ...context, body: rows.map(toStore) });
    const results = body === undefined ? rows : recordsOf([body].flat());
    const added = rows.map((row) => Object.entries(row).filter(([name]) => !ROW_MEMBERS.has(name)));
    made.set(
      device,
      results.map((row, index) => ({ ...Object.fromEntries(added[index] ?? added[0] ?? []), ...row })),
    );
  }
  return new ParsedRows(made);
}

/** The row to store: without the fields that specify its target. */
function toStore({ origin: _, bucket: _bucket, device: _device, ...row }: Row): Row {
  return row;
}

/** Input of an analysis: the row as stored, with what the form added to it, such as the pressed button. */
function toScope(device: EntityDocument, sent: Row | undefined, stored: Row): Row {
  return { ...(sent && toStore(sent)), ...stored, device: device.id, origin: device.id };
}

/** False when the rows are only passed to the analysis. */
function stores({ assume, query }: Context, widget: EntityDocument): boolean {
  const display = isRecord(widget["display"]) ? widget["display"] : {};
  const isBypassed = booleanOf(query["bypass_bucket"]) === true || display["bypass_bucket"] === true;
  if (isBypassed) assume(inputGaps.bypassed);
  return !isBypassed;
}

function rowsById(app: App, device: EntityDocument, ids: readonly string[], nowMs: number): Row[] {
  const query = parseDataQuery({ ids, qty: String(ids.length) }, nowMs);
  const rows: unknown = app.data.read(toDataDevice(device), query);
  return recordsOf(rows);
}

/** Edits contain the previous value in their metadata. */
function withOldValue(change: Row, before: Row | undefined): Row {
  if (before?.["value"] === undefined || change["value"] === undefined) return change;
  const metadata = [change["metadata"], before["metadata"]].find(isRecord);
  return { ...change, metadata: { ...metadata, old_value: before["value"] } };
}

/** `{record id}:{device id}` each. */
function idPairs(value: QueryValue | undefined): readonly (readonly [dataId: string, origin: string])[] {
  const pairs = listOf(value).map((pair) => {
    const [dataId, origin] = pair.split(":");
    return [requireId(dataId, "Data"), requireId(origin, "Device")] as const;
  });
  if (pairs.length === 0) throw new PlatformError(400, "Error on Query parameters", { ids: ["Required"] });
  return pairs;
}

/**
 * One change of name, activity, tags and parameters; properties are `tags.{key}` and `param.{key}`. Returns the change
 * with the previous values as `old`.
 */
function editResource(app: App, context: Context, widget: EntityDocument, change: Row): Row {
  const { principal, profile } = context;
  const devices = app.collection("device");
  const before = devices.need(requireId(change["device"], "Device"), profile);
  const isOpen = principal.kind === "profile" || shows(widget, before.id, before);
  if (!isOpen && !mayUse(app, principal, { kind: "device", document: before }, "edit"))
    throw denied().assumed(inputGaps.access);
  const tags = recordsOf(before["tags"]).map((tag) => ({ ...tag }));
  const params = app.params.list(before.id);
  const old: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(change)) {
    const key = name.slice(name.indexOf(".") + 1);
    if (name.startsWith("tags.")) {
      const tag = tags.find((each) => each["key"] === key);
      old[name] = tag?.["value"] ?? null;
      if (tag === undefined) tags.push({ key, value: String(value) });
      else tag["value"] = String(value);
    } else if (name.startsWith("param.")) {
      const known = params.find((param) => param.key === key);
      old[name] = known?.value ?? null;
      app.params.set(before.id, [{ ...(known && { id: known.id }), key, value: String(value) }]);
    } else if (name === "name" || name === "active") {
      old[name] = before[name] ?? null;
    }
  }
  if (tags.length > MAX_TAGS) throw invalidBody({ tags: [`At most ${MAX_TAGS} tags`] });
  const { name, active } = change;
  devices.update(before.id, { tags, name, active });
  return { ...change, old };
}

/** The kind of use of a widget; the caller can set a custom name. */
function useOf({ assume, principal, query }: Context, widget: EntityDocument, exec: string): WidgetUse {
  return { widget, principal, exec: textOf(query["widget_exec"]) ?? exec, assume };
}

const rule = portal(record("dashboard", "dashboardID", "access"));

function widgetOf(app: App, { params, profile }: Context): EntityDocument {
  return needWidget(app, params.dashboardID, params.widgetID, profile);
}

function tellChanged(
  { signals }: App,
  { profile }: Context,
  device: EntityDocument,
  event: "edit" | "delete",
  amount: number,
): void {
  signals.emit("dataChanged", { profile, device, event, amount });
}

/** Rows of a new record, or of a form. */
function serveSending(app: App): void {
  const send = (context: Context, device: EntityDocument, rows: readonly Row[]): readonly Row[] => {
    const { now: nowMs, principal } = context;
    const stored = storeArrival(app, { device, body: rows.map(toStore), nowMs, principal });
    return stored.map((record, index) => toScope(device, rows[index], { ...record }));
  };

  const prepare = (context: Context): Promise<ParsedRows> | undefined => {
    const widget = widgetOf(app, context);
    if (!stores(context, widget)) return undefined;
    return parsed(app, context, byDevice(app, context, widget, "send_data"));
  };

  app.on(widgetRoutes.sendData, { rule, prepare }, (context) => {
    const { body, profile } = context;
    const widget = widgetOf(app, context);
    const isStored = body instanceof ParsedRows;
    const groups = isStored ? body.groups : byDevice(app, context, widget, "send_data");
    // A device may have been deleted while parsers ran.
    for (const { id } of groups.keys()) app.collection("device").need(id, profile);
    const scopes = [...groups].map(([device, rows]) =>
      isStored ? send(context, device, rows) : rows.map((row) => toScope(device, row, {})),
    );
    runWidgetAnalysis(app, useOf(context, widget, "insert"), scopes.flat());
    return scopes.map((scope) => `${scope.length} Data Added`);
  });
}

function serveEditing(app: App): void {
  const edit = (context: Context, device: EntityDocument, rows: readonly Row[]): readonly Row[] => {
    const ids = rows.map((row) => requireId(row["id"], "Data"));
    const target = toDataDevice(device);
    const known = target.type === "immutable" ? [] : rowsById(app, device, ids, context.now);
    const before = new Map(known.map((row) => [row["id"], row]));
    const changes = rows.map((row) => withOldValue(toStore(row), before.get(row["id"])));
    tellChanged(app, context, device, "edit", app.data.edit(target, changes));
    return rowsById(app, device, ids, context.now).map((row) => toScope(device, undefined, row));
  };

  app.on(widgetRoutes.editData, { rule }, (context) => {
    const widget = widgetOf(app, context);
    const isStored = stores(context, widget);
    const scope = [...byDevice(app, context, widget, "edit_data")].flatMap(([device, rows]) =>
      isStored ? edit(context, device, rows) : rows.map((row) => toScope(device, row, {})),
    );
    runWidgetAnalysis(app, useOf(context, widget, "edit"), scope);
    return "Device Data Updated";
  });

  app.on(widgetRoutes.editResource, { rule, body: widgetResourceEdit }, (context) => {
    const widget = widgetOf(app, context);
    const scope = [context.body].flat().map((change) => editResource(app, context, widget, change));
    runWidgetAnalysis(app, useOf(context, widget, "edit"), scope);
    return "Resource Updated";
  });
}

function serveDeleting(app: App): void {
  const remove = (context: Context, device: EntityDocument, ids: readonly string[]): readonly Row[] => {
    const target = toDataDevice(device);
    const rows = target.type === "immutable" ? [] : rowsById(app, device, ids, context.now);
    const query = parseDataQuery({ ids, qty: String(ids.length) }, context.now);
    tellChanged(app, context, device, "delete", app.data.remove(target, query));
    return rows.map((row) => toScope(device, undefined, row));
  };

  app.on(widgetRoutes.deleteData, { rule }, (context) => {
    const widget = widgetOf(app, context);
    const find = finderOf(app, context, widget, "delete_data");
    const groups = new Map<string, string[]>();
    for (const [dataId, origin] of idPairs(context.query["ids"])) {
      const { id } = find(origin);
      groups.set(id, [...(groups.get(id) ?? []), dataId]);
    }
    if (typeof widget["analysis_run"] === "string") context.assume(inputGaps.deletionScope);
    const scope = [...groups].flatMap(([deviceId, ids]) => remove(context, find(deviceId), ids));
    runWidgetAnalysis(app, useOf(context, widget, "delete"), scope);
    return "Successfully Removed";
  });
}

/** Forms, buttons and tables: writing through a widget, which then runs its analysis. */
export function serveWidgetInput(app: App): void {
  serveSending(app);
  serveEditing(app);
  serveDeleting(app);
}
