import { createElement } from "react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { prepareWidths } from "../../src/text/width.ts";
import { FleetModel } from "../../src/tui/fleet/fleet-model.ts";
import { FleetScreen } from "../../src/tui/fleet/fleet-view.tsx";
import type { FleetData, FleetDevice } from "../../src/tui/fleet/types.ts";
import { type Shown, show } from "../helpers/frame.ts";

let shown: Shown | undefined;
beforeAll(() => prepareWidths(["é"]));
afterEach(() => {
  shown?.close();
  shown = undefined;
});

const device = (i: number, more: Partial<FleetDevice> = {}): FleetDevice => ({
  id: `d${i}`,
  name: `Pump ${i}`,
  state: i < 3 ? "silent" : "ok",
  inputMs: Date.now() - 60_000 * (i + 1),
  battery: undefined,
  tags: `site=${i % 7}`,
  ...more,
});

function view(devices: readonly FleetDevice[], more: Partial<FleetData> = {}, size = { columns: 80, rows: 24 }) {
  const data: FleetData = { atMs: Date.now(), devices, plan: [], analyses: [], actions: [], problems: [], ...more };
  const load = vi.fn(async () => data);
  const model = new FleetModel({
    place: "prod (Acme)",
    data,
    load,
    refreshMs: 30_000,
    forMs: undefined,
    reasons: async ({ name }) => [`"${name}" is full: it holds 50,000 records.`],
    openDevice: () => Promise.reject(new Error("Authorization Denied")),
    color: false,
    ascii: false,
    signal: new AbortController().signal,
  });
  const screen = show(createElement(FleetScreen, { model, place: "prod (Acme)", leave: () => undefined }), size);
  shown = screen;
  return { model, screen, load };
}

describe("the fleet screen", () => {
  it("answers keys with 10,000 devices, of which it draws those that can be seen", async () => {
    const { screen } = view(Array.from({ length: 10_000 }, (_, i) => device(i)));
    expect(screen.lines()[0]).toMatch(/^fleet {3}prod \(Acme\) {3}3 silent {3}9,997 ok {3}10,000 devices/);
    screen.press("end");
    await expect.poll(() => screen.frame()).toMatch(/› Pump 9999 /);
    screen.press("/", ..."pump 77 site=0");
    await expect.poll(() => screen.lines()[2]).toMatch(/› Pump 77 /);
    screen.press("escape", "s", "S", "home");
    await expect.poll(() => screen.lines()[2]).toMatch(/› Pump 9999 /);
    expect(screen.lines()).toHaveLength(23);
  });

  it("keeps the selected device when the order changes", async () => {
    const { model, screen, load } = view([device(0), device(1), device(2)]);
    screen.press("down");
    await expect.poll(() => screen.lines()[3]).toMatch(/› Pump 1 /);
    load.mockResolvedValueOnce({ ...model.data, devices: [device(9), device(2), device(1), device(0)] });
    screen.press("r");
    await expect.poll(() => screen.lines()[4]).toMatch(/› Pump 1 /);
  });

  it("shows the first of each of the news where not all fit, and all of them with Tab", async () => {
    const events = (name: string) => Array.from({ length: 9 }, (_, i) => ({ name: `${name} ${i}`, atMs: Date.now() }));
    const news = { analyses: events("Report"), actions: events("Alarm"), problems: ["The plan could not be read: no"] };
    const { screen } = view([device(0)], news);
    const text = screen.frame();
    for (const words of ["Failing analyses: 9", "Report 0", "Actions in 24 hours: 9", "Alarm 0", "plan could not"])
      expect(text).toContain(words);
    expect(text).not.toContain("Report 8");
    screen.press("tab");
    await expect.poll(() => screen.frame()).toContain("Report 8");
    screen.press("end");
    await expect.poll(() => screen.frame()).toContain("Alarm 8");
    screen.press("escape");
    await expect.poll(() => screen.frame()).toContain("Pump 0");
  });

  it("says why the selected device sends nothing", async () => {
    const { model, screen } = view([device(0), device(1), device(2)]);
    screen.press("down", "down");
    await expect.poll(() => screen.lines().at(-2)).toBe('"Pump 2" is full: it holds 50,000 records.');
    screen.press("up");
    await expect.poll(() => screen.frame()).not.toContain("is full");
    model.stop();
  });

  it("says how many devices are below those that are drawn", async () => {
    const { screen } = view(Array.from({ length: 40 }, (_, i) => device(i)));
    expect(screen.lines().find((line) => line.includes(" more"))).toBe("  ↓ 24 more");
    screen.press("end");
    await expect.poll(() => screen.frame()).not.toContain(" more");
  });

  it("wraps and scrolls the help where it does not fit", async () => {
    const { screen } = view([device(0)], {}, { columns: 50, rows: 15 });
    screen.press("?");
    await expect.poll(() => screen.frame()).toMatch(/↓ \d+ more/);
    expect(screen.frame()).not.toContain("…");
    screen.press("end");
    await expect.poll(() => screen.frame()).toMatch(/q, Ctrl-C +quit/);
  });

  it("says when a device cannot be opened, and stays", async () => {
    const { screen } = view([device(0)]);
    screen.press("enter");
    await expect.poll(() => screen.lines().at(-1)).toBe("Pump 0: Authorization Denied");
    screen.press("escape");
    await expect.poll(() => screen.lines().at(-1)).toContain("q quit");
  });
});
