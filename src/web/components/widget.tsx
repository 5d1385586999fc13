import { type ReactNode, useId, useMemo, useRef, useState } from "react";
import type { Resources, WidgetDataCreate, WidgetDataResult } from "../../index.ts";
import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import {
  below,
  chosenColor,
  colorOf,
  inkOn,
  isRecord,
  numberIn,
  Records,
  readWidget,
  textIn,
} from "../../lib/widgets/draw/page.ts";
import { type Loadable, useConsole, useDoing, useWrites } from "../hooks.ts";
import { isWebAddress, recordsOf, shown } from "../text.ts";
import { useWidgetData, useWidgetName } from "../widget-data.ts";
import { Content, nameOf, Outcome, Select, Stale } from "./basics.tsx";
import { Drawing } from "./drawing.tsx";
import { Keypad } from "./keypad.tsx";
import type { Span } from "./period.tsx";
import { WidgetForm } from "./widget-form.tsx";
import { WidgetMenu } from "./widget-menu.tsx";
import { pageOf, WidgetPage } from "./widget-page.tsx";
import type { WidgetParts } from "./widget-parts.ts";
import { StaticTableEdit, WidgetTable } from "./widget-table.tsx";

/** Room that the name above the drawing and the edge take. */
const HEADER_PX = 80;

/** One widget of a dashboard with its data: loaded through the dashboard, and again when its devices get new data. */
interface WidgetProps {
  readonly dashboard: string;
  readonly widget: string;
  /** Whose eyes it is seen with. Default: the profile's. */
  readonly resources: Resources | undefined;
  /** Chosen device by placeholder of a blueprint. */
  readonly devices: Readonly<Record<string, string>>;
  /** Dates chosen for the whole dashboard. */
  readonly span: Span | undefined;
  /** Height of its cell in the grid. */
  readonly heightPx: number;
}

/** Buttons of the header: they run an analysis, or lead elsewhere. */
function HeaderButtons({ widget, resources, doing }: Pick<WidgetParts, "widget" | "resources" | "doing">) {
  const writes = useWrites();
  return recordsOf(widget.display?.["header_buttons"]).map(({ text, type, analysis, url }) => {
    const key = `${shown(analysis ?? url)} ${shown(text)}`;
    const address = shown(url);
    if (type === "analysis" && !writes) return null;
    if (type === "analysis")
      return (
        <button
          key={key}
          type="button"
          disabled={doing.isBusy}
          onClick={() =>
            doing.run(async () => {
              await resources.dashboards.runWidgetHeaderButtonAnalysis(shown(analysis), widget.dashboard, widget.id);
              return "The analysis was started";
            })
          }
        >
          {shown(text, 60) || "Run analysis"}
        </button>
      );
    if (!isWebAddress(address)) return null;
    return (
      <a key={key} href={address} target="_blank" rel="noreferrer">
        {shown(text, 60) || address}
      </a>
    );
  });
}

interface ValueButton {
  readonly label: string;
  readonly value: string | number | boolean;
  readonly unit?: string;
  readonly color: string | undefined;
  readonly ink: string | undefined;
}

/** What the buttons of a push or step button write: the value of a state, or the next number up or down. */
function valueButtons({ type, display, records, target }: WidgetParts): ValueButton[] {
  const last = records.last(target.variable, target.origin)?.value;
  if (type === "push_button")
    return ["state_one", "state_two"].flatMap((name) => {
      const state = display[name];
      if (!isRecord(state)) return [];
      const { value, label } = state;
      const own = typeof value === "number" || typeof value === "boolean" ? value : shown(value);
      const [color, ink] = [colorOf(state["button_color"]), colorOf(state["color"])];
      // A color for text belongs to that of the button: on ours it might not be seen.
      return { label: shown(label ?? value, 60), value: own, color, ink: color && (ink ?? inkOn(color)) };
    });
  const limit = isRecord(display["limit"]) && display["limit"]["enabled"] === true ? display["limit"] : {};
  const [low, high] = [numberIn(limit["minimum"]) ?? -Infinity, numberIn(limit["maximum"]) ?? Infinity];
  const start = numberIn(last) ?? Math.max(low, Math.min(high, 0));
  const step = numberIn(display["step_value"]) ?? 1;
  const color = chosenColor(below(below(display, "theme"), "color")["button"], start);
  return [-step, step].map((by) => ({
    label: by < 0 ? `− ${-by}` : `+ ${by}`,
    // Steps such as 0.1 add up to exact decimals.
    value: Math.max(low, Math.min(high, Number((start + by).toFixed(9)))),
    unit: textIn(display["unit"]),
    color,
    ink: color && inkOn(color),
  }));
}

/** What stands below the buttons: the variable, and what is chosen of. */
function captionOf({ type, display, records, target }: WidgetParts): string {
  const name = display["show_variables"] === false ? "" : textIn(display["alias"]) || target.variable;
  if (type === "step_button") {
    const limit = below(display, "limit");
    const range =
      limit["enabled"] === true ? `${textIn(limit["minimum"]) || "–"} to ${textIn(limit["maximum"]) || "–"}` : "";
    return [name, range].filter((part) => part !== "").join(", ");
  }
  const last = records.last(target.variable, target.origin);
  const state = last === undefined ? "not pressed yet" : `last: ${shown(last.value, 40)} ${textIn(last.unit)}`.trim();
  return [name, state].filter((part) => part !== "").join(", ");
}

/** The buttons, with the last value between them. */
function ValueButtons(parts: WidgetParts) {
  const { target, doing, write, type, display, records } = parts;
  const last = records.last(target.variable, target.origin);
  const isBistable = display["button_type"] === "bistable";
  const [first, ...others] = valueButtons(parts).map(({ label, value, unit = "", color, ink }) => (
    <button
      key={`${label} ${value}`}
      type="button"
      style={{ background: color, borderColor: color, color: ink }}
      disabled={doing.isBusy}
      aria-pressed={isBistable ? String(last?.value) === String(value) : undefined}
      onClick={() => write({ ...target, value, ...(unit === "" ? {} : { unit }) })}
    >
      {label}
    </button>
  ));
  return (
    <div className={type}>
      {first}
      {type === "step_button" && <output>{`${shown(last?.value ?? "–", 40)} ${textIn(last?.unit)}`.trim()}</output>}
      {others}
      <small>{captionOf(parts)}</small>
    </div>
  );
}

/** What stands before the drawing of a type, or replaces it. */
const PARTS: Readonly<Record<string, { readonly Part: (parts: WidgetParts) => ReactNode; readonly isAll: boolean }>> = {
  form: { Part: WidgetForm, isAll: true },
  control: { Part: WidgetForm, isAll: true },
  keypad: { Part: Keypad, isAll: true },
  push_button: { Part: ValueButtons, isAll: true },
  step_button: { Part: ValueButtons, isAll: true },
  dynamic_table: { Part: WidgetTable, isAll: true },
  static_table: { Part: StaticTableEdit, isAll: false },
};

/** Rows of each variable that a table asks for, one after the other, where the widget does not say how many it shows. */
const AMOUNTS = [15, 200, 2_000, MAX_LIST_AMOUNT];

/** The next amount to ask for; undefined where all rows are there. */
function nextAmount({ content }: WidgetDataResult, amount: number | undefined): number | undefined {
  const asked = amount ?? AMOUNTS[0] ?? 0;
  const isFull = content.some(({ data, result }) => {
    if (data === undefined || (data.qty ?? null) !== null || !Array.isArray(result)) return false;
    return result.length >= asked;
  });
  return isFull ? AMOUNTS.find((each) => each > asked) : undefined;
}

type PartProps = Omit<WidgetParts, "records" | "target" | "write" | "readOlder"> &
  Pick<ReturnType<typeof useWidgetData>, "amount" | "setAmount">;

/** A widget of a type that has parts of its own. */
function Parts({ Part, amount, setAmount, ...rest }: PartProps & { readonly Part: (parts: WidgetParts) => ReactNode }) {
  const { widget, result, resources, doing, reload } = rest;
  const records = useMemo(() => new Records(result.content), [result]);
  const [source] = recordsOf(widget.data);
  const target = { origin: shown(source?.["origin"]), variable: shown([source?.["variables"]].flat()[0]) };
  const write = (record: WidgetDataCreate): void =>
    doing.run(async () => {
      await resources.dashboards.widgets.sendData(widget.dashboard, widget.id, [record]);
      reload();
      return `Sent ${shown(record.value, 40)}`;
    });
  const next = nextAmount(result, amount);
  const readOlder = next === undefined ? undefined : () => setAmount(next);
  return <Part {...rest} records={records} target={target} write={write} readOlder={readOlder} />;
}

interface PendingProps extends Pick<WidgetProps, "dashboard" | "widget" | "heightPx"> {
  readonly of: Loadable<unknown>;
  readonly titleId: string;
}

/** Stands in for a widget that is loading, or says why it could not be loaded. */
function Pending({ dashboard, widget, of, titleId, heightPx }: PendingProps) {
  const name = useWidgetName(dashboard, widget, of.error !== undefined);
  return (
    <>
      <header>
        <h2 id={titleId}>{nameOf(name, "Widget")}</h2>
      </header>
      {of.error === undefined ? (
        <div className="skeleton" style={{ height: heightPx - HEADER_PX }}>
          <p className="none unseen">Loading</p>
        </div>
      ) : (
        <Content of={of}>{() => null}</Content>
      )}
    </>
  );
}

interface RangesProps {
  readonly display: Readonly<Record<string, unknown>>;
  readonly range: string;
  readonly onChange: (range: string) => void;
}

/** The choice of one of the intervals that a widget offers. */
function Ranges({ display, range, onChange }: RangesProps) {
  const { intervals } = display;
  const ranges = Array.isArray(intervals) ? intervals.map((each) => shown(each, 40)) : [];
  if (ranges.length === 0) return null;
  return (
    <span className="quiet">
      <Select
        label="From the last"
        value={range}
        onChange={onChange}
        options={[["", "As set"], ...[...new Set(ranges)].map((each) => [each, `Last ${each}`] as const)]}
      />
    </span>
  );
}

interface BodyProps extends Pick<WidgetParts, "result" | "resources" | "doing"> {
  readonly heightPx: number;
  readonly loaded: ReturnType<typeof useWidgetData>;
}

/** What a widget shows: its parts, its drawing, or both. */
function Body({ loaded, result, resources, doing, heightPx }: BodyProps) {
  const { type, display } = readWidget(result.widget);
  const writes = useWrites();
  // A table is read with its search and pages as well.
  const found = Object.hasOwn(PARTS, type) && (writes || type === "dynamic_table") ? PARTS[type] : undefined;
  const { blueprint, amount, setAmount, reload } = loaded;
  const page = pageOf(result);
  if (page !== undefined)
    return (
      <>
        <Outcome doing={doing} />
        <WidgetPage page={page} result={result} resources={resources} reload={reload} />
      </>
    );
  const shared = { result, resources, doing, blueprint, reload, amount, setAmount };
  return (
    <>
      {found !== undefined && (
        <Parts Part={found.Part} widget={result.widget} type={type} display={display} {...shared} />
      )}
      <Outcome doing={doing} />
      {found?.isAll !== true && <Drawing result={result} heightPx={heightPx} />}
    </>
  );
}

export function Widget({ dashboard, widget: id, resources: of, devices, span, heightPx }: WidgetProps) {
  const { resources: own } = useConsole();
  const resources = of ?? own;
  const doing = useDoing();
  const [range, setRange] = useState("");
  const loaded = useWidgetData({ dashboard, widget: id, resources, devices, span, range });
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const result = loaded.data;
  return (
    <section ref={card} className="widget" aria-labelledby={titleId}>
      {result === undefined ? (
        <Pending dashboard={dashboard} widget={id} of={loaded} titleId={titleId} heightPx={heightPx} />
      ) : (
        <>
          <header>
            <h2 id={titleId}>{nameOf(result.widget, shown(result.widget.type, 40).replaceAll("_", " "))}</h2>
            <HeaderButtons widget={result.widget} resources={resources} doing={doing} />
            <Ranges display={readWidget(result.widget).display} range={range} onChange={setRange} />
            <WidgetMenu result={result} heightPx={heightPx - HEADER_PX} card={card} doing={doing} />
          </header>
          <Stale of={loaded} />
          <Body loaded={loaded} result={result} resources={resources} doing={doing} heightPx={heightPx - HEADER_PX} />
        </>
      )}
    </section>
  );
}
