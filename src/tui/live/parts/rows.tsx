import type { ReactNode } from "react";
import { sparkline } from "../../components/sparkline/sparkline.ts";
import type { TableColumn } from "../../components/table/columns.ts";
import { Table, type TableRow } from "../../components/table/table.tsx";
import { tableWindow } from "../../components/table/table-state.ts";
import { useTheme } from "../../hooks/screen-context.ts";
import type { Theme } from "../../theme.ts";
import { trendOf } from "../buffer.ts";
import { waitingText } from "../quiet.ts";
import type { VisibleRow } from "../visible-rows.ts";
import { clockText, countText } from "../words.ts";
import type { PartProps, TallPartProps } from "./part.ts";

const TREND_MS = 60_000;
/** Below this width the thousandths of times leave. */
const FULL_CLOCK_FROM = 70;

const columns: readonly TableColumn[] = [
  { title: "time", least: 12, most: 12, leaves: 2 },
  { title: "device", least: 8, most: 24, leaves: 3 },
  { title: "variable", least: 8, most: 28 },
  { title: "value", align: "right", least: 6, most: 40 },
  { title: "unit", most: 10, leaves: 4 },
  { title: "count", align: "right", leaves: 5 },
  // No more points than there are seconds.
  { title: "trend 60 s", most: TREND_MS / 1_000, leaves: 1, fills: true },
];

/** The table of records or groups. */
export function Rows(props: TallPartProps): ReactNode {
  const { model, options, width, height } = props;
  const theme = useTheme();
  const { state } = model;
  const rows = model.rows();
  const selected = model.selectedIndex();
  const { from, to, below } = tableWindow(rows.length, selected, height - 1);
  const seen = rows.slice(from, to).map((row) => rowOf(row, props, theme));
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
  return (
    <Table
      columns={used}
      rows={cells}
      selected={rows[selected]?.id}
      width={width}
      height={height}
      below={below}
      empty={emptyTexts(props)}
    />
  );
}

function emptyTexts({ model, options }: PartProps): readonly string[] {
  const { filter } = model.state;
  if (model.buffer.size > 0 && filter !== "") return [`No record matches "${filter}". Press Esc to clear the filter.`];
  if (model.connection.state === "stopped") return ["The stream ended without any records."];
  const { lastInputMs, reasons } = model;
  const { send } = options.waiting;
  // The platform would reject any input as long as there is a reason.
  const advice = send === undefined || reasons.length > 0 ? [] : ["Send data:", send];
  return [waitingText(lastInputMs, model.nowMs), ...reasons, ...advice];
}

function rowOf({ kept, id, count }: VisibleRow, { model, options, width }: PartProps, theme: Theme): TableRow {
  if (kept.kind === "gap") {
    const { line } = theme.marks;
    const [from, to] = [kept.lostAtMs, kept.resumedAtMs].map((ms) => clockText(ms, options.zone).slice(0, 8));
    return { id, cells: `${line.repeat(3)} gap ${from} to ${to}: records may be missing ${line.repeat(3)}` };
  }
  const series = model.series.get(kept.series);
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
      (points) =>
        series?.fine === undefined ? "" : sparkline(trendOf(series, model.nowMs, TREND_MS, points), theme.marks.sparks),
    ],
  };
}
