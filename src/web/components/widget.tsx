import { type ReactNode, useState } from "react";
import type { Resources, StoredWidget, WidgetData, WidgetDataCreate } from "../../index.ts";
import { isRecord, numberIn, Records, readWidget, textIn } from "../../lib/widgets/draw/page.ts";
import { useConsole, useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { recordsOf, shown } from "../text.ts";
import { Content, nameOf, Outcome, Select } from "./basics.tsx";
import { Drawing } from "./drawing.tsx";
import { Keypad } from "./keypad.tsx";
import type { Span } from "./period.tsx";
import { TableEditor } from "./table-editor.tsx";
import { WidgetForm } from "./widget-form.tsx";
import type { WidgetParts } from "./widget-parts.ts";

/** Room that the name above the drawing and the edge take. */
const HEADER_PX = 80;
/** Rows of a table. */
const MAX_ROWS = 100;

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
  /** Height of its place in the grid. */
  readonly heightPx: number;
}

/** Buttons of the header that run an analysis. */
function HeaderButtons({ widget, resources, doing }: WidgetParts) {
  const buttons = recordsOf(widget.display?.["header_buttons"]).filter(({ type }) => type === "analysis");
  return buttons.map(({ text, analysis }) => (
    <button
      key={`${shown(analysis)} ${shown(text)}`}
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
  ));
}

interface ValueButton {
  readonly label: string;
  readonly value: string | number | boolean;
  readonly unit?: string;
}

/** What the buttons of a push or step button write: the value of a state, or the next number up or down. */
function valueButtons({ type, display, records, target }: WidgetParts): ValueButton[] {
  if (type === "push_button")
    return ["state_one", "state_two"].flatMap((name) => {
      const state = display[name];
      if (!isRecord(state)) return [];
      const { value, label } = state;
      const own = typeof value === "number" || typeof value === "boolean" ? value : shown(value);
      return { label: shown(label ?? value, 60), value: own };
    });
  const limit = isRecord(display["limit"]) && display["limit"]["enabled"] === true ? display["limit"] : {};
  const [low, high] = [numberIn(limit["minimum"]) ?? -Infinity, numberIn(limit["maximum"]) ?? Infinity];
  const last = numberIn(records.last(target.variable, target.origin)?.value) ?? Math.max(low, Math.min(high, 0));
  const step = numberIn(display["step_value"]) ?? 1;
  return [-step, step].map((by) => ({
    label: by < 0 ? `− ${-by}` : `+ ${by}`,
    // Steps such as 0.1 add up to exact decimals.
    value: Math.max(low, Math.min(high, Number((last + by).toFixed(9)))),
    unit: textIn(display["unit"]),
  }));
}

function ValueButtons(parts: WidgetParts) {
  const { target, doing, write } = parts;
  return (
    <div className="row">
      {valueButtons(parts).map(({ label, value, unit = "" }) => (
        <button
          key={label}
          type="button"
          disabled={doing.isBusy}
          onClick={() => write({ ...target, value, ...(unit === "" ? {} : { unit }) })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** What stands before the drawing of a type, or in its place. */
const PARTS: Readonly<Record<string, { readonly Part: (parts: WidgetParts) => ReactNode; readonly isAll: boolean }>> = {
  form: { Part: WidgetForm, isAll: true },
  control: { Part: WidgetForm, isAll: true },
  keypad: { Part: Keypad, isAll: true },
  push_button: { Part: ValueButtons, isAll: false },
  step_button: { Part: ValueButtons, isAll: false },
  dynamic_table: { Part: TableEditor, isAll: false },
  static_table: { Part: TableEditor, isAll: false },
};

/** The widget of a blueprint, for the chosen devices: its records name them, not the placeholders. */
const chosenIn = (widget: StoredWidget, devices: WidgetProps["devices"]): StoredWidget =>
  JSON.parse(JSON.stringify(widget), (_, value: unknown) =>
    typeof value === "string" && Object.hasOwn(devices, value) ? devices[value] : value,
  );

export function Widget({ dashboard, widget: id, resources: of, devices, span, heightPx }: WidgetProps) {
  const { resources: own } = useConsole();
  const resources = of ?? own;
  const doing = useDoing();
  const [range, setRange] = useState("");
  const chosen = Object.entries(devices).filter(([, device]) => device !== "");
  const blueprint = chosen.map(([origin, device]) => ({ origin, id: device, bucket: device }));
  const overwrite = range === "" ? span : { start_date: range };
  const read = (dates: Span | undefined) => {
    const query = {
      ...(blueprint.length > 0 && { blueprint_devices: blueprint }),
      ...(dates !== undefined && { overwrite: dates }),
    };
    const isPlain = Object.keys(query).length === 0;
    return resources.dashboards.widgets.getData(dashboard, id, isPlain ? undefined : { ...query, amount: MAX_ROWS });
  };
  const loaded = useLoad(JSON.stringify([dashboard, id, blueprint, overwrite]), async () => {
    const found = await read(overwrite);
    const isOwn = range === "" && span !== undefined && found.widget.display["override_dashboard_presets"] === true;
    const { widget, content } = isOwn ? await read(undefined) : found;
    // The axis of times spans what was chosen.
    const dates = (entry: WidgetData): WidgetData =>
      isOwn || entry.overwrite === false ? entry : { ...entry, ...overwrite };
    const data = widget.data?.map(dates) ?? null;
    return { widget: chosenIn({ ...widget, data }, devices), content };
  });
  const origins = new Set(recordsOf(loaded.data?.widget.data).map(({ origin }) => shown(origin)));
  useLiveReload(loaded.reload, (event) => event.type === "data" && origins.has(event.device), 1_000);
  const write = (record: WidgetDataCreate): void =>
    doing.run(async () => {
      await resources.dashboards.widgets.sendData(dashboard, id, [record]);
      loaded.reload();
      return `Sent ${shown(record.value, 40)}`;
    });
  return (
    <section className="widget" aria-label={nameOf(loaded.data?.widget, "Widget")}>
      <Content of={loaded}>
        {(result) => {
          const { widget, content } = result;
          const { type, display } = readWidget(widget);
          const [source] = recordsOf(widget.data);
          const target = { origin: shown(source?.["origin"]), variable: shown([source?.["variables"]].flat()[0]) };
          const shared = { resources, blueprint, target, doing, reload: loaded.reload, write };
          const parts = { widget, type, display, records: new Records(content), ...shared };
          const found = Object.hasOwn(PARTS, type) ? PARTS[type] : undefined;
          const ranges = Array.isArray(display["intervals"]) ? display["intervals"].map((each) => shown(each, 40)) : [];
          return (
            <>
              <header>
                <h2>{nameOf(widget, "Widget")}</h2>
                <span className="tag">{shown(widget.type, 40)}</span>
                <HeaderButtons {...parts} />
                {ranges.length > 0 && (
                  <span className="quiet">
                    <Select
                      label="From the last"
                      value={range}
                      onChange={setRange}
                      options={[["", "As set"], ...[...new Set(ranges)].map((each) => [each, `Last ${each}`] as const)]}
                    />
                  </span>
                )}
              </header>
              {found !== undefined && <found.Part {...parts} />}
              <Outcome doing={doing} />
              {found?.isAll !== true && <Drawing result={result} heightPx={heightPx - HEADER_PX} />}
            </>
          );
        }}
      </Content>
    </section>
  );
}
