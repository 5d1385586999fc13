import type { WidgetContent, WidgetData } from "../../resources/widgets.ts";
import { get, list, record, type Source } from "../readers.ts";
import { calculate } from "./formula.ts";
import { structureOf } from "./legacy.ts";
import { below, idIn, numberIn, textIn, textOf } from "./read.ts";

const STEPS = 48;
const STEP_MS = 30 * 60_000;
const MAX_ENTRIES = 30;
const MAX_VARIABLES = 20;

/** What a variable of this name usually has: unit, middle, swing. */
const usual: readonly (readonly [RegExp, string, number, number])[] = [
  [/temp/i, "°C", 21, 4],
  [/humid/i, "%", 52, 12],
  [/press/i, "bar", 6, 2.5],
  [/flow/i, "m³/h", 14, 6],
  [/batt|volt/i, "V", 3.6, 0.3],
  [/level|fill|silo/i, "%", 62, 20],
  [/wind|speed/i, "km/h", 28, 14],
  [/power|energy/i, "kW", 42, 16],
];

/**
 * Believable records for a widget without data: the same for the same arguments. A template's own `mock_data` is used
 * instead where the widget has some.
 *
 * @param nowMs time of the last record, in milliseconds
 * @param seed another number creates other values
 * @example
 * ```ts
 * import { drawWidget, sampleData } from "iotdeck/draw";
 *
 * const widget = await resources.dashboards.widgets.info(dashboardID, widgetID);
 * const html = drawWidget(widget, sampleData(widget, Date.now()));
 * ```
 */
export function sampleData(widget: unknown, nowMs: number, seed = 1): WidgetContent[] {
  const source = record(widget);
  const mock = get(source, "mock_data");
  if (Array.isArray(mock) && mock.length > 0) return mock as WidgetContent[];
  const { d } = structureOf(source);
  const end = Number.isFinite(nowMs) ? Math.max(-8e15, Math.min(8e15, nowMs)) : 0;
  const resources = list(get(source, "resource"));
  if (resources.length > 0) return [{ result: deviceRows(resources.slice(0, MAX_VARIABLES).map(record), end) }];
  const entries = entriesOf(source, d);
  const content = entries.map(({ origin, variables }, i): WidgetContent => {
    const result = variables.flatMap((variable, place) =>
      history(d, { origin, variable, endMs: end, seed, place: i + place }),
    );
    return { data: { origin: origin ?? "", variables } satisfies WidgetData, result };
  });
  const fence = below(below(d, "geofence"), "variable");
  const name = textOf(fence, "variable");
  return name === "" ? content : [...content, { result: [fenceRecord(name, idIn(get(fence, "origin")), end)] }];
}

interface Entry {
  readonly origin: string | undefined;
  readonly variables: string[];
}

function entriesOf(widget: Source, d: Source): readonly Entry[] {
  const entries = list(get(widget, "data"))
    .slice(0, MAX_ENTRIES)
    .map(record)
    .map((item): Entry => {
      const variables = [get(item, "variables")]
        .flat()
        .slice(0, MAX_VARIABLES)
        .map(textIn)
        .filter((name) => name !== "");
      return { origin: idIn(get(item, "origin")), variables };
    });
  // Form fields name variables that no data entry loads. Made-up numbers fit few of them.
  const fields = list(get(d, "sections"))
    .slice(0, 20)
    .flatMap((section) => list(get(record(section), "fields")).slice(0, 40));
  const own = fields
    .map(record)
    .filter((field) => textOf(field, "type") === "number" || textOf(field, "type") === "incremental-step")
    .map((field) => below(field, "data"))
    .filter((data) => textOf(data, "variable") !== "");
  const switches = own.map(
    (data): Entry => ({ origin: idIn(get(data, "origin")), variables: [textOf(data, "variable")] }),
  );
  return [...entries, ...switches];
}

interface Track {
  readonly origin: string | undefined;
  readonly variable: string;
  readonly endMs: number;
  readonly seed: number;
  /** Position among the variables, for positions on maps and pictures. */
  readonly place: number;
}

function history(d: Source, { origin, variable, endMs, seed, place }: Track): Source[] {
  const random = randomFrom(`${seed} ${origin ?? ""} ${variable}`);
  const fixed = fixedValue(d);
  const isTime = isTimeAxis(d, variable);
  const [, unit, middle, swing] = usual.find(([name]) => name.test(variable)) ?? [/./, "", 40 + random() * 30, 14];
  const scale = scaleFor(d, variable, middle, swing);
  const phase = random() * Math.PI * 2;
  const spot = { x: 0.2 + random() * 0.6, y: 0.25 + random() * 0.5 };
  return Array.from({ length: STEPS }, (_, i) => {
    const wave = Math.sin(phase + (i / STEPS) * Math.PI * 3) * 0.7 + (random() - 0.5) * 0.5;
    const value = fixed ?? Number(((scale.middle + scale.swing * wave) * scale.factor).toFixed(2));
    const spread = { x: 0.08 + random() * 0.84, y: 0.08 + random() * 0.84 };
    const time = new Date(endMs - (STEPS - 1 - i) * STEP_MS).toISOString();
    const moved = { x: spot.x + wave * 0.12 + i * 0.002, y: spot.y - wave * 0.1 };
    return {
      variable,
      value: isTime ? time : value,
      ...(unit === "" ? {} : { unit }),
      time,
      group: `sample-${i}`,
      ...(origin === undefined ? {} : { origin, device: origin }),
      location: {
        type: "Point",
        coordinates: [-9.14 + place * 0.03 + moved.x * 0.02, 38.72 + place * 0.012 - moved.y * 0.012],
      },
      metadata: {
        ...(i === STEPS - 1 && place < 9
          ? { x: 0.2 + (place % 3) * 0.3, y: 0.3 + Math.floor(place / 3) * 0.25 }
          : spread),
        min: 0,
        max: 100,
      },
    };
  });
}

/** Whether the variable is the time axis of a chart. */
function isTimeAxis(d: Source, variable: string): boolean {
  const axis = below(d, "x_axis");
  return (
    get(axis, "plot_by") === "variable" &&
    get(axis, "type") === "time" &&
    textOf(below(axis, "variable"), "variable") === variable
  );
}

/** A value that a state or an image of the widget waits for. */
function fixedValue(d: Source): string | undefined {
  const state = textOf(below(d, "state_one"), "value");
  const condition = record(list(get(below(d, "source"), "conditions"))[0]);
  const wanted = get(condition, "condition") === "=" ? textOf(condition, "value") : "";
  return state || wanted || undefined;
}

interface Numbers {
  readonly middle: number;
  readonly swing: number;
  readonly factor: number;
}

/** Numbers that lie within the range of the widget after its formula. */
function scaleFor(d: Source, variable: string, middle: number, swing: number): Numbers {
  const range = get(d, "range") === undefined ? below(below(d, "y_axis"), "scale") : below(d, "range");
  const limit = below(d, "limit");
  const from = get(limit, "enabled") === true ? limit : range;
  const [min, max] = [numberIn(get(from, "minimum")), numberIn(get(from, "maximum"))];
  const own = list(get(d, "variables"))
    .map(record)
    .find((each) => textOf(each, "variable") === variable);
  const formula = below(own ?? d, "formula");
  const text = get(formula, "enable") === true ? textOf(formula, "value") : "$VALUE$";
  if (min === undefined || max === undefined || !(min < max)) return { middle, swing, factor: 1 };
  const inside = (value: number): boolean => {
    const result = calculate(text, value) ?? value;
    return result > min + (max - min) * 0.3 && result < max - (max - min) * 0.1;
  };
  const factor = [1, 10, 0.1, 100, 0.01, 1_000, 10_000].find((each) => inside(middle * each));
  if (factor !== undefined) return { middle, swing, factor };
  return { middle: min + (max - min) * 0.6, swing: (max - min) * 0.15, factor: 1 };
}

function fenceRecord(variable: string, origin: string | undefined, endMs: number): Source {
  const geolocation = { type: "Point", coordinates: [-9.13, 38.72], radius: 900 };
  const metadata = { event: "fence", eventColor: "#0a7d4b", eventDescription: "Site", geolocation };
  return {
    variable,
    ...(origin === undefined ? {} : { origin }),
    value: "fence",
    time: new Date(endMs).toISOString(),
    metadata,
  };
}

const SITES = ["Harbour", "North quay", "Cold store", "Mill", "Silo 3", "Depot"];

function deviceRows(resources: readonly Source[], endMs: number): Source[] {
  const cellAt = (view: string, i: number): string => {
    if (view === "name") return SITES[i] ?? "";
    if (/_(?:at|input|output|login)$/.test(view)) return new Date(endMs - i * STEP_MS).toISOString();
    return `${view.replace(/^(?:tags|param)\./, "")} ${i + 1}`;
  };
  return SITES.map((_, i) => ({
    device: `sample-${i + 1}`,
    ...Object.fromEntries(
      resources.map((each) => {
        const view = textOf(each, "view") || "name";
        return [view, cellAt(view, i)];
      }),
    ),
  }));
}

/** Random numbers from 0 to 1, always the same for a text (mulberry32 over an FNV hash). */
function randomFrom(text: string): () => number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
