import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Resources } from "../../src/index.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { axeFindings, launch } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** A browser without a network, and what went wrong in it. */
async function offline(
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && problems.push(message.text())));
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("request", (request) => void (request.url().startsWith("file:") || problems.push(request.url())));
  await context.setOffline(true);
  return { page, problems };
}

const addressOf = (path: string): string => pathToFileURL(path).href;

it.each(["demo", "factory", "fleet-1000", "failures"])(
  "draws every dashboard of %s as a file that needs no network",
  async (seed) => {
    const sandbox = await createSandbox({ ephemeral: true, seed, clock: new Date("2026-01-15T13:37:20Z") });
    const folder = temporaryFolder();
    const env = {
      IOT_CONFIG_DIR: join(folder, "settings"),
      IOT_API_URL: sandbox.url,
      IOT_TOKEN: sandbox.tokens.profile,
    };
    const { page, problems } = await offline();
    try {
      const { dashboards } = new Resources({
        token: sandbox.tokens.profile,
        region: { api: sandbox.url, sse: sandbox.url },
      });
      for (const { id, label } of await dashboards.list({ fields: ["id", "label"] })) {
        const file = `${id}.html`;
        const drawn = await runHere(["dashboard", "render", id, "--html", file], { cwd: folder, env });
        expect(drawn).toMatchObject({ code: 0 });
        await page.goto(addressOf(join(folder, file)));
        expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(label);
        const sizes = await page.evaluate(() => ({
          widgets: document.querySelectorAll(".iot-widget").length,
          empty: [...document.querySelectorAll(".iot-widget")].filter(({ clientHeight }) => clientHeight < 40).length,
          isWide: document.documentElement.scrollWidth > innerWidth,
        }));
        expect({ label, ...sizes }).toMatchObject({ label, empty: 0, isWide: false });
        expect(sizes.widgets).toBeGreaterThan(0);
        const svg = `${id}-svg`;
        mkdirSync(join(folder, svg));
        expect(await runHere(["dashboard", "render", id, "--svg", svg], { cwd: folder, env })).toMatchObject({
          code: 0,
        });
        for (const name of readdirSync(join(folder, svg))) {
          await page.goto(addressOf(join(folder, svg, name)));
          // A file that is not well-formed has an error in place of its figure.
          expect([name, await page.locator(".iot-widget").count(), await page.locator("parsererror").count()]).toEqual([
            name,
            1,
            0,
          ]);
        }
      }
      expect(problems).toEqual([]);
    } finally {
      await page.context().close();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

it("is light and dark as the system is, narrow on a telephone, and light on paper", async () => {
  const sandbox = await createSandbox({ ephemeral: true });
  const folder = temporaryFolder();
  const env = { IOT_CONFIG_DIR: join(folder, "settings"), IOT_API_URL: sandbox.url, IOT_TOKEN: sandbox.tokens.profile };
  const line = ["dashboard", "render", "65a1000000000000000b0002", "--html", "p.html"];
  expect(await runHere(line, { cwd: folder, env })).toMatchObject({ code: 0 });
  await sandbox.close();
  const background = (page: Page): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const seen: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, problems } = await offline({ colorScheme, viewport: { width: 360, height: 800 } });
    await page.goto(addressOf(join(folder, "p.html")));
    seen.push(await background(page));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(problems).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ media: "print", colorScheme: "light" });
    expect(await background(page)).toBe("rgb(255, 255, 255)");
    await page.context().close();
  }
  expect(new Set(seen).size).toBe(2);
  rmSync(folder, { recursive: true, force: true });
});
