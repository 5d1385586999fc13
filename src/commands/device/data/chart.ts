import type { Resources } from "../../../index.ts";
import { countOf } from "../../../text/count.ts";
import { prepareWidths } from "../../../text/width.ts";
import { readingClient } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import { defineCommand } from "../../kit/command/define.ts";
import type { Input, Options } from "../../kit/command/options.ts";
import { rows } from "../../kit/command/result.ts";
import type { CommandContext } from "../../kit/context.ts";
import { announceReading } from "../../kit/devices/cost.ts";
import { countRecords, readData } from "../../kit/devices/data-read.ts";
import { type DataRecord, readWindows } from "../../kit/devices/windows.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { showTime } from "../../kit/output/times.ts";
import { binsFor, type ChartArea, drawPanels, LABELS } from "../chart/panel.ts";
import { Series } from "../chart/series.ts";
import { selectionFrom, seriesOptions } from "../data-query.ts";
import { deviceArgument, deviceOf } from "../place.ts";

interface ChartPoint {
  readonly time: string;
  readonly variable: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly records: number;
  readonly unit?: string;
}

const pointColumns: readonly Column<ChartPoint>[] = [
  { key: "time", kind: "time", exact: true },
  { key: "variable", rank: 1 },
  { key: "value", kind: "number", rank: 1 },
  { key: "min", kind: "number" },
  { key: "max", kind: "number" },
  { key: "records", kind: "number" },
  { key: "unit" },
];

const DAY_MS = 86_400_000;
const MOST_PANELS = 6;

const options = [
  ...seriesOptions,
  { name: "downsample", kind: "integer", summary: "number of points over the range (as many as fit)" },
  {
    name: "style",
    value: "kind",
    summary: "chart style (braille; ascii with --ascii)",
    choices: ["braille", "blocks", "ascii"],
  },
  { name: "width", kind: "integer", least: 30, summary: "width in columns (that of the terminal, else 80)" },
  { name: "height", kind: "integer", least: 6, summary: "height in lines (that of the terminal, else 24)" },
  { name: "max-records", kind: "integer", summary: "stop after this many records; skips the cost confirmation" },
] as const satisfies Options;

type Given = Input<[], typeof options>;

export const chartData = defineCommand({
  path: ["data", "chart"],
  result: rows(pointColumns),
  effect: "reads",
  summary: "Draw the history of a device as a chart",
  details:
    "Covers the last 24 hours unless --last, --from or --to is set, and all numeric variables unless --variable is set. " +
    "Each variable gets its own chart and scale over a shared time axis. A point combines all records of its time slot " +
    "and is drawn from the lowest to the highest value. Machine formats (-o json, csv ...) return these points with the " +
    "mean as value; --downsample sets how many.",
  args: [deviceArgument],
  options,
  groups: ["confirm"],
  examples: [
    'iot device data chart "name:Freezer 1" --variable temperature --last 24h',
    'iot device data chart "name:Freezer 1" --last 7d --style blocks',
    'iot device data chart "name:Freezer 1" --variable temperature --last 24h --downsample 12 -o json',
  ],
  exitCodes: { only: [4, 5, 6, 9, 10] },
  related: ["iot device data list", "iot device watch"],
  async run(ctx, input) {
    const paper = paperOf(ctx, input);
    const range = rangeOf(ctx, input);
    const { id } = await deviceOf(ctx, input);
    const client = await readingClient(ctx);
    const names = await variablesOf(client, id, input.options.variable);
    const isDrawn = ctx.out.format === "table" && !ctx.flags.accessible && ctx.flags.jq === undefined;
    const bins = input.options.downsample ?? binsFor(paper, LABELS);
    const series = await readSeries(ctx, client, { id, names, range, bins, input });
    const known = series.filter(({ records }) => records > 0);
    for (const { variable, records, others } of input.options.variable.length > 0 ? series : []) {
      if (records === 0 && known.length > 0) {
        const why = others === 0 ? "no records" : `no numbers in its ${countOf(others, "record")}`;
        ctx.say.info(`The variable "${variable}" has ${why} in this range.`);
      }
    }
    if (!isDrawn) {
      await ctx.out.list(known.flatMap(pointsOf), { columns: pointColumns, empty: "No numbers match." });
      return;
    }
    if (known.length === 0) {
      ctx.say.info("No numbers match.");
      return;
    }
    const shown = known.slice(0, input.options.variable.length > 0 ? known.length : MOST_PANELS);
    await prepareWidths([...shown.flatMap(({ variable, unit }) => [variable, unit]), "…"]);
    const lines = drawPanels(shown, range, paper, (ms, spanMs) => axisTime(ctx, ms, spanMs));
    await ctx.out.raw(`${lines.join("\n")}\n`);
    if (shown.length < known.length) {
      const rest = known.slice(shown.length).map(({ variable }) => variable);
      ctx.say.info(
        `${countOf(rest.length, "more variable")} not shown: ${rest.join(", ")}. Choose variables with --variable.`,
      );
    }
  },
});

function paperOf(ctx: CommandContext, { options }: Given): ChartArea {
  const asked = options.style;
  const ascii = ctx.flags.ascii || ctx.env["TERM"] === "dumb" || asked === "ascii";
  const style = asked === undefined || asked === "braille" ? (ascii ? "ascii" : "braille") : asked;
  const width = options.width ?? Math.max(30, ctx.io.stdoutIsTerminal ? ctx.io.columns() : 80);
  const rows = ctx.io.stdoutIsTerminal ? (ctx.io.rows?.() ?? 24) : 24;
  return { style, ascii, width, height: (options.height ?? rows) - 1 };
}

function rangeOf(ctx: CommandContext, input: Given): { readonly fromMs: number; readonly toMs: number } {
  const { start_date: start, end_date: end } = selectionFrom(ctx, input);
  const toMs = end === undefined ? ctx.clock.now() : Date.parse(end);
  const fromMs = start === undefined ? toMs - DAY_MS : Date.parse(start);
  if (fromMs < toMs) return { fromMs, toMs };
  throw usageError("The range is empty.", { next: "Use an earlier --from." });
}

/** The variables that were named, or all that have a value. */
async function variablesOf(client: Resources, id: string, named: readonly string[]): Promise<readonly string[]> {
  if (named.length > 0) return [...new Set(named)];
  const newest = await readData(client, id, { query: "last_value" });
  const numeric = newest.filter(({ value }) => typeof value === "number" || typeof value === "boolean");
  return numeric.map(({ variable }) => variable ?? "").filter((name) => name !== "");
}

interface Wanted {
  readonly id: string;
  readonly names: readonly string[];
  readonly range: { readonly fromMs: number; readonly toMs: number };
  readonly bins: number;
  readonly input: Given;
}

async function readSeries(ctx: CommandContext, client: Resources, wanted: Wanted): Promise<Series[]> {
  const { id, names, range, bins, input } = wanted;
  if (names.length === 0) return [];
  const max = input.options.maxRecords ?? Number.POSITIVE_INFINITY;
  const { groups } = selectionFrom(ctx, input);
  const selection = { ...(groups === undefined ? {} : { groups }) };
  const between = { start_date: new Date(range.fromMs).toISOString(), end_date: new Date(range.toMs).toISOString() };
  const records = await countRecords(client, id, { ...selection, ...between, variables: [...names] });
  await announceReading(ctx, client, Math.min(records, max), Number.isFinite(max));
  let left = max;
  const found: Series[] = [];
  for (const variable of names) {
    const series = new Series(variable, range, bins);
    found.push(series);
    const read = async (query: { fromMs: number | undefined; toMs: number; qty: number; skip: number }) =>
      (await readData(client, id, {
        ...selection,
        variables: [variable],
        start_date: new Date(query.fromMs ?? range.fromMs).toISOString(),
        end_date: new Date(query.toMs).toISOString(),
        ordination: "ascending",
        qty: Math.min(query.qty, left),
        skip: query.skip,
      })) as readonly DataRecord[];
    for await (const window of readWindows(read, range.fromMs, range.toMs)) {
      for (const { time, value, unit } of window.records.slice(0, left)) series.add(time.getTime(), value, unit);
      left -= window.records.length;
      if (left <= 0) break;
    }
    if (left <= 0) break;
  }
  return found;
}

function pointsOf(series: Series): ChartPoint[] {
  const unit = series.unit === "" ? {} : { unit: series.unit };
  return series.bins().flatMap((bin) =>
    bin === undefined
      ? []
      : [
          {
            time: new Date(Math.round(bin.fromMs)).toISOString(),
            variable: series.variable,
            value: bin.mean,
            min: bin.low,
            max: bin.high,
            records: bin.records,
            ...unit,
          },
        ],
  );
}

/** A label for the axis, just long enough to differ from the others. */
function axisTime(ctx: CommandContext, ms: number, spanMs: number): string {
  const { tz, time } = ctx.flags;
  const zone = time === "iso" ? "UTC" : tz;
  const text = showTime(new Date(ms), { form: "local", nowMs: ms, ...(zone === undefined ? {} : { zone }) });
  if (spanMs <= 10 * 60_000) return text.slice(11, 19);
  if (spanMs <= 1.5 * DAY_MS) return text.slice(11, 16);
  return spanMs <= 10 * DAY_MS ? text.slice(5, 16) : text.slice(0, 10);
}
