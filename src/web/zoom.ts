import type { WidgetDataResult } from "../index.ts";
import { pushParams } from "./router.ts";

/** A part of the time, in milliseconds. */
export interface Zoom {
  readonly fromMs: number;
  readonly toMs: number;
}

const LEAST_MS = 1_000;

/** The part of the time that an address says; undefined where it says days, or nothing. */
export function zoomIn(from: string, to: string): Zoom | undefined {
  const [fromMs, toMs] = [from, to].map((text) => (text.includes("T") ? Date.parse(text) : Number.NaN));
  return fromMs !== undefined && toMs !== undefined && fromMs < toMs ? { fromMs, toMs } : undefined;
}

const iso = (ms: number): string => new Date(Math.round(ms)).toISOString();

/** Shows a part of the time in the whole dashboard. Back shows what was before. */
export function zoomTo({ fromMs, toMs }: Zoom): void {
  const add = Math.max(0, LEAST_MS - (toMs - fromMs)) / 2;
  pushParams({ from: iso(fromMs - add), to: iso(toMs + add) });
}

/** A part `factor` times as long, with the same time at the same share of it. */
export function scaled({ fromMs, toMs }: Zoom, factor: number, aroundMs = (fromMs + toMs) / 2): Zoom {
  return { fromMs: aroundMs - (aroundMs - fromMs) * factor, toMs: aroundMs + (toMs - aroundMs) * factor };
}

/** The part before or after. */
export function moved({ fromMs, toMs }: Zoom, by: number): Zoom {
  const stepMs = (toMs - fromMs) * by;
  return { fromMs: fromMs + stepMs, toMs: toMs + stepMs };
}

/** Whether any entry of a widget takes the dates of its dashboard. */
export const takesDates = ({ widget }: WidgetDataResult): boolean =>
  widget.display["override_dashboard_presets"] !== true &&
  (widget.data ?? []).some(({ overwrite }) => overwrite !== false);
