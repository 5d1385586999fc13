import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { launch, openConsole } from "./browser.ts";

const DEVICE = "65a1000000000000000d0001";
const PER_SECOND = 200;
const SECONDS = 4;

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

/** Sends one reading after the other, evenly, each in a request of its own. */
async function send(seconds: number): Promise<void> {
  const startMs = performance.now();
  // Requests may overtake each other: their order is in the data.
  const firstMs = Date.now();
  const headers = { token: sandbox.tokens.device, "content-type": "application/json" };
  const waiting: Promise<unknown>[] = [];
  for (let sent = 0; sent < PER_SECOND * seconds; ) {
    const due = Math.min(PER_SECOND * seconds, ((performance.now() - startMs) / 1_000) * PER_SECOND);
    for (; sent < due; sent += 1) {
      const body = JSON.stringify([{ variable: "burst", value: sent, time: new Date(firstMs + sent) }]);
      waiting.push(fetch(`${sandbox.url}/data`, { method: "POST", headers, body }).then((reply) => reply.text()));
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(waiting);
}

describe("live data", () => {
  it(`of ${PER_SECOND} events a second is drawn without a dropped frame for a second, and all of it arrives`, async () => {
    const { page, context, problems, open } = await openConsole(browser, sandbox);
    await open(`devices/${DEVICE}`);
    await page.locator(".top").getByText("Live", { exact: true }).first().waitFor();
    await page.evaluate(() => {
      const frames: number[] = [];
      const count = (ms: number): void => {
        frames.push(ms);
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
      Object.assign(globalThis, { frames });
    });
    await send(SECONDS);
    const last = PER_SECOND * SECONDS - 1;
    await page.locator(".values li", { hasText: "burst" }).getByText(String(last)).waitFor();
    const frames = await page.evaluate<number[]>("frames");
    const gaps = frames.slice(1).map((ms, index) => ms - (frames[index] ?? ms));
    // A frame is dropped when the next one comes after more than one and a half of them.
    let runMs = 0;
    let longestMs = 0;
    for (const gap of gaps) {
      runMs = gap > 25 ? 0 : runMs + gap;
      longestMs = Math.max(longestMs, runMs);
    }
    console.info(
      `longest time without a dropped frame ${longestMs.toFixed(0)} ms, longest frame ${Math.max(...gaps).toFixed(0)} ms`,
    );
    expect(longestMs).toBeGreaterThan(1_000);
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
    await context.setOffline(true);
    // A connection that is open stays so in this browser's offline mode.
    await page.getByRole("button", { name: "Stop live data" }).click();
    await top.getByText("Stopped").first().waitFor();
    await page.getByRole("button", { name: "Start live data" }).click();
    await top.getByText(/^Reconnecting in \d+ s$/).waitFor();
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
