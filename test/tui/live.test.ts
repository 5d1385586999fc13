import { describe, expect, it } from "vitest";
import { drawChart } from "../../src/text/draw-chart.ts";
import { prepareWidths, widthOf } from "../../src/text/width.ts";
import { fitHints } from "../../src/tui/components/key-hints/fit-hints.ts";
import { sparkline } from "../../src/tui/components/sparkline/sparkline.ts";
import { fitParts } from "../../src/tui/components/status-line/fit-parts.ts";
import { layOut, lineOf } from "../../src/tui/components/table/columns.ts";
import { fieldOf } from "../../src/tui/components/text-field/state.ts";
import { LiveBuffer, MAX_ROWS, rangeOf, trendOf } from "../../src/tui/live/buffer.ts";
import { liveCommand } from "../../src/tui/live/live-keys.ts";
import { LiveModel } from "../../src/tui/live/live-model.ts";
import { firstState } from "../../src/tui/live/live-state.ts";
import type { LiveRow } from "../../src/tui/live/types.ts";
import { visibleRows } from "../../src/tui/live/visible-rows.ts";
import { stateText } from "../../src/tui/live/words.ts";

const row = (n: number, change: Partial<LiveRow> = {}): LiveRow => ({
  atMs: n * 100,
  timeMs: n * 100,
  device: n % 2 === 0 ? "Pump 3" : "Pump 4",
  variable: "pressure",
  value: String(n),
  number: n,
  unit: "bar",
  record: { value: n },
  ...change,
});
const rows = (from: number, to: number): LiveRow[] => Array.from({ length: to - from }, (_, i) => row(from + i));
const key = (name: string) => ({ name, text: name.length === 1 ? name : "" });
const page = { rows: 10, fileName: "file.ndjson" };

describe("what a stream brought", () => {
  it("is bounded: older rows leave and are counted, none is lost", () => {
    const buffer = new LiveBuffer();
    buffer.take({ type: "rows", rows: rows(0, MAX_ROWS + 312) });
    expect(buffer.size).toBe(MAX_ROWS);
    expect(buffer.counters).toEqual({ received: MAX_ROWS + 312, dropped: 312, lost: 0, gaps: 0 });
    const [newest] = buffer.newestFirst();
    expect(newest?.kind === "row" && newest.row.value).toBe(String(MAX_ROWS + 311));
  });

  it("has trends and ranges over time", () => {
    const buffer = new LiveBuffer();
    buffer.take({ type: "rows", rows: [row(0, { atMs: 1_000, number: 1 }), row(2, { atMs: 59_000, number: 3 })] });
    const series = [...buffer.series.values()][0];
    if (series === undefined) throw new Error("There is no series");
    expect(trendOf(series, 60_000, 60_000, 2)).toEqual([1, 3]);
    expect(rangeOf(series, 60_000, 60_000)).toEqual({ min: 1, average: 2, max: 3, last: 3 });
    expect(rangeOf(series, 60_000, 10_000)).toEqual({ min: 3, average: 3, max: 3, last: 3 });
    expect(rangeOf(series, 400_000, 10_000)).toBeUndefined();
  });

  it("has a bounded number of trends", () => {
    const buffer = new LiveBuffer();
    buffer.take({ type: "rows", rows: Array.from({ length: 400 }, (_, n) => row(n, { variable: `v${n}` })) });
    expect(buffer.series.size).toBe(300);
    expect([...buffer.series.values()].at(-1)?.variable).toBe("v399");
  });

  it("draws a variable whose trend has left from its records", () => {
    const model = new LiveModel(() => 2_000_000);
    const many = Array.from({ length: 4_000 }, (_, n) =>
      row(n, { variable: `v${n}`, atMs: 1_999_000, value: "7", number: 7 }),
    );
    model.take({ type: "rows", rows: many });
    model.dispatch({ type: "go-last" });
    model.dispatch({ type: "move", by: -3_000 });
    const series = model.charted();
    expect(series?.variable).toBe(model.rows()[model.selectedIndex()]?.id.split("\u0000")[1]);
    expect(series && rangeOf(series, 2_000_000, 60_000)).toEqual({ min: 7, average: 7, max: 7, last: 7 });
  });

  it("groups by device only where there are several", () => {
    const oneDevice = new LiveModel(() => 0);
    oneDevice.take({ type: "rows", rows: [row(0), row(2)] });
    oneDevice.dispatch({ type: "cycle-group" });
    expect(oneDevice.state.group).toBe("none");
    const two = new LiveModel(() => 0);
    two.take({ type: "rows", rows: [row(0), row(1)] });
    two.dispatch({ type: "cycle-group" });
    expect(two.state.group).toBe("device");
  });

  it("tells how many rows came per second", () => {
    const buffer = new LiveBuffer();
    buffer.take({ type: "rows", rows: rows(0, 100) });
    expect(buffer.rate(10_000)).toBeCloseTo(10, 0);
  });
});

describe("the rows shown", () => {
  const buffer = new LiveBuffer();
  buffer.take({ type: "rows", rows: rows(0, 4) });
  buffer.take({ type: "gap", lostAtMs: 400, resumedAtMs: 900 });
  buffer.take({ type: "rows", rows: rows(4, 6) });
  const shown = (change: object) =>
    visibleRows(buffer.newestFirst(), buffer.series, { ...firstState, group: "none", ...change }).map(({ kept }) =>
      kept.kind === "gap" ? "gap" : kept.row.value,
    );

  it("are the newest first, the gap where it was", () => {
    expect(shown({})).toEqual(["5", "4", "gap", "3", "2", "1", "0"]);
  });

  it("follow the filter: every word of it, whatever its capitals", () => {
    expect(shown({ filter: "PRESS 4" })).toEqual(["5", "4", "gap", "3", "1"]);
    expect(shown({ filter: "nothing", group: "variable" })).toEqual([]);
  });

  it("are grouped and sorted", () => {
    expect(shown({ group: "variable" })).toEqual(["4", "5"]);
    expect(shown({ sort: "value", isReversed: true })).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(shown({ sort: "device" })).toEqual(["4", "2", "0", "5", "3", "1"]);
  });
});

describe("the live view", () => {
  const model = () => {
    const made = new LiveModel(() => 10_000);
    made.take({ type: "rows", rows: rows(0, 10) });
    made.state = { ...made.state, group: "none" };
    return made;
  };

  it("holds still while paused, counts what waits, and goes on", () => {
    const here = model();
    here.dispatch({ type: "toggle-pause" });
    here.take({ type: "rows", rows: rows(10, 15) });
    expect(here.waiting).toBe(5);
    expect(here.rows()).toHaveLength(10);
    here.dispatch({ type: "toggle-pause" });
    expect(here.rows()).toHaveLength(15);
    expect(here.waiting).toBe(0);
  });

  it("keeps the selected record selected while new ones come", () => {
    const here = model();
    here.dispatch({ type: "move", by: 3 });
    const { selected } = here.state;
    here.take({ type: "rows", rows: rows(10, 12) });
    here.dispatch({ type: "notice", text: "" });
    expect(here.state.selected).toBe(selected);
    expect(here.selectedIndex()).toBe(5);
  });

  it("says its state in words", () => {
    const base = { isPaused: false, waiting: 0, rate: 12.4, nowMs: 0 };
    expect(stateText({ ...base, connection: { state: "open" } })).toBe("LIVE 12.4/s");
    expect(stateText({ ...base, connection: { state: "open" }, isPaused: true, waiting: 312 })).toBe(
      "PAUSED (312 waiting)",
    );
    expect(
      stateText({ ...base, connection: { state: "retry", lostAtMs: 0, untilMs: 2_500, failures: 2, reason: "" } }),
    ).toBe("RETRY in 3 s (2nd attempt)");
    expect(stateText({ ...base, connection: { state: "stopped" } })).toBe("STOPPED");
  });
});

describe("keys of the live view", () => {
  it("do what the line at the bottom says", () => {
    expect(liveCommand(key("p"), firstState, page)).toEqual({ type: "toggle-pause" });
    expect(liveCommand(key("q"), firstState, page)).toEqual({ type: "quit" });
    expect(liveCommand(key("pagedown"), firstState, page)).toEqual({ type: "move", by: 10 });
    expect(liveCommand(key("w"), firstState, page)).toEqual({ type: "ask", kind: "save", text: "file.ndjson" });
  });

  it("do what the help says, in both directions", () => {
    const stateAfter = (...names: readonly string[]) => {
      const made = new LiveModel(() => 10_000);
      made.take({ type: "rows", rows: rows(0, 2) });
      for (const name of names) {
        const command = liveCommand(key(name), made.state, page);
        if (command !== undefined && command.type !== "quit" && command.type !== "save") made.dispatch(command);
      }
      return made.state;
    };
    expect(stateAfter("s")).toMatchObject({ sort: "device", isReversed: false });
    expect(stateAfter("s", "S")).toMatchObject({ sort: "device", isReversed: true });
    expect(stateAfter("s", "S", "S")).toMatchObject({ sort: "device", isReversed: false });
    expect(stateAfter("g")).toMatchObject({ group: "device" });
    expect(stateAfter("c")).toMatchObject({ hasChart: false });
    expect(stateAfter("tab")).toMatchObject({ pane: "chart" });
    expect(stateAfter("tab", "escape")).toMatchObject({ pane: "table" });
    expect(stateAfter("?")).toMatchObject({ overlay: "help" });
    for (const [wider, narrower] of [
      ["+", "-"],
      ["right", "left"],
      ["l", "h"],
    ] as const) {
      expect(stateAfter(wider)).toMatchObject({ rangeIndex: firstState.rangeIndex + 1 });
      expect(stateAfter(narrower)).toMatchObject({ rangeIndex: firstState.rangeIndex - 1 });
    }
  });

  it("are text while something is asked, and pasted text is never a key", () => {
    const asked = { ...firstState, prompt: { kind: "filter", field: fieldOf("a"), isAll: false } } as const;
    expect(liveCommand(key("q"), asked, page)).toEqual({ type: "edit", field: fieldOf("aq") });
    expect(liveCommand({ name: "paste", text: "q\u001b[31m\r" }, asked, page)).toEqual({
      type: "edit",
      field: fieldOf("aq␛[31m"),
    });
    expect(liveCommand({ name: "paste", text: "q" }, firstState, page)).toBeUndefined();
  });
});

describe("parts of screens", () => {
  it("line up with wide and combining characters at every width", async () => {
    await prepareWidths(["冷"]);
    const columns = [
      { title: "device", least: 8, leaves: 1 },
      { title: "value", align: "right", least: 6 },
    ] as const;
    const cells = [
      ["Kühlraum 冷蔵 7", "1.5"],
      ["Cafe\u0301 👩‍🚒", "22"],
      ["x", "a long value that has to be cut"],
    ];
    for (let width = 6; width < 80; width += 1) {
      const laid = layOut(columns, cells, width);
      const widths = cells.map((row) => widthOf(lineOf(laid, row, "…")));
      expect(new Set(widths).size).toBe(1);
      expect(widths[0]).toBeLessThanOrEqual(Math.max(6, width));
    }
  });

  it("give way in narrow windows, the important ones last", () => {
    const parts = [
      { id: "a", text: "device_data", leaves: 2 },
      { id: "b", text: "LIVE 12.4/s" },
      { id: "c", text: "lost 0", leaves: 1 },
    ];
    expect(fitParts(parts, 80, "…")).toHaveLength(3);
    expect(fitParts(parts, 22, "…").map(({ text }) => text)).toEqual(["LIVE 12.4/s", "lost 0"]);
    expect(fitParts(parts, 5, "…").map(({ text }) => text)).toEqual(["LIVE…"]);
    const hints = [
      ["p", "pause"],
      ["/", "filter"],
      ["?", "help"],
      ["q", "quit"],
    ] as const;
    expect(fitHints(hints, 18).map(([one]) => one)).toEqual(["?", "q"]);
  });

  it("draw lines with braille or any characters, and end them at gaps", () => {
    expect(drawChart([0, 1, undefined, 1], { width: 4, height: 2, ascii: true })).toEqual([" * *", "*   "]);
    expect(drawChart([0, 0, 3, 3], { width: 2, height: 1, ascii: false })).toEqual(["⣀⠏"]);
    expect(drawChart([], { width: 3, height: 1, ascii: true })).toEqual(["   "]);
  });

  it("draw trends from the least to the greatest value", () => {
    expect(sparkline([1, undefined, 3, 2], ["a", "b", "c"])).toBe("a cb");
    expect(sparkline([2, 2], ["a", "b", "c"])).toBe("bb");
  });
});
