import { post } from "../../lib/api/route.ts";
import { deviceRoutes } from "../../lib/resources/devices.ts";
import { deviceConvert, deviceCreate, deviceEdit } from "../../schema/device.ts";
import { DATA_ACTIONS, ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import { creation, type Demand, list, portal, record } from "../access/demands.ts";
import type { App } from "../app.ts";
import { perPlan } from "../core/plans.ts";
import { invalidBody, PlatformError } from "../core/platform-error.ts";
import type { QueryObject } from "../core/query.ts";
import { booleanOf, textOf } from "../core/query.ts";
import { dataGaps } from "../data/gaps.ts";
import { checkVariablePattern } from "../data/variable-pattern.ts";
import { created, type HandlerContext } from "../http/handler.ts";
import { type Resource, refuseProtected } from "../resource.ts";
import { PUBLIC_PROFILE } from "../store/collection.ts";
import type { EntityDocument } from "../store/document.ts";
import type { RecordKind } from "../store/kinds.ts";
import { standaloneDevice, standaloneDevices } from "../tcores/routes.ts";
import { cleanSerial, serialGaps } from "./serial-number.ts";

/** Changes the storage of a device. The client has no method for it. */
const convertRoute = post("/device/:deviceID/convert");

const gaps = {
  ...serialGaps,
  place: { subject: "POST /device without connector or network", choice: "takes the first of the catalogue" },
  type: { subject: "POST /device without type", choice: "mutable; legacy is rejected" },
  serial: { subject: "PUT /device with serie_number", choice: "changed at once, on the first token" },
  placeChange: {
    subject: "Change of network or connector rejected",
    choice: "400; what is missing by field, else the tokens",
  },
  convert: { subject: "POST /device/{id}/convert", choice: "the data of the device goes, its tokens stay" },
  connectorName: { subject: "resolveConnectorName", choice: "adds connector_name" },
} as const;

const kind: RecordKind = {
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
  most: perPlan(5, 100, 10_000),
  audit: ["device", "Device"],
  trigger: ["device", "bucket"],
  tagged: true,
  backup: { file: "devices" },
  amounts: ["device", "bucket"],
};

const ruled = (action: string): Demand => record("device", "deviceID", action);

/** Used when neither the body nor the catalogue specifies a connector and a network. */
const FALLBACK_CONNECTOR = "000000000000000000000001";
const FALLBACK_NETWORK = "000000000000000000000002";

/** A device in the format of `GET /device/:id` and `GET /info`. */
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

/** Networks of a connector that are visible to the profile. */
function networksOf(app: App, profile: string, connector: string): string[] {
  const known = app.collection("connector").get(connector);
  const isVisible = known !== undefined && (known.profile === profile || known.profile === PUBLIC_PROFILE);
  return isVisible && Array.isArray(known["networks"]) ? known["networks"].map(String) : [];
}

function checkPlace(app: App, profile: string, { connector, network }: Place): Place {
  const networks = networksOf(app, profile, connector);
  if (networks.length === 0 || networks.includes(network)) return { connector, network };
  throw invalidBody({ network: ["The connector does not use this network"] });
}

/** Connector and network of a new device: as sent, else the first in the catalogue. */
function newPlace(app: App, profile: string, body: Partial<Place>): Place {
  const connector = body.connector ?? app.collection("connector").all(PUBLIC_PROFILE)[0]?.id ?? FALLBACK_CONNECTOR;
  const network = body.network ?? networksOf(app, profile, connector)[0] ?? FALLBACK_NETWORK;
  return checkPlace(app, profile, { connector, network });
}

/** Connector and network can only change together, and only while the device has no tokens. */
function checkPlaceChange(app: App, device: EntityDocument, { connector, network }: Partial<Place>): void {
  const isSame = (next: string | undefined, before: unknown): boolean => next === undefined || next === before;
  if (isSame(connector, device["connector"]) && isSame(network, device["network"])) return;
  if (connector === undefined || network === undefined) {
    const missing = connector === undefined ? "connector" : "network";
    throw invalidBody({ [missing]: ["Required"] }).assumed(gaps.placeChange);
  }
  if (app.tokens.list("device", device.id).length > 0) {
    const text = "Remove the tokens of the device before you change its network or connector";
    throw new PlatformError(400, text).assumed(gaps.placeChange);
  }
  checkPlace(app, device.profile, { connector, network });
}

function bindCreation(app: App): void {
  const devices = app.collection("device");
  const options = {
    rule: creation("device", "create"),
    creates: "device",
    body: deviceCreate,
  };
  app.on(deviceRoutes.create, options, ({ assume, body, principal, profile }) => {
    const { serie_number, configuration_params, parse_function, ...settings } = body;
    if (settings.type === undefined) assume(gaps.type);
    if (settings.connector === undefined || settings.network === undefined) assume(gaps.place);
    if (settings.mutable_variable_regex !== undefined) assume(dataGaps.pattern);
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
    return created({ device_id: device.id, deviceID: device.id, bucket_id: device.id, token });
  });
}

/** Rejects a pattern that is invalid, or that comes too late: existing rows were assigned to sides by the old one. */
function checkPatternChange(app: App, device: EntityDocument, pattern: string | undefined): void {
  checkVariablePattern(pattern);
  if (pattern === undefined || pattern === device["mutable_variable_regex"] || app.data.amount(device.id) === 0) return;
  const field = { mutable_variable_regex: ["Can only be changed while the device is empty"] };
  throw invalidBody(field);
}

/** Binds edits, conversion and deletion. */
function bindChanges(app: App): void {
  const devices = app.collection("device");
  const settled = ({ params }: HandlerContext<"/device/:deviceID">) => app.jobs.settled(params.deviceID);

  const edit = { rule: ruled("edit"), body: deviceEdit };
  app.on(deviceRoutes.edit, edit, ({ assume, body, params, profile }) => {
    const device = devices.need(params.deviceID, profile);
    const { serie_number, parse_function, ...settings } = body;
    if (settings.mutable_variable_regex !== undefined) assume(dataGaps.pattern);
    checkPatternChange(app, device, settings.mutable_variable_regex);
    checkPlaceChange(app, device, settings);
    const retention = settings.chunk_retention === undefined ? undefined : retentionText({ ...device, ...settings });
    const next = devices.update(device.id, {
      payload_decoder: base64(parse_function),
      ...settings,
      data_retention: retention,
    });
    if (serie_number !== undefined) {
      assume(gaps.serial);
      const network = app.collection("network").get(String(next["network"]));
      app.tokens.setSerial(device.id, cleanSerial(network, serie_number));
    }
    return "Successfully Updated";
  });

  const convert = { ...edit, body: deviceConvert, prepare: settled, gaps: [gaps.convert] };
  app.on(convertRoute, convert, ({ body, params, profile }) => {
    const device = devices.need(params.deviceID, profile);
    app.data.removeDevice(device.id);
    const storage = body.type === "mutable" ? { chunk_period: null, chunk_retention: null } : body;
    const next = { ...storage, type: body.type };
    devices.update(device.id, { ...next, data_retention: retentionText(next) });
    return "Device type/chunk was converted";
  });

  const deletion = { rule: ruled("delete"), prepare: settled };
  app.on(deviceRoutes.delete, deletion, ({ params, profile }) => {
    const device = devices.need(params.deviceID, profile);
    refuseProtected(device);
    app.data.removeDevice(device.id);
    app.tokens.removeOf(device.id);
    for (const param of app.params.list(device.id)) app.params.remove(device.id, param.id);
    devices.remove(device.id);
    return "Successfully Removed";
  });
}

/** Binds `GET /device` with its resolved names and the serial number, and `GET /device/:id`. */
function bindReads(app: App): void {
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

  const listing = { rule: portal(list("device", "device", "access")) };
  app.on(deviceRoutes.list, listing, (context) => {
    const { profile, query } = context;
    const tcore = textOf(query["tcore"]);
    if (tcore !== undefined) return standaloneDevices(app, tcore, context);
    if (booleanOf(query["resolveConnectorName"])) context.assume(gaps.connectorName);
    const serial = textOf(query["serial"]);
    return devices.list(profile, query, {
      present,
      always: resolved(query),
      ...(serial !== undefined && { ids: app.tokens.devicesWithSerial(profile, serial) }),
    });
  });

  app.on(deviceRoutes.info, { rule: portal(ruled("access")) }, (context) => {
    const { deviceID } = context.params;
    const tcore = textOf(context.query["tcore"]);
    if (tcore !== undefined) return standaloneDevice(app, tcore, deviceID, context);
    return presentDevice(devices.need(deviceID, context.profile));
  });
}

/** Devices; their data, parameters and tokens are in separate files. */
export const devices: Resource = {
  tables: { deviceRoutes },
  access: {
    device: {
      label: "Device",
      analysis: onRecords(
        ...ORDINARY_ACTIONS,
        "token_access",
        ...DATA_ACTIONS,
        "manage_chunks",
        "export_data",
        "import_data",
      ),
      runUser: onRecords("access", "get_data", "send_data"),
    },
  },
  records: [kind],
  gaps,
  serve: (app) => {
    bindCreation(app);
    bindChanges(app);
    bindReads(app);
  },
};
