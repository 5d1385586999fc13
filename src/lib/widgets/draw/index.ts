/**
 * Draws dashboard widgets, legacy or new, as HTML and SVG.
 *
 * @module iotdeck/draw
 */

import type { DeviceData } from "../../resources/data-types.ts";
import type { WidgetContent } from "../../resources/widgets.ts";
import { record } from "../readers.ts";
import { horizontalBars } from "./bars.ts";
import { keypad, push, step } from "./buttons.ts";
import { chart } from "./chart.ts";
import { clock } from "./clock.ts";
import { form } from "./forms.ts";
import { frame, HEADER } from "./frame.ts";
import { angular, dial, solid, vuMeter } from "./gauges.ts";
import { compose, heatMap, imageMarker } from "./layers.ts";
import { structureOf } from "./legacy.ts";
import { imagesOf, type LoadedImage } from "./loaded-image.ts";
import { map } from "./map.ts";
import { image, note, page, unknown, video } from "./media.ts";
import { pie, semidonut } from "./pie.ts";
import { below, textOf } from "./read.ts";
import { Records } from "./records.ts";
import { sampleData } from "./sample.ts";
import { type Draw, lastReading, type Scene, single, styleFor } from "./scene.ts";
import { dynamicTable, staticTable } from "./tables.ts";
import { card, display, icon, tile } from "./values.ts";
import { cylinder, grainBin } from "./vessels.ts";

/** What a widget shows: the data of a widget, its `content`, or records. */
export type DrawData =
  | { readonly content: readonly WidgetContent[] }
  | readonly WidgetContent[]
  | readonly Partial<DeviceData>[];

/** How a widget is drawn. */
export interface DrawOptions {
  /** Width in pixels, from 160 to 2000. @default 480 */
  readonly width?: number;
  /** Height in pixels, from 120 to 2000; tables and forms use it to choose how many rows they show. @default 320 */
  readonly height?: number;
  /** `auto` follows the page or the system. @default "auto" */
  readonly theme?: "light" | "dark" | "auto";
  /** Language of numbers and dates. @default "en-US" */
  readonly locale?: string;
  /** Time zone of dates, such as `Europe/Lisbon`. Default: that of the widget's data, else UTC. */
  readonly timeZone?: string;
  /** Current time in milliseconds: shown by clocks, and the end of sample data. @default 0 */
  readonly nowMs?: number;
  /** Draws sample data if there is none. @default false */
  readonly sample?: boolean;
  /** Writes the label of the widget above the drawing; it is always the title of the SVG. @default true */
  readonly showLabel?: boolean;
  /**
   * Loads images from https and data addresses; otherwise a box with the address is drawn. A function is called with each
   * address and returns where that image is loaded from, undefined for a box. @default false
   */
  readonly images?: boolean | ((address: string) => LoadedImage | undefined);
}

/** A widget in the structure it is drawn by. */
export interface WidgetReading {
  /** Type of the new structure. */
  readonly type: string;
  /** Display of that type. */
  readonly display: Readonly<Record<string, unknown>>;
}

const draws: Readonly<Record<string, Draw>> = Object.assign(Object.create(null) as Record<string, Draw>, {
  angular,
  solid,
  "vu-meter": vuMeter,
  dial,
  cylinder,
  grainbin: grainBin,
  clock,
  card,
  push_button: push,
  step_button: step,
  keypad,
  line_chart: chart,
  area_chart: chart,
  vertical_bar_chart: chart,
  horizontal_bar_chart: horizontalBars,
  multiple_axis_chart: chart,
  pie,
  semidonut,
  display,
  icon,
  map,
  heat_map: heatMap,
  image_marker: imageMarker,
  compose,
  dynamic_table: dynamicTable,
  static_table: staticTable,
  image,
  video,
  note,
  tile,
  iframe: page,
  form,
  control: form,
} satisfies Record<string, Draw>);

/**
 * Draws a widget as HTML with SVG: one `<figure>` without scripts, style attributes or anything from the network. The
 * page needs `widgetStyles()` once. Legacy widgets are drawn by their own keys; unknown types show their JSON.
 *
 * @param widget a widget of the new or the legacy structure
 * @param data what it shows
 * @example
 * ```ts
 * import { drawWidget } from "iotdeck/draw";
 *
 * const { widget, content } = await resources.dashboards.widgets.getData(dashboardID, widgetID);
 * const html = drawWidget(widget, content, { width: 640, height: 360, nowMs: Date.now() });
 * ```
 */
export function drawWidget(widget: unknown, data?: DrawData, options: DrawOptions = {}): string {
  const source = record(widget);
  const { theme = "auto", nowMs = 0 } = options;
  let records = new Records(data);
  if (records.isEmpty && options.sample === true) records = new Records(sampleData(source, nowMs));
  const style = styleFor(source, options);
  records.aggregate(source, style);
  const { type, d, isLegacy } = structureOf(source);
  const hasLabel = options.showLabel !== false && textOf(source, "label") !== "";
  const scene: Scene = {
    widget: source,
    type,
    d,
    colors: below(below(d, "theme"), "color"),
    records,
    style,
    nowMs,
    width: sizeOf(options.width, 480, 160),
    height: sizeOf(options.height, 320, 120) - (hasLabel ? HEADER : 0),
    hasLabel,
    images: imagesOf(options.images),
  };
  const draw = draws[type] ?? unknown;
  const value = lastReading(scene, single(scene))?.value;
  return frame(scene, draw(scene), { theme, isLegacy, value });
}

/**
 * Type and display of a widget as `drawWidget` reads them: those of a legacy widget in the structure of the new type, by
 * its own keys. For programs that write what a form, a keypad or a table of a dashboard writes.
 *
 * @param widget a widget of the new or the legacy structure
 * @example
 * ```ts
 * import { readWidget } from "iotdeck/draw";
 *
 * const { type, display } = readWidget(await resources.dashboards.widgets.info(dashboardID, widgetID));
 * if (type === "form") console.log(display.sections);
 * ```
 */
export function readWidget(widget: unknown): WidgetReading {
  const { type, d } = structureOf(record(widget));
  return { type, display: { ...d } };
}

const sizeOf = (given: number | undefined, usual: number, least: number): number =>
  given === undefined || !Number.isFinite(given) ? usual : Math.max(least, Math.min(2_000, Math.round(given)));

export type { LoadedImage } from "./loaded-image.ts";
export { sampleData } from "./sample.ts";
export { widgetStyles } from "./styles.ts";
