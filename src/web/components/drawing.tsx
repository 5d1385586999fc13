import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { WidgetDataResult } from "../../index.ts";
import { drawWidget } from "../../lib/widgets/draw/index.ts";
import { useConsole } from "../hooks.ts";
import { recordsOf } from "../text.ts";

interface DrawingProps {
  readonly result: WidgetDataResult;
  /** Chosen device by placeholder of a blueprint. */
  readonly devices: Readonly<Record<string, string>>;
  /** Height of its place in the grid. */
  readonly heightPx: number;
}

/** The widget of a blueprint, for the chosen devices: its records name them, not the placeholders. */
const chosenIn = (widget: object, devices: Readonly<Record<string, string>>): object =>
  JSON.parse(JSON.stringify(widget), (_, value: unknown) =>
    typeof value === "string" && Object.hasOwn(devices, value) ? devices[value] : value,
  );

/** A widget with its data, drawn in the width there is. */
export function Drawing({ result, devices, heightPx }: DrawingProps) {
  const { session } = useConsole();
  const holder = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [nowMs, setNow] = useState(Date.now);
  const isClock = result.widget.type === "clock";
  useEffect(() => {
    const target = holder.current;
    if (target === null) return;
    const observer = new ResizeObserver(() => setWidth(target.clientWidth));
    observer.observe(target);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!isClock) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isClock]);
  const { now, manual, offset_ms: offsetMs = 0 } = session.clock;
  const shownMs = manual ? Date.parse(now) : nowMs + offsetMs;
  const html = useMemo(() => {
    if (width === 0) return "";
    // The name stands above it already, with the buttons that run an analysis.
    const { display } = result.widget;
    const buttons = recordsOf(display?.["header_buttons"]).filter(({ type }) => type !== "analysis");
    const widget = { ...result.widget, label: "", display: { ...display, header_buttons: buttons } };
    return drawWidget(chosenIn(widget, devices), result.content, { width, height: heightPx, nowMs: shownMs });
  }, [result, devices, width, heightPx, shownMs]);
  useLayoutEffect(() => {
    // The drawing escapes every string; it holds no script, no style and nothing that is loaded.
    const drawing = document.createRange().createContextualFragment(html);
    holder.current?.replaceChildren(drawing);
  }, [html]);
  return <div ref={holder} className="drawing" />;
}
