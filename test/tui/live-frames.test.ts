import { createElement } from "react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { prepareWidths } from "../../src/text/width.ts";
import { chartValues } from "../../src/tui/live/chart-values.ts";
import type { LiveCommand } from "../../src/tui/live/live-keys.ts";
import { LiveModel } from "../../src/tui/live/live-model.ts";
import { LiveView } from "../../src/tui/live/live-view.tsx";
import type { LiveOptions, LiveRow, LiveWaiting } from "../../src/tui/live/types.ts";
import { type Shown, show } from "../helpers/frame.ts";

const NOW = Date.parse("2026-03-02T14:04:00Z");
const row = (secondsAgo: number, variable: string, value: number | string, unit = ""): LiveRow => {
  const atMs = NOW - secondsAgo * 1_000;
  const number = typeof value === "number" ? { number: value } : {};
  return {
    atMs,
    timeMs: atMs,
    device: "Pump 3",
    variable,
    value: String(value),
    unit,
    ...number,
    record: { variable },
  };
};
async function* nothing(): AsyncGenerator<never> {
  // Rows are given to the model itself.
}

let shown: Shown | undefined;
beforeAll(() => prepareWidths(["é"]));
afterEach(() => {
  shown?.close();
  shown = undefined;
});

function view(rows: readonly LiveRow[], size = { columns: 80, rows: 24 }, waiting: LiveWaiting = {}) {
  const model = new LiveModel(() => NOW);
  model.take({ type: "open" });
  if (rows.length > 0) model.take({ type: "rows", rows });
  const options: LiveOptions = {
    title: { channel: "device_data", names: ["Pump 3"], place: "local (Demo Plant)" },
    waiting,
    items: nothing(),
    close: () => undefined,
    now: () => NOW,
    color: false,
    ascii: false,
    zone: "UTC",
    signal: new AbortController().signal,
    staysOpen: true,
    fileName: "stream-2026-03-02T14-04-00.ndjson",
    save: async () => "",
  };
  const onCommand = (command: LiveCommand): void => {
    if (command.type !== "quit" && command.type !== "save") model.dispatch(command);
  };
  const screen = show(createElement(LiveView, { model, options, onCommand }), size);
  shown = screen;
  return { model, screen };
}

const minute = Array.from({ length: 60 }, (_, i) => row(59 - i, "temperature", 20 + (i % 11), "°C"));

describe("the live view", () => {
  it("begins with one row for each variable, those with numbers first, and they stay in place", () => {
    const { screen } = view([row(3, "door", "open"), ...minute, row(0, "door", "shut")]);
    expect(screen.lines()[2]).toMatch(/^› 14:04:00\.000 {2}temperature +24 {2}°C +60 {2}[▁-█]{20}/);
    expect(screen.lines()[3]).toMatch(/^ {2}14:04:00\.000 {2}door +shut +2$/);
  });

  it("frames the chart, with values and their unit at the side and times below", () => {
    const lines = view(minute).screen.lines();
    const [top, ...rest] = lines.slice(15, 22);
    expect(top).toMatch(/^┌── temperature ─+ 60 s {2}min 20 {2}avg [\d.]+ {2}max 30 ─┐$/);
    expect(rest.slice(0, -1).map((line) => /^│ +(\d+ °C)?/.exec(line)?.[1] ?? "")).toEqual([
      "30 °C",
      "",
      "25 °C",
      "",
      "20 °C",
    ]);
    expect(rest.at(-1)).toMatch(/^└─+ 14:03:00 ─+ 14:03:30 ─+ 14:04:00 ─┘$/);
  });

  it("gives the free columns to the trend", { tags: ["slow"] }, () => {
    const width = (columns: number): number =>
      (/[▁-█]+$/.exec(view(minute, { columns, rows: 24 }).screen.lines()[2] ?? "")?.[0] ?? "").length;
    expect(width(80)).toBeGreaterThan(25);
    expect(width(120)).toBe(60);
  });

  it("says while nothing arrives what it waits for, the last input, and how to send some", async () => {
    const { model, screen } = view([], undefined, { send: "iot device data send d1 temperature=21.5" });
    model.quietBecause({ reasons: [], lastInputMs: NOW - 7 * 60_000 });
    await expect.poll(() => screen.frame()).toContain("Waiting for data. Last input 7 min ago.");
    expect(screen.frame()).toContain("iot device data send d1 temperature=21.5");
  });

  it("says why nothing arrives, in the table or below it, until something does", async () => {
    const { model, screen } = view([], undefined, { send: "iot device data send d1 temperature=21.5" });
    model.quietBecause({ reasons: ["The device is inactive: its data is rejected."], lastInputMs: undefined });
    await expect.poll(() => screen.lines()[3]).toContain("The device is inactive");
    expect(screen.frame()).not.toContain("data send");
    model.take({ type: "rows", rows: [row(1, "door", "open")] });
    expect(model.reasons).toEqual([]);
    model.quietBecause({ reasons: ["The device is full."], lastInputMs: undefined });
    await expect.poll(() => screen.lines().at(-1)).toContain("No data arrives. The device is full.");
  });

  it("filters as the filter is typed, edits it in the middle, and shows everything again after Esc", {
    tags: ["slow"],
  }, async () => {
    const { screen } = view([row(1, "door", "open"), ...minute]);
    screen.press("/", ..."or", "home", ..."do");
    await expect.poll(() => screen.frame()).toContain("Filter: door");
    expect(screen.frame()).not.toContain("°C  ");
    screen.press("escape");
    await expect.poll(() => screen.frame()).toContain("temperature");
  });

  it("asks for the name of a file in one line, with its keys", async () => {
    const { screen } = view(minute);
    screen.press("w");
    await expect.poll(() => screen.frame()).toContain("Save all 60 to: stream-2026-03-02T14-04-00.ndjson");
    expect(screen.lines().at(-1)).toMatch(/Esc back$/);
  });

  it("keeps the environment in its first line when older records were dropped", { tags: ["slow"] }, async () => {
    const { model, screen } = view(minute, { columns: 104, rows: 40 });
    model.buffer.counters.dropped = 440;
    model.dispatch({ type: "notice", text: "" });
    await expect.poll(() => screen.lines()[0]).toContain("440 dropped");
    expect(screen.lines()[0]).toContain("local (Demo Plant)");
  });
});

describe("the chart", () => {
  it("has the ends of its axis where its title says the least and the greatest value are", async () => {
    // Five records in each second: their averages never reach a peak.
    const numbers = Array.from({ length: 300 }, (_, i) => (i % 5 === 0 ? 90 : i % 5 === 1 ? -20 : 10));
    const rows = numbers.map((number, i) => row(60 - i / 5, "temperature", number));
    const { screen } = view(rows, { columns: 100, rows: 40 });
    await expect.poll(() => screen.frame()).toMatch(/min -20 {2}avg [\d.]+ {2}max 90/);
    const labels = screen.lines().flatMap((line) => /^│\s+(-?[\d.]+)(?: \S+)? /.exec(line)?.[1] ?? []);
    expect([labels.at(0), labels.at(-1)]).toEqual(["90", "-20"]);
  });
});

describe("the line of a chart", () => {
  const span = { nowMs: 10_000, spanMs: 10_000 };
  const one = (value: number) => ({ min: value, average: value, max: value, last: value });
  const drawn = (value: number) => ({ low: value, high: value });
  const none = undefined;
  const values = [one(1), none, none, none, none, one(2), none, none, none, none];

  it("goes on between two records", () => {
    expect(chartValues(values, { ...span, gaps: [] })).toEqual([drawn(1), 1, 1, 1, 1, drawn(2), 2, 2, 2, 2]);
  });

  it("goes from the least to the greatest value of a column, and on at the last one", () => {
    expect(chartValues([{ min: 1, average: 2, max: 6, last: 1 }, none], { ...span, gaps: [] })).toEqual([
      { low: 1, high: 6 },
      1,
    ]);
  });

  it("ends where the connection was lost, and begins again with the next record", () => {
    const gaps = [{ lostAtMs: 2_500, resumedAtMs: 4_500 }];
    expect(chartValues(values, { ...span, gaps }).slice(0, 6)).toEqual([drawn(1), 1, none, none, none, drawn(2)]);
  });

  it("ends while the connection is lost", () => {
    const model = new LiveModel(() => 7_500);
    model.take({ type: "retry", delayMs: 1_000, failures: 1, reason: "" });
    expect(chartValues(values, { ...span, gaps: model.gaps })[8]).toBeUndefined();
  });
});
