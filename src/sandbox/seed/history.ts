import type { DataValue, GeoPoint, NewRow } from "../data/types.ts";
import type { SeedDeviceName } from "./names.ts";
import { createRandom, type Random } from "../seeds/random.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A reading before it has time and group. */
interface Reading {
  readonly variable: string;
  readonly value?: DataValue;
  readonly unit?: string;
  readonly location?: GeoPoint;
  readonly metadata?: object;
}

/** Readings every `everyMs`, the last one at or before the start of the sandbox. */
interface Series {
  readonly everyMs: number;
  readonly samples: number;
  /** Readings of one moment. `index` counts from 0, the oldest. */
  readonly at: (timeMs: number, random: Random, index: number) => readonly Reading[];
}

const round = (value: number, digits = 1): number => Number(value.toFixed(digits));
/** A daily wave from -1 to 1, highest at the given hour (UTC). */
const daily = (timeMs: number, peakHour: number): number =>
  Math.cos(((timeMs / HOUR_MS - peakHour) / 24) * 2 * Math.PI);
const around = (random: Random, spread: number): number => (random() + random() - 1) * spread;
const point = (lng: number, lat: number): GeoPoint => ({
  type: "Point",
  coordinates: [round(lng, 6), round(lat, 6)],
});

/** The compressor runs a third of the time; while it rests the temperature climbs, and after a defrost it peaks. */
function freezer(timeMs: number, random: Random): readonly Reading[] {
  const phase = Math.floor(timeMs / (15 * MINUTE_MS)) % 6;
  const isDefrost = Math.floor(timeMs / (15 * MINUTE_MS)) % 96 === 13;
  const temperature = -18 + (phase < 2 ? -1.2 * phase : 0.5 * phase) + around(random, 0.6) + (isDefrost ? 9 : 0);
  return [
    { variable: "temperature", value: round(temperature), unit: "°C", metadata: { color: "blue" } },
    { variable: "compressor", value: phase < 2 && !isDefrost },
  ];
}

function weather(timeMs: number, random: Random): readonly Reading[] {
  const warmth = daily(timeMs, 15);
  const season = Math.sin(timeMs / (DAY_MS * 9));
  return [
    { variable: "temperature", value: round(14 + 6 * warmth + 4 * season + around(random, 1)), unit: "°C" },
    { variable: "humidity", value: round(62 - 18 * warmth + around(random, 5), 0), unit: "%" },
    { variable: "pressure", value: round(1013 + 9 * season + around(random, 2)), unit: "hPa" },
    { variable: "wind", value: round(Math.max(0, 11 + 5 * warmth + around(random, 8))), unit: "km/h" },
  ];
}

function waterMeter(timeMs: number, random: Random, index: number): readonly Reading[] {
  const flow = round(Math.max(0, 1.8 + 1.6 * daily(timeMs, 11) + around(random, 0.7)), 2);
  return [
    { variable: "flow", value: flow, unit: "m³/h" },
    { variable: "total", value: round(20_480 + index * 1.8 + random(), 2), unit: "m³" },
  ];
}

const TRUCK_POINTS = 500;

/** A loop around the plant, with a stop at the depot. */
function truck(_timeMs: number, random: Random, index: number): readonly Reading[] {
  const angle = (index / TRUCK_POINTS) * 4 * Math.PI;
  const isStopped = index % 125 < 8;
  const location = point(9.18 + 0.09 * Math.cos(angle), 45.46 + 0.06 * Math.sin(angle));
  const speed = isStopped ? 0 : round(52 + around(random, 18), 0);
  const track: Reading = { variable: "location", value: isStopped ? "stopped" : "moving", location };
  return [track, { variable: "speed", value: speed, unit: "km/h" }];
}

function silo(x: string, y: string, fullness: number): Series["at"] {
  return (timeMs, random, index) => [
    {
      variable: "level",
      value: round(Math.max(4, fullness - ((index * 1.3) % fullness) + around(random, 1.5)), 0),
      unit: "%",
      metadata: { x, y, color: "green" },
    },
    { variable: "temperature", value: round(19 + 2 * daily(timeMs, 16) + around(random, 0.5)), unit: "°C" },
  ];
}

function vibration(timeMs: number, random: Random): readonly Reading[] {
  return [
    { variable: "vibration", value: round(2.4 + 0.8 * daily(timeMs, 10) + around(random, 0.9), 2), unit: "mm/s" },
  ];
}

function mainMeter(timeMs: number, random: Random, index: number): readonly Reading[] {
  return [
    { variable: "power", value: round(84 + 36 * daily(timeMs, 13) + around(random, 12)), unit: "kW" },
    { variable: "energy", value: round(118_200 + index * 21, 0), unit: "kWh" },
  ];
}

function soil(timeMs: number, random: Random, index: number): readonly Reading[] {
  const moisture = round(31 - 4 * daily(timeMs, 14) + around(random, 1.5));
  return [
    { variable: "moisture", value: moisture, unit: "%", location: point(9.2, 45.5) },
    { variable: "battery", value: round(3.62 - index * 0.0004, 3), unit: "V" },
    { variable: "fcnt", value: 1_200 + index, metadata: { port: 2, rssi: Math.round(-96 + around(random, 9)) } },
  ];
}

/** Rows the large device starts with: ten below the limit, so that it can be reached at once. */
const VIBRATION_ROWS = 49_990;

const SERIES: Readonly<Record<Exclude<SeedDeviceName, "settings">, Series>> = {
  freezer: { everyMs: 15 * MINUTE_MS, samples: 30 * 96, at: freezer },
  weather: { everyMs: HOUR_MS, samples: 90 * 24, at: weather },
  waterMeter: { everyMs: HOUR_MS, samples: 30 * 24, at: waterMeter },
  truck: { everyMs: 5 * MINUTE_MS, samples: TRUCK_POINTS, at: truck },
  siloNorth: { everyMs: 2 * HOUR_MS, samples: 84, at: silo("0.22", "0.35", 92) },
  siloEast: { everyMs: 2 * HOUR_MS, samples: 84, at: silo("0.51", "0.35", 64) },
  siloWest: { everyMs: 2 * HOUR_MS, samples: 84, at: silo("0.80", "0.35", 38) },
  inactive: { everyMs: DAY_MS, samples: 10, at: () => [{ variable: "status", value: "retired" }] },
  vibration: { everyMs: MINUTE_MS, samples: VIBRATION_ROWS, at: vibration },
  mainMeter: { everyMs: HOUR_MS / 4, samples: 14 * 96, at: mainMeter },
  soil: { everyMs: HOUR_MS, samples: 20 * 24, at: soil },
};

/** Settings are no series: each is set once, some with the metadata that forms and layers look at. */
const SETTINGS: readonly Reading[] = [
  { variable: "target_temperature", value: -18, unit: "°C" },
  { variable: "alarm_limit", value: 8, unit: "°C" },
  { variable: "operator", value: "Ines" },
  { variable: "maintenance", value: false },
  { variable: "pump", value: "off", metadata: { color: "gray" } },
  { variable: "access_code", value: "4711" },
  { variable: "floor_plan", value: "ground", metadata: { file: { url: "", md5: "", path: "" } } },
  { variable: "task", value: "Check door seal", metadata: { label: "Freezer" } },
  { variable: "task", value: "Read water meter", metadata: { label: "Basement" } },
];

/** The fence is set up as a person would: on the mutable side of the truck. */
const GEOFENCE: Reading = {
  variable: "geofence",
  value: "Plant",
  metadata: { geolocation: { type: "Point", coordinates: [9.18, 45.46], radius: 2500 }, event: "inside" },
};

/** The history of one device, oldest row first. The same seed and moment give the same rows. */
export function historyOf(name: SeedDeviceName, nowMs: number, seed: number): NewRow[] {
  const random = createRandom(seed, name);
  const groupOf = createGroups(random);
  if (name === "settings") {
    return SETTINGS.map((reading, index) => ({ ...reading, group: groupOf(index), timeMs: nowMs - HOUR_MS + index }));
  }
  const { everyMs, samples, at } = SERIES[name];
  const lastMs = Math.floor(nowMs / everyMs) * everyMs;
  const firstMs = lastMs - (samples - 1) * everyMs;
  const rows: NewRow[] = [];
  if (name === "truck") rows.push({ ...GEOFENCE, group: groupOf(samples), timeMs: firstMs - everyMs });
  for (let index = 0; index < samples; index += 1) {
    const timeMs = firstMs + index * everyMs;
    const group = groupOf(index);
    for (const reading of at(timeMs, random, index)) rows.push({ ...reading, group, timeMs });
  }
  return rows;
}

/** Groups of one device: rising, and too large to be taken for an id that starts with a time. */
function createGroups(random: Random): (index: number) => string {
  const part = (): string =>
    Math.floor(random() * 0x1000000)
      .toString(16)
      .padStart(6, "0");
  const prefix = `ff${part()}${part()}`;
  return (index) => prefix + index.toString(16).padStart(10, "0");
}
