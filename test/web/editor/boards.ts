import type { Board, Definition } from "../../../src/web/editor/model.ts";

export const widget = (label: string, more: Partial<Definition> = {}): Definition => ({
  label,
  type: "note",
  display: { value: label },
  ...more,
});

/** A dashboard without tabs: `a` and `b` side by side, `c` below `a`. */
export const board: Board = {
  tabs: [],
  places: [
    { widget_id: "a", x: 0, y: 0, width: 4, height: 2 },
    { widget_id: "b", x: 4, y: 0, width: 4, height: 4, minWidth: 2 },
    { widget_id: "c", x: 0, y: 2, width: 4, height: 2 },
  ],
  widgets: { a: widget("A"), b: widget("B"), c: widget("C") },
};

/** A dashboard with two tabs: `a` on the first, `b` on the second, `c` on both, and `d` on one that is gone. */
export const tabbed: Board = {
  tabs: [
    { key: "1", value: "One" },
    { key: "2", value: "Two" },
  ],
  places: [
    { widget_id: "a", x: 0, y: 0, width: 4, height: 2, tab: "1" },
    { widget_id: "b", x: 0, y: 0, width: 4, height: 2, tab: "2" },
    { widget_id: "c", x: 8, y: 0, width: 4, height: 2 },
    { widget_id: "d", x: 0, y: 0, width: 4, height: 2, tab: "3" },
  ],
  widgets: { a: widget("A"), b: widget("B"), c: widget("C"), d: widget("D") },
};

/** `a 0,0 4x2` and so on. */
export const drawn = ({ places }: Board): string[] =>
  places.map(({ widget_id: id, x, y, width, height }) => `${id} ${x},${y} ${width}x${height}`);
