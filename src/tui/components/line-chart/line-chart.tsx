import { Text } from "ink";
import type { ReactNode } from "react";
import { type ChartValue, drawChart, pointsOf } from "../../../text/draw-chart.ts";
import { cut, padStart, widthOf } from "../../../text/width.ts";
import { useTheme } from "../../hooks/screen-context.ts";
import { timeAxis, valueLabels } from "./axes.ts";

export interface LineChartProps {
  /** What the line is, cleaned. */
  readonly title: string;
  /** Numbers at the right end of the frame, the longest form first; the first that leaves room for the title is taken. */
  readonly notes: readonly string[];
  /** Values for this many points side by side, oldest first. */
  values(points: number): readonly ChartValue[];
  numberText(value: number): string;
  /** Unit of the values, cleaned. */
  readonly unit: string;
  /** The time at a share of the width: 0 is the oldest. */
  timeAt(share: number): string;
  readonly width: number;
  readonly height: number;
  /** Shown instead of the line when there is none. */
  readonly empty: string;
}

/** Labels wider than this do without their unit. */
const WIDEST_LABEL = 12;

/** A line in a frame: title and numbers in its upper edge, times in its lower one, values at its left side. */
export function LineChart(props: LineChartProps): ReactNode {
  const { width, height, title, notes, empty, numberText, timeAt } = props;
  const { ascii, colors, marks } = useTheme();
  const [upperLeft, upperRight, lowerLeft, lowerRight] = marks.corners;
  const note = notes.find((one) => widthOf(one) + widthOf(title) <= width - 10) ?? "";
  const rows = Math.max(1, height - 2);
  // The labels depend on the values, and how many values there are on the width of the labels.
  const wide = valueLabels(props.values(pointsOf({ width, height: rows, ascii })), rows, numberText);
  const bare = Math.max(0, ...wide.map((label) => widthOf(label)));
  const unit = props.unit !== "" && bare + 1 + widthOf(props.unit) <= WIDEST_LABEL ? ` ${props.unit}` : "";
  const labels = Math.min(WIDEST_LABEL, bare === 0 ? 0 : bare + widthOf(unit));
  const inner = { width: Math.max(1, width - labels - 5), height: rows, ascii };
  const values = props.values(pointsOf(inner));
  const hasLine = values.some((value) => value !== undefined);
  const texts = valueLabels(values, rows, numberText).map((label) => (label === "" ? "" : `${label}${unit}`));
  const lines = drawChart(values, inner).map((line, y) => ({
    id: `line ${y}`,
    label: texts[y] ?? "",
    text: !hasLine && y === Math.floor(rows / 2) ? cut(empty, inner.width, marks.cut) : line,
  }));
  const times = hasLine ? timeAxis(inner.width, timeAt, marks.line) : marks.line.repeat(inner.width);
  return (
    <>
      <Text wrap="truncate">{`${upperLeft}${edge(title, note, width - 2, marks)}${upperRight}`}</Text>
      {lines.map(({ id, label, text }) => (
        <Text key={id} wrap="truncate">
          {`${marks.upright} ${padStart(cut(label, labels, marks.cut), labels)} `}
          <Text color={colors.accent}>{text}</Text>
          {`${" ".repeat(Math.max(0, inner.width - widthOf(text)))} ${marks.upright}`}
        </Text>
      ))}
      <Text wrap="truncate">{`${lowerLeft}${marks.line.repeat(labels + 2)}${times}${marks.line}${lowerRight}`}</Text>
    </>
  );
}

interface EdgeMarks {
  readonly line: string;
  readonly cut: string;
}

function edge(title: string, note: string, width: number, { line, cut: mark }: EdgeMarks): string {
  const head = cut(title, Math.max(4, width - 8 - widthOf(note)), mark);
  const right = note === "" ? "" : ` ${note} `;
  const filled = Math.max(1, width - widthOf(head) - widthOf(right) - 5);
  return `${line.repeat(2)} ${head} ${line.repeat(filled)}${right}${line}`;
}
