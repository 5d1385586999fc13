import type { Key, Paste } from "../../terminal/keys.ts";

/** One row of old and new text side by side. */
export interface DiffRow {
  readonly old?: string;
  readonly new?: string;
  readonly isSame: boolean;
}

export type DiffLine =
  | { readonly kind: "same"; readonly text: string }
  | { readonly kind: "old" | "new"; readonly text: string }
  | { readonly kind: "pair"; readonly old: string; readonly new: string }
  | { readonly kind: "gap"; readonly count: number };

/** Unchanged lines kept around a change. */
const CONTEXT = 2;

/**
 * Lines to draw: what is the same far from any change is folded into a gap.
 *
 * @param isSplit old and new stand beside each other, otherwise below each other
 */
export function diffLines(rows: readonly DiffRow[], isSplit: boolean): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let hidden = 0;
  let waiting: DiffLine[] = [];
  const settle = (): void => {
    lines.push(...waiting);
    waiting = [];
  };
  for (const [i, row] of rows.entries()) {
    if (row.isSame && !isNear(rows, i)) {
      settle();
      hidden += 1;
      continue;
    }
    if (hidden > 0) lines.push({ kind: "gap", count: hidden });
    hidden = 0;
    if (row.isSame) {
      settle();
      lines.push({ kind: "same", text: row.new ?? row.old ?? "" });
    } else if (isSplit) lines.push({ kind: "pair", old: row.old ?? "", new: row.new ?? "" });
    else {
      // Below each other, all of the old lines of a change come first.
      if (row.old !== undefined) lines.push({ kind: "old", text: row.old });
      if (row.new !== undefined) waiting.push({ kind: "new", text: row.new });
    }
  }
  settle();
  if (hidden > 0) lines.push({ kind: "gap", count: hidden });
  return lines;
}

function isNear(rows: readonly DiffRow[], i: number): boolean {
  return rows.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(({ isSame }) => !isSame);
}

export type ScrollAction = { readonly by: number } | { readonly to: "first" | "last" };

/** The first line shown after a scroll. */
export function scrolled(top: number, action: ScrollAction, count: number, rows: number): number {
  const last = Math.max(0, count - rows);
  if ("to" in action) return action.to === "first" ? 0 : last;
  return Math.max(0, Math.min(last, Math.min(top, last) + action.by));
}

export function scrollAction(key: Key | Paste, rows: number): ScrollAction | undefined {
  switch (key.name) {
    case "up":
    case "k":
      return { by: -1 };
    case "down":
    case "j":
      return { by: 1 };
    case "pageup":
      return { by: -Math.max(1, rows - 1) };
    case "pagedown":
      return { by: Math.max(1, rows - 1) };
    case "home":
      return { to: "first" };
    case "end":
      return { to: "last" };
    default:
      return undefined;
  }
}
