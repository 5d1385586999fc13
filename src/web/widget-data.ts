import { useEffect, useEffectEvent, useState } from "react";
import type { Resources, StoredWidget, WidgetContent, WidgetData, WidgetDataResult } from "../index.ts";
import { withDevices } from "../lib/widgets/draw/page.ts";
import { clockMs } from "./api.ts";
import type { Span } from "./components/period.tsx";
import { type Loaded, useConsole, useLive, useLoad, usePaced } from "./hooks.ts";
import { isChange } from "./live.ts";
import { withEvents } from "./widget-events.ts";

/** Which widget is read, and how. */
interface WidgetQuery {
  readonly dashboard: string;
  readonly widget: string;
  readonly resources: Resources;
  /** Chosen device by placeholder of a blueprint. */
  readonly devices: Readonly<Record<string, string>>;
  /** Dates chosen for the whole dashboard. */
  readonly span: Span | undefined;
  /** An interval chosen for this widget; empty: none. */
  readonly range: string;
}

interface LoadedWidget extends Loaded<WidgetDataResult> {
  readonly blueprint: readonly { readonly origin: string; readonly id: string; readonly bucket: string }[];
  /** Rows of each variable that were asked for; undefined: as the widget says. */
  readonly amount: number | undefined;
  readonly setAmount: (amount: number) => void;
}

/** A widget with its data: new records are added to it as they arrive, and it is read again where that is not possible. */
export function useWidgetData(query: WidgetQuery): LoadedWidget {
  const { dashboard, widget: id, resources, devices, span, range } = query;
  const { session } = useConsole();
  const [amount, setAmount] = useState<number>();
  const chosen = Object.entries(devices).filter(([, device]) => device !== "");
  const blueprint = chosen.map(([origin, device]) => ({ origin, id: device, bucket: device }));
  const overwrite = range === "" ? span : { start_date: range };
  const read = (dates: Span | undefined, signal: AbortSignal): Promise<WidgetDataResult> => {
    const asked = {
      ...(blueprint.length > 0 && { blueprint_devices: blueprint }),
      ...(dates !== undefined && { overwrite: dates }),
      ...(amount !== undefined && { amount }),
    };
    const isPlain = Object.keys(asked).length === 0;
    return resources.dashboards.widgets.getData(dashboard, id, isPlain ? undefined : asked, { signal });
  };
  const subject = JSON.stringify([dashboard, id, blueprint]);
  const load = async (signal: AbortSignal): Promise<WidgetDataResult> => {
    const found = await read(overwrite, signal);
    const isOwn = range === "" && span !== undefined && found.widget.display["override_dashboard_presets"] === true;
    const { widget, content } = isOwn ? await read(undefined, signal) : found;
    // As it was read, so that events are compared with the same dates, and the axis of times spans what was chosen.
    const dates = (entry: WidgetData): WidgetData =>
      isOwn || entry.overwrite === false ? entry : { ...entry, ...overwrite };
    const dated = (item: WidgetContent): WidgetContent =>
      item.data === undefined ? item : { ...item, data: dates(item.data) };
    const data = widget.data?.map(dates) ?? null;
    return { widget: withDevices<StoredWidget>({ ...widget, data }, devices), content: content.map(dated) };
  };
  const loaded = useLoad(`${subject} ${JSON.stringify(overwrite)}`, load, subject);
  const readAgain = usePaced(loaded.reload, 1_000);
  const onAmount = useEffectEvent(loaded.reload);
  useEffect(() => {
    if (amount !== undefined) onAmount();
  }, [amount]);
  useLive((events) => {
    if (events.some((event) => isChange(event, "widget", id))) readAgain();
    const applying = {
      nowMs: clockMs(session.clock),
      deviceOf: (origin: string) => devices[origin] ?? origin,
      amount,
    };
    loaded.change((known) => {
      const next = withEvents(known, events, applying);
      if (next === undefined) readAgain();
      return next ?? known;
    });
  });
  return { ...loaded, blueprint, amount, setAmount };
}

/** The name of a widget that has not been read: asked for by itself, but only where reading it takes long or fails. */
export function useWidgetName(dashboard: string, widget: string, isFailed: boolean): string | undefined {
  const { resources } = useConsole();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 1_000);
    return () => clearTimeout(timer);
  }, []);
  const isAsked = isFailed || isLate;
  const { data } = useLoad(`${dashboard} ${widget} ${isAsked}`, async (signal) =>
    isAsked ? (await resources.dashboards.widgets.info(dashboard, widget, { signal })).label : undefined,
  );
  return data;
}
