import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { WidgetDataResult } from "../../index.ts";
import { type DrawOptions, readTimes, type TimeReading, type TimeValue } from "../../lib/widgets/draw/page.ts";
import { hover, unhover, useHovered } from "../hovered.ts";
import { scaled, takesDates, zoomTo } from "../zoom.ts";
import { nameOf } from "./basics.tsx";

interface ChartHoverProps {
  readonly result: WidgetDataResult;
  /** As the chart was drawn. */
  readonly options: DrawOptions;
  /** Around the drawing. */
  readonly holder: RefObject<HTMLDivElement | null>;
}

/** Where the drawing is: its corner and its size in pixels of the page, for one of its own. */
interface Place {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
  /** Colors of the series, which only the drawing has. */
  readonly colors: Readonly<Record<string, string>>;
}

const NOWHERE: Place = { left: 0, top: 0, scale: 1, colors: {} };
const COLORS = Array.from({ length: 8 }, (_, i) => `--iot-s${i}`);

function placeIn(holder: HTMLElement | null): Place {
  const svg = holder?.querySelector<SVGSVGElement>(".iot-svg");
  if (!holder || !svg) return NOWHERE;
  const style = getComputedStyle(svg);
  const [outer, inner] = [holder.getBoundingClientRect(), svg.getBoundingClientRect()];
  return {
    left: inner.left - outer.left,
    top: inner.top - outer.top,
    scale: inner.width / (svg.viewBox.baseVal.width || inner.width),
    colors: Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue(name)])),
  };
}

/** Less than this is a click. */
const DRAG_PX = 8;

/** The time with values that is nearest. */
function nearest(times: readonly number[], ms: number): number | undefined {
  let found: number | undefined;
  for (const each of times) if (found === undefined || Math.abs(each - ms) < Math.abs(found - ms)) found = each;
  return found;
}

/** The time with values that is this many further. */
function timeBeside(times: readonly number[], ms: number | undefined, by: number): number | undefined {
  if (!Number.isFinite(by)) return by < 0 ? times[0] : times.at(-1);
  if (ms === undefined) return by < 0 ? times.at(-1) : times[0];
  const at = times.indexOf(nearest(times, ms) ?? 0);
  return times[Math.max(0, Math.min(times.length - 1, at + by))];
}

const wordsOf = (reading: TimeReading, ms: number): string => {
  const values = reading.valuesAt(ms).map(({ name, text }) => `${name}: ${text}`);
  return `${reading.timeText(ms)}: ${values.join("; ") || "no values"}`;
};

/** Time at a point of the axis, no further than its ends. */
function timeAt({ area, isDown, fromMs, toMs }: TimeReading, x: number, y: number): number {
  const share = isDown ? (y - area.top) / area.height : (x - area.left) / area.width;
  return fromMs + Math.max(0, Math.min(1, share)) * (toMs - fromMs);
}

function Values({ of, title }: { readonly of: readonly TimeValue[]; readonly title: string }) {
  return (
    <>
      <strong>{title}</strong>
      <ul className="hovered-values">
        {of.map(({ key, name, text, look }) => (
          <li key={key}>
            <svg width="9" height="9" aria-hidden="true">
              <rect width="9" height="9" rx="2" className={String(look["class"] ?? "")} fill={fillIn(look)} />
            </svg>
            <span>{name}</span>
            <b>{text}</b>
          </li>
        ))}
        {of.length === 0 && <li>No values</li>}
      </ul>
    </>
  );
}

const fillIn = ({ fill }: TimeValue["look"]): string | undefined => (fill === undefined ? undefined : String(fill));

interface CrosshairProps {
  readonly reading: TimeReading;
  readonly place: Place;
  readonly ms: number;
}

/** A line at a time, a dot at each value, and what they are. */
function Crosshair({ reading, place, ms }: CrosshairProps) {
  const { area, isDown, width, height } = reading;
  const at = reading.at(ms);
  const values = reading.valuesAt(ms);
  const isLate = isDown ? at > area.top + area.height / 2 : at > area.left + area.width / 2;
  const [low, high] = isDown ? [area.left, area.left + area.width] : [area.top, area.top + area.height];
  const offset = place.scale * at + (isDown ? place.top : place.left);
  const side = isDown
    ? {
        left: place.left + area.left * place.scale,
        [isLate ? "bottom" : "top"]: isLate ? `calc(100% - ${offset - 10}px)` : offset + 10,
      }
    : {
        top: place.top + area.top * place.scale,
        [isLate ? "right" : "left"]: isLate ? `calc(100% - ${offset - 10}px)` : offset + 10,
      };
  const ends = isDown ? { x1: low, x2: high, y1: at, y2: at } : { x1: at, x2: at, y1: low, y2: high };
  return (
    <>
      <svg
        className="crosshair"
        style={{ left: place.left, top: place.top, width: width * place.scale, height: height * place.scale }}
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden="true"
      >
        <line {...ends} />
        {values.map(({ key, place: value, look }) =>
          value === undefined || value < low || value > high ? null : (
            <circle
              key={key}
              {...(isDown ? { cx: value, cy: at } : { cx: at, cy: value })}
              r={4}
              className={String(look["class"] ?? "")}
              fill={fillIn(look)}
            />
          ),
        )}
      </svg>
      <div className="tooltip" style={side} aria-hidden="true">
        <Values of={values} title={reading.timeText(ms)} />
      </div>
    </>
  );
}

/** The part that is dragged over. */
function Selection({ reading, place, from, to }: Omit<CrosshairProps, "ms"> & { from: number; to: number }) {
  const { area, isDown } = reading;
  const [start, length] = [Math.min(from, to), Math.abs(to - from)];
  const box = isDown
    ? { left: area.left, top: start, width: area.width, height: length }
    : { left: start, top: area.top, width: length, height: area.height };
  const style = Object.fromEntries(
    Object.entries(box).map(([name, value]) => {
      const corner = name === "left" ? place.left : name === "top" ? place.top : 0;
      return [name, value * place.scale + corner];
    }),
  );
  return <div className="selection" style={style} />;
}

interface Drag {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The times of a chart and where its drawing stands, while `isRead`, and the ways to read them for an event. */
function useReading({ result, options, holder }: ChartHoverProps, isRead: boolean) {
  const [place, setPlace] = useState(NOWHERE);
  const reading = useMemo(
    () => (isRead ? readTimes(result.widget, result.content, options) : undefined),
    [isRead, result, options],
  );
  useLayoutEffect(() => {
    if (reading !== undefined) setPlace(placeIn(holder.current));
  }, [reading, holder]);
  const current = useRef<TimeReading>(undefined);
  const readNow = (): TimeReading | undefined => {
    current.current = reading ?? readTimes(result.widget, result.content, options);
    return current.current;
  };
  const pointed = ({ clientX, clientY, currentTarget }: PointerEvent): readonly [TimeReading, number] | undefined => {
    const now = readNow();
    if (now === undefined) return undefined;
    const { left, top } = currentTarget.getBoundingClientRect();
    const { left: x, top: y, scale } = placeIn(holder.current);
    return [now, timeAt(now, (clientX - left - x) / scale, (clientY - top - y) / scale)];
  };
  return { place, reading, current, readNow, pointed };
}

/** How many times further a key leads; undefined for other keys. */
function stepOf({ key, shiftKey }: KeyboardEvent): number | undefined {
  const far = shiftKey ? 10 : 1;
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowLeft: -far, ArrowUp: -far, ArrowRight: far, ArrowDown: far },
    ...{ PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity },
  };
  return steps[key];
}

/** The pointer and the keys, which choose a time of a chart (`own` is the one chosen now) or a part of the time. */
function useTimeChoice(
  { current, readNow, pointed }: ReturnType<typeof useReading>,
  chart: string,
  own: number | undefined,
  canZoom: boolean,
) {
  const [drag, setDrag] = useState<Drag>();
  const move = (event: PointerEvent): void => {
    const [now, ms] = pointed(event) ?? [];
    if (now === undefined || ms === undefined) return;
    if (drag !== undefined) setDrag({ ...drag, toMs: ms });
    const snapped = nearest(now.times, ms);
    if (snapped !== undefined) hover({ ms: snapped, chart });
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || !canZoom) return;
    const [, ms] = pointed(event) ?? [];
    if (ms === undefined) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ fromMs: ms, toMs: ms });
  };
  const up = (): void => {
    setDrag(undefined);
    const now = current.current;
    if (drag === undefined || now === undefined) return;
    const [from, to] = [Math.min(drag.fromMs, drag.toMs), Math.max(drag.fromMs, drag.toMs)];
    if (Math.abs(now.at(to) - now.at(from)) >= DRAG_PX) zoomTo({ fromMs: from, toMs: to });
  };
  const keyed = (event: KeyboardEvent): void => {
    const now = readNow();
    if (now === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = stepOf(event);
    if (by !== undefined) {
      const next = timeBeside(now.times, own, by);
      if (next !== undefined) hover({ ms: next, chart });
    } else if (canZoom && ["+", "=", "-"].includes(event.key)) zoomTo(scaled(now, event.key === "-" ? 2 : 0.5, own));
    else if (event.key === "Escape" && (own !== undefined || drag !== undefined)) {
      setDrag(undefined);
      hover(undefined);
    } else return;
    event.preventDefault();
  };
  const cancel = (): void => setDrag(undefined);
  return {
    drag,
    handlers: { onPointerMove: move, onPointerDown: down, onPointerUp: up, onPointerCancel: cancel, onKeyDown: keyed },
  };
}

/** Reads the values of a chart at a time, with the pointer or the arrow keys, and chooses a part of the time. */
export function ChartHover(props: ChartHoverProps) {
  const { result } = props;
  const id = useId();
  const hovered = useHovered();
  const isUsed = hovered !== undefined;
  const [isFocused, setFocused] = useState(false);
  const canZoom = takesDates(result);
  // Read once somebody points at a chart: all of them show the same time.
  const isRead = isUsed || isFocused;
  const read = useReading(props, isRead);
  const { reading, place } = read;
  useEffect(() => () => unhover(id), [id]);
  const own = hovered?.chart === id ? hovered.ms : undefined;
  const { drag, handlers } = useTimeChoice(read, id, own, canZoom);
  const name = nameOf(result.widget, "chart");
  const ends = reading ?? { fromMs: 0, toMs: 1 };
  const isShown = reading !== undefined && hovered !== undefined;
  const isInside = isShown && hovered.ms >= reading.fromMs && hovered.ms <= reading.toMs;
  return (
    <div
      className={`chart-hover${canZoom ? " zooms" : ""}`}
      style={place.colors}
      role="slider"
      tabIndex={0}
      aria-label={`Values of ${name} over time`}
      aria-valuemin={Math.round(ends.fromMs)}
      aria-valuemax={Math.round(ends.toMs)}
      aria-valuenow={Math.round(own ?? ends.fromMs)}
      aria-valuetext={own === undefined || reading === undefined ? "no time chosen" : wordsOf(reading, own)}
      aria-keyshortcuts={canZoom ? "+ -" : undefined}
      {...handlers}
      onPointerLeave={() => unhover(id)}
      onFocus={() => setFocused(true)}
      onBlur={() => {
        setFocused(false);
        unhover(id);
      }}
    >
      {isInside && <Crosshair reading={reading} place={place} ms={hovered.ms} />}
      {reading !== undefined && drag !== undefined && (
        <Selection reading={reading} place={place} from={reading.at(drag.fromMs)} to={reading.at(drag.toMs)} />
      )}
    </div>
  );
}
