import { describe, expect, it } from "vitest";
import { diffLines, scrolled } from "../../../src/tui/components/diff-view/state.ts";
import { wrapped } from "../../../src/tui/components/lines/fit.ts";
import { lastLines, progressOf } from "../../../src/tui/components/progress/state.ts";
import { listAction } from "../../../src/tui/components/search-list/keys.ts";
import {
  currentItem,
  emptyList,
  matching,
  reduceList,
  windowOf,
} from "../../../src/tui/components/search-list/state.ts";
import { moved, selectAction } from "../../../src/tui/components/select/state.ts";
import { tableWindow } from "../../../src/tui/components/table/table-state.ts";
import { fieldOf } from "../../../src/tui/components/text-field/state.ts";

const items = ["Pump north", "Pump south", "Silo north"].map((text, i) => ({ id: String(i), text }));

describe("a list", () => {
  it("shows the lines that have every word of the query", () => {
    expect(matching(items, fieldOf("north pump")).map(({ id }) => id)).toEqual(["0"]);
    expect(matching(items, fieldOf(" "))).toHaveLength(3);
  });

  it("keeps the cursor among the lines that are shown", () => {
    const far = reduceList(emptyList, { type: "move", by: 50 }, items);
    expect(currentItem(far, items)?.id).toBe("2");
    const searched = reduceList({ ...far, isTyping: true }, { type: "query", query: fieldOf("pump") }, items);
    expect(currentItem(searched, items)?.id).toBe("0");
    expect(currentItem({ ...far, query: fieldOf("nothing") }, items)).toBeUndefined();
  });

  it("marks all that are shown, and none of them the second time, leaving other marks alone", () => {
    const one = reduceList({ ...emptyList, cursor: 2 }, { type: "mark" }, items);
    const pumps = reduceList({ ...one, query: fieldOf("pump") }, { type: "mark-all" }, items);
    expect([...pumps.marks].sort()).toEqual(["0", "1", "2"]);
    expect([...reduceList(pumps, { type: "mark-all" }, items).marks]).toEqual(["2"]);
  });

  it("takes keys as text only while the query is typed", () => {
    const key = { name: "a", text: "a" };
    const query = fieldOf("");
    expect(listAction(key, { isTyping: false, query }, 5)).toEqual({ type: "mark-all" });
    expect(listAction(key, { isTyping: true, query }, 5)).toEqual({ type: "query", query: fieldOf("a") });
    const paste = { name: "paste", text: "a\nb" } as const;
    expect(listAction(paste, { isTyping: false, query }, 5)).toBeUndefined();
    expect(listAction(paste, { isTyping: true, query }, 5)).toEqual({ type: "query", query: fieldOf("a b") });
  });

  it.each([
    [100, 0, 10, 0, 10],
    [100, 99, 10, 90, 100],
    [100, 50, 10, 45, 55],
    [3, 2, 10, 0, 3],
    [0, 0, 10, 0, 0],
  ])("of %i lines with the cursor at %i in %i rows shows %i to %i", (count, cursor, rows, from, to) => {
    expect(windowOf(count, cursor, rows)).toEqual({ from, to });
  });
});

describe("a table", () => {
  it.each([
    [10, 0, 10, { from: 0, to: 10, below: 0 }],
    [11, 0, 10, { from: 0, to: 9, below: 2 }],
    [11, 9, 10, { from: 1, to: 11, below: 0 }],
    [40, 20, 10, { from: 12, to: 21, below: 19 }],
    [40, 39, 10, { from: 30, to: 40, below: 0 }],
    [5, 0, 2, { from: 0, to: 2, below: 0 }],
    [0, 0, 10, { from: 0, to: 0, below: 0 }],
  ])("of %i rows with number %i selected in %i lines draws those it has room for and counts the rest", (...given) => {
    const [count, selected, lines, expected] = given;
    expect(tableWindow(count, selected, lines)).toEqual(expected);
  });
});

describe("a diff", () => {
  const same = (text: string) => ({ old: text, new: text, isSame: true });
  const change = { old: "x", new: "y", isSame: false };
  const rows = [..."abcdef"].map(same).concat([change as never], [..."ghijkl"].map(same));

  it("folds what is the same far from a change", () => {
    expect(diffLines(rows, false).map((line) => line.kind)).toEqual([
      "gap",
      "same",
      "same",
      "old",
      "new",
      "same",
      "same",
      "gap",
    ]);
    expect(diffLines(rows, true)[3]).toEqual({ kind: "pair", old: "x", new: "y" });
  });

  it("loses no line", () => {
    const counted = diffLines(rows, true).reduce((sum, line) => sum + (line.kind === "gap" ? line.count : 1), 0);
    expect(counted).toBe(rows.length);
  });

  it("scrolls within its lines", () => {
    expect(scrolled(0, { by: -5 }, 20, 10)).toBe(0);
    expect(scrolled(8, { by: 5 }, 20, 10)).toBe(10);
    expect(scrolled(0, { to: "last" }, 20, 10)).toBe(10);
    expect(scrolled(15, { by: 0 }, 5, 10)).toBe(0);
  });
});

describe("small parts", () => {
  it("fill a bar and say the same in words", () => {
    expect(progressOf({ done: 1, total: 3 }, 10)).toEqual({ filled: 3, text: "1 of 3" });
    expect(progressOf({ done: 0, total: 0 }, 10).filled).toBe(10);
    expect(lastLines([1, 2, 3], 2)).toEqual([2, 3]);
  });

  it("choose with a key of their own, or with Enter", () => {
    const choices = [
      { value: "no", label: "No", key: "n" },
      { value: "yes", label: "Yes", key: "y" },
    ];
    expect(selectAction({ name: "y", text: "y" }, choices)).toEqual({ type: "choose", at: 1 });
    expect(selectAction({ name: "enter", text: "" }, choices)).toEqual({ type: "choose" });
    expect(selectAction({ name: "z", text: "z" }, choices)).toBeUndefined();
    expect(moved(0, -1, 2)).toBe(1);
  });

  it("break lines between words, and inside one that is too long", () => {
    expect(wrapped("  one two three", 9)).toEqual(["  one two", "three"]);
    expect(wrapped("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
    expect(wrapped("", 4)).toEqual([""]);
  });
});
