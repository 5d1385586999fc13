import { useState } from "react";
import type { DashboardInfo, WidgetDataQuery } from "../../index.ts";
import { intervalStart, isRecord } from "../../lib/widgets/draw/page.ts";
import { countOf } from "../../text/count.ts";
import { pushParams, setParams, useParam } from "../router.ts";
import { moment, recordsOf, shown } from "../text.ts";
import { moved, scaled, type Zoom, zoomIn, zoomTo } from "../zoom.ts";
import { Input, Select, State } from "./basics.tsx";

/** Dates that stand in for those of the widgets which allow it. */
export type Span = NonNullable<WidgetDataQuery["overwrite"]>;

const PRESET = /^(this|last|previous)_(minute|hour|day|week|month|quarter|year)$/;
const MAX_AMOUNT = 1_000;

/** The span of a preset, such as `this_day`; undefined for a type that nobody knows. */
function spanOf({ type, amount }: Readonly<Record<string, unknown>>, nowMs: number): Span | undefined {
  const [, which, unit = ""] = PRESET.exec(shown(type)) ?? [];
  const current = intervalStart(nowMs, unit);
  if (which === undefined || current === undefined) return undefined;
  const count = Math.min(MAX_AMOUNT, Math.max(1, Math.trunc(Number(amount)) || 1));
  let start = current;
  for (let i = which === "this" ? 1 : 0; i < count; i++) start = intervalStart(start - 1, unit) ?? start;
  // The current one stays open: what arrives next belongs to it.
  const end = which === "this" ? {} : { end_date: new Date(current - 1).toISOString() };
  return { start_date: new Date(start).toISOString(), ...end };
}

const DAYS: Readonly<Record<string, number>> = { hour: 1 / 24, day: 1, week: 7, month: 31, quarter: 92, year: 366 };
const MS_A_DAY = 86_400_000;

const rangeIn = (maxRange: unknown): readonly [amount: number, unit: string] => {
  const [, amount = "", unit = ""] = /^(\d+) ?([a-z]+?)s?$/.exec(shown(maxRange)) ?? [];
  return [Number(amount), unit];
};

/** The longest span that may be chosen; not a number without a limit. */
function mostDays(maxRange: unknown): number {
  const [amount, unit] = rangeIn(maxRange);
  return amount * (DAYS[unit] ?? Number.NaN);
}

/** Why two days cannot be chosen; undefined when they can. */
function problemOf(from: string, to: string, maxRange: unknown): string | undefined {
  const days = (Date.parse(to) - Date.parse(from)) / MS_A_DAY + 1;
  if (Number.isNaN(days)) return "Choose both days";
  if (days < 1) return "The last day is before the first one";
  return days > mostDays(maxRange) ? `At most ${countOf(...rangeIn(maxRange))} can be chosen` : undefined;
}

const periodOf = ({ filter }: DashboardInfo) => (filter?.period?.enabled === true ? filter.period : undefined);
const titleOf = ({ type, amount }: Readonly<Record<string, unknown>>): string =>
  `${shown(type, 60).replaceAll("_", " ")}${Number(amount) > 1 ? ` (${shown(amount, 10)})` : ""}`;

const CALENDAR = "calendar";
/** The widgets' own spans. */
const OWN = "-1";

/** The presets that can be chosen, and what of them is, as the address has it. */
function useChoice(dashboard: DashboardInfo, nowMs: number) {
  const presets = recordsOf(periodOf(dashboard)?.presets).filter((each) => spanOf(each, nowMs) !== undefined);
  const first = String(presets.findIndex((each) => each["default"] === true));
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const [chosen, setChosen] = useParam("period", first);
  const [from] = useParam("from", today);
  const [to] = useParam("to", today);
  // Another period is not what was zoomed into.
  const choose = (period: string): void => {
    if (zoomIn(from, to) !== undefined) setParams({ from: "", to: "" });
    setChosen(period);
  };
  return { presets, chosen, setChosen: choose, from, to };
}

/** The part of the time that is zoomed into, unless it is longer than the dashboard allows. */
function zoomOf(dashboard: DashboardInfo, from: string, to: string): Zoom | undefined {
  const zoom = zoomIn(from, to);
  if (zoom === undefined) return undefined;
  const days = (zoom.toMs - zoom.fromMs) / MS_A_DAY;
  return days > mostDays(periodOf(dashboard)?.max_range) ? undefined : zoom;
}

/** The span of time that is chosen for a dashboard; at first that of its default preset. */
export function useSpan(dashboard: DashboardInfo, nowMs: number): Span | undefined {
  const { presets, chosen, from, to } = useChoice(dashboard, nowMs);
  const zoom = zoomOf(dashboard, from, to);
  if (zoom !== undefined) return { start_date: from, end_date: to };
  const preset = presets[Number(chosen)];
  if (preset !== undefined) return spanOf(preset, nowMs);
  const isValid = problemOf(from, to, periodOf(dashboard)?.max_range) === undefined;
  return chosen === CALENDAR && isValid ? { start_date: from, end_date: to } : undefined;
}

interface PeriodProps {
  readonly dashboard: DashboardInfo;
  readonly nowMs: number;
}

/** The choice of a span of time above the widgets, where the dashboard has one. */
export function Period({ dashboard, nowMs }: PeriodProps) {
  const period = periodOf(dashboard);
  const { presets, chosen, setChosen, from, to } = useChoice(dashboard, nowMs);
  // Days that cannot be chosen stand in the fields only.
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  if (!isRecord(period)) return null;
  const days = { from: from.slice(0, 10), to: to.slice(0, 10), ...typed };
  const setDay = (name: "from" | "to") => (day: string) => {
    const next = { ...days, [name]: day };
    setTyped(next);
    if (problemOf(next.from, next.to, period.max_range) === undefined) setParams(next);
  };
  const problem = chosen === CALENDAR ? problemOf(days.from, days.to, period.max_range) : undefined;
  const options = presets.map((preset, place) => [String(place), titleOf(preset)] as const);
  const calendar = period.show_calendar === true ? [[CALENDAR, "From day to day"] as const] : [];
  return (
    <div className="tools">
      <Select
        label="Period"
        value={chosen}
        onChange={setChosen}
        options={[[OWN, "As the widgets say"], ...options, ...calendar]}
      />
      {chosen === CALENDAR && (
        <>
          <Input label="First day" type="date" value={days.from} onChange={setDay("from")} />
          <Input label="Last day" type="date" value={days.to} onChange={setDay("to")} />
        </>
      )}
      {problem !== undefined && <State tone="bad">{problem}</State>}
    </div>
  );
}

/** What is zoomed into, and the way to other times. */
export function ZoomBar({ dashboard }: Pick<PeriodProps, "dashboard">) {
  const [from] = useParam("from");
  const [to] = useParam("to");
  const [period] = useParam("period");
  const zoom = zoomOf(dashboard, from, to);
  if (zoom === undefined) return null;
  const days = period === CALENDAR ? { from: from.slice(0, 10), to: to.slice(0, 10) } : { from: "", to: "" };
  return (
    <div className="row zoom">
      <span role="status">
        {moment(new Date(zoom.fromMs))} to {moment(new Date(zoom.toMs))}
      </span>
      <button type="button" onClick={() => zoomTo(moved(zoom, -0.5))}>
        Earlier
      </button>
      <button type="button" onClick={() => zoomTo(moved(zoom, 0.5))}>
        Later
      </button>
      <button type="button" onClick={() => zoomTo(scaled(zoom, 0.5))}>
        Zoom in
      </button>
      <button type="button" onClick={() => zoomTo(scaled(zoom, 2))}>
        Zoom out
      </button>
      <button type="button" className="main" onClick={() => pushParams(days)}>
        Leave zoom
      </button>
    </div>
  );
}
