import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { WidgetDataResult } from "../../index.ts";
import { drawWidget } from "../../lib/widgets/draw/page.ts";
import { clockMs } from "../api.ts";
import { useConsole } from "../hooks.ts";

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
    // The name stands above it already, with the buttons.
    const widget = { ...result.widget, display: { ...result.widget.display, header_buttons: [] } };
    return drawWidget(widget, result.content, { width, height: heightPx, nowMs: shownMs, showLabel: false });
  }, [result, width, heightPx, shownMs]);
  useLayoutEffect(() => put(html, holder.current), [html]);
  return <div ref={holder} className="drawing" />;
}

/** The drawings escape every string; they hold no script, no style and nothing that is loaded. */
function put(html: string, target: HTMLElement | null): void {
  target?.replaceChildren(document.createRange().createContextualFragment(html));
}

/** A cell of a drawn table. */
export function DrawnCell({ html, align }: { readonly html: string; readonly align: string }) {
  const holder = useRef<HTMLTableCellElement>(null);
  useLayoutEffect(() => put(html, holder.current), [html]);
  return <td ref={holder} className={align || undefined} />;
}
