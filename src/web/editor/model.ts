import type { Arrangement, DashboardTab, WidgetCreateInfo } from "../../index.ts";
import { MAX_DASHBOARD_TABS } from "../../lib/core/limits.ts";
import { type GridPlace, gridOf } from "../../lib/widgets/draw/page.ts";

/** What of a widget is edited; the rest is up to the platform. */
export type Definition = WidgetCreateInfo;

/** A dashboard as it is edited. Nothing in it is ever changed: each change makes another one. */
export interface Board {
  readonly tabs: readonly DashboardTab[];
  readonly places: readonly Arrangement[];
  /** By id; those that could not be read are missing. */
  readonly widgets: Readonly<Record<string, Definition>>;
}

/** Columns of the platform's grid. */
export const COLUMNS = 12;
const MAX_ROWS = 50;
const MAX_TOP = 999;
const USUAL = { columns: 4, rows: 4 } as const;

type Cell = Omit<GridPlace, "widget">;

/** The cells of a tab; all of a dashboard without tabs. */
export function cellsOf({ tabs, places }: Board, tab: string): readonly GridPlace[] {
  const grid = gridOf({ tabs, arrangement: places });
  return (grid.find(({ key }) => key === tab) ?? (tabs.length === 0 ? grid[0] : undefined))?.places ?? [];
}

/** Widgets that no tab shows: their tab is gone. */
export function lostIn({ tabs, places }: Board): readonly string[] {
  const known = new Set<unknown>([undefined, ...tabs.map(({ key }) => key)]);
  return tabs.length === 0 ? [] : places.flatMap(({ widget_id: id, tab }) => (known.has(tab) ? [] : [id]));
}

export const cellFor = (board: Board, tab: string, id: string): GridPlace | undefined =>
  cellsOf(board, tab).find(({ widget }) => widget === id);

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, Math.round(value)));

const isOver = (one: Cell, other: Cell): boolean =>
  one.left < other.left + other.columns &&
  other.left < one.left + one.columns &&
  one.top < other.top + other.rows &&
  other.top < one.top + one.rows;

/** The cells with one of them at its new position; what is in its way makes room, downwards. */
function withCell(cells: readonly GridPlace[], moved: GridPlace): readonly GridPlace[] {
  const pushing: GridPlace[] = [moved];
  const placed: GridPlace[] = [moved];
  const byRow = cells.filter(({ widget }) => widget !== moved.widget).sort((a, b) => a.top - b.top);
  for (const cell of byRow) {
    // Widgets that were on top of each other before stay so: nobody moved them.
    let next = cell;
    for (let over = pushing.find((each) => isOver(each, next)); over !== undefined; ) {
      next = { ...next, top: over.top + over.rows };
      over = placed.find((each) => isOver(each, next));
    }
    if (next !== cell) pushing.push(next);
    placed.push(next);
  }
  return placed;
}

/** The board with these cells; what the platform stores beside them stays. */
function withCells(board: Board, tab: string, cells: readonly GridPlace[]): Board {
  const old = new Map(cellsOf(board, tab).map((cell) => [cell.widget, cell]));
  const next = new Map(cells.map((cell) => [cell.widget, cell]));
  const places = board.places.map((place) => {
    const [was, is] = [old.get(place.widget_id), next.get(place.widget_id)];
    if (was === undefined || is === undefined || isSameCell(was, is)) return place;
    return { ...place, x: is.left, y: is.top, width: is.columns, height: is.rows };
  });
  return { ...board, places };
}

const isSameCell = (one: Cell, other: Cell): boolean =>
  one.left === other.left && one.top === other.top && one.columns === other.columns && one.rows === other.rows;

/** The board with a widget at another position or in another size, inside the grid; the same board if that changes nothing. */
export function moved(board: Board, tab: string, id: string, change: Partial<Cell>): Board {
  const cells = cellsOf(board, tab);
  const cell = cells.find(({ widget }) => widget === id);
  const place = board.places.find(({ widget_id: widget }) => widget === id);
  if (cell === undefined || place === undefined) return board;
  const wanted = { ...cell, ...change };
  // A new position keeps the size, and a new size keeps the position.
  const isResized = change.columns !== undefined || change.rows !== undefined;
  const left = clamp(wanted.left, 0, COLUMNS - (isResized ? 1 : cell.columns));
  const next = {
    widget: id,
    left,
    top: clamp(wanted.top, 0, MAX_TOP),
    columns: clamp(wanted.columns, Math.min(place.minWidth ?? 1, COLUMNS - left), COLUMNS - left),
    rows: clamp(wanted.rows, place.minHeight ?? 1, MAX_ROWS),
  };
  return isSameCell(cell, next) ? board : withCells(board, tab, withCell(cells, next));
}

/** The first free position for a size, by rows. */
function freePlace(cells: readonly GridPlace[], { columns, rows }: Pick<Cell, "columns" | "rows">): Cell {
  for (let top = 0; ; top += 1) {
    for (let left = 0; left + columns <= COLUMNS; left += 1) {
      const cell = { left, top, columns, rows };
      if (!cells.some((other) => isOver(cell, other))) return cell;
    }
  }
}

/** The board with a new widget at the first free position of a tab. */
export function added(board: Board, tab: string, id: string, definition: Definition): Board {
  const { left, top, columns, rows } = freePlace(cellsOf(board, tab), USUAL);
  const place = { widget_id: id, x: left, y: top, width: columns, height: rows, ...(tab !== "" && { tab }) };
  return { ...board, places: [...board.places, place], widgets: { ...board.widgets, [id]: definition } };
}

export function removed(board: Board, ids: ReadonlySet<string>): Board {
  const widgets = Object.fromEntries(Object.entries(board.widgets).filter(([id]) => !ids.has(id)));
  return { ...board, places: board.places.filter(({ widget_id: id }) => !ids.has(id)), widgets };
}

export const edited = (board: Board, id: string, definition: Definition): Board =>
  isSame(board.widgets[id], definition) ? board : { ...board, widgets: { ...board.widgets, [id]: definition } };

/** The board with a widget on another tab, at the first free position there. */
export function onTab(board: Board, id: string, tab: string): Board {
  const place = board.places.find(({ widget_id: widget }) => widget === id);
  if (place === undefined || place.tab === tab) return board;
  const size = { columns: clamp(place.width, 1, COLUMNS), rows: clamp(place.height, 1, MAX_ROWS) };
  const others = cellsOf(board, tab).filter(({ widget }) => widget !== id);
  const { left, top } = freePlace(others, size);
  const next = { ...place, tab, x: left, y: top, width: size.columns, height: size.rows };
  return { ...board, places: board.places.map((each) => (each === place ? next : each)) };
}

/** The board with each widget of a tab as far up as it goes, in the order of the rows. */
export function compacted(board: Board, tab: string): Board {
  const placed: GridPlace[] = [];
  for (const cell of [...cellsOf(board, tab)].sort((a, b) => a.top - b.top)) {
    let top = cell.top;
    const isFree = (at: number): boolean => !placed.some((other) => isOver({ ...cell, top: at }, other));
    while (top > 0 && isFree(top - 1)) top -= 1;
    while (!isFree(top)) top += 1;
    placed.push({ ...cell, top });
  }
  return withCells(board, tab, placed);
}

export const canAddTab = ({ tabs }: Board): boolean => tabs.length < MAX_DASHBOARD_TABS;

/** The board with one more tab. The first one takes over what is there. */
export function withTab(board: Board, key: string, title: string): Board {
  const tabs = [...board.tabs, { key, value: title }];
  if (board.tabs.length > 0) return { ...board, tabs };
  return { ...board, tabs, places: board.places.map((place) => ({ ...place, tab: key })) };
}

export const withTabChanged = (board: Board, key: string, change: Partial<DashboardTab>): Board => ({
  ...board,
  tabs: board.tabs.map((tab) => (tab.key === key ? { ...tab, ...change } : tab)),
});

/** The board with a tab further to the left (-1) or to the right (1). */
export function withTabMoved(board: Board, key: string, by: -1 | 1): Board {
  const from = board.tabs.findIndex((tab) => tab.key === key);
  const tab = board.tabs[from];
  const to = from + by;
  if (tab === undefined || to < 0 || to >= board.tabs.length) return board;
  return { ...board, tabs: board.tabs.toSpliced(from, 1).toSpliced(to, 0, tab) };
}

/** The board without a tab and its widgets. Those of the last one stay, on a dashboard without tabs. */
export function withoutTab(board: Board, key: string): Board {
  const tabs = board.tabs.filter((tab) => tab.key !== key);
  if (tabs.length === 0) return { ...board, tabs, places: board.places.map(({ tab: _, ...place }) => place) };
  const own = board.places.filter(({ tab }) => tab === key).map(({ widget_id: id }) => id);
  return { ...removed(board, new Set(own)), tabs };
}

/** Equal as JSON, whatever the order of the keys. */
export const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
