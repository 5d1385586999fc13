import { currentDeviceRoutes } from "../../../lib/clients/device.ts";
import { deviceRoutes } from "../../../lib/resources/devices.ts";
import { deviceConvert, deviceCreate, deviceEdit, deviceParamSent, deviceParams } from "../../../schema/device.ts";
import { deviceConvertRoute } from "../../access/device-demands.ts";
import type { App } from "../../app.ts";
import { requireId } from "../../core/ids.ts";
import { PlatformError } from "../../core/platform-error.ts";
import type { QueryObject } from "../../core/query.ts";
import { booleanOf, textOf } from "../../core/query.ts";
import { checkVariablePattern } from "../../data/variable-pattern.ts";
import { created, type HandlerContext } from "../../http/handler.ts";
import { PUBLIC_PROFILE } from "../../store/collection.ts";
import type { EntityDocument } from "../../store/document.ts";
import { refuseProtected } from "../kit.ts";
import { standaloneDevice, standaloneDevices } from "../tcores.ts";
import { cleanSerial } from "./serial-number.ts";

/** Used when neither the body nor the catalogue names a connector and a network. */
const FALLBACK_CONNECTOR = "000000000000000000000001";
const FALLBACK_NETWORK = "000000000000000000000002";

/** A device as `GET /device/:id` and `GET /info` show it. */
export function presentDevice({ connector_parse: _, ...device }: EntityDocument): Record<string, unknown> {
  return { ...device, bucket: { id: device.id, name: device["name"] } };
}

function retentionText(settings: Readonly<Record<string, unknown>>): string {
  const { type, chunk_period: period, chunk_retention: retention } = settings;
  return type === "immutable" || type === "hybrid" ? `${retention} ${period}` : "forever";
}

function base64(source: string | undefined): string | undefined {
  return source === undefined ? undefined : Buffer.from(source).toString("base64");
}

interface Place {
  readonly connector: string;
  readonly network: string;
}

/** Networks of a connector the profile can see. */
function networksOf(app: App, profile: string, connector: string): string[] {
  const known = app.collection("connector").get(connector);
  const isVisible = known !== undefined && (known.profile === profile || known.profile === PUBLIC_PROFILE);
  return isVisible && Array.isArray(known["networks"]) ? known["networks"].map(String) : [];
}

function checkPlace(app: App, profile: string, { connector, network }: Place): Place {
  const networks = networksOf(app, profile, connector);
  if (networks.length === 0 || networks.includes(network)) return { connector, network };
  throw new PlatformError(400, "Error on Body parameters", { network: ["The connector does not use this network"] });
}

/** Connector and network of a new device: as sent, else the first of the catalogue. */
function newPlace(app: App, profile: string, body: Partial<Place>): Place {
  const connector = body.connector ?? app.collection("connector").all(PUBLIC_PROFILE)[0]?.id ?? FALLBACK_CONNECTOR;
  const network = body.network ?? networksOf(app, profile, connector)[0] ?? FALLBACK_NETWORK;
  return checkPlace(app, profile, { connector, network });
}

/** Connector and network change together, and only while the device has no tokens. */
function checkPlaceChange(app: App, device: EntityDocument, { connector, network }: Partial<Place>): void {
  const isSame = (next: string | undefined, before: unknown): boolean => next === undefined || next === before;
  if (isSame(connector, device["connector"]) && isSame(network, device["network"])) return;
  if (connector === undefined || network === undefined) {
    const missing = connector === undefined ? "connector" : "network";
    throw new PlatformError(400, "Error on Body parameters", { [missing]: ["Required"] });
  }
  if (app.tokens.list("device", device.id).length > 0) {
    const text = "Remove the tokens of the device before you change its network or connector";
    throw new PlatformError(400, text);
  }
  checkPlace(app, device.profile, { connector, network });
}

/** Binds `/device` and `/device/:id`. */
function registerRecords(app: App): void {
  const devices = app.collection("device");

  app.handle(deviceRoutes.create, { body: deviceCreate }, ({ body, principal, profile }) => {
    const { serie_number, configuration_params, parse_function, ...settings } = body;
    checkVariablePattern(settings.mutable_variable_regex);
    const placed = newPlace(app, profile, settings);
    const serial = serie_number && cleanSerial(app.collection("network").get(placed.network), serie_number);
    const device = devices.insert(profile, {
      description: null,
      active: true,
      visible: true,
      tags: [],
      payload_decoder: base64(parse_function) ?? null,
      last_input: null,
      last_output: null,
      inspected_at: null,
      rpm: null,
      type: "mutable",
      data_retention: retentionText(settings),
      ...settings,
      ...placed,
    });
    const { token } = app.tokens.create({
      kind: "device",
      profile,
      refId: device.id,
      name: "Default",
      permission: principal.permission,
      serieNumber: serial ?? null,
    });
    if (configuration_params !== undefined) app.params.set(device.id, configuration_params);
    app.signals.emit("resourceChanged", { profile, kind: "device", event: "create", document: device, principal });
    return created({ device_id: device.id, deviceID: device.id, bucket_id: device.id, token });
  });

  app.handle(deviceRoutes.edit, { body: deviceEdit }, ({ body, params, principal, profile }) => {
    const device = devices.need(params.deviceID, profile);
    const { serie_number, parse_function, ...settings } = body;
    const regex = settings.mutable_variable_regex;
    checkVariablePattern(regex);
    checkPlaceChange(app, device, settings);
    if (regex !== undefined && regex !== device["mutable_variable_regex"] && app.data.amount(device.id) > 0) {
      const field = { mutable_variable_regex: ["Can only be changed while the device is empty"] };
      throw new PlatformError(400, "Error on Body parameters", field);
    }
    const next = devices.update(device.id, { payload_decoder: base64(parse_function), ...settings });
    if (settings.chunk_retention !== undefined) devices.touch(device.id, { data_retention: retentionText(next) });
    if (serie_number !== undefined) {
      const network = app.collection("network").get(String(next["network"]));
      app.tokens.setSerial(device.id, cleanSerial(network, serie_number));
    }
    app.signals.emit("resourceChanged", { profile, kind: "device", event: "edit", document: next, principal });
    return "Successfully Updated";
  });

  const settled = ({ params }: HandlerContext<"/device/:deviceID">) => app.jobs.settled(params.deviceID);
  app.handle(deviceConvertRoute, { body: deviceConvert, prepare: settled }, ({ body, params, principal, profile }) => {
    const device = devices.need(params.deviceID, profile);
    app.data.removeDevice(device.id);
    const storage = body.type === "mutable" ? { chunk_period: null, chunk_retention: null } : body;
    const next = { ...storage, type: body.type };
    const document = devices.update(device.id, { ...next, data_retention: retentionText(next) });
    app.signals.emit("resourceChanged", { profile, kind: "device", event: "edit", document, principal });
    return "Device type/chunk was converted";
  });

  app.handle(deviceRoutes.delete, { prepare: settled }, ({ params, principal, profile }) => {
    const device = devices.need(params.deviceID, profile);
    refuseProtected(device);
    app.data.removeDevice(device.id);
    app.tokens.removeOf(device.id);
    for (const param of app.params.list(device.id)) app.params.remove(device.id, param.id);
    devices.remove(device.id);
    app.signals.emit("resourceChanged", { profile, kind: "device", event: "delete", document: device, principal });
    return "Successfully Removed";
  });

  app.handle(deviceRoutes.info, ({ params, profile, query }) => {
    const tcore = textOf(query["tcore"]);
    if (tcore !== undefined) return standaloneDevice(app, tcore, profile, params.deviceID);
    return presentDevice(devices.need(params.deviceID, profile));
  });
}

/** Binds `GET /device` with its resolved names and the serial number. */
function registerList(app: App): void {
  const devices = app.collection("device");
  const connectors = app.collection("connector");

  const resolved = (query: QueryObject): readonly string[] => [
    ...(booleanOf(query["resolveBucketName"]) ? ["bucket_name"] : []),
    ...(booleanOf(query["resolveConnectorName"]) ? ["connector_name"] : []),
  ];
  const present = ({ connector_parse: _, ...device }: EntityDocument): Record<string, unknown> => ({
    ...device,
    bucket: device.id,
    bucket_name: device["name"],
    connector_name: connectors.get(String(device["connector"]))?.["name"] ?? null,
  });

  app.handle(deviceRoutes.list, ({ principal, profile, query }) => {
    const tcore = textOf(query["tcore"]);
    if (tcore !== undefined) return standaloneDevices(app, tcore, principal, query);
    const serial = textOf(query["serial"]);
    return devices.list(profile, query, {
      present,
      always: resolved(query),
      ...(serial !== undefined && { ids: app.tokens.devicesWithSerial(profile, serial) }),
    });
  });
}

/** Binds the configuration parameters, for administrators and for the device itself. */
function registerParams(app: App): void {
  const devices = app.collection("device");

  app.handle(deviceRoutes.paramList, ({ params, profile, query }) =>
    app.params.list(devices.need(params.deviceID, profile).id, booleanOf(query["sent_status"])),
  );
  app.handle(deviceRoutes.paramSet, { body: deviceParams }, ({ body, params, profile }) => {
    const device = devices.need(params.deviceID, profile);
    const changes = body.map(({ id, key, value, sent }) => ({
      ...(typeof id === "string" && { id }),
      ...(key !== undefined && { key }),
      ...(value !== undefined && { value }),
      ...(sent !== undefined && { sent }),
    }));
    app.params.set(device.id, changes);
    return created("Params Successfully Updated");
  });
  app.handle(deviceRoutes.paramRemove, ({ params, profile }) => {
    const device = devices.need(params.deviceID, profile);
    const paramId = requireId(params.paramID, "Device Param");
    if (!app.params.remove(device.id, paramId)) throw new PlatformError(404, "Device Param Not Found");
    return "Successfully Removed";
  });

  app.handle(currentDeviceRoutes.getParameters, { tokens: ["device"], rule: "own" }, ({ principal, query }) =>
    app.params.list(principal.refId, booleanOf(query["sent_status"])),
  );
  app.handle(
    currentDeviceRoutes.setParameterAsRead,
    { tokens: ["device"], rule: "own", body: deviceParamSent },
    ({ body, params, principal }) => {
      app.params.set(principal.refId, [{ id: requireId(params.parameterID, "Device Param"), sent: body.sent }]);
      return "Params Successfully Updated";
    },
  );
}

/** Binds everything about devices but their data and tokens. */
export function registerDeviceRoutes(app: App): void {
  registerRecords(app);
  registerList(app);
  registerParams(app);
}
