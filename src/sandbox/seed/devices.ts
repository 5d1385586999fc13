import type { App } from "../app.ts";
import type { IdSource } from "../core/ids.ts";
import { toDataDevice } from "../data/device.ts";
import { SEED_ACCOUNTS, SEED_PROFILES } from "./accounts.ts";
import { historyOf } from "./history.ts";
import { SEED_CATALOGUE, SEED_CREATED_AT, SEED_DEVICE_TOKENS, SEED_DEVICES, type SeedDeviceName } from "./names.ts";

interface SeedDevice {
  readonly name: string;
  readonly description?: string;
  readonly type?: "mutable" | "immutable" | "hybrid";
  readonly chunk_period?: "day" | "week" | "month" | "quarter";
  readonly chunk_retention?: number;
  readonly mutable_variable_regex?: string;
  readonly active?: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly over?: "https" | "lora" | "gateway";
  readonly serial?: string;
  /** The service authorization the device last came in with. */
  readonly authorization?: string;
}

const LINKS = {
  https: { connector: SEED_CATALOGUE.httpsConnector, network: SEED_CATALOGUE.httpsNetwork },
  lora: { connector: SEED_CATALOGUE.loraConnector, network: SEED_CATALOGUE.loraNetwork },
  gateway: { connector: SEED_CATALOGUE.privateConnector, network: SEED_CATALOGUE.privateNetwork },
} as const;

const DEVICES: Readonly<Record<SeedDeviceName, SeedDevice>> = {
  freezer: {
    name: "Freezer 1",
    description: "Cold store, left of the door",
    tags: { device_type: "freezer", site: "plant", room: "cold-store" },
    params: { target: "-18", alarm_above: "8" },
  },
  weather: {
    name: "Weather station",
    type: "immutable",
    chunk_period: "month",
    chunk_retention: 12,
    tags: { device_type: "weather", site: "plant", room: "roof" },
    params: { height_m: "12" },
  },
  waterMeter: {
    name: "Water meter",
    type: "immutable",
    chunk_period: "day",
    chunk_retention: 31,
    tags: { device_type: "meter", site: "plant", room: "basement" },
    params: { slave: "7", pulse_litres: "10" },
    over: "gateway",
  },
  truck: {
    name: "Truck 7",
    description: "The track is kept in chunks; fences and notes can be changed",
    type: "hybrid",
    chunk_period: "month",
    chunk_retention: 3,
    mutable_variable_regex: "^(geofence|note)$",
    tags: { device_type: "truck", site: "road" },
    params: { plate: "DP-70-07" },
  },
  siloNorth: {
    name: "Silo north",
    tags: { device_type: "silo", site: "plant", content: "barley" },
    params: { volume_m3: "120" },
  },
  siloEast: {
    name: "Silo east",
    tags: { device_type: "silo", site: "plant", content: "wheat" },
    params: { volume_m3: "120" },
  },
  siloWest: {
    name: "Silo west",
    tags: { device_type: "silo", site: "plant", content: "maize" },
    params: { volume_m3: "80" },
  },
  settings: {
    name: "Plant settings",
    description: "Holds what forms and buttons of the dashboards set",
    tags: { device_type: "settings", site: "plant" },
    params: { owner: "operations" },
  },
  inactive: {
    name: "Retired gateway",
    active: false,
    tags: { device_type: "gateway", site: "plant" },
    params: { retired: "true" },
  },
  vibration: {
    name: "Vibration logger",
    description: "Ten rows below the limit of 50,000",
    tags: { device_type: "vibration", site: "plant" },
    params: { axis: "z" },
  },
  mainMeter: {
    name: "Main meter",
    tags: { device_type: "meter", site: "plant", _delete_protection_: "The main meter must not be deleted" },
    params: { slave: "1", ratio: "60" },
    over: "gateway",
  },
  soil: {
    name: "Soil probe",
    description: "Field behind the plant, over LoRaWAN",
    tags: { device_type: "soil", site: "field" },
    params: { downlink: "", port: "1", depth: "20" },
    over: "lora",
    serial: "0004A30B001C0530",
    authorization: "at5eed00000000400080000000000000a1",
  },
};

const NAMES: readonly SeedDeviceName[] = [
  ...(["freezer", "weather", "waterMeter", "truck", "siloNorth", "siloEast"] as const),
  ...(["siloWest", "settings", "inactive", "vibration", "mainMeter", "soil"] as const),
];

/** Makes the twelve devices of Demo Plant with tokens, tags, parameters and history. */
export function seedDevices(app: App, seed: number, rowIds: IdSource): void {
  for (const name of NAMES) seedDevice(app, name, seed, rowIds);
}

function seedDevice(app: App, name: SeedDeviceName, seed: number, rowIds: IdSource): void {
  const { params, ...spec } = DEVICES[name];
  const id = SEED_DEVICES[name];
  const rows = historyOf(name, app.clock.now(), seed);
  const lastMs = rows.at(-1)?.timeMs;
  const lastInput = lastMs === undefined ? null : new Date(lastMs).toISOString();
  const document = app.collection("device").insert(SEED_PROFILES.demoPlant, toDocument(id, spec, lastInput));
  app.tokens.create({
    kind: "device",
    profile: SEED_PROFILES.demoPlant,
    refId: id,
    name: "Default",
    permission: "full",
    token: SEED_DEVICE_TOKENS[name],
    serieNumber: spec.serial ?? null,
    lastAuthorization: spec.authorization ?? null,
    createdBy: SEED_ACCOUNTS.demo.id,
  });
  app.params.set(
    id,
    Object.entries(params).map(([key, value]) => ({ key, value, sent: key !== "alarm_above" })),
  );
  app.data.writeHistory(toDataDevice(document), rows, rowIds);
}

function toDocument(id: string, spec: Omit<SeedDevice, "params">, lastInput: string | null): Record<string, unknown> {
  const { tags, over = "https", serial: _serial, authorization: _authorization, ...own } = spec;
  const { type = "mutable", chunk_period, chunk_retention } = own;
  return {
    id,
    description: null,
    active: true,
    visible: true,
    payload_decoder: null,
    ...own,
    type,
    data_retention: type === "mutable" ? "forever" : `${chunk_retention} ${chunk_period}`,
    ...LINKS[over],
    tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
    last_input: lastInput,
    last_output: null,
    inspected_at: null,
    rpm: null,
    created_at: SEED_CREATED_AT,
    updated_at: SEED_CREATED_AT,
  };
}
