import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  added,
  type Board,
  cellsOf,
  compacted,
  lostIn,
  moved,
  onTab,
  removed,
  withoutTab,
  withTab,
  withTabMoved,
} from "../../../src/web/editor/model.ts";
import { board, drawn, tabbed, widget } from "./boards.ts";

const overlaps = (of: Board, tab: string): string[] => {
  const cells = cellsOf(of, tab);
  return cells.flatMap((one, i) =>
    cells
      .slice(i + 1)
      .filter(
        (other) =>
          one.left < other.left + other.columns &&
          other.left < one.left + one.columns &&
          one.top < other.top + other.rows &&
          other.top < one.top + one.rows,
      )
      .map((other) => `${one.widget} and ${other.widget}`),
  );
};

describe("moving a widget", () => {
  it("pushes what is in the way down, and what is in the way of that", () => {
    expect(drawn(moved(board, "", "b", { left: 1 }))).toEqual(["a 0,4 4x2", "b 1,0 4x4", "c 0,6 4x2"]);
    expect(drawn(moved(board, "", "a", { top: 1 }))).toEqual(["a 0,1 4x2", "b 4,0 4x4", "c 0,3 4x2"]);
  });

  it("keeps it inside the grid with its size", () => {
    expect(drawn(moved(board, "", "b", { left: 99 }))[1]).toBe("b 8,0 4x4");
    expect(drawn(moved(board, "", "c", { left: -5, top: -5 }))[2]).toBe("c 0,0 4x2");
    expect(moved(board, "", "a", { left: -1 })).toBe(board);
    expect(moved(board, "", "nobody", { left: 1 })).toBe(board);
  });

  it("resizes down to the least size, and no wider than to the edge", () => {
    expect(drawn(moved(board, "", "b", { columns: 1 }))[1]).toBe("b 4,0 2x4");
    expect(drawn(moved(board, "", "b", { columns: 50, rows: 0 }))[1]).toBe("b 4,0 8x1");
  });

  it("leaves what it does not touch as it is stored, fractions included", () => {
    const places = board.places.map((place) => (place.widget_id === "c" ? { ...place, x: 0.4, note: 1 } : place));
    const next = moved({ ...board, places }, "", "b", { left: 8 });
    expect(next.places[2]).toBe(places[2]);
    expect(next.places[1]).toEqual({ widget_id: "b", x: 8, y: 0, width: 4, height: 4, minWidth: 2 });
  });

  it("never makes widgets overlap, wherever they are moved to", () => {
    const step = fc.record({
      id: fc.constantFrom("a", "b", "c"),
      change: fc.oneof(
        fc.record({ left: fc.integer({ min: -3, max: 15 }), top: fc.integer({ min: -3, max: 9 }) }),
        fc.record({ columns: fc.integer({ min: -1, max: 14 }), rows: fc.integer({ min: -1, max: 9 }) }),
      ),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const end = steps.reduce((now, { id, change }) => moved(now, "", id, change), board);
        expect(overlaps(end, "")).toEqual([]);
        expect(overlaps(compacted(end, ""), "")).toEqual([]);
        for (const { left, columns, top, rows } of cellsOf(end, "")) {
          expect(left >= 0 && left + columns <= 12 && top >= 0 && columns >= 1 && rows >= 1).toBe(true);
        }
      }),
    );
  });
});

describe("adding and removing", () => {
  it("puts a new widget at the first free place of its tab", () => {
    expect(drawn(added(board, "", "n", widget("N"))).at(-1)).toBe("n 8,0 4x4");
    const onSecond = added(tabbed, "2", "n", widget("N"));
    expect(onSecond.places.at(-1)).toEqual({ widget_id: "n", x: 4, y: 0, width: 4, height: 4, tab: "2" });
    expect(overlaps(onSecond, "2")).toEqual([]);
  });

  it("removes a widget with its place", () => {
    const { places, widgets } = removed(board, new Set(["b"]));
    expect([places.map(({ widget_id: id }) => id), Object.keys(widgets)]).toEqual([
      ["a", "c"],
      ["a", "c"],
    ]);
  });

  it("closes gaps upwards", () => {
    expect(drawn(compacted(removed(board, new Set(["a"])), ""))).toEqual(["b 4,0 4x4", "c 0,0 4x2"]);
  });
});

describe("tabs", () => {
  it("show their own widgets and those without a tab; others are lost", () => {
    expect(cellsOf(tabbed, "1").map(({ widget: id }) => id)).toEqual(["a", "c"]);
    expect(lostIn(tabbed)).toEqual(["d"]);
    expect(lostIn(board)).toEqual([]);
    expect(cellsOf(onTab(tabbed, "d", "2"), "2").map(({ widget: id }) => id)).toEqual(["b", "c", "d"]);
    expect(overlaps(onTab(tabbed, "d", "2"), "2")).toEqual([]);
  });

  it("take over what was there before the first one, and give it back after the last one", () => {
    const one = withTab(board, "1", "One");
    expect(one.places.map(({ tab }) => tab)).toEqual(["1", "1", "1"]);
    expect(withoutTab(one, "1").places).toEqual(board.places);
    expect(withTab(one, "2", "Two").places).toEqual(one.places);
  });

  it("are deleted with their widgets, and moved one by one", () => {
    const { tabs, places, widgets } = withoutTab(tabbed, "2");
    expect(tabs.map(({ key }) => key)).toEqual(["1"]);
    expect(places.map(({ widget_id: id }) => id)).toEqual(["a", "c", "d"]);
    expect(Object.keys(widgets)).toEqual(["a", "c", "d"]);
    expect(withTabMoved(tabbed, "2", -1).tabs.map(({ key }) => key)).toEqual(["2", "1"]);
    expect(withTabMoved(tabbed, "2", 1)).toBe(tabbed);
  });
});
