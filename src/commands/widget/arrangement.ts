import type { DashboardInfo } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import { option, optionNumber } from "../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";

type Place = NonNullable<DashboardInfo["arrangement"]>[number];
type Board = Pick<DashboardInfo, "arrangement" | "tabs" | "label">;

/** A dashboard is twelve units wide. */
const COLUMNS = 12;
const USUAL = { width: 4, height: 4 } as const;

export const placeOptions: readonly OptionSpec[] = [
  { name: "tab", value: "title", summary: "title or key of the tab" },
  { name: "x", value: "n", summary: "column, from 0" },
  { name: "y", value: "n", summary: "row, from 0" },
  { name: "width", value: "n", summary: "width in columns, up to 12" },
  { name: "height", value: "n", summary: "height in rows" },
];

/** What of a place the flags give. */
function placeFlags(input: CommandInput, board: Board): Partial<Omit<Place, "widget_id">> {
  const found: Partial<Record<"x" | "y" | "width" | "height", number>> = {};
  for (const name of ["x", "y", "width", "height"] as const) {
    const number = optionNumber(input, name, name === "x" || name === "y" ? 0 : 1);
    if (number !== undefined) found[name] = number;
  }
  if ((found.x ?? 0) + (found.width ?? 1) > COLUMNS) {
    throw usageError(`A dashboard has ${COLUMNS} columns.`, { next: "Choose a smaller --x or --width." });
  }
  const title = option(input, "tab");
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
export function withWidget(board: Board, widget: string, input: CommandInput): Place[] {
  const places = board.arrangement ?? [];
  const given = placeFlags(input, board);
  const tab = given.tab ?? board.tabs?.find(({ link }) => link === undefined)?.key;
  const beside = places.filter((place) => (place.tab ?? undefined) === tab);
  const below = Math.max(0, ...beside.map(({ y, height }) => y + height));
  return [...places, { x: 0, y: below, ...USUAL, ...given, ...defined({ tab }), widget_id: widget }];
}

/** The arrangement with a widget moved; undefined when the flags say nothing of its place. */
export function withMoved(board: Board, widget: string, input: CommandInput): Place[] | undefined {
  const given = placeFlags(input, board);
  if (Object.keys(given).length === 0) return undefined;
  const places = board.arrangement ?? [];
  if (!places.some(({ widget_id }) => widget_id === widget)) return withWidget(board, widget, input);
  return places.map((place) => (place.widget_id === widget ? { ...place, ...given } : place));
}

/** The arrangement without some widgets. */
export function withoutWidgets(board: Board, widgets: ReadonlySet<string>): Place[] {
  return (board.arrangement ?? []).filter(({ widget_id }) => !widgets.has(widget_id));
}
