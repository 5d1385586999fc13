import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import { endsOfHoles } from "../../lib/widgets/draw/page.ts";
import { countOf } from "../../text/count.ts";
import { moment, zone } from "../text.ts";

interface Points {
  /** Seconds since 1970, rising. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

const HEIGHT_PX = 280;

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const DAY_SECONDS = 86_400;

/** A mark of the time axis: the day where marks are days, else the time, with the day at midnight. */
function timeText(seconds: number, stepSeconds: number): string {
  const [day = "", time = ""] = moment(new Date(seconds * 1_000)).split(" ");
  if (stepSeconds >= DAY_SECONDS) return day;
  return time === "00:00:00" ? day.slice(5) : time.slice(0, stepSeconds < 60 ? 8 : 5);
}

function optionsOf(label: string, width: number): uPlot.Options {
  const axis = { stroke: color("--chart-text"), grid: { stroke: color("--chart-grid"), width: 1 } };
  return {
    width,
    height: HEIGHT_PX,
    axes: [
      { ...axis, values: (_, ticks, __, ___, step) => ticks.map((tick) => timeText(tick, step)) },
      { ...axis, size: 60 },
    ],
    series: [
      { label: `Time (${zone})`, value: "{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}" },
      { label, stroke: color("--chart-line"), width: 2 },
    ],
  };
}

interface ChartProps {
  readonly label: string;
  readonly points: Points;
}

/** A value over time. What is in it stands in the table below it too. */
export function Chart(props: ChartProps) {
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const changed = (): void => setTheme((count) => count + 1);
    const query = matchMedia("(prefers-color-scheme: dark)");
    query.addEventListener("change", changed);
    addEventListener("themechange", changed);
    return () => {
      query.removeEventListener("change", changed);
      removeEventListener("themechange", changed);
    };
  }, []);
  // The colors of a canvas are set when it is made.
  return <Plot key={`${theme} ${props.label}`} {...props} />;
}

/** Whether a part of the times is shown. */
function isZoomedIn({ data: [times], scales: { x } }: uPlot): boolean {
  const [first, last] = [times[0], times.at(-1)];
  if (x?.min === undefined || x.max === undefined || first === undefined || last === undefined) return false;
  return x.min > first || x.max < last;
}

/** Points as they are drawn: with no value in the middle of each hole, so that no line leads over it. */
function withHoles({ times, values }: Points): [number[], (number | null)[]] {
  const ends = new Set(endsOfHoles(times));
  const drawn: [number[], (number | null)[]] = [[], []];
  for (const [place, time] of times.entries()) {
    if (ends.delete(time)) {
      drawn[0].push((time + (times[place - 1] ?? time)) / 2);
      drawn[1].push(null);
    }
    drawn[0].push(time);
    drawn[1].push(values[place] ?? null);
  }
  return drawn;
}

/** Shows other points. Where somebody looks at a part, that part stays. */
function setPoints(plot: uPlot, points: Points): void {
  const { min, max } = plot.scales["x"] ?? {};
  const isZoomed = isZoomedIn(plot);
  plot.batch(() => {
    plot.setData(withHoles(points), !isZoomed);
    // The values have to fit again.
    if (isZoomed && min !== undefined && max !== undefined) plot.setScale("x", { min, max });
  });
}

function Plot({ label, points }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [isZoomed, setZoomed] = useState(false);
  useEffect(() => {
    const target = holder.current;
    if (target === null) return;
    const hooks = { setScale: [(changed: uPlot) => setZoomed(isZoomedIn(changed))] };
    const made = new uPlot({ ...optionsOf(label, target.clientWidth), hooks }, [[], []], target);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: target.clientWidth, height: HEIGHT_PX }));
    observer.observe(target);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [label]);
  // Below the effect that makes the plot, so that it finds one.
  useEffect(() => {
    if (plot.current !== undefined) setPoints(plot.current, points);
  }, [points]);
  const last = points.values.at(-1);
  const about = `Chart of ${label}: ${countOf(points.values.length, "value")}${last === undefined ? "" : `, the last one is ${last}`}`;
  return (
    <>
      <div className="chart" ref={holder} role="img" aria-label={about} />
      {isZoomed && (
        <button type="button" onClick={() => plot.current?.setData(plot.current.data)}>
          Reset zoom
        </button>
      )}
    </>
  );
}
