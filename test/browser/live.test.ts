import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { launch, openConsole } from "./browser.ts";

const DEVICE = "65a1000000000000000d0001";
const PER_SECOND = 200;
const EVENTS = 800;

let browser: Browser;
let sandbox: Sandbox;

beforeAll(async () => {
  browser = await launch();
  sandbox = await createSandbox({ ephemeral: true });
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

/** Sends one reading after the other, evenly, each in a request of its own; slower on a machine that is busy. */
async function send(count: number): Promise<void> {
  // Requests may overtake each other: their order is in the data.
  const firstMs = Date.now();
  const headers = { token: sandbox.tokens.device, "content-type": "application/json" };
  const waiting: Promise<unknown>[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const body = JSON.stringify([{ variable: "burst", value: sent, time: new Date(firstMs + sent) }]);
    waiting.push(fetch(`${sandbox.url}/data`, { method: "POST", headers, body }).then((reply) => reply.text()));
    await new Promise((resolve) => setTimeout(resolve, 1_000 / PER_SECOND));
  }
  await Promise.all(waiting);
}

describe("live data", () => {
  it(`of ${PER_SECOND} events a second is drawn at most ten times a second, and all of it arrives`, async () => {
    const { page, context, problems, open } = await openConsole(browser, sandbox);
    await open(`devices/${DEVICE}`);
    await page.locator(".top").getByText("Live", { exact: true }).first().waitFor();
    await page.evaluate(() => {
      const drawings: number[] = [];
      const observer = new MutationObserver(() => drawings.push(performance.now()));
      const values = document.querySelector(".values");
      if (values !== null) observer.observe(values, { subtree: true, childList: true, characterData: true });
      Object.assign(globalThis, { drawings });
    });
    await send(EVENTS);
    const last = page.locator(".values li", { hasText: "burst" }).getByText(String(EVENTS - 1), { exact: true });
    await last.waitFor();
    const drawings = await page.evaluate<number[]>("drawings");
    expect(drawings.length).toBeGreaterThan(1);
    // On a machine that is busy it takes longer, and there may be as many more.
    const tenths = ((drawings.at(-1) ?? 0) - (drawings[0] ?? 0)) / 100;
    expect(drawings.length).toBeLessThanOrEqual(tenths + 2);
    // The table holds a bounded part of it.
    expect(await page.locator("caption", { hasText: "The newest 500 records" }).count()).toBe(1);
    expect(problems).toEqual([]);
    await context.close();
  });

  it("says in words that the connection is lost, connects again by itself, and reads what it missed", async () => {
    const { page, context, open } = await openConsole(browser, sandbox);
    await open(`devices/${DEVICE}`);
    const top = page.locator(".top");
    await top.getByText("Live", { exact: true }).first().waitFor();
    // The connection stays open in this browser's offline mode: the page finds out that it leads nowhere.
    await context.setOffline(true);
    await top.getByText(/^Offline, reconnecting in \d+ s$/).waitFor();
    const headers = { token: sandbox.tokens.device, "content-type": "application/json" };
    const body = JSON.stringify([{ variable: "missed", value: 42 }]);
    await fetch(`${sandbox.url}/data`, { method: "POST", headers, body });
    await context.setOffline(false);
    await top.getByText("Live", { exact: true }).first().waitFor();
    await page.locator(".values li", { hasText: "missed" }).waitFor();
    await context.close();
  });

  it("ends with the sandbox, and says that this page was let in by another run after its restart", async () => {
    const first = await createSandbox({ ephemeral: true, seed: "empty" });
    const { page, context, open } = await openConsole(browser, first);
    await open("devices");
    await first.close();
    await page
      .locator(".top")
      .getByText(/^Reconnecting in/)
      .waitFor();
    const second = await createSandbox({ ephemeral: true, seed: "empty", port: first.port });
    await page.getByText("iot sandbox open").waitFor();
    await context.close();
    await second.close();
  });
});
