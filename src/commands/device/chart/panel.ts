import { cleanLine } from "../../../text/clean.ts";
import { type ChartValue, drawChart } from "../../../text/draw-chart.ts";
import { cut, padStart, widthOf } from "../../../text/width.ts";
import type { Series } from "./series.ts";

type ChartStyle = "braille" | "blocks" | "ascii";

export interface ChartArea {
  readonly style: ChartStyle;
  /** Cells there are. */
  readonly width: number;
  /** Lines there are. */
  readonly height: number;
  /** Only characters every terminal has. */
  readonly ascii: boolean;
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Fewer rows show no shape. */
const LEAST_ROWS = 3;
const MOST_ROWS = 16;

/** Cells between the labels and the right edge. */
const plotWidth = (width: number, labels: number): number => Math.max(8, width - labels - 2);

/** Values side by side: two in a cell with braille. */
export const binsFor = ({ style, width }: Pick<ChartArea, "style" | "width">, labels: number): number =>
  plotWidth(width, labels) * (style === "braille" ? 2 : 1);

/** Room for the labels of the scale, the same for all variables so that the times align. */
export const LABELS = 9;

/**
 * Charts below each other, one for each variable for each has a scale of its own, over one axis of time. Every chart has
 * a line that names its variable with the least, mean, greatest and last value.
 */
export function drawPanels(
  series: readonly Series[],
  range: Range,
  paper: ChartArea,
  timeText: (ms: number, spanMs: number) => string,
): string[] {
  const width = plotWidth(paper.width, LABELS);
  const free = paper.height - 2 - series.length;
  const rows = Math.max(LEAST_ROWS, Math.min(MOST_ROWS, Math.floor(free / Math.max(1, series.length))));
  const lines = series.flatMap((one) => [
    cut(paper.ascii ? headOf(one).replace(/[^\x20-\x7e]/gu, "?") : headOf(one), paper.width, paper.ascii ? "~" : "…"),
    ...plot(one, width, rows, paper),
  ]);
  return [...lines, ...timeAxis(range, width, paper, timeText)].map((line) => line.trimEnd());
}

function headOf(series: Series): string {
  const unit = series.unit === "" ? "" : ` (${cleanLine(series.unit, 20)})`;
  const { low, high, mean, last } = series;
  const digits = decimalsOf(low, high);
  const numbers = [
    `min ${numberText(low, digits)}`,
    `mean ${numberText(mean, digits)}`,
    `max ${numberText(high, digits)}`,
    `last ${numberText(last ?? Number.NaN, digits)}`,
  ];
  return `${cleanLine(series.variable, 60)}${unit}  ${numbers.join("  ")}`;
}

function plot(series: Series, width: number, height: number, paper: ChartArea): string[] {
  const { style } = paper;
  const edge = paper.ascii ? "|" : "│";
  const blocks = style === "blocks";
  const values: ChartValue[] = (blocks ? series.bins() : series.line()).map(
    (bin) => bin && { low: bin.low, high: bin.high },
  );
  const size = { width, height, ascii: style === "ascii" || (blocks && paper.ascii), blocks };
  const digits = decimalsOf(series.low, series.high);
  return drawChart(values, size).map((line, y) => {
    const label = labelAt(series, y, height, digits);
    return `${padStart(cut(label, LABELS, paper.ascii ? "~" : "…"), LABELS)} ${edge}${line}`;
  });
}

/** Top, middle and bottom of the scale. */
function labelAt({ low, high }: Series, y: number, height: number, digits: number): string {
  if (low === high) return y === Math.floor(height / 2) ? numberText(low, digits) : "";
  if (y === 0) return numberText(high, digits);
  if (y === height - 1) return numberText(low, digits);
  const isMiddle = height % 2 === 1 && height > 4 && y === (height - 1) / 2;
  return isMiddle ? numberText((low + high) / 2, digits + 1) : "";
}

/** Digits that distinguish the ends of the scale. */
function decimalsOf(low: number, high: number): number {
  const span = high - low || Math.abs(high) || 1;
  return Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(span))));
}

function numberText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return "-";
  if (Math.abs(value) >= 1e7) return value.toExponential(2);
  return String(Number(value.toFixed(digits)));
}

function timeAxis(
  range: Range,
  width: number,
  paper: ChartArea,
  timeText: (ms: number, spanMs: number) => string,
): string[] {
  const spanMs = range.toMs - range.fromMs;
  const sample = timeText(range.fromMs, spanMs);
  const ticks = Math.max(2, Math.min(7, Math.floor(width / (widthOf(sample) + 4)) + 1));
  const [line, tick, corner] = paper.ascii ? ["-", "+", "+"] : ["─", "┬", "└"];
  const places = Array.from({ length: ticks }, (_, i) => Math.round((i * (width - 1)) / (ticks - 1)));
  const axis = Array.from({ length: width }, (_, x) => (places.includes(x) ? tick : line)).join("");
  let labels = "";
  for (const [i, place] of places.entries()) {
    const text = timeText(range.fromMs + (spanMs * i) / (ticks - 1), spanMs);
    const start = Math.max(0, Math.min(width - text.length, place - Math.floor(text.length / 2)));
    if (start < labels.length + (i === 0 ? 0 : 1)) continue;
    labels = labels.padEnd(start) + text;
  }
  return [`${" ".repeat(LABELS + 1)}${corner}${axis}`, `${" ".repeat(LABELS + 2)}${labels}`];
}
