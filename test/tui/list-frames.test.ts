import { createElement } from "react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { prepareWidths } from "../../src/text/width.ts";
import { ListModel } from "../../src/tui/list/list-model.ts";
import { ListView } from "../../src/tui/list/list-view.tsx";
import type { ListData, ListOptions } from "../../src/tui/list/types.ts";
import { type Shown, show } from "../helpers/frame.ts";

let shown: Shown | undefined;
beforeAll(() => prepareWidths(["é"]));
afterEach(() => {
  shown?.close();
  shown = undefined;
});

const dataOf = (...names: readonly string[]): ListData => ({
  atMs: Date.now(),
  rows: names.map((name, i) => ({ id: String(i), cells: [name, "yes"], content: name })),
  hasMore: false,
});

function view(data: ListData) {
  const load = vi.fn(async () => data);
  const options: ListOptions = {
    title: "devices",
    place: "local",
    columns: [{ title: "name" }, { title: "active" }],
    data,
    empty: "No devices match.",
    load,
    refreshMs: 5_000,
    color: false,
    ascii: false,
    signal: new AbortController().signal,
  };
  const model = new ListModel(options);
  const leave = vi.fn();
  const screen = show(createElement(ListView, { model, options, leave }), { columns: 60, rows: 12 });
  shown = screen;
  return { screen, load, leave };
}

describe("the screen of a list", () => {
  it("marks rows that have changed, keeps what it shows when a reading fails, and leaves with q", async () => {
    const { screen, load, leave } = view(dataOf("Pump 1", "Pump 2"));
    expect(screen.lines()[0]).toMatch(/^devices {3}local {3}2 shown/);
    load.mockResolvedValueOnce(dataOf("Pump 1", "Pump two", "Pump 3"));
    screen.press("r");
    await expect.poll(() => screen.frame()).toMatch(/^ ●Pump two +yes/m);
    expect(screen.frame()).toMatch(/^› Pump 1[\s\S]*^ ●Pump 3/m);
    load.mockRejectedValueOnce(new Error("connect ECONNREFUSED"));
    screen.press("r");
    await expect.poll(() => screen.lines().at(-1)).toBe("Not read: connect ECONNREFUSED");
    expect(screen.frame()).toContain("Pump 3");
    screen.press("q");
    expect(leave).toHaveBeenCalled();
  });

  it("moves through more rows than fit, and says when there is none", async () => {
    const { screen } = view(dataOf(...Array.from({ length: 30 }, (_, i) => `Pump ${i}`)));
    expect(screen.frame()).toContain("↓ 23 more");
    screen.press("end");
    await expect.poll(() => screen.frame()).toContain("› Pump 29");
    screen.close();
    expect(view(dataOf()).screen.frame()).toContain("No devices match.");
  });
});
