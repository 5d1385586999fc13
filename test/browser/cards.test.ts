import { expect, it } from "vitest";
import { axeFindings, consoleUnderTest, sendAs, showWidgets } from "./browser.ts";

const FREEZER = "65a1000000000000000d0001";
const PLANT = "65a1000000000000000b0002";
const here = consoleUnderTest();
const cardNames = () => here.ui.page.locator(".card .whole").allTextContents();

const card = (label: string) => ({
  label,
  type: "card",
  display: {},
  data: [{ origin: FREEZER, variables: ["temperature"], qty: 1 }],
});

it("shows dashboards as cards with pictures, whose widgets nobody can reach, or as a table", async () => {
  const { page, open } = here.ui;
  await open("dashboards");
  await page.locator(".card", { hasText: "Plant overview" }).locator(".thumbnail .iot-svg").first().waitFor();
  expect(await cardNames()).toEqual(["Plant overview", "Plant, old widgets", "Silo, any of them"]);
  expect(await page.locator(".thumbnail:not([inert])").count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  // The whole card leads there, the picture as well.
  await page.locator(".thumbnail").first().click({ force: true });
  await page.getByRole("heading", { name: "Plant overview", level: 1 }).waitFor();
  await open("dashboards?look=table");
  await page.getByRole("columnheader", { name: "Id" }).waitFor();
  expect(await page.locator(".card").count()).toBe(0);
});

it("reads no more than the widgets at the top of the cards in sight", async () => {
  const { page, open } = here.ui;
  for (let n = 0; n < 30; n += 1) await here.resources.dashboards.create({ label: `Zone ${n}` });
  await open("analyses");
  const before = here.sandbox.requestLog().length;
  await open("dashboards");
  await page.getByText("Page 1 of 2, 33 rows").waitFor();
  await page.locator(".thumbnail").last().scrollIntoViewIfNeeded();
  await page.locator(".card", { hasText: "Plant overview" }).locator(".thumbnail .iot-svg").first().waitFor();
  const reads = here.sandbox.requestLog().slice(before);
  const widgets = reads.filter(({ url }) => /^\/data\/[0-9a-f]{24}\//.test(url));
  expect(new Set(widgets.map(({ url }) => url)).size).toBeLessThanOrEqual(16);
  for (const { id, label } of await here.resources.dashboards.list({ amount: 100, fields: ["id", "label"] }))
    if (label.startsWith("Zone ")) await here.resources.dashboards.delete(id);
});

it("puts favourites first, also when the page is opened again", async () => {
  const { page, open } = here.ui;
  await open("dashboards");
  const star = page.getByRole("button", { name: "Favourite: Silo, any of them" });
  await star.click();
  await expect.poll(async () => (await cardNames())[0]).toBe("Silo, any of them");
  expect(await star.getAttribute("aria-pressed")).toBe("true");
  await page.reload();
  await star.waitFor();
  expect((await cardNames())[0]).toBe("Silo, any of them");
  await star.click();
  await expect.poll(async () => (await cardNames())[0]).toBe("Plant overview");
});

it("marks each of two dashboards whose stars are pressed at once", async () => {
  const { page, open } = here.ui;
  await open("dashboards");
  const stars = page.locator(".star");
  await stars.first().waitFor();
  await page.evaluate(() => {
    for (const star of [...document.querySelectorAll<HTMLElement>(".star")].slice(1, 3)) star.click();
  });
  const marked = page.locator(".star[aria-pressed=true]");
  await expect.poll(() => marked.count()).toBe(2);
  await page.reload();
  await expect.poll(() => marked.count()).toBe(2);
  for (let left = 2; left > 0; left -= 1) {
    await marked.first().click();
    await expect.poll(() => marked.count()).toBe(left - 1);
  }
});

it("compares blueprints with the device that they show first", async () => {
  const { page, open } = here.ui;
  const { blueprint_devices } = await here.resources.dashboards.info("65a1000000000000000b0003");
  const placeholder = (blueprint_devices?.[0] as { id?: string } | undefined)?.id ?? "";
  const data = [{ origin: placeholder, variables: ["level"], qty: 1 }];
  const level = { ...card("Level"), data };
  const more = { type: "blueprint", blueprint_devices } as const;
  const old = await showWidgets(here, [level], { label: "Any silo", ...more });
  const copy = await showWidgets(here, [level], { label: "Any silo (migrated)", ...more });
  await open(`dashboards/${old}/compare?with=${copy}`);
  const drawn = page.locator(".pair .widget .iot-svg desc");
  await expect.poll(() => drawn.allTextContents()).toHaveLength(2);
  for (const text of await drawn.allTextContents()) expect(text).toMatch(/level: \d/);
});

it("shows a dashboard and its migrated copy side by side, with data as it arrives", async () => {
  const { page, open } = here.ui;
  const old = await showWidgets(here, [card("Cold"), card("Only old")], { label: "Tank" });
  const copy = await showWidgets(here, [card("Cold, new")], { label: "Tank (migrated)" });
  await open("dashboards");
  await page.locator(".card", { hasText: "Tank (migrated)" }).getByRole("link", { name: "Old and new" }).click();
  await page.getByRole("heading", { name: "Old and new", level: 1 }).waitFor();
  const pair = page.locator(".pair").first();
  const names = () => pair.getByRole("heading", { level: 2 }).allTextContents();
  await expect.poll(names).toEqual(["Cold", "Cold, new"]);
  await here.says("There is no widget in this cell.");
  await sendAs(here.sandbox, FREEZER, { variable: "temperature", value: -33.25 });
  const shown = pair.locator(".widget", { hasText: "-33.25" });
  await expect.poll(() => shown.count()).toBe(2);
  expect(await axeFindings(page)).toEqual([]);
  for (const one of [old, copy]) {
    await open(`dashboards/${one}`);
    const link = page.getByRole("link", { name: "Old and new" });
    expect(await link.getAttribute("href")).toBe(`#/dashboards/${old}/compare?with=${copy}`);
  }
  await open(`dashboards/${PLANT}`);
  expect(await page.getByRole("link", { name: "Old and new" }).count()).toBe(0);
});

it("shows the lines of an analysis's console by level, each with its time", async () => {
  const { page, open } = here.ui;
  const { id } = await here.resources.analysis.create({ name: "Levels", runtime: "node", tags: [], active: true });
  const script = 'console.log("all is well"); console.error("too warm");';
  await here.resources.analysis.uploadScript(id, {
    name: "levels.js",
    language: "node",
    content: Buffer.from(script).toString("base64"),
  });
  await open(`analyses/${id}`);
  await here.button("Run analysis").click();
  const lines = page.locator(".console li");
  await expect.poll(async () => (await lines.allTextContents()).join("\n")).toMatch(/all is well[\s\S]*ended/);
  expect(await lines.locator("time").count()).toBe(await lines.count());
  await here.field("Show").selectOption("Errors");
  await expect.poll(() => lines.count()).toBe(1);
  expect(await lines.first().textContent()).toMatch(/Error too warm$/);
});
