import { describe, expect, it } from "vitest";
import { amountOf, bodyOf, changesOf, merge } from "../../../src/web/editor/changes.ts";
import { changed, isChanged, mapped, redone, startOf, undone } from "../../../src/web/editor/history.ts";
import { added, edited, moved, removed, withTab } from "../../../src/web/editor/model.ts";
import { board, drawn, widget } from "./boards.ts";

describe("undo and redo", () => {
  it("go through every step in both directions, and a new step ends what could be redone", () => {
    const one = moved(board, "", "b", { left: 8 });
    const two = removed(one, new Set(["a"]));
    const history = changed(changed(startOf(board), one, "Moved B"), two, "Deleted A");
    const [back, words] = undone(history) ?? [history, ""];
    expect([back.present, words]).toEqual([one, "Deleted A"]);
    const [first] = undone(back) ?? [history];
    expect([first.present, undone(first), isChanged(first)]).toEqual([board, undefined, false]);
    const [again, forth] = redone(first) ?? [history, ""];
    expect([again.present, forth, isChanged(again)]).toEqual([one, "Moved B", true]);
    expect(redone(changed(again, withTab(one, "1", "One"), "Added a tab"))).toBeUndefined();
    expect(changed(history, two, "nothing")).toBe(history);
  });

  it("reach boards from before a widget got another id", () => {
    const history = changed(startOf(board), removed(board, new Set(["a"])), "Deleted A");
    const renamed = mapped(history, (each) => ({ ...each, tabs: [{ key: "1", value: "One" }] }));
    expect(undone(renamed)?.[0].present.tabs).toHaveLength(1);
  });
});

describe("what is written", () => {
  it("is nothing for what was changed and changed back", () => {
    const back = moved(moved(board, "", "b", { left: 8 }), "", "b", { left: 4 });
    expect(amountOf(changesOf(board, back))).toBe(0);
    expect(amountOf(changesOf(board, structuredClone(board)))).toBe(0);
  });

  it("is each widget that was created, edited or deleted, and the arrangement", () => {
    const more = added(board, "", "new-1", widget("N"));
    const present = removed(edited(more, "b", widget("Bee")), new Set(["c"]));
    const { created, edited: changes, deleted, dashboard } = changesOf(board, present);
    expect([created, changes, deleted]).toEqual([
      ["new-1"],
      [{ id: "b", body: { label: "Bee", display: { value: "Bee" } } }],
      ["c"],
    ]);
    expect(dashboard?.arrangement?.map(({ widget_id: id }) => id)).toEqual(["a", "b", "new-1"]);
    expect(dashboard).not.toHaveProperty("tabs");
  });

  it("is of a widget only what changed, with the analysis, which the platform would detach", () => {
    const old = widget("A", { analysis_run: "an-1", cache: { expiration: "1 minute" }, realtime: null });
    expect(bodyOf(old, { ...old, label: "B" })).toEqual({ label: "B", analysis_run: "an-1" });
    const { cache: _, ...without } = old;
    expect(bodyOf(old, without)).toEqual({ cache: null, analysis_run: "an-1" });
    expect(bodyOf(old, { ...old, analysis_run: null })).toEqual({ analysis_run: null });
    expect(bodyOf(old, { ...old, display: { ...old.display } })).toBeUndefined();
  });
});

describe("what somebody else saved meanwhile", () => {
  const base = board;

  it("is nothing to ask about where nothing changed", () => {
    const mine = edited(board, "a", widget("Mine"));
    expect(merge({ base, mine, theirs: structuredClone(base) })).toEqual({
      texts: [],
      base,
      present: mine,
    });
  });

  it("is joined with ours, which stays where both changed the same thing", () => {
    const mine = moved(edited(board, "a", widget("Mine")), "", "b", { left: 8 });
    const theirs = added(
      edited(edited(moved(board, "", "c", { top: 4 }), "a", widget("Theirs")), "c", widget("Sea")),
      "",
      "d",
      widget("D"),
    );
    const { texts, present } = merge({ base, mine, theirs });
    expect(texts).toEqual(['"Theirs" was changed.', '"Sea" was changed.', '"D" was added.', "Widgets were moved."]);
    expect([present.widgets["a"]?.label, present.widgets["c"]?.label, present.widgets["d"]?.label]).toEqual([
      "Mine",
      "Sea",
      "D",
    ]);
    expect(drawn(present)).toEqual(["a 0,0 4x2", "b 8,0 4x4", "c 0,4 4x2", "d 8,0 4x4"]);
    // Only ours is written then.
    expect(changesOf(theirs, present)).toMatchObject({ created: [], edited: [{ id: "a" }], deleted: [] });
  });

  it("stays deleted where we did not change it, and is created again where we did", () => {
    const mine = edited(board, "a", widget("Mine"));
    const theirs = removed(board, new Set(["a", "b"]));
    const { texts, present } = merge({ base, mine, theirs });
    expect(texts).toEqual(['"A" was deleted.', '"B" was deleted.']);
    expect(Object.keys(present.widgets)).toEqual(["a", "c"]);
    expect(changesOf(theirs, present)).toMatchObject({ created: ["a"], deleted: [] });
  });

  it("does not bring back what we deleted", () => {
    const mine = removed(board, new Set(["b"]));
    const theirs = edited(board, "b", widget("Bee"));
    const { texts, present } = merge({ base, mine, theirs });
    expect([texts, Object.keys(present.widgets)]).toEqual([['"Bee" was changed.'], ["a", "c"]]);
    expect(changesOf(theirs, present).deleted).toEqual(["b"]);
  });
});
