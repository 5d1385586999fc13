import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { launch, openConsole } from "./browser.ts";

/** Widgets of every type, in the legacy structure and in the new one. */
const DASHBOARDS = ["65a1000000000000000b0001", "65a1000000000000000b0002"];
const BLUEPRINT = "65a1000000000000000b0003";

let browser: Browser;
let sandbox: Sandbox;

beforeAll(async () => {
  browser = await launch();
  sandbox = await createSandbox({ ephemeral: true, clock: new Date("2026-01-15T13:37:20Z") });
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

/** Texts that reach beyond the edge of their drawing, in the font of this browser. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.locator(".iot-svg text").evaluateAll((all) =>
    all.flatMap((text) => {
      const [inner, outer] = [text.getBoundingClientRect(), text.closest(".iot-svg")?.getBoundingClientRect()];
      const isCut = outer !== undefined && (inner.left < outer.left - 1 || inner.right > outer.right + 1);
      return isCut ? [text.textContent] : [];
    }),
  );

it.each(DASHBOARDS)("draws the dashboard %s as it is stored, on every tab, and cuts no text", async (id) => {
  const { page, context, problems, open } = await openConsole(browser, sandbox);
  await open(`dashboards/${id}`);
  const tabs = await page.locator(".tabs button").allTextContents();
  const parts: string[] = [];
  for (const tab of tabs) {
    await page.locator(".tabs").getByRole("button", { name: tab, exact: true }).click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll(".cell")].every((cell) =>
        cell.querySelector(".iot-widget, form, .keypad, .push_button, .step_button"),
      ),
    );
    // Files of the sandbox are there a moment later.
    await page.waitForFunction(() =>
      [
        ...document.querySelectorAll(
          "[class~='iot-type-image'], .iot-type-image_marker, .iot-type-compose, .iot-type-heat_map",
        ),
      ].every((figure) => figure.querySelector("image, img")),
    );
    const figures = await page.locator(".cell .iot-widget").evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
    parts.push(`<!-- ${tab} -->`, ...figures);
    expect([tab, await cutTexts(page)]).toEqual([tab, []]);
  }
  // A line for each element, so that a difference can be read.
  const text = `${parts.join("\n").replaceAll("><", ">\n<")}\n`.replace(/(href="\/file\/[^"?]*)\?[^"]*/g, "$1");
  const path = join(import.meta.dirname, "pictures", `${id}.html`);
  if (process.env["UPDATE_DRAWINGS"] === "1") writeFileSync(path, text);
  expect(text).toBe(existsSync(path) ? readFileSync(path, "utf8") : "");
  expect(problems).toEqual([]);
  await context.close();
});

it("draws a blueprint with the data of the chosen devices", async () => {
  const { page, context, open } = await openConsole(browser, sandbox);
  await open(`dashboards/${BLUEPRINT}`);
  const card = page.locator(".widget", { hasText: "Cold store of the same site" });
  await card.getByText(/^-\d+\.\d °C$/).waitFor();
  await page.getByRole("combobox", { name: "Silo", exact: true }).fill("north");
  await page.getByRole("option", { name: "Silo north" }).click();
  await page.locator(".widget", { hasText: "Level of the chosen silo" }).locator("svg path").first().waitFor();
  expect(await page.getByText("No data").count()).toBe(0);
  await context.close();
});
