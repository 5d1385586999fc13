import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../helpers/ci-project.ts";
import { type SmallServer, smallServer } from "../helpers/small-server.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { axeFindings, launch } from "./browser.ts";

const built = join(root, "site/dist");
const versions = JSON.parse(readFileSync(join(root, "site/versions.json"), "utf8")) as string[];
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

let browser: Browser;
let site: SmallServer;
beforeAll(async () => {
  if (!existsSync(join(built, "index.html"))) throw new Error("site/dist is missing: run `npm run docs:site` first");
  browser = await launch();
  site = await smallServer(({ url }, response) => {
    const { pathname } = new URL(url, "http://127.0.0.1");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const file = [path, `${path}.html`].map((name) => join(built, name)).find(existsSync);
    if (file === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "" }).end(readFileSync(file));
  });
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

/** A page in a theme, and what goes wrong in it. */
async function openPage(path: string, colorScheme: "dark" | "light" = "light"): Promise<[Page, string[]]> {
  const page = await browser.newPage({ colorScheme, reducedMotion: "reduce", viewport: { width: 1280, height: 800 } });
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(`${site.url}${path}`);
  await page.waitForLoadState("networkidle");
  return [page, problems];
}

const PATHS = ["/", "/docs/tutorial", "/docs/commands/device"];

describe.each(["light", "dark"] as const)("the site in its %s theme", (theme) => {
  it.each(PATHS)("has nothing that axe finds, also while searching: %s", async (path) => {
    const [page, problems] = await openPage(path, theme);
    expect(await page.evaluate(() => document.documentElement.classList.contains("dark"))).toBe(theme === "dark");
    expect(await axeFindings(page)).toEqual([]);
    // A page that is still being set up does not hear the keys.
    await waitFor(async () => {
      await page.keyboard.press("Control+k");
      return page.locator("#localsearch-input").isVisible();
    }, "the search");
    await page.locator("#localsearch-input").fill("sandbox");
    await page.locator("#localsearch-list li").first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe("the site", () => {
  it("shows the releases and the one it is about, and opens the one that is chosen", async () => {
    const [page] = await openPage("/docs/tutorial");
    const selector = page.getByLabel("Version").first();
    expect(await selector.locator("option").allInnerTexts()).toEqual(versions);
    expect(await selector.locator("option:checked").innerText()).toBe(versions[0]);
    await selector.dispatchEvent("change");
    await page.waitForURL(`${site.url}/`);
    await page.close();
  });

  it("has the release of the package first in its list", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
    expect(versions.slice(0, 1)).toEqual([version]);
    expect(new Set(versions).size).toBe(versions.length);
  });

  it("starts with the promise and the moving picture", async () => {
    const [page] = await openPage("/");
    await page.getByText("No account needed. One install. Your old SDK code runs unchanged.").waitFor();
    const picture = page.locator("main img.tour");
    expect(await picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)).toBe(956);
    await page.close();
  });

  it("finds a command by its words, and opens its page with Enter", async () => {
    const [page] = await openPage("/");
    // A page that is still being set up does not hear the keys.
    await waitFor(async () => {
      await page.keyboard.press("Control+k");
      return page.locator("#localsearch-input").isVisible();
    }, "the search");
    await page.locator("#localsearch-input").fill("iot sandbox snapshot");
    await page.locator("#localsearch-list li").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/sandbox/);
    await page.close();
  });
});
