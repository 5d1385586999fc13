import { beforeEach, describe, expect, it } from "vitest";
import type { WidgetCreateInfo } from "../../src/index.ts";
import { axeFindings, consoleUnderTest, sendAs } from "./browser.ts";

const FREEZER = "65a1000000000000000d0001";
const MACHINE = "65a1000000000000000d0008";
const STATION = "65a1000000000000000d0002";

const startMs = Date.now();
// A clock that stands still: drawings made at two moments are the same.
const here = consoleUnderTest({}, { clock: new Date(startMs) });
const { button } = here;
const header = () => here.ui.page.locator(".top [role=status]");
const widget = (name: string) => here.ui.page.locator(".widget", { hasText: name });
/** The text of a widget's drawing. */
const drawn = (name: string) => async () => (await widget(name).locator("svg").first().textContent()) ?? "";

const cardOf = (query: object) => ({
  type: "card",
  data: [{ origin: MACHINE, variables: ["pressure"], ...query }],
  display: { alias: "Pressure" },
});
/** The console cannot tell the greatest value of all from the records it has. */
const GREATEST = cardOf({ query: "max" });
const LAST = cardOf({ query: "last_value" });

async function show(widgets: Readonly<Record<string, Omit<WidgetCreateInfo, "label">>>): Promise<string> {
  const { dashboard } = await here.resources.dashboards.create({ label: "Made here" });
  const arrangement = [];
  for (const [label, made] of Object.entries(widgets)) {
    const { widget: id } = await here.resources.dashboards.widgets.create(dashboard, { label, ...made });
    arrangement.push({ widget_id: id, x: 0, y: arrangement.length * 4, width: 6, height: 4 });
  }
  await here.resources.dashboards.edit(dashboard, { arrangement });
  await here.ui.page.goto(`${here.sandbox.url}/#/dashboards/${dashboard}`);
  return dashboard;
}

let sent = 0;
/** Sends a value; each a second after the one before. */
const send = (value: number, variable = "pressure") =>
  sendAs(here.sandbox, MACHINE, { variable, value, time: new Date(startMs - 600_000 + sent++ * 1_000) });

/** Counts the reads of widgets, and how many of them were in flight at once. */
function watchReads() {
  const counts = { reads: 0, inFlight: 0, most: 0 };
  const isRead = (url: string): boolean => url.includes("/data/");
  here.ui.page.on("request", (request) => {
    if (!isRead(request.url()) || request.method() !== "GET") return;
    counts.reads += 1;
    counts.inFlight += 1;
    counts.most = Math.max(counts.most, counts.inFlight);
  });
  const ended = (url: string): void => {
    if (isRead(url)) counts.inFlight -= 1;
  };
  here.ui.page.on("requestfinished", (request) => request.method() === "GET" && ended(request.url()));
  here.ui.page.on("requestfailed", (request) => request.method() === "GET" && ended(request.url()));
  return counts;
}

beforeEach(() => here.sandbox.faults.set([]));

describe("a widget that has to be read again", () => {
  it("shows every reply that is slower than the events, with one request in flight", async () => {
    await send(1);
    await show({ Greatest: GREATEST });
    await expect.poll(drawn("Greatest")).toContain("1");
    here.sandbox.faults.set([{ kind: "latency", route: "GET /data/*", delayMs: 1_500 }]);
    const counts = watchReads();
    let isSending = true;
    let value = 100;
    const sending = (async () => {
      while (isSending) await Promise.all([send(value++), new Promise((resolve) => setTimeout(resolve, 200))]);
    })();
    // Each of them while events go on arriving.
    let before = await drawn("Greatest")();
    for (let change = 0; change < 3; change += 1) {
      await expect.poll(drawn("Greatest")).not.toBe(before);
      before = await drawn("Greatest")();
    }
    isSending = false;
    await sending;
    // What arrived last is read as well.
    await expect.poll(drawn("Greatest")).toContain(String(value - 1));
    expect(counts.most).toBe(1);
  });

  it("keeps its values when that fails, says since when and why, and the header does not say that all is live", async () => {
    await send(1_000);
    await show({ Greatest: GREATEST });
    await expect.poll(drawn("Greatest")).toContain("1000");
    await expect.poll(() => header().textContent()).toBe("Live");
    here.sandbox.faults.set([{ kind: "status", route: "GET /data/*", status: 503 }]);
    await send(2_000);
    await widget("Greatest")
      .getByText(/^Stale since \d\d:\d\d:\d\d · 503 Injected fault$/)
      .waitFor();
    expect(await drawn("Greatest")()).toContain("1000");
    await expect.poll(() => header().textContent()).toBe("Out of date");
    expect(await axeFindings(here.ui.page)).toEqual([]);
    here.sandbox.faults.set([]);
    await button("Try again").click();
    await expect.poll(drawn("Greatest")).toContain("2000");
    await expect.poll(() => header().textContent()).toBe("Live");
    expect(await widget("Greatest").locator(".stale").count()).toBe(0);
    // The browser tells of each refused request.
    expect(here.ui.problems.splice(0).every((text) => text.includes("503"))).toBe(true);
  });

  it("says that it waits while a read takes long", async () => {
    await send(3_000);
    await show({ Greatest: GREATEST });
    await expect.poll(drawn("Greatest")).toContain("3000");
    here.sandbox.faults.set([{ kind: "latency", route: "GET /data/*", delayMs: 8_000 }]);
    await send(4_000);
    await widget("Greatest")
      .getByText(/^Stale since .* · waiting for a response$/)
      .waitFor();
    await expect.poll(() => header().textContent()).toBe("Out of date");
    await expect.poll(drawn("Greatest")).toContain("4000");
    await expect.poll(() => header().textContent()).toBe("Live");
  });

  it("is not read in a hidden tab, but as soon as it is seen", async () => {
    await send(5_000);
    await show({ Greatest: GREATEST, Last: LAST });
    await expect.poll(drawn("Greatest")).toContain("5000");
    const hide = (isHidden: boolean) =>
      here.ui.page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { configurable: true, value });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    await hide(true);
    const counts = watchReads();
    await send(6_000);
    await expect.poll(drawn("Last")).toContain("6000");
    expect(counts.reads).toBe(0);
    expect(await drawn("Greatest")()).toContain("5000");
    await hide(false);
    await expect.poll(drawn("Greatest")).toContain("6000");
  });

  it("is read again when records of its device are deleted or edited elsewhere", async () => {
    await send(7_000);
    await show({ Last: LAST });
    await expect.poll(drawn("Last")).toContain("7000");
    const [record] = await here.resources.devices.getDeviceData(MACHINE, { variables: "pressure", qty: 1 });
    await here.resources.devices.editDeviceData(MACHINE, { id: record?.id ?? "", value: 7_001 });
    await expect.poll(drawn("Last")).toContain("7001");
    await here.resources.devices.emptyDeviceData(MACHINE);
    await expect.poll(drawn("Last")).not.toContain("7001");
  });
});

describe("events", () => {
  it("are applied to last values and series at once, without a read", async () => {
    const chart = {
      type: "line_chart",
      data: [{ origin: MACHINE, variables: ["pressure"], qty: 3, start_date: "1 day" }],
      display: { variables: [{ origin: MACHINE, variable: "pressure" }], show_point_values: true },
    };
    await here.resources.devices.emptyDeviceData(MACHINE);
    for (const value of [11, 12, 13]) await send(value);
    await show({ Last: LAST, Series: chart });
    await expect.poll(drawn("Last")).toContain("13");
    await expect.poll(drawn("Series")).toContain("11");
    const counts = watchReads();
    await send(47);
    await expect.poll(drawn("Last")).toContain("47");
    // Neither an older record nor one outside of the dates changes them.
    await sendAs(here.sandbox, MACHINE, { variable: "pressure", value: 99, time: new Date(startMs - 172_800_000) });
    await send(48, "other");
    await send(49);
    await expect.poll(drawn("Last")).toContain("49");
    await expect.poll(drawn("Series")).toContain("pressure: 49");
    expect(counts.reads).toBe(0);
    // Of the series, the oldest ones have left.
    const series = () =>
      widget("Series")
        .locator("figure")
        .evaluate(({ outerHTML }) => outerHTML);
    const applied = await series();
    await here.ui.page.reload();
    await expect.poll(series).toBe(applied);
  });

  it("lead to the same drawings as reading all of it again", async () => {
    for (const [dashboard, tab] of [
      ["65a1000000000000000b0001", "Gauges"],
      ["65a1000000000000000b0001", "Charts"],
      ["65a1000000000000000b0002", "Overview"],
    ] as const) {
      const open = async (): Promise<void> => {
        await here.ui.open(`dashboards/${dashboard}`);
        await button(tab).click();
        await here.ui.page.locator("figure.iot-widget").first().waitFor();
      };
      await open();
      const records = ["temperature", "humidity", "wind", "load", "energy"].flatMap((variable) =>
        [1, 2, 3].map((step) => ({ variable, value: 40 + step, time: new Date(startMs - 10_000 + step) })),
      );
      for (const device of [FREEZER, STATION, MACHINE]) await sendAs(here.sandbox, device, records);
      await sendAs(here.sandbox, FREEZER, { variable: "temperature", value: -77.5, time: new Date(startMs) });
      await here.ui.page.getByText("-77.5", { exact: false }).first().waitFor({ state: "attached" });
      const figures = () =>
        here.ui.page
          .locator("figure.iot-widget:not(.iot-type-clock)")
          .evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
      let last: string[] = [];
      const isSettled = async (): Promise<boolean> => {
        const before = last;
        last = await figures();
        return before.join() === last.join();
      };
      await expect.poll(isSettled, { interval: 1_500 }).toBe(true);
      await here.ui.page.reload();
      await open();
      await expect.poll(figures).toEqual(last);
    }
  });

  it("missed while the live data was stopped are read when it starts again", async () => {
    await send(21);
    await show({ Last: LAST });
    await expect.poll(drawn("Last")).toContain("21");
    await button("Stop live data").click();
    await send(22);
    await button("Start live data").click();
    await expect.poll(drawn("Last")).toContain("22");
  });
});

describe("the header", () => {
  it("stops saying Live without a click when the browser is offline", async () => {
    await here.ui.open("devices");
    await expect.poll(() => header().textContent()).toBe("Live");
    await here.ui.context.setOffline(true);
    await expect.poll(() => header().textContent()).toBe("Reconnecting");
    await here.ui.context.setOffline(false);
    await expect.poll(() => header().textContent()).toBe("Live");
    expect(here.ui.problems.splice(0).every((text) => text.includes("ERR_INTERNET_DISCONNECTED"))).toBe(true);
  });
});

describe("the name of a widget", () => {
  it("is there while it loads, above a place holder", async () => {
    here.sandbox.faults.set([{ kind: "latency", route: "GET /data/*", delayMs: 5_000 }]);
    await send(31);
    await show({ "Slow one": LAST });
    await here.ui.page.locator(".widget", { hasText: "Slow one" }).locator(".skeleton").waitFor();
    expect(await axeFindings(here.ui.page)).toEqual([]);
    here.sandbox.faults.set([]);
    await expect.poll(drawn("Slow one")).toContain("31");
  });

  it("is there when it cannot be loaded, with the status and a button", async () => {
    here.sandbox.faults.set([{ kind: "status", route: "GET /data/*", status: 403 }]);
    await send(32);
    await show({ "Failing one": LAST });
    await widget("Failing one").getByText("403 Injected fault").waitFor();
    expect(await axeFindings(here.ui.page)).toEqual([]);
    here.sandbox.faults.set([]);
    await widget("Failing one").getByRole("button", { name: "Try again" }).click();
    await expect.poll(drawn("Failing one")).toContain("32");
    expect(here.ui.problems.splice(0).every((text) => text.includes("403"))).toBe(true);
  });
});

describe("a device that gets readings", () => {
  const level = (value: number) => sendAs(here.sandbox, FREEZER, { variable: "aaa_level", value });

  it("keeps the zoom of its chart until that is undone", async () => {
    for (let value = 0; value < 20; value += 1) await level(value);
    await here.ui.open(`devices/${FREEZER}`);
    const chart = here.ui.page.locator(".chart");
    await chart.and(here.ui.page.getByLabel(/20 values/)).waitFor();
    await chart.scrollIntoViewIfNeeded();
    const over = await chart.locator(".u-over").boundingBox();
    const { x, y, width } = over ?? { x: 0, y: 0, width: 0 };
    await here.ui.page.mouse.move(x + width * 0.3, y + 40);
    await here.ui.page.mouse.down();
    await here.ui.page.mouse.move(x + width * 0.6, y + 60, { steps: 4 });
    await here.ui.page.mouse.up();
    await button("Reset zoom").waitFor();
    await level(20);
    await chart.and(here.ui.page.getByLabel(/21 values/)).waitFor();
    expect(await button("Reset zoom").count()).toBe(1);
    expect(await axeFindings(here.ui.page)).toEqual([]);
    await button("Reset zoom").click();
    await button("Reset zoom").waitFor({ state: "detached" });
  });

  it("leaves its chart open where records are missing", async () => {
    const times = Array.from({ length: 60 }, (_, minute) => minute).filter((minute) => minute < 20 || minute >= 40);
    const records = times.map((minute) => ({
      ...{ variable: "aaa_hole", value: 5 },
      time: new Date(startMs - 3_600_000 + minute * 60_000),
    }));
    await sendAs(here.sandbox, FREEZER, records);
    await here.ui.open(`devices/${FREEZER}?variable=aaa_hole&period=1%20hour`);
    await here.ui.page.getByLabel("Chart of aaa_hole: 40 values, the last one is 5").waitFor();
    // Where a part of the width has the color of the line.
    const isDrawn = (part: number) =>
      here.ui.page.locator(".chart canvas").evaluate((canvas: HTMLCanvasElement, at) => {
        const plot = document.querySelector(".u-over")?.getBoundingClientRect() ?? new DOMRect();
        const ratio = canvas.width / canvas.getBoundingClientRect().width;
        const x = Math.round((plot.left - canvas.getBoundingClientRect().left + plot.width * at) * ratio);
        const probe = new OffscreenCanvas(1, 1).getContext("2d");
        if (probe === null) return undefined;
        probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--chart-line").trim();
        probe.fillRect(0, 0, 1, 1);
        const line = [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
        const column = canvas.getContext("2d")?.getImageData(x, 0, 1, canvas.height).data ?? [];
        return Array.from({ length: column.length / 4 }, (_, y) => [...column.slice(y * 4, y * 4 + 3)].join()).includes(
          line,
        );
      }, part);
    expect([await isDrawn(0.15), await isDrawn(0.5), await isDrawn(0.85)]).toEqual([true, false, true]);
  });

  it("keeps the page of its records, and counts the new ones", async () => {
    await here.ui.open(`devices/${FREEZER}`);
    const rows = () => here.ui.page.locator("section", { hasText: "Records" }).last().locator("tbody tr");
    await here.ui.page
      .getByRole("navigation", { name: /records/ })
      .getByRole("button", { name: "Next" })
      .click();
    await here.ui.page.getByText(/^Page 2 of/).waitFor();
    const before = await rows().allTextContents();
    for (const value of [101, 102, 103]) await level(value);
    await button("3 new records").waitFor();
    expect(await rows().allTextContents()).toEqual(before);
    await button("3 new records").click();
    await here.ui.page.getByText(/^Page 1 of/).waitFor();
    expect((await rows().allTextContents())[0]).toContain("103");
  });
});
