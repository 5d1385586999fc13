import type { GridPlace } from "../../../lib/widgets/draw/grid.ts";
import type { DrawOptions } from "../../../lib/widgets/draw/index.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { ReadWidget } from "./read.ts";

/** Of a page that is 1,200 pixels wide: a column, a row, and the room between two. */
export const COLUMN_PX = 89;
export const ROW_PX = 72;
export const GAP_PX = 12;
export const PAGE_PX = 12 * COLUMN_PX + 11 * GAP_PX;

export type Theme = "auto" | "light" | "dark";

/** A widget as a figure of HTML, with the size in its arrangement. */
export interface Figure {
  readonly html: string;
  readonly width: number;
  readonly height: number;
}

/** What draws widgets, and writes text into pages. */
export interface Pen {
  readonly styles: string;
  readonly theme: Theme;
  readonly escapeText: (text: string) => string;
  draw(widget: ReadWidget, place: GridPlace): Figure;
}

const sizeOf = (count: number, px: number): number => count * px + (count - 1) * GAP_PX;

export async function createPen(ctx: CommandContext, theme: Theme): Promise<Pen> {
  const { drawWidget, widgetStyles } = await import("../../../lib/widgets/draw/index.ts");
  const { escapeHtml } = await import("../../../lib/widgets/draw/escape.ts");
  const { tz } = ctx.flags;
  const shared: DrawOptions = { theme, nowMs: ctx.clock.now(), ...(tz === undefined ? {} : { timeZone: tz }) };
  return {
    styles: widgetStyles(),
    theme,
    escapeText: (text) => escapeHtml(text),
    draw(found, { columns, rows }) {
      // Without the border of the figure.
      const size = { width: sizeOf(columns, COLUMN_PX) - 2, height: sizeOf(rows, ROW_PX) - 2 };
      if ("result" in found)
        return { html: drawWidget(found.result.widget, found.result.content, { ...shared, ...size }), ...size };
      const attribute = theme === "auto" ? "" : ` data-theme="${theme}"`;
      const name = escapeHtml(found.label || `Widget ${found.id}`);
      const why = escapeHtml(`This widget could not be read: ${found.failure}`);
      const html = `<figure class="iot-widget unread"${attribute}><figcaption><span class="iot-label">${name}</span></figcaption><p class="iot-empty">${why}</p></figure>`;
      return { html, ...size };
    },
  };
}
