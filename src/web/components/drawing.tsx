import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { WidgetDataResult } from "../../index.ts";
import { drawWidget } from "../../lib/widgets/draw/page.ts";
import { clockMs } from "../api.ts";
import { useConsole } from "../hooks.ts";
import { recordsOf } from "../text.ts";

interface DrawingProps {
  readonly result: WidgetDataResult;
  /** Height of its place in the grid. */
  readonly heightPx: number;
}

/** A widget with its data, drawn in the width there is. */
export function Drawing({ result, heightPx }: DrawingProps) {
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
  const shownMs = clockMs(session.clock, nowMs);
  const html = useMemo(() => {
    if (width === 0) return "";
    // The name stands above it already, with the buttons that run an analysis.
    const { display } = result.widget;
    const buttons = recordsOf(display?.["header_buttons"]).filter(({ type }) => type !== "analysis");
    const widget = { ...result.widget, display: { ...display, header_buttons: buttons } };
    return drawWidget(widget, result.content, { width, height: heightPx, nowMs: shownMs, showLabel: false });
  }, [result, width, heightPx, shownMs]);
  useLayoutEffect(() => {
    // The drawing escapes every string; it holds no script, no style and nothing that is loaded.
    const drawing = document.createRange().createContextualFragment(html);
    holder.current?.replaceChildren(drawing);
  }, [html]);
  return <div ref={holder} className="drawing" />;
}
