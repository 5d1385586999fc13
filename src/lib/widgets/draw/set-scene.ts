import { record } from "../readers.ts";
import { HEADER } from "./frame.ts";
import { structureOf } from "./legacy.ts";
import { imagesOf } from "./loaded-image.ts";
import type { DrawData, DrawOptions } from "./options.ts";
import { below, textOf } from "./read.ts";
import { Records } from "./records.ts";
import { sampleData } from "./sample.ts";
import { type Scene, styleFor } from "./scene.ts";

/** All that a widget is drawn from, and whether it is of the legacy structure. */
export function sceneOf(
  widget: unknown,
  data: DrawData | undefined,
  options: DrawOptions,
): Scene & { readonly isLegacy: boolean } {
  const source = record(widget);
  const { nowMs = 0 } = options;
  let records = new Records(data);
  if (records.isEmpty && options.sample === true) records = new Records(sampleData(source, nowMs));
  const style = styleFor(source, options);
  records.aggregate(source, style);
  const { type, d, isLegacy } = structureOf(source);
  const hasLabel = options.showLabel !== false && textOf(source, "label") !== "";
  return {
    widget: source,
    type,
    d,
    isLegacy,
    colors: below(below(d, "theme"), "color"),
    records,
    style,
    nowMs,
    width: sizeOf(options.width, 480, 160),
    height: sizeOf(options.height, 320, 120) - (hasLabel ? HEADER : 0),
    hasLabel,
    images: imagesOf(options.images),
  };
}

const sizeOf = (given: number | undefined, usual: number, least: number): number =>
  given === undefined || !Number.isFinite(given) ? usual : Math.max(least, Math.min(2_000, Math.round(given)));
