import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { axeFindings, launch, openConsole, VIEWS } from "./browser.ts";

let browser: Browser;
let sandbox: Sandbox;

beforeAll(async () => {
  browser = await launch();
  sandbox = await createSandbox({ ephemeral: true });
  await sandbox.snapshots.create("keep");
  sandbox.faults.set([{ kind: "latency", route: "GET /billing", delayMs: 1 }]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

describe.each([
  ["in light colors, 1280 wide", { colorScheme: "light", viewport: { width: 1280, height: 800 } }],
  ["in dark colors, 1280 wide", { colorScheme: "dark", viewport: { width: 1280, height: 800 } }],
  ["in light colors, 360 wide", { colorScheme: "light", viewport: { width: 360, height: 740 } }],
  ["in dark colors, 3840 wide", { colorScheme: "dark", viewport: { width: 3840, height: 2160 } }],
] as const)("every view %s", (_, options) => {
  it("loads, stays in its width, and axe and the content security policy find nothing", async () => {
    const { page, context, problems, open } = await openConsole(browser, sandbox, options);
    for (const [view, title] of Object.entries(VIEWS)) {
      await open(view);
      expect(await page.locator("h1").allTextContents(), view).toEqual([title]);
      expect(await page.title()).toContain("Sandbox");
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(tooWide, view).toBeLessThanOrEqual(0);
      expect(await page.locator("[role=alert]").allTextContents(), view).toEqual([]);
      expect(await axeFindings(page), view).toEqual([]);
    }
    expect(problems).toEqual([]);
    await context.close();
  });
});

/** Words of the cells that are broken in two, though they are words. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("main") ?? document, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement?.closest("td, thead th") === null) continue;
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1 && /^[\w-]{1,24}$/.test(word)) broken.push(word);
      }
    }
    return broken;
  });

describe("the console", () => {
  it("breaks no word of its lists in two", async () => {
    const { page, context, open } = await openConsole(browser, sandbox);
    for (const view of ["devices", "requests", "actions", "users", "outbox", "faults"]) {
      await open(view);
      expect(await brokenWords(page), view).toEqual([]);
    }
    await context.close();
  });

  it("tells a browser that was not let in how to get in", async () => {
    const page = await browser.newPage();
    await page.goto(`${sandbox.url}/`);
    await page.waitForSelector("h1");
    expect(await page.textContent("main")).toContain("iot sandbox open");
    await page.close();
  });

  it("can be used with the keyboard, with a menu on a narrow screen", async () => {
    const { page, context, open } = await openConsole(browser, sandbox, { viewport: { width: 360, height: 740 } });
    await open("devices");
    // Where a page starts, not where another view was opened: that gives the heading the focus.
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    const views = page.locator("#views");
    expect(await views.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    expect(await views.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await views.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    await page.getByRole("link", { name: "Outbox" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Outbox" }).waitFor();
    expect(await views.isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Outbox");
    await context.close();
  });

  it("remembers the colors that were chosen", async () => {
    const { page, context, open } = await openConsole(browser, sandbox, { colorScheme: "light" });
    await open("devices");
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    await page.getByLabel("Colors").selectOption("dark");
    expect(await background()).not.toBe(light);
    await page.reload();
    await page.waitForSelector("main h1");
    expect(await page.getByLabel("Colors").inputValue()).toBe("dark");
    await context.close();
  });
});
