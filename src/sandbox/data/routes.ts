import { currentDeviceRoutes } from "../../lib/clients/device.ts";
import { isRecord } from "../../lib/core/json.ts";
import { DATA_BODY_BYTES } from "../../lib/core/limits.ts";
import { deviceRoutes } from "../../lib/resources/devices.ts";
import { type Demand, portal, record } from "../access/demands.ts";
import { actorOf } from "../accounts/owner.ts";
import type { App } from "../app.ts";
import { denied, invalidBody } from "../core/platform-error.ts";
import { type HandlerContext, jsonResult } from "../http/handler.ts";
import { storeArrival } from "../ingest/arrive.ts";
import { prepareArrival } from "../ingest/decode.ts";
import type { Resource } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import { queryGaps } from "./assumptions.ts";
import { toDataDevice } from "./device.ts";
import { dataGaps } from "./gaps.ts";
import { parseDataQuery } from "./query.ts";
import type { DataDevice, DataQuery } from "./types.ts";

/** About 8,000 rows. */

const gaps = {
  ...dataGaps,
  portalUsers: {
    subject: "Rules and portal users: device data",
    choice: "get_data and send_data are looked at, although the catalogue of the platform shows only access",
  },
} as const;

const ruled = (action: string): Demand => record("device", "deviceID", action);
const own = { rule: "own", tokens: ["device"] } as const;
/** The platform rejects profile tokens here: data comes from analyses, and from the device itself. */
const senders = { rule: [portal(ruled("send_data")), "own"], tokens: ["analysis", "device"] } as const;

const maxBodyBytes = DATA_BODY_BYTES;
const reads = { maxBodyBytes, counts: "output" } as const;
const writes = { maxBodyBytes } as const;

/** Operations on the data of a device, with its own or another token. */
function actionsOf(app: App) {
  const { data, signals } = app;
  const queryOf = ({ assume, now, query }: HandlerContext): DataQuery => {
    const asked = parseDataQuery(query, now);
    for (const gap of queryGaps(query, asked, now)) assume(gap);
    return asked;
  };
  const toChange = (device: EntityDocument, { assume }: HandlerContext): DataDevice => {
    const target = toDataDevice(device);
    if (target.type === "hybrid") assume(gaps.hybridChanges);
    return target;
  };
  return {
    read: (device: EntityDocument, context: HandlerContext): unknown =>
      jsonResult(data.readJson(toDataDevice(device), queryOf(context))),
    send: (device: EntityDocument, { body, now, principal }: HandlerContext): string =>
      `${storeArrival(app, { device, body, nowMs: now, principal }).length} Data Added`,
    edit: (device: EntityDocument, context: HandlerContext): string => {
      const amount = data.edit(toChange(device, context), context.body);
      signals.emit("dataChanged", { profile: context.profile, device, event: "edit", amount });
      return `${amount} item(s) updated`;
    },
    remove: (device: EntityDocument, context: HandlerContext): string => {
      const amount = data.remove(toChange(device, context), queryOf(context));
      signals.emit("dataChanged", { profile: context.profile, device, event: "delete", amount });
      return `${amount} Data Removed`;
    },
  };
}

/** Binds the routes of a device for its own data. */
function bindOwnData(app: App): void {
  const devices = app.collection("device");
  const { read, send, edit, remove } = actionsOf(app);
  const ownDevice = ({ principal, profile }: HandlerContext): EntityDocument => devices.need(principal.refId, profile);
  const prepare = (context: HandlerContext): unknown => prepareArrival(app, ownDevice(context), context);
  const settled = ({ principal }: HandlerContext) => app.jobs.settled(principal.refId);

  const { sendData, getData, editData, deleteData } = currentDeviceRoutes;
  app.on(getData, { ...own, ...reads }, (context) => read(ownDevice(context), context));
  app.on(sendData, { ...own, ...writes, prepare }, (context) => send(ownDevice(context), context));
  app.on(editData, { ...own, ...writes }, (context) => edit(ownDevice(context), context));
  app.on(deleteData, { ...own, ...writes, prepare: settled }, (context) => remove(ownDevice(context), context));
}

/** Binds the same for a device in the path. */
function bindNamedData(app: App): void {
  const devices = app.collection("device");
  const { read, send, edit, remove } = actionsOf(app);
  type Context = HandlerContext<"/device/:deviceID/data">;

  const named = ({ assume, params, principal, profile }: Context): EntityDocument => {
    const { kind, refId } = principal;
    if (kind === "device" && refId !== params.deviceID) throw denied();
    if (kind === "run_user") assume(gaps.portalUsers);
    return devices.need(params.deviceID, profile);
  };
  const prepare = (context: Context): unknown => prepareArrival(app, named(context), context);

  const { getDeviceData, sendDeviceData, editDeviceData, deleteDeviceData } = deviceRoutes;
  app.on(getDeviceData, { rule: portal(ruled("get_data")), ...reads }, (context) => read(named(context), context));
  app.on(sendDeviceData, { ...senders, ...writes, prepare }, (context) => send(named(context), context));
  app.on(editDeviceData, { rule: ruled("edit_data"), ...writes }, (context) => edit(named(context), context));
  const deletion = { rule: ruled("delete_data"), ...writes, prepare: settledIn(app) };
  app.on(deleteDeviceData, deletion, (context) => remove(named(context), context));
}

/** Waits for backups of the device in a path: a backup that was ordered before a deletion contains the rows. */
const settledIn =
  (app: App) =>
  ({ params }: HandlerContext<"/device/:deviceID">) =>
    app.jobs.settled(params.deviceID);

/** Binds row counts, emptying and chunks. */
function bindAmounts(app: App): void {
  const { data } = app;
  const devices = app.collection("device");
  const storageOf = ({ params, profile }: HandlerContext<"/device/:deviceID">): DataDevice =>
    toDataDevice(devices.need(params.deviceID, profile));
  const removed = (profile: string, device: EntityDocument, before: number): void =>
    app.signals.emit("dataChanged", { profile, device, event: "delete", amount: before - data.amount(device.id) });
  const prepare = settledIn(app);

  const counting = { rule: ruled("get_data") };
  app.on(deviceRoutes.amount, counting, (context) => data.count(storageOf(context)));

  app.on(deviceRoutes.emptyDeviceData, { rule: ruled("delete_data"), prepare }, (context) => {
    const device = storageOf(context);
    const before = data.amount(device.id);
    data.empty(device, device.type === "hybrid" ? sideOf(context.body) : undefined);
    removed(context.profile, devices.need(device.id, context.profile), before);
    return "Data Successfully Removed";
  });

  const listing = { rule: ruled("manage_chunks") };
  app.on(deviceRoutes.getChunk, listing, (context) => data.chunks(storageOf(context)));

  app.on(deviceRoutes.deleteChunk, { rule: ruled("manage_chunks"), prepare }, (context) => {
    const { deviceID, chunkID } = context.params;
    const device = devices.need(deviceID, context.profile);
    const before = data.amount(device.id);
    data.removeChunk(toDataDevice(device), chunkID);
    removed(context.profile, device, before);
    app.audit.add({
      profile: context.profile,
      resourceName: "device",
      resourceID: device.id,
      message: `Chunk ${chunkID} of device ${String(device["name"])} was deleted`,
      who: actorOf(app, context.principal),
    });
    return `Chunk ${chunkID} deleted`;
  });
}

/** Side of a hybrid device to empty; both when the body does not specify one. */
function sideOf(body: unknown): "mutable" | "immutable" | undefined {
  const route = isRecord(body) ? body["route"] : undefined;
  if (route === undefined || route === null) return undefined;
  if (route === "mutable" || route === "immutable") return route;
  throw invalidBody({ route: ["route must be mutable or immutable"] });
}

/** Data of devices: reading, writing, editing and deleting, row counts, emptying and chunks. */
export const deviceData: Resource = {
  tables: { currentDeviceRoutes },
  gaps,
  serve: (app) => {
    bindOwnData(app);
    bindNamedData(app);
    bindAmounts(app);
  },
};
