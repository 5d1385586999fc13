import { Box, Text } from "ink";
import { type ReactNode, useSyncExternalStore } from "react";
import { cleanText } from "../../text/clean.ts";
import { cut, padEnd } from "../../text/width.ts";
import { KeyHints } from "../components/key-hints/key-hints.tsx";
import { LineChart } from "../components/line-chart/line-chart.tsx";
import { sparkline } from "../components/sparkline/sparkline.ts";
import { StatusLine } from "../components/status-line/status-line.tsx";
import type { TableColumn } from "../components/table/columns.ts";
import { Table, type TableRow } from "../components/table/table.tsx";
import { firstVisible } from "../components/table/table-state.ts";
import { useTheme, useWindowSize } from "../hooks/screen-context.ts";
import { useKeys } from "../hooks/use-keys.ts";
import type { Theme } from "../theme.ts";
import { MAX_ROWS, rangeOf, trendOf } from "./buffer.ts";
import { helpLines, hints, type LiveCommand, liveCommand } from "./live-keys.ts";
import type { LiveModel } from "./live-model.ts";
import { ranges } from "./live-state.ts";
import type { LiveOptions } from "./types.ts";
import type { VisibleRow } from "./visible-rows.ts";
import { clockText, countText, numberText, stateText } from "./words.ts";

const TREND_POINTS = 8;
const TREND_MS = 60_000;
/** Below this width the thousandths of times leave. */
const FULL_CLOCK_FROM = 70;
/** Below this the chart would leave no room for the table. */
const CHART_FROM_ROWS = 14;

const columns: readonly TableColumn[] = [
  { title: "time", least: 12, most: 12, leaves: 2 },
  { title: "device", least: 8, most: 24, leaves: 3 },
  { title: "variable", least: 8, most: 28 },
  { title: "value", align: "right", least: 6, most: 40 },
  { title: "unit", most: 10, leaves: 4 },
  { title: "count", align: "right", leaves: 5 },
  { title: "trend (60 s)", least: TREND_POINTS, most: 12, leaves: 1 },
];

export interface LiveViewProps {
  readonly model: LiveModel;
  readonly options: LiveOptions;
  onCommand(command: LiveCommand): void;
}

/** Status, table, chart and keys of the live view. */
export function LiveView({ model, options, onCommand }: LiveViewProps): ReactNode {
  useSyncExternalStore(model.subscribe, model.version);
  const { columns: width, rows: windowRows } = useWindowSize();
  const { state } = model;
  const height = windowRows - 1;
  const isTall = state.pane === "chart";
  const hasChart = (state.hasChart && windowRows >= CHART_FROM_ROWS) || isTall;
  const chartHeight = !hasChart ? 0 : isTall ? height - 4 : Math.min(12, Math.max(4, Math.floor(height / 3)));
  const tableHeight = Math.max(1, height - 2 - chartHeight);

  useKeys((key) => {
    const page = { rows: Math.max(1, tableHeight - 2), fileName: options.fileName };
    const command = liveCommand(key, model.state, page);
    if (command !== undefined) onCommand(command);
  });

  const body = { model, options, width };
  return (
    <>
      <Head {...body} />
      <Box flexDirection="column" height={height - 2} overflow="hidden">
        {state.overlay === "help" ? <Help width={width} /> : null}
        {state.overlay === "detail" ? <Detail {...body} height={height - 2} /> : null}
        {state.overlay === "none" ? (
          <>
            <Box flexDirection="column" height={tableHeight} overflow="hidden" flexShrink={0}>
              <Rows {...body} height={tableHeight} />
            </Box>
            {hasChart ? <Chart {...body} height={chartHeight} /> : null}
          </>
        ) : null}
      </Box>
      <Foot model={model} width={width} />
    </>
  );
}

interface PartProps {
  readonly model: LiveModel;
  readonly options: LiveOptions;
  readonly width: number;
}

function Head({ model, options, width }: PartProps): ReactNode {
  const { colors } = useTheme();
  const { counters, size } = model.buffer;
  const { channel, names, place } = options.title;
  const { connection, state } = model;
  const color = connection.state === "retry" ? colors.bad : state.isPaused ? colors.waiting : colors.good;
  const [first = "", ...others] = names;
  const dropped = counters.dropped > 0 ? ` (${countText(counters.dropped)} older dropped)` : "";
  return (
    <StatusLine
      width={width}
      parts={[
        { text: channel, leaves: 5 },
        { text: `${cut(first, 30, "…")}${others.length > 0 ? ` (+${others.length})` : ""}`, bold: true, leaves: 2 },
        { text: place, leaves: 4 },
        {
          text: stateText({
            connection,
            isPaused: state.isPaused,
            waiting: model.waiting,
            rate: model.rate,
            nowMs: Date.now(),
          }),
          color,
          bold: true,
        },
        { text: `received ${countText(counters.received)}`, leaves: 3 },
        { text: `buffer ${countText(size)}${dropped}`, leaves: size < MAX_ROWS ? 6 : 3 },
        { text: `lost ${countText(counters.lost)}`, leaves: 1, ...(counters.lost > 0 ? { color: colors.bad } : {}) },
        { text: counters.gaps > 0 ? `gaps ${countText(counters.gaps)}` : "", leaves: 1, color: colors.waiting },
      ]}
    />
  );
}

function cellsOf(row: VisibleRow, { model, options, width }: PartProps, theme: Theme): TableRow {
  const { kept, id, count } = row;
  if (kept.kind === "gap") {
    const { line } = theme.marks;
    const [from, to] = [kept.lostAtMs, kept.resumedAtMs].map((ms) => clockText(ms, options.zone).slice(0, 8));
    return { id, cells: `${line.repeat(3)} gap ${from} to ${to}: records may be missing ${line.repeat(3)}` };
  }
  const series = model.series.get(kept.series);
  const trend = series === undefined ? [] : trendOf(series, model.nowMs, TREND_MS, TREND_POINTS);
  const { row: record } = kept;
  return {
    id,
    isMarked: model.state.marked === kept.series,
    cells: [
      clockText(record.timeMs, options.zone).slice(0, width < FULL_CLOCK_FROM ? 8 : undefined),
      record.device,
      record.variable,
      record.value,
      record.unit,
      model.state.group === "none" ? "" : countText(count),
      series?.fine === undefined ? "" : sparkline(trend, theme.marks.sparks),
    ],
  };
}

function Rows(props: PartProps & { readonly height: number }): ReactNode {
  const { model, options, width, height } = props;
  const theme = useTheme();
  const { state } = model;
  const rows = model.rows();
  const selected = model.selectedIndex();
  const first = firstVisible(selected, height - 1);
  const seen = rows.slice(first, first + height - 1).map((row) => cellsOf(row, props, theme));
  // One device needs no column: its name is in the first line.
  const isOne = options.title.names.length === 1;
  const hidden = [...(state.group === "none" ? ["count"] : []), ...(isOne ? ["device"] : [])];
  const used = columns
    .filter(({ title }) => !hidden.includes(title))
    .map((column) => (column.title === "time" && width < FULL_CLOCK_FROM ? { ...column, least: 8 } : column));
  const cells = seen.map((row) => {
    if (typeof row.cells === "string") return row;
    return { ...row, cells: row.cells.filter((_, i) => !hidden.includes(columns[i]?.title ?? "")) };
  });
  const empty =
    state.filter === "" ? "No records yet." : `No record matches "${state.filter}". Esc takes the filter away.`;
  return (
    <Table columns={used} rows={cells} selected={rows[selected]?.id} width={width} height={height} empty={empty} />
  );
}

function Chart({ model, width, height }: PartProps & { readonly height: number }): ReactNode {
  const series = model.charted();
  const { nowMs } = model;
  const range = ranges[model.state.rangeIndex] ?? ranges[2];
  const found = series === undefined ? undefined : rangeOf(series, nowMs, range.ms);
  const unit = series?.last.row.unit ?? "";
  const name = series === undefined ? "chart" : `${series.variable}${unit === "" ? "" : ` (${unit})`}`;
  const texts = found && [found.min, found.average, found.max].map(numberText);
  const notes =
    texts === undefined
      ? [range.text]
      : [
          `${range.text}  min ${texts[0]}  avg ${texts[1]}  max ${texts[2]}`,
          `min ${texts[0]}  max ${texts[2]}`,
          range.text,
        ];
  return (
    <LineChart
      title={name}
      notes={notes}
      values={(points) => (series === undefined ? [] : chartValues(trendOf(series, nowMs, range.ms, points), range.ms))}
      top={texts?.[2] ?? ""}
      bottom={texts?.[0] ?? ""}
      width={width}
      height={height}
      empty={series === undefined ? "No record is selected." : `No numbers; the last value is ${series.last.row.value}`}
    />
  );
}

/** Holes shorter than a few seconds are between two records, not a gap: the last value is carried over them. */
function chartValues(values: readonly (number | undefined)[], spanMs: number): (number | undefined)[] {
  const longest = Math.ceil((15_000 / spanMs) * values.length);
  let before: number | undefined;
  let empty = 0;
  return values.map((value) => {
    empty = value === undefined ? empty + 1 : 0;
    if (value !== undefined) before = value;
    return value ?? (empty <= longest ? before : undefined);
  });
}

function Help({ width }: { readonly width: number }): ReactNode {
  const widest = Math.max(...helpLines.map(([key]) => key.length));
  return (
    <>
      <Text bold>Keys</Text>
      {helpLines.map(([key, does]) => (
        <Text key={key} wrap="truncate">
          {cut(`  ${padEnd(key, widest)}  ${does}`, width, "…")}
        </Text>
      ))}
    </>
  );
}

function Detail({ model, options, width, height }: PartProps & { readonly height: number }): ReactNode {
  const kept = model.rows()[model.selectedIndex()]?.kept;
  if (kept === undefined || kept.kind !== "row") return <Text>The record is no longer kept.</Text>;
  const { row } = kept;
  const lines = [
    `${clockText(row.timeMs, options.zone)}  ${row.device}  ${row.variable}`,
    ...cleanText(JSON.stringify(row.record, null, 2) ?? "", 20_000).split("\n"),
  ];
  return (
    <>
      {lines
        .slice(0, height)
        .map((line, i) => ({ id: `line ${i}`, line }))
        .map(({ id, line }) => (
          <Text key={id} wrap="truncate">
            {cut(line, width, "…")}
          </Text>
        ))}
    </>
  );
}

function Foot({ model, width }: { readonly model: LiveModel; readonly width: number }): ReactNode {
  const { prompt, notice, filter, group, sort, isReversed, overlay } = model.state;
  const { colors } = useTheme();
  if (prompt !== undefined) {
    const isFilter = prompt.kind === "filter";
    const question = isFilter ? "Filter: " : `Save ${prompt.isAll ? "everything kept" : "what is shown"} to: `;
    const after = isFilter ? "  (Enter, Esc)" : "  (Enter; Tab: shown or everything; .csv .ndjson .json)";
    return (
      <Text wrap="truncate">
        <Text bold>{question}</Text>
        {prompt.text}
        <Text inverse> </Text>
        <Text dimColor>{after}</Text>
      </Text>
    );
  }
  if (notice !== "")
    return (
      <Text color={colors.accent} wrap="truncate">
        {cut(notice, width, "…")}
      </Text>
    );
  if (overlay !== "none")
    return (
      <KeyHints
        hints={[
          ["Esc", "back"],
          ["q", "quit"],
        ]}
        width={width}
      />
    );
  const chosen = [
    filter === "" ? "" : `filter "${filter}"`,
    group === "none" ? "" : `by ${group}`,
    sort === "time" && !isReversed ? "" : `sorted by ${sort}${isReversed ? " reversed" : ""}`,
  ].filter((text) => text !== "");
  const words = chosen.length === 0 ? "" : `[${cut(chosen.join(", "), Math.floor(width / 2), "…")}]  `;
  return (
    <Text wrap="truncate">
      <Text color={colors.waiting}>{words}</Text>
      <KeyHints hints={hints} width={width - words.length} />
    </Text>
  );
}
