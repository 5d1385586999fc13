import type { DashboardInfo } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import type { Options, OptionsOf } from "../kit/command/options.ts";
import { quote } from "../kit/command/values.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";

type Place = NonNullable<DashboardInfo["arrangement"]>[number];
type Board = Pick<DashboardInfo, "arrangement" | "tabs" | "label">;

/** A dashboard is twelve units wide. */
const COLUMNS = 12;
const USUAL = { width: 4, height: 4 } as const;

export const arrangementOptions = [
  { name: "tab", value: "title", summary: "title or key of the tab" },
  { name: "x", kind: "integer", least: 0, summary: "column, from 0" },
  { name: "y", kind: "integer", least: 0, summary: "row, from 0" },
  { name: "width", kind: "integer", summary: "width in columns, up to 12" },
  { name: "height", kind: "integer", summary: "height in rows" },
] as const satisfies Options;

type Flags = OptionsOf<typeof arrangementOptions>;

/** The part of a position that the flags set. */
function placeFlags({ tab: title, x, y, width, height }: Flags, board: Board): Partial<Omit<Place, "widget_id">> {
  const found = defined({ x, y, width, height });
  if ((found.x ?? 0) + (found.width ?? 1) > COLUMNS) {
    throw usageError(`A dashboard has ${COLUMNS} columns.`, { next: "Choose a smaller --x or --width." });
  }
  return title === undefined ? found : { ...found, tab: tabOf(board, title) };
}

function tabOf({ tabs = [], label }: Board, title: string): string {
  const tab = tabs.find(({ key, value }) => key === title || value === title);
  if (tab !== undefined) return tab.key;
  throw notFoundError(`Tab ${quote(title)} not found in dashboard "${label}".`, {
    code: "dashboard.no_tab",
    why: `Its tabs are ${tabs.map(({ value }) => value).join(", ") || "none"}.`,
    next: "Use one of them.",
  });
}

/** The arrangement with a new widget in it: as the flags say, else below all others of the tab. */
export function withWidget(board: Board, widget: string, flags: Flags): Place[] {
  const places = board.arrangement ?? [];
  const given = placeFlags(flags, board);
  const tab = given.tab ?? board.tabs?.find(({ link }) => link === undefined)?.key;
  const beside = places.filter((place) => (place.tab ?? undefined) === tab);
  const below = Math.max(0, ...beside.map(({ y, height }) => y + height));
  return [...places, { x: 0, y: below, ...USUAL, ...given, ...defined({ tab }), widget_id: widget }];
}

/** The arrangement with a widget moved; undefined when no flag sets its position. */
export function withMoved(board: Board, widget: string, flags: Flags): Place[] | undefined {
  const given = placeFlags(flags, board);
  if (Object.keys(given).length === 0) return undefined;
  const places = board.arrangement ?? [];
  if (!places.some(({ widget_id }) => widget_id === widget)) return withWidget(board, widget, flags);
  return places.map((place) => (place.widget_id === widget ? { ...place, ...given } : place));
}

/** The arrangement without some widgets. */
export function withoutWidgets(board: Board, widgets: ReadonlySet<string>): Place[] {
  return (board.arrangement ?? []).filter(({ widget_id }) => !widgets.has(widget_id));
}
