import { describe, expect, it } from "vitest";
import { planWidget } from "../../../src/lib/widgets/plan.ts";
import { copyNames } from "../../../src/tui/migration-wizard/copy-names.ts";
import type {
  CopyEntry,
  MigrationEngine,
  ScannedDashboard,
  WizardReport,
} from "../../../src/tui/migration-wizard/engine.ts";
import { choicesOf, dashboardItems, targetRows } from "../../../src/tui/migration-wizard/items.ts";
import { keyAction, keyHints } from "../../../src/tui/migration-wizard/keys.ts";
import { type Action, type Effect, firstState, type WizardState } from "../../../src/tui/migration-wizard/model.ts";
import { reduce } from "../../../src/tui/migration-wizard/state.ts";
import type { Key } from "../../../src/tui/terminal/keys.ts";

const engine: Pick<MigrationEngine, "nameToType" | "defaultName" | "copyNames" | "interrupted" | "where"> = {
  where: "prod (us-e1)",
  defaultName: "%s (migrated)",
  copyNames: (name, labels) => labels.map((label) => name.replaceAll("%s", label)),
};
const widget = (id: string): unknown => ({
  id,
  label: `Widget ${id}`,
  type: "gauge",
  data: [],
  display: { gauge_type: "angular", vars_labels: { a: "A" } },
});
const scanned = (id: string, widgets: readonly string[]): ScannedDashboard => ({
  id,
  label: `Dashboard ${id}`,
  widgets: widgets.map((each) => planWidget(widget(each))),
});
const key = (name: string): Key => ({ name, text: [...name].length === 1 ? name : name === "space" ? " " : "" });
const place = { rows: 10, lines: 100 };

/** A wizard that is driven by keys; effects are collected. */
function wizard(from: Partial<typeof engine> = {}, chosen: readonly string[] = []) {
  const effects: (Effect | undefined)[] = [];
  const [first, effect] = firstState({ ...engine, ...from }, chosen);
  let state: WizardState = first;
  effects.push(effect);
  const send = (action: Action | undefined): void => {
    if (action === undefined) return;
    const [next, wanted] = reduce(state, action);
    state = next;
    if (wanted !== undefined) effects.push(wanted);
  };
  return {
    send,
    press: (...names: readonly string[]) => {
      for (const name of names) send(keyAction(state, key(name), place));
    },
    paste: (text: string) => send(keyAction(state, { name: "paste", text }, place)),
    state: () => state,
    last: () => effects.at(-1),
    done: () => effects.flatMap((each) => each?.do ?? []),
  };
}

function atReview() {
  const it = wizard();
  it.send({
    type: "loaded",
    entries: [
      { id: "d1", label: "First", widgets: 2 },
      { id: "d2", label: "Second", widgets: 1 },
    ],
  });
  it.press("space", "enter");
  it.send({ type: "scanned", dashboard: scanned("d1", ["w1", "w2"]) });
  it.send({ type: "scan-ended" });
  it.press("enter");
  return it;
}

function atTarget(copies: readonly CopyEntry[] = []) {
  const it = atReview();
  it.press("enter");
  it.send({ type: "used", things: [{ kind: "device", id: "p1", name: "Pump 1" }], copies });
  return it;
}

const report: WizardReport = {
  state: "done",
  summary: "2 widgets converted.",
  counts: [],
  dashboards: [],
  notes: [],
  snapshots: [],
  command: "iot dashboard migrate d1",
};

describe("the steps of the wizard", () => {
  it("take the dashboard under the cursor when none is marked, and the marked ones otherwise", () => {
    const it = wizard();
    it.send({ type: "loaded", entries: [{ id: "d1", label: "First", widgets: 2 }] });
    it.press("enter");
    expect([it.state().step, it.state().ids, it.done()]).toEqual(["scan", ["d1"], ["load", "scan"]]);
    expect(atReview().state()).toMatchObject({ step: "review", ids: ["d1"] });
  });

  it("start with the scan when dashboards were named, and read the list when the user goes back to it", () => {
    const it = wizard({}, ["d1"]);
    expect([it.state().step, it.state().ids, it.done()]).toEqual(["scan", ["d1"], ["scan"]]);
    it.press("escape");
    expect([it.state().step, it.done()]).toEqual(["choose", ["scan", "load"]]);
  });

  it("list dashboards with legacy widgets first, and keep the cursor on a dashboard the user went to", () => {
    const entries = ["d1", "d2", "d3"].map((id) => ({ id, label: `Dashboard ${id}`, widgets: 1 }));
    const it = wizard();
    it.send({ type: "loaded", entries });
    it.send({ type: "scanned", dashboard: scanned("d2", ["w1"]) });
    expect(dashboardItems(it.state()).map(({ id }) => id)).toEqual(["d2", "d1", "d3"]);
    it.press("j");
    it.send({ type: "scanned", dashboard: scanned("d3", ["w2"]) });
    expect(dashboardItems(it.state()).map(({ id }) => id)).toEqual(["d2", "d3", "d1"]);
    it.press("enter");
    expect(it.state().ids).toEqual(["d1"]);
  });

  it("are left with Enter and Esc only", () => {
    for (const make of [atReview, atTarget]) {
      const it = make();
      const { step } = it.state();
      it.press("l", "h", "left", "right");
      expect(it.state().step).toBe(step);
    }
  });

  it("do not go on to the review before everything was read", () => {
    const it = wizard();
    it.send({ type: "loaded", entries: [{ id: "d1", label: "First", widgets: 2 }] });
    it.press("enter", "enter");
    expect(it.state()).toMatchObject({ step: "scan", notice: "Still reading." });
  });

  it("go back from the target to the choice, keeping what was chosen", () => {
    const it = atTarget();
    it.press("escape", "escape", "escape");
    expect(it.state().step).toBe("choose");
    expect([...it.state().choose.marks]).toEqual(["d1"]);
  });

  it("leave without asking while nothing was written", () => {
    for (const make of [atReview, atTarget]) {
      const it = make();
      it.press("q");
      expect(it.done().at(-1)).toBe("leave");
    }
  });
});

describe("the review", () => {
  it("excludes the widget under the cursor, or the marked ones, and takes them in again", () => {
    const it = atReview();
    it.press("j", "x");
    expect([...choicesOf(it.state()).excluded]).toEqual(["w2"]);
    it.press("x");
    expect([...choicesOf(it.state()).excluded]).toEqual([]);
    it.press("a", "x");
    expect([...choicesOf(it.state()).excluded]).toEqual(["w1", "w2"]);
  });

  it("switches between diff, tree, notes and preview with t", () => {
    const it = atReview();
    const seen = [1, 2, 3, 4].map(() => {
      it.press("t");
      return it.state().view;
    });
    expect(seen).toEqual(["tree", "notes", "preview", "diff"]);
  });

  it("opens the drawing of a widget with o, as it was edited, and says where it is", () => {
    const it = atReview();
    it.press("o");
    expect(it.done().at(-1)).toBe("draw");
    it.send({ type: "drawn", path: "/cache/preview.html" });
    expect(it.state().notice).toContain("/cache/preview.html");
  });

  it("takes an edited widget, and asks again about one that is refused", () => {
    const it = atReview();
    it.press("e");
    expect(it.done().at(-1)).toBe("edit");
    it.send({ type: "edited", id: "w1", widget: {}, result: { kind: "refused", problems: ["type must be text."] } });
    expect(it.state().question?.kind).toBe("refused");
    it.press("e");
    expect(it.done().at(-1)).toBe("edit");
    it.send({ type: "edited", id: "w1", widget: {}, result: { kind: "edited", widget: { label: "Mine" } } });
    expect(choicesOf(it.state()).edited.get("w1")).toEqual({ label: "Mine" });
  });

  it("finds widgets, and what is pasted goes into the query only", () => {
    const it = atReview();
    it.paste("xq");
    expect(it.state().excluded.size).toBe(0);
    it.press("/");
    it.paste("Widget\nw2");
    it.press("enter", "x");
    expect([...it.state().excluded]).toEqual(["w2"]);
  });

  it("finds from the right pane, too", () => {
    const it = atReview();
    it.press("tab", "/", ..."w2", "enter");
    expect([it.state().pane, it.state().list.query.text]).toEqual(["list", "w2"]);
  });
});

describe("the target", () => {
  it("is a copy unless in place is chosen, and only a copy has a name", () => {
    const it = atTarget();
    expect([it.state().mode, targetRows(it.state()).includes("name")]).toEqual(["copy", true]);
    it.press("j", "enter");
    expect([it.state().mode, targetRows(it.state()).includes("name")]).toEqual(["in-place", false]);
  });

  it("takes a name, and the usual one again for an empty one", () => {
    const it = atTarget();
    it.press("j", "j", "enter", "!", "enter");
    expect(choicesOf(it.state()).name).toBe("Dashboard d1 (migrated)!");
    it.press("enter", "ctrl+u", "enter");
    expect(choicesOf(it.state()).name).toBe("%s (migrated)");
  });

  it("puts another device in the place of one that is used", () => {
    const it = atTarget();
    it.press("j", "j", "j", "enter");
    it.send({ type: "found", id: "p1", found: [{ kind: "device", id: "p2", name: "Pump 2" }] });
    it.press("j", "enter");
    expect(choicesOf(it.state()).replace.get("p1")?.id).toBe("p2");
  });

  it("saves a plan without beginning", () => {
    const it = atTarget();
    it.press("w", "enter");
    expect([it.done().at(-1), it.state().step]).toEqual(["save", "target"]);
  });

  it("begins with A or with Enter on the last line, and in place after a second key", () => {
    const it = atTarget();
    it.press("j", "enter", "end", "space", "right", "l");
    expect([it.state().step, it.state().question]).toEqual(["target", undefined]);
    it.press("enter", "enter");
    expect(it.state()).toMatchObject({ step: "target", question: undefined });
    it.press("enter", "y");
    expect([it.state().step, it.done().at(-1)]).toEqual(["apply", "apply"]);
    const other = atTarget();
    other.press("A");
    expect([other.state().step, other.done().at(-1)]).toEqual(["apply", "apply"]);
  });

  it("is the earlier copy where there is one, after a question", () => {
    const it = atTarget([{ original: "d1", id: "c1", label: "Dashboard d1 (migrated)" }]);
    expect(targetRows(it.state()).slice(0, 3)).toEqual(["update", "copy", "in-place"]);
    expect(choicesOf(it.state()).mode).toBe("update");
    it.press("A");
    expect(it.state().question?.text).toBe('Overwrite the widgets of "Dashboard d1 (migrated)" in prod (us-e1)?');
    it.press("n", "j", "enter", "A");
    expect([choicesOf(it.state()).mode, it.state().step]).toEqual(["copy", "apply"]);
  });

  it("keeps the cursor on its line when devices and copies arrive, and begins nothing before", () => {
    const it = atReview();
    it.press("enter", "end", "A");
    expect(it.state()).toMatchObject({ step: "target", notice: "Still reading." });
    it.send({ type: "used", things: [], copies: [{ original: "d1", id: "c1", label: "Copy" }] });
    expect(targetRows(it.state())[it.state().row]).toBe("begin");
  });

  it("names several copies by what is added to each name", () => {
    const it = wizard();
    const entries = ["d1", "d2"].map((id) => ({ id, label: `Dashboard ${id}`, widgets: 1 }));
    it.send({ type: "loaded", entries });
    it.press("a", "enter");
    for (const id of ["d1", "d2"]) it.send({ type: "scanned", dashboard: scanned(id, [`${id}w`]) });
    it.send({ type: "scan-ended" });
    it.press("enter", "enter");
    it.send({ type: "used", things: [], copies: [] });
    expect(copyNames(it.state())).toBe("Dashboard d1 (migrated), and 1 more");
    it.press("j", "j", "enter", "ctrl+u", ..."(new)", "enter");
    expect(choicesOf(it.state()).name).toBe("%s (new)");
    expect(copyNames(it.state())).toBe("Dashboard d1 (new), and 1 more");
  });

  it("of a protected environment wants its name typed", () => {
    const it = wizard({ nameToType: "prod" });
    it.send({ type: "loaded", entries: [{ id: "d1", label: "First", widgets: 2 }] });
    it.press("enter");
    it.send({ type: "scanned", dashboard: scanned("d1", ["w1"]) });
    it.press("enter", "enter");
    it.send({ type: "used", things: [], copies: [] });
    it.press("j", "enter", "end", "enter", ..."dev", "enter");
    expect(it.state()).toMatchObject({ step: "target", notice: "The name does not match; nothing changed." });
    it.press("enter", ..."prod", "enter");
    expect(it.state().step).toBe("apply");
    expect(it.last()).toEqual({ do: "apply", typed: "prod" });
  });

  it("of a protected environment wants its name typed for a copy, too", () => {
    const it = wizard({ nameToType: "prod" });
    it.send({ type: "loaded", entries: [{ id: "d1", label: "First", widgets: 2 }] });
    it.press("enter");
    it.send({ type: "scanned", dashboard: scanned("d1", ["w1"]) });
    it.press("enter", "enter");
    it.send({ type: "used", things: [], copies: [] });
    it.press("end", "enter");
    expect([it.state().mode, it.state().step, it.state().question?.kind]).toEqual(["copy", "target", "typed"]);
    it.press(..."prod", "enter");
    expect(it.last()).toEqual({ do: "apply", typed: "prod" });
  });
});

describe("applying", () => {
  function applying() {
    const it = atTarget();
    it.press("end", "enter");
    return it;
  }

  it("waits at a failure for an answer, and takes everything back only after a second key", () => {
    const it = applying();
    it.send({ type: "failure", text: "Wind could not be written." });
    it.press("u", "escape");
    expect(it.state().question?.kind).toBe("failure");
    it.press("u", "n");
    expect(it.state().question?.kind).toBe("failure");
    it.press("u", "y");
    expect(it.done().at(-1)).toBe("answer");
  });

  it("stops after the current request, then offers to take back what was written", () => {
    const it = applying();
    it.press("q");
    expect([it.state().isStopping, it.done().includes("leave")]).toEqual([true, false]);
    it.send({ type: "ended", report: { ...report, state: "stopped" } });
    expect(it.state().question?.kind).toBe("stopped");
    it.press("y");
    expect(it.done().at(-1)).toBe("undo");
    it.send({ type: "undone", count: 1 });
    expect(it.state()).toMatchObject({ step: "report", report: { state: "undone" } });
  });

  it("ends with the report, from which everything can still be taken back", () => {
    const it = applying();
    it.send({ type: "ended", report });
    expect(it.state().step).toBe("report");
    it.press("u", "enter");
    expect(it.done()).not.toContain("undo");
    it.press("u", "y");
    expect(it.done().at(-1)).toBe("undo");
  });
});

describe("an interrupted run", () => {
  const interrupted = { startedAt: "2026-01-02T03:04:05.000Z", steps: 7, dashboards: 1 };

  it.each([
    ["f", "resume"],
    ["b", "undo"],
    ["q", "leave"],
  ])("is settled first: %s means %s", (name, effect) => {
    const it = wizard({ interrupted });
    it.press("escape");
    expect(it.state().question?.kind).toBe("interrupted");
    it.press(name);
    expect(it.done()).toEqual([effect]);
  });
});

describe("an interrupted run in a protected environment", () => {
  const interrupted = { startedAt: "2026-01-02T03:04:05.000Z", steps: 7, dashboards: 1 };

  it.each([
    ["f", "resume"],
    ["b", "undo"],
  ])("is settled after the name was typed: %s means %s", (name, effect) => {
    const it = wizard({ interrupted, nameToType: "prod" });
    it.press(name, ..."dev", "enter");
    expect([it.done(), it.state().question?.kind]).toEqual([[], "interrupted"]);
    it.press(name, "escape");
    expect([it.done(), it.state().question?.kind]).toEqual([[], "interrupted"]);
    it.press(name, ..."prod", "enter");
    expect(it.last()).toEqual({ do: effect, typed: "prod" });
  });
});

describe("the keys", () => {
  it("are told at the bottom, help and leaving last", () => {
    for (const it of [wizard(), atReview(), atTarget()]) {
      expect(
        keyHints(it.state())
          .slice(-2)
          .map(([name]) => name),
      ).toEqual(["?", "q"]);
    }
  });
});
