import { countOf } from "../../../text/count.ts";
import type { DashboardResult, WidgetResult } from "./types.ts";

interface LostKey {
  readonly key: string;
  readonly widgets: Set<WidgetResult>;
  readonly whys: Set<string>;
}

/** What is lost, by key, in how many widgets; what most widgets lose first. */
async function lostKeys(widgets: readonly WidgetResult[]): Promise<readonly LostKey[]> {
  const { lossIn } = await import("../../../lib/widgets/losses.ts");
  const found = new Map<string, LostKey>();
  for (const widget of widgets) {
    for (const note of widget.notes) {
      const loss = lossIn(note);
      if (loss === undefined) continue;
      const entry = found.get(loss.key) ?? { key: loss.key, widgets: new Set(), whys: new Set() };
      entry.widgets.add(widget);
      entry.whys.add(loss.why);
      found.set(loss.key, entry);
    }
  }
  return [...found.values()].sort((a, b) => b.widgets.size - a.widgets.size);
}

const converted: readonly WidgetResult["outcome"][] = ["converted", "planned"];

/** `Lost: numberformat (15 widgets), unit (1 widget).`; empty when nothing is. */
export async function lostText(dashboards: readonly DashboardResult[]): Promise<string> {
  const widgets = dashboards.flatMap((each) => each.widgets.filter(({ outcome }) => converted.includes(outcome)));
  const keys = (await lostKeys(widgets)).map(({ key, widgets: { size } }) => `${key} (${countOf(size, "widget")})`);
  return keys.length === 0 ? "" : `Lost: ${keys.join(", ")}.`;
}

/** The notes of a run: errors and warnings by widget, losses by key. */
export async function groupedNotes(dashboards: readonly DashboardResult[]): Promise<readonly string[]> {
  const { lossIn } = await import("../../../lib/widgets/losses.ts");
  const widgets = dashboards.flatMap((each) => each.widgets);
  const others = widgets.flatMap(({ label, type, notes, error }) => {
    const told = notes.filter((note) => lossIn(note) === undefined);
    return (error === undefined ? told : [error, ...told]).map((note) => `${label || type}: ${note}`);
  });
  const lost = (await lostKeys(widgets)).map(({ key, widgets: { size }, whys }) => {
    return `${key} is lost in ${countOf(size, "widget")}: ${[...whys].join("; ")}`;
  });
  return [...others, ...lost];
}
