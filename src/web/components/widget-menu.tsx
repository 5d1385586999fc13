import type { RefObject } from "react";
import type { WidgetDataResult } from "../../index.ts";
import { type DrawOptions, isChart, readTimes, readWidget } from "../../lib/widgets/draw/page.ts";
import { clockMs } from "../api.ts";
import type { ExportKind } from "../export/save-widget.ts";
import { type Doing, useConsole } from "../hooks.ts";
import { scaled, takesDates, zoomTo } from "../zoom.ts";
import { nameOf } from "./basics.tsx";
import { Menu, type MenuItem } from "./menu.tsx";
import { pageOf } from "./widget-page.tsx";

interface WidgetMenuProps {
  readonly result: WidgetDataResult;
  readonly heightPx: number;
  /** The widget on the page: a picture of it is as wide. */
  readonly card: RefObject<HTMLElement | null>;
  readonly doing: Doing;
}

/** What can be done with any widget: save it as a file, and look closer at the times of a chart. */
export function WidgetMenu({ result, heightPx, card, doing }: WidgetMenuProps) {
  const { session } = useConsole();
  const options = (): DrawOptions => {
    const width = (card.current?.querySelector(".drawing") ?? card.current)?.clientWidth ?? 480;
    return { width, height: heightPx, nowMs: clockMs(session.clock) };
  };
  const save = (kind: ExportKind): void =>
    doing.run(async () => {
      const { saveWidget } = await import("../export/save-widget.ts");
      return `Saved ${await saveWidget(kind, result, options())}`;
    });
  const zoom = (factor: number): void => {
    const reading = readTimes(result.widget, result.content, options());
    if (reading !== undefined) zoomTo(scaled(reading, factor));
  };
  const drawn: MenuItem[] =
    pageOf(result) === undefined
      ? [
          { text: "Save as SVG", onChoose: () => save("svg") },
          { text: "Save as PNG", onChoose: () => save("png") },
        ]
      : [];
  const data: MenuItem[] =
    result.content.length === 0 ? [] : [{ text: "Save data as CSV", onChoose: () => save("csv") }];
  const times: MenuItem[] =
    isChart(readWidget(result.widget).type) && takesDates(result)
      ? [
          { text: "Zoom in", onChoose: () => zoom(0.5) },
          { text: "Zoom out", onChoose: () => zoom(2) },
        ]
      : [];
  const items = [...drawn, ...data, ...times];
  return items.length === 0 ? null : <Menu label={`Menu of ${nameOf(result.widget, "widget")}`} items={items} />;
}
