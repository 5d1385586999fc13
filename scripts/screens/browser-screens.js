// The pictures that a browser draws, and digests of what they show: by those, a stale picture is found without one.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findChromium } from "../chromium.js";
import { NOW_MS } from "./place.js";

const WIDGETS = 2;
const examples = fileURLToPath(new URL("../../examples/legacy-widgets.json", import.meta.url));
const PLANT_OVERVIEW = "65a1000000000000000b0002";

export const digestOf = (text) => createHash("sha256").update(text).digest("hex");

/** The page with legacy widgets and their conversions, as the program writes it. */
export async function widgetsPage(place) {
  const some = JSON.parse(readFileSync(examples, "utf8")).slice(0, WIDGETS);
  writeFileSync(join(place.folder, "legacy-widgets.json"), JSON.stringify(some));
  const out = join(place.folder, "preview.html");
  await place.iot(["widget", "preview", "legacy-widgets.json", "--html", out, "--theme", "light", "--yes"]);
  return readFileSync(out, "utf8");
}

export async function openBrowser() {
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-partial-raster"];
  return await chromium.launch({ executablePath: findChromium(), args });
}

/** The comparisons of the page as PNG. */
export async function drawWidgets(browser, html) {
  const page = await browser.newPage({ viewport: { width: 880, height: 800 }, deviceScaleFactor: 1.4 });
  await page.setContent(html);
  const first = await page.locator("section.widget").first().boundingBox();
  const last = await page.locator("section.widget").last().boundingBox();
  const edge = 12;
  const clip = {
    x: first.x - edge,
    y: first.y - edge,
    width: first.width + 2 * edge,
    height: last.y + last.height - first.y + 2 * edge,
  };
  const png = await page.screenshot({ clip, fullPage: true });
  await page.close();
  return png;
}

/** What of the console is drawn: the view, and where its widgets are. */
const VIEWS = {
  dashboard: { view: `dashboards/${PLANT_OVERVIEW}`, cells: ".cell", height: 940 },
  editor: { view: `dashboards/${PLANT_OVERVIEW}/edit`, cells: ".editing .cell", height: 720 },
};

/** A view of the demo dashboard in the console: the picture, and a digest of its elements and styles. */
export async function drawConsole(browser, sandbox, colorScheme, name = "dashboard") {
  const { view, cells: selector, height } = VIEWS[name];
  const context = await browser.newContext({
    viewport: { width: 1280, height },
    colorScheme,
    reducedMotion: "reduce",
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  await page.clock.setFixedTime(NOW_MS);
  await page.goto(sandbox.pageAddress());
  await page.waitForURL(`${sandbox.url}/`);
  await page.goto(`${sandbox.url}/#/${view}`);
  await page.locator(".top").getByText("Live", { exact: true }).first().waitFor();
  await page.waitForFunction((selector) => {
    const cells = [...document.querySelectorAll(selector)];
    const areDrawn =
      cells.length > 0 && cells.every((cell) => cell.querySelector(".iot-widget, form, .push_button, .step_button"));
    return areDrawn && [...document.images].every((image) => image.complete);
  }, selector);
  if (name === "editor") {
    // As the keyboard leaves it, with the data of every widget.
    await page.locator(".editing .widget").nth(1).focus();
    await page.waitForFunction(() => document.querySelector(".editing .sample") === null);
  }
  await waitUntilStill(page);
  const shown = await page.evaluate(() => {
    const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText));
    return [document.body.outerHTML, ...rules].join("\n");
  });
  const png = await page.screenshot({ animations: "disabled" });
  await context.close();
  // React numbers the ids of fields in the order in which data happened to arrive.
  return { png, shown: shown.replaceAll(/_r_\w+_/g, "_r_") };
}

/** Waits until the page has been the same for half a second: images of its own are put in once they are loaded. */
async function waitUntilStill(page) {
  let last = "";
  for (let html = await page.content(); html !== last; html = await page.content()) {
    last = html;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
