/**
 * Draws dashboard widgets, legacy or new, as HTML and SVG.
 *
 * @module iotdeck/draw
 */

import { record } from "../readers.ts";
import { horizontalBars } from "./bars.ts";
import { keypad, push, step } from "./buttons.ts";
import { chart } from "./chart.ts";
import { clock } from "./clock.ts";
import { form } from "./forms.ts";
import { frame } from "./frame.ts";
import { angular, dial, solid, vuMeter } from "./gauges.ts";
import { compose, heatMap, imageMarker } from "./layers.ts";
import { structureOf } from "./legacy.ts";
import { map } from "./map.ts";
import { image, note, page, unknown, video } from "./media.ts";
import type { DrawData, DrawOptions } from "./options.ts";
import { pie, semidonut } from "./pie.ts";
import { type Draw, lastReading, single } from "./scene.ts";
import { sceneOf } from "./set-scene.ts";
import { dynamicTable, staticTable } from "./tables.ts";
import { card, display, icon, tile } from "./values.ts";
import { cylinder, grainBin } from "./vessels.ts";

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
  const scene = sceneOf(widget, data, options);
  const draw = draws[scene.type] ?? unknown;
  const value = lastReading(scene, single(scene))?.value;
  return frame(scene, draw(scene), { theme: options.theme ?? "auto", isLegacy: scene.isLegacy, value });
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

export type { LoadedImage } from "./loaded-image.ts";
export type { DrawData, DrawOptions } from "./options.ts";
export { sampleData } from "./sample.ts";
export { widgetStyles } from "./styles.ts";
