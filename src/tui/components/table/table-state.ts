/** The rows of a table that are drawn, and how many are below them. */
export interface TableWindow {
  readonly from: number;
  readonly to: number;
  readonly below: number;
}

/** Fewer lines have none to spare for the count of those below. */
const COUNT_FROM_LINES = 3;

/**
 * The rows that fit into the lines, the selected one among them. Where rows are below, the last line is for their
 * count.
 */
export function tableWindow(count: number, selected: number, lines: number): TableWindow {
  const room = Math.max(1, lines);
  const hasCount = room >= COUNT_FROM_LINES;
  const shown = hasCount ? room - 1 : room;
  const from = Math.max(0, selected - shown + 1);
  if (count - from <= room) return { from: Math.max(0, count - room), to: count, below: 0 };
  return { from, to: from + shown, below: hasCount ? count - from - shown : 0 };
}
