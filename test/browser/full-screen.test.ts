import { expect, it } from "vitest";
import { axeFindings, consoleUnderTest } from "./browser.ts";

const PLANT = "dashboards/65a1000000000000000b0002";

const here = consoleUnderTest();

const frames = (): Promise<number> => here.ui.page.locator("header.top, nav#views, main > footer").count();

it("shows a dashboard without the frame by f and by a button, until Escape, and its address has it", async () => {
  const { page, open } = here.ui;
  await open(PLANT);
  await page.locator(".cell .iot-svg").first().waitFor();
  expect(await frames()).toBe(3);
  const reads = (): number => here.sandbox.requestLog().filter(({ url }) => url.startsWith("/data/")).length;
  const before = reads();
  await page.keyboard.press("f");
  await expect.poll(frames).toBe(0);
  expect(reads()).toBe(before);
  await expect.poll(() => page.url()).toContain("full=1");
  expect(await page.locator("main .heading .tag").count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  await page.reload();
  await page.locator(".cell .iot-svg").first().waitFor();
  expect(await frames()).toBe(0);
  await page.keyboard.press("Escape");
  await expect.poll(frames).toBe(3);
  await expect.poll(() => page.url()).not.toContain("full=");
  await here.button("Full screen").click();
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  // Chromium leaves its full screen by Escape without a key for the page.
  await page.evaluate(() => document.exitFullscreen());
  await expect.poll(frames).toBe(3);
});

it("finds everything with Ctrl-K in full screen, too, and Escape closes that first", async () => {
  const { page, open } = here.ui;
  await open(`${PLANT}?full=1`);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  expect(await frames()).toBe(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search devices, dashboards, views and actions" }).fill("freezer 1");
  await page
    .getByRole("option", { name: /Freezer 1/ })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Freezer 1", level: 1 }).waitFor();
});

it("leaves the frame alone when f is typed into a field", async () => {
  const { page, open } = here.ui;
  await open(PLANT);
  const field = page.locator(".widget input[type=search]").first();
  await field.press("f");
  expect(await field.inputValue()).toBe("f");
  expect(await frames()).toBe(3);
});

it("says in full screen that the connection is lost", async () => {
  const { page, context, open } = here.ui;
  await open(`${PLANT}?full=1`);
  expect(await page.locator(".bare > .state").count()).toBe(0);
  await page.route("**/__sandbox/stream", (route) => route.abort());
  await context.setOffline(true);
  await page.locator(".bare > .state", { hasText: /reconnecting/i }).waitFor();
  await context.setOffline(false);
  await page.unroute("**/__sandbox/stream");
  await page.locator(".bare > .state").waitFor({ state: "detached" });
  here.ui.problems.length = 0;
});

it("names widgets by their label, and by their type only where there is none", async () => {
  const { dashboard } = await here.resources.dashboards.create({ label: "Names" });
  const note = { label: "Named", type: "note", display: { content: "Here" } };
  const { widget: named } = await here.resources.dashboards.widgets.create(dashboard, note);
  await here.resources.dashboards.edit(dashboard, {
    arrangement: [{ widget_id: named, x: 0, y: 0, width: 4, height: 3 }],
  });
  await here.ui.open(`dashboards/${dashboard}`);
  const header = here.ui.page.locator(".widget > header h2");
  await expect.poll(() => header.allTextContents()).toEqual(["Named"]);
  await here.ui.page.route(`**/data/${dashboard}/*`, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.result.widget.label = "";
    body.result.widget.type = "line_chart";
    await route.fulfill({ response, json: body });
  });
  await here.ui.page.reload();
  await expect.poll(() => header.allTextContents()).toEqual(["line chart"]);
  await here.ui.page.unroute(`**/data/${dashboard}/*`);
});
