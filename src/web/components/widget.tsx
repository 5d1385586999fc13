import type { Resources, WidgetDataResult } from "../../index.ts";
import { type Doing, useConsole, useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { isRecord, recordsOf, shown } from "../text.ts";
import { Content, nameOf, Outcome } from "./basics.tsx";
import { Drawing } from "./drawing.tsx";
import { WidgetForm } from "./widget-form.tsx";

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
  /** Height of its place in the grid. */
  readonly heightPx: number;
}

interface ButtonsProps {
  readonly result: WidgetDataResult;
  readonly resources: Resources;
  readonly doing: Doing;
  readonly reload: () => void;
}

/** Buttons of the header that run an analysis. */
function HeaderButtons({ result: { widget }, resources, doing }: ButtonsProps) {
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

/** The two states of a push button, each of which writes its value. */
function PushButton({ result: { widget }, resources, doing, reload }: ButtonsProps) {
  const [source] = recordsOf(widget.data);
  const variables: readonly unknown[] = Array.isArray(source?.["variables"]) ? source["variables"] : [];
  const write = (value: unknown): void =>
    doing.run(async () => {
      const own = typeof value === "number" || typeof value === "boolean" ? value : shown(value);
      const record = { origin: shown(source?.["origin"]), variable: shown(variables[0]), value: own };
      await resources.dashboards.widgets.sendData(widget.dashboard, widget.id, [record]);
      reload();
      return `Sent ${shown(value, 40)}`;
    });
  return ["state_one", "state_two"].map((name) => {
    const state = widget.display?.[name];
    if (!isRecord(state)) return null;
    return (
      <button key={name} type="button" disabled={doing.isBusy} onClick={() => write(state["value"])}>
        {shown(state["label"] ?? state["value"], 60)}
      </button>
    );
  });
}

export function Widget({ dashboard, widget, resources: of, devices, heightPx }: WidgetProps) {
  const { resources: own } = useConsole();
  const resources = of ?? own;
  const doing = useDoing();
  const chosen = Object.entries(devices).filter(([, device]) => device !== "");
  const loaded = useLoad(`${dashboard} ${widget} ${JSON.stringify(chosen)}`, () => {
    const blueprint = chosen.map(([origin, id]) => ({ origin, id, bucket: id }));
    const query = blueprint.length === 0 ? undefined : { blueprint_devices: blueprint };
    return resources.dashboards.widgets.getData(dashboard, widget, query);
  });
  const origins = new Set([
    ...recordsOf(loaded.data?.widget.data).map(({ origin }) => shown(origin)),
    ...chosen.map(([, device]) => device),
  ]);
  useLiveReload(loaded.reload, ({ type, device }) => type === "data" && origins.has(device ?? ""), 1_000);
  return (
    <section className="widget" aria-label={nameOf(loaded.data?.widget, "Widget")}>
      <Content of={loaded}>
        {(result) => {
          const { type } = result.widget;
          const parts = { result, resources, doing, reload: loaded.reload };
          const isForm = /form$/.test(type);
          return (
            <>
              <header>
                <h2>{nameOf(result.widget, "Widget")}</h2>
                <span className="tag">{shown(type, 40)}</span>
                <HeaderButtons {...parts} />
              </header>
              {isForm && <WidgetForm {...parts} />}
              {/push_?button/.test(type) && (
                <div className="row">
                  <PushButton {...parts} />
                </div>
              )}
              <Outcome doing={doing} />
              {!isForm && <Drawing result={result} devices={devices} heightPx={heightPx - HEADER_PX} />}
            </>
          );
        }}
      </Content>
    </section>
  );
}
