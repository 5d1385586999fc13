import type { Locator } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { axeFindings, consoleUnderTest, sendAs, showWidgets } from "./browser.ts";

const MACHINE = "65a1000000000000000d0008";
const SILO = "65a1000000000000000d0005";

const here = consoleUnderTest();

const chart = (type: string, origin: string, variable: string, more: object = {}, data: object = {}) => ({
  type,
  data: [{ origin, variables: [variable], qty: 100, ...data }],
  display: {
    variables: [{ origin, variable, alias: variable, number_format: { decimals: 1, show_thousand: true }, ...more }],
  },
});
const slider = (name: string): Locator =>
  here.ui.page.getByRole("slider", { name: `Values of ${name} over time`, exact: true });
const tooltips = (): Promise<string[]> => here.ui.page.locator(".tooltip").allInnerTexts();

const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
/** A quarter hour of yesterday. */
const quarter = (n: number): string => new Date(Date.parse(`${DAY}T00:00:00Z`) + n * 900_000).toISOString();

beforeAll(async () => {
  const rows = Array.from({ length: 48 }, (_, n) => ({
    variable: "power",
    value: 1_000 + n,
    unit: "W",
    time: quarter(n),
  }));
  const slow = [0, 1, 2, 3].map((n) => ({ variable: "sum", value: n * 1.25, unit: "l", time: quarter(n * 12) }));
  await sendAs(here.sandbox, MACHINE, rows);
  await sendAs(here.sandbox, SILO, [
    ...slow,
    { variable: "gate", value: "shut", time: quarter(0) },
    { variable: "gate", value: "open", time: quarter(10) },
  ]);
});

it("shows the values of all charts at the time that is pointed at, as each writes numbers and times", async () => {
  await showWidgets(here, [
    chart("line_chart", MACHINE, "power", {}, { timezone: "Asia/Tokyo" }),
    chart("vertical_bar_chart", SILO, "sum", { number_format: { decimals: 2 } }),
    chart("line_chart", SILO, "gate"),
    { type: "note", display: { content: "No times here" } },
  ]);
  const { page } = here.ui;
  await expect.poll(() => page.getByRole("slider").count()).toBe(3);
  const box = await slider("Widget 0").boundingBox();
  if (box === null) throw new Error("The chart is not on the page");
  await page.mouse.move(box.x + box.width * 0.25, box.y + 60);
  await expect.poll(async () => (await tooltips()).length).toBe(3);
  const [own = "", bars = "", states = ""] = await tooltips();
  expect(own).toMatch(/^\w{3} \d+, \d{4}, \d\d:\d\d\s+power\s+1,0\d\d\.0 W$/);
  const [, hour] = /(\d\d):\d\d/.exec(own) ?? [];
  const [, hourUtc] = /(\d\d):\d\d/.exec(bars) ?? [];
  expect((Number(hour) + 24 - Number(hourUtc)) % 24).toBe(9);
  expect(bars).toMatch(/sum\s+(0\.00|1\.25) l$/);
  expect(states).toMatch(/gate\s+shut$/);
  await page.mouse.move(0, 0);
  await expect.poll(async () => (await tooltips()).length).toBe(0);
});

it("is read with the arrow keys, and said by a screen reader", async () => {
  const { page } = here.ui;
  const first = slider("Widget 0");
  await first.focus();
  await page.keyboard.press("Home");
  await expect.poll(() => first.getAttribute("aria-valuetext")).toContain("power: 1,000.0 W");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(() => first.getAttribute("aria-valuetext")).toContain("power: 1,011.0 W");
  await page.keyboard.press("End");
  await expect.poll(() => first.getAttribute("aria-valuetext")).toContain("power: 1,047.0 W");
  await page.keyboard.press("Home");
  await expect.poll(async () => (await tooltips()).length).toBe(3);
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await tooltips()).length).toBe(0);
});

it("shows what is dragged over in the whole dashboard, in the address, and Back returns", async () => {
  const { page } = here.ui;
  const before = page.url();
  const box = await slider("Widget 0").boundingBox();
  if (box === null) throw new Error("The chart is not on the page");
  await page.evaluate(() => scrollTo(0, 120));
  const y = box.y + 60 - 120;
  await page.mouse.move(box.x + box.width * 0.4, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
  expect(await page.locator(".selection").count()).toBe(1);
  await page.mouse.up();
  await page.getByRole("button", { name: "Leave zoom" }).waitFor();
  const { searchParams } = new URL(page.url().replace("#/", ""));
  const [from = 0, to = 0] = ["from", "to"].map((name) => Date.parse(searchParams.get(name) ?? ""));
  expect(from).toBeGreaterThan(Date.parse(quarter(10)));
  expect(to).toBeLessThan(Date.parse(quarter(40)));
  expect(to).toBeGreaterThan(from);
  expect(await page.evaluate(() => scrollY)).toBe(120);
  const first = slider("Widget 0");
  await first.focus();
  await page.keyboard.press("Home");
  const valueAt = async () => Number(/power: 1,0(\d+)/.exec((await first.getAttribute("aria-valuetext")) ?? "")?.[1]);
  await expect.poll(valueAt).toBeGreaterThan(10);
  await page.reload();
  await page.getByRole("button", { name: "Leave zoom" }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Leave zoom" }).waitFor({ state: "detached" });
  expect(page.url()).toBe(before);
});

it("is zoomed with keys and buttons, around the time that is read, and keeps the focus", async () => {
  const { page } = here.ui;
  const first = slider("Widget 0");
  await first.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("+");
  await page.getByRole("button", { name: "Leave zoom" }).waitFor();
  const spanMs = () => {
    const { searchParams } = new URL(page.url().replace("#/", ""));
    return Date.parse(searchParams.get("to") ?? "") - Date.parse(searchParams.get("from") ?? "");
  };
  const span = spanMs();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("slider");
  await page.keyboard.press("-");
  await expect.poll(spanMs).toBe(span * 2);
  await here.button("Zoom in").click();
  await expect.poll(spanMs).toBe(span);
  const start = new URL(page.url().replace("#/", "")).searchParams.get("from");
  await here.button("Later").click();
  await expect.poll(() => page.url()).not.toContain(encodeURIComponent(String(start)));
  expect(await axeFindings(page)).toEqual([]);
  await here.button("Leave zoom").click();
  await expect.poll(() => page.url()).not.toContain("from=");
});

it("leaves alone the charts whose dates the dashboard does not set", async () => {
  await showWidgets(here, [chart("line_chart", MACHINE, "power", {}, { overwrite: false })]);
  const first = slider("Widget 0");
  await first.focus();
  await here.ui.page.keyboard.press("Home");
  await here.ui.page.keyboard.press("+");
  await expect.poll(() => first.getAttribute("aria-valuetext")).toContain("power");
  expect(here.ui.page.url()).not.toContain("from=");
  expect(await first.getAttribute("class")).not.toContain("zooms");
});
