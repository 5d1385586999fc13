import type { DrawData, DrawOptions } from "../../../lib/widgets/draw/index.ts";
import { isObject } from "../files/files.ts";
import type { Judged } from "./outcome.ts";

/** Draws widgets for a page. */
export interface Pictures {
  /** Style sheet of the drawings. */
  readonly styles: string;
  readonly theme: "light" | "dark" | "auto";
  /** What the values in the drawings are. */
  readonly note: string;
  /** The old widget and the new one, or the only one there is. */
  of(judged: Judged): string;
  readonly escapeHtml: (text: string, hidden?: (code: string) => string) => string;
}

export interface PictureOptions {
  /** Data for all widgets; sample values without it. */
  readonly data?: DrawData;
  readonly theme?: Pictures["theme"];
  /** The same report at any time has the same sample values unless this is given. */
  readonly nowMs?: number;
}

const SAMPLE_TIME_MS = Date.UTC(2026, 0, 15, 12);

export async function createPictures({
  data,
  theme = "auto",
  nowMs = SAMPLE_TIME_MS,
}: PictureOptions = {}): Promise<Pictures> {
  const { drawWidget, readWidget, sampleData, widgetStyles } = await import("../../../lib/widgets/draw/index.ts");
  const { escapeHtml } = await import("../../../lib/widgets/draw/escape.ts");
  const options: DrawOptions = { width: 590, height: 340, nowMs };
  // Of a form every field is checked after a migration.
  const optionsFor = (widget: unknown): DrawOptions =>
    ["form", "control"].includes(readWidget(widget).type) ? { ...options, height: 2_000 } : options;
  const picture = (widget: unknown, shown: DrawData, title: string): string =>
    `<div class="picture"><p>${escapeHtml(title.slice(0, 200))}</p>${drawWidget(widget, shown, optionsFor(widget))}</div>`;
  return {
    styles: widgetStyles(),
    theme,
    escapeHtml,
    note: data === undefined ? "The drawings show sample values." : "Times are in UTC.",
    of({ outcome, source, widget }) {
      const { from, to, verdict } = outcome;
      // Both show the same values.
      const shown = data ?? sampleData(isObject(widget) ? widget : source, nowMs);
      const isPair = verdict === "converted";
      const old = picture(source, shown, isPair ? `Old: ${from}` : from);
      return `<div class="pictures">${old}${isPair ? picture(widget, shown, `New: ${to}`) : ""}</div>\n`;
    },
  };
}
