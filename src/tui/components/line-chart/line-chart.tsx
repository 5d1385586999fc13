import { Text } from "ink";
import type { ReactNode } from "react";
import { drawChart, pointsOf } from "../../../text/draw-chart.ts";
import { cut, padStart, widthOf } from "../../../text/width.ts";
import { useTheme } from "../../hooks/screen-context.ts";

export interface LineChartProps {
  /** What the line is: a variable and its unit, cleaned. */
  readonly title: string;
  /** Numbers at the right end of the frame, the longest form first; the first that leaves room for the title is taken. */
  readonly notes: readonly string[];
  /** Values for so many points side by side, oldest first. */
  values(points: number): readonly (number | undefined)[];
  readonly top: string;
  readonly bottom: string;
  readonly width: number;
  readonly height: number;
  /** Shown instead of the line when there is none. */
  readonly empty: string;
}

/** A line in a frame whose upper edge holds title and numbers. */
export function LineChart(props: LineChartProps): ReactNode {
  const { width, height, title, notes, top, bottom, empty } = props;
  const { ascii, colors, marks } = useTheme();
  const note = notes.find((one) => widthOf(one) + widthOf(title) <= width - 10) ?? "";
  const labels = Math.min(12, Math.max(widthOf(top), widthOf(bottom)));
  const inner = { width: Math.max(1, width - labels - 5), height: Math.max(1, height - 1), ascii };
  const values = props.values(pointsOf(inner));
  const hasLine = values.some((value) => value !== undefined);
  const lines = drawChart(values, inner).map((line, y, all) => ({
    id: `line ${y}`,
    label: y === 0 ? top : y === all.length - 1 ? bottom : "",
    text: !hasLine && y === Math.floor(all.length / 2) ? cut(empty, inner.width, marks.cut) : line,
  }));
  return (
    <>
      <Text wrap="truncate">{edge(title, note, width, marks)}</Text>
      {lines.map(({ id, label, text }) => (
        <Text key={id} wrap="truncate">
          {`${marks.upright} ${padStart(cut(label, labels, marks.cut), labels)} `}
          <Text color={colors.accent}>{text}</Text>
          {`${" ".repeat(Math.max(0, inner.width - widthOf(text)))} ${marks.upright}`}
        </Text>
      ))}
    </>
  );
}

interface EdgeMarks {
  readonly line: string;
  readonly corner: string;
  readonly cut: string;
}

function edge(title: string, note: string, width: number, marks: EdgeMarks): string {
  const room = width - 10 - widthOf(note);
  const head = cut(title, Math.max(4, room), marks.cut);
  const right = note === "" ? "" : ` ${note} `;
  const filled = Math.max(1, width - widthOf(head) - widthOf(right) - 7);
  return `${marks.corner}${marks.line.repeat(2)} ${head} ${marks.line.repeat(filled)}${right}${marks.line}${marks.corner}`;
}
