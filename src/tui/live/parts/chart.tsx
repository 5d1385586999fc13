import type { ReactNode } from "react";
import { LineChart } from "../../components/line-chart/line-chart.tsx";
import { rangeOf, rangesOf } from "../buffer.ts";
import { chartValues } from "../chart-values.ts";
import { ranges } from "../live-state.ts";
import { clockText, numberText } from "../words.ts";
import type { TallPartProps } from "./part.ts";

/** The line of one variable over the chosen range. */
export function Chart({ model, options, width, height }: TallPartProps): ReactNode {
  const series = model.charted();
  const { nowMs, gaps } = model;
  const range = ranges[model.state.rangeIndex] ?? ranges[2];
  const found = series === undefined ? undefined : rangeOf(series, nowMs, range.ms);
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
      title={series?.variable ?? "chart"}
      notes={notes}
      values={(points) =>
        series === undefined
          ? []
          : chartValues(rangesOf(series, nowMs, range.ms, points), { nowMs, spanMs: range.ms, gaps })
      }
      numberText={numberText}
      unit={series?.last.row.unit ?? ""}
      timeAt={(share) => clockText(nowMs - range.ms * (1 - share), options.zone).slice(0, 8)}
      width={width}
      height={height}
      empty={
        series === undefined ? nothingText(model) : `No numeric values; the last value is ${series.last.row.value}`
      }
    />
  );
}

function nothingText({ buffer, state }: TallPartProps["model"]): string {
  if (buffer.size === 0) return "No data yet.";
  return state.marked === undefined ? "Select a record to draw its variable." : "Its records are not kept any more.";
}
