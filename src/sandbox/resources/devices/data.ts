import { currentDeviceRoutes } from "../../../lib/clients/device.ts";
import { isRecord } from "../../../lib/core/json.ts";
import { deviceRoutes } from "../../../lib/resources/devices.ts";
import { actorOf } from "../../accounts/owner.ts";
import type { App } from "../../app.ts";
import { PlatformError } from "../../core/platform-error.ts";
import { toDataDevice } from "../../data/device.ts";
import { parseDataQuery } from "../../data/query.ts";
import type { DataDevice } from "../../data/types.ts";
import { type HandlerContext, jsonResult } from "../../http/handler.ts";
import type { OldOptions } from "../../http/old-facts.ts";
import { storeArrival } from "../../ingest/arrive.ts";
import { prepareArrival } from "../../ingest/decode.ts";
import type { EntityDocument } from "../../store/document.ts";

/** About 8,000 rows. */
const MAX_DATA_BODY_BYTES = 200 * 1024;

const ownDevice: OldOptions = { tokens: ["device"], rule: "own", maxBodyBytes: MAX_DATA_BODY_BYTES };
const anyDevice: OldOptions = { maxBodyBytes: MAX_DATA_BODY_BYTES };
/** The platform refuses profile tokens here: data comes from analyses, and from the device itself. */
const anyDeviceSend: OldOptions = {
  tokens: ["analysis", "device"],
  rule: "own",
  maxBodyBytes: MAX_DATA_BODY_BYTES,
};

/** Binds reading, writing, editing and deleting of device data, amounts, emptying and chunks. */
export function registerDataRoutes(app: App): void {
  const { data } = app;
  const devices = app.collection("device");
  const recordOf = (id: string, context: HandlerContext): EntityDocument => devices.need(id, context.profile);
  const deviceOf = (id: string, context: HandlerContext): DataDevice => toDataDevice(recordOf(id, context));

  const read = (device: DataDevice, { query, now }: HandlerContext): unknown =>
    jsonResult(data.readJson(device, parseDataQuery(query, now)));

  const send = (device: EntityDocument, { body, now, principal }: HandlerContext): string =>
    `${storeArrival(app, { device, body, nowMs: now, principal }).length} Data Added`;

  const edit = (device: EntityDocument, { body, profile }: HandlerContext): string => {
    const amount = data.edit(toDataDevice(device), body);
    app.signals.emit("dataChanged", { profile, device, event: "edit", amount });
    return `${amount} item(s) updated`;
  };

  const remove = (device: EntityDocument, { query, now, profile }: HandlerContext): string => {
    const amount = data.remove(toDataDevice(device), parseDataQuery(query, now));
    app.signals.emit("dataChanged", { profile, device, event: "delete", amount });
    return `${amount} Data Removed`;
  };

  // A backup that was ordered before rows go holds them.
  const settledNamed = ({ params }: HandlerContext<"/device/:deviceID">) => app.jobs.settled(params.deviceID);
  const settledOwn = ({ principal }: HandlerContext) => app.jobs.settled(principal.refId);

  const own = (context: HandlerContext): EntityDocument => recordOf(context.principal.refId, context);
  const { sendData, getData, editData, deleteData } = currentDeviceRoutes;
  app.handle(getData, ownDevice, (context) => read(toDataDevice(own(context)), context));
  const prepareOwn = (context: HandlerContext): unknown => prepareArrival(app, own(context), context);
  app.handle(sendData, { ...ownDevice, prepare: prepareOwn }, (context) => send(own(context), context));
  app.handle(editData, ownDevice, (context) => edit(own(context), context));
  app.handle(deleteData, { ...ownDevice, prepare: settledOwn }, (context) => remove(own(context), context));

  const named = (context: HandlerContext<"/device/:deviceID/data">): EntityDocument => {
    const { kind, refId } = context.principal;
    if (kind === "device" && refId !== context.params.deviceID) throw new PlatformError(401, "Authorization Denied");
    return recordOf(context.params.deviceID, context);
  };
  const { getDeviceData, sendDeviceData, editDeviceData, deleteDeviceData } = deviceRoutes;
  app.handle(getDeviceData, anyDevice, (context) => read(toDataDevice(named(context)), context));
  const prepareNamed = (context: HandlerContext<"/device/:deviceID/data">): unknown =>
    prepareArrival(app, named(context), context);
  app.handle(sendDeviceData, { ...anyDeviceSend, prepare: prepareNamed }, (context) => send(named(context), context));
  app.handle(editDeviceData, anyDevice, (context) => edit(named(context), context));
  app.handle(deleteDeviceData, { ...anyDevice, prepare: settledNamed }, (context) => remove(named(context), context));

  app.handle(deviceRoutes.amount, (context) => data.count(deviceOf(context.params.deviceID, context)));
  app.handle(deviceRoutes.emptyDeviceData, { prepare: settledNamed }, (context) => {
    const device = deviceOf(context.params.deviceID, context);
    data.empty(device, device.type === "hybrid" ? sideOf(context.body) : undefined);
    return "Data Successfully Removed";
  });
  app.handle(deviceRoutes.getChunk, (context) => data.chunks(deviceOf(context.params.deviceID, context)));
  app.handle(deviceRoutes.deleteChunk, { prepare: settledNamed }, (context) => {
    const { deviceID, chunkID } = context.params;
    const device = recordOf(deviceID, context);
    data.removeChunk(toDataDevice(device), chunkID);
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

/** Which side of a hybrid device to empty; both when the body does not say. */
function sideOf(body: unknown): "mutable" | "immutable" | undefined {
  const route = isRecord(body) ? body["route"] : undefined;
  if (route === undefined || route === null) return undefined;
  if (route === "mutable" || route === "immutable") return route;
  throw new PlatformError(400, "Error on Body parameters", { route: ["route must be mutable or immutable"] });
}
