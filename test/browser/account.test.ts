import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { type ConsoleHere, consoleHere } from "../helpers/account-console.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { axeFindings, launch, sendAs } from "./browser.ts";

const PLANT = "65a1000000000000000b0002";
const FREEZER = "65a1000000000000000d0001";

let browser: Browser;
let sandbox: Sandbox;
let env: Record<string, string>;
beforeAll(async () => {
  browser = await launch();
  // It stands in for the platform, with its limits.
  sandbox = await createSandbox({ ephemeral: true, rateLimits: true });
  env = {
    IOT_CONFIG_DIR: temporaryFolder(),
    IOT_API_URL: sandbox.url,
    IOT_EVENTS_URL: sandbox.eventsUrl,
    IOT_TOKEN: sandbox.tokens.profile,
  };
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

interface Opened {
  readonly running: ConsoleHere;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly problems: string[];
  /** Everything that the page has asked for and got. */
  readonly traffic: string[];
  end(): Promise<void>;
}

async function open(line: readonly string[]): Promise<Opened> {
  const running = await consoleHere({ env }, line, { isForPage: true });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const problems: string[] = [];
  const traffic: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => void (message.type() === "error" && problems.push(message.text())));
  page.on("request", (request) => {
    if (!request.url().startsWith(running.origin)) problems.push(request.url());
    traffic.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? "");
  });
  page.on("response", (response) => {
    traffic.push(JSON.stringify(response.headers()));
    if (response.url().includes("/api/"))
      response.text().then(
        (text) => traffic.push(text),
        () => undefined,
      );
  });
  await page.goto(running.address);
  const end = async (): Promise<void> => {
    await context.close();
    await running.stop();
  };
  return { running, context, page, problems, traffic, end };
}

it("opens a dashboard of the account, read-only, and no token is in the page, its storage, addresses or requests", async () => {
  const { page, context, problems, traffic, end } = await open(["dashboard", "view", PLANT]);
  await page.getByRole("heading", { name: "Plant overview", level: 1 }).waitFor();
  await page.locator(".cell .iot-svg").first().waitFor();
  expect(await page.locator("nav:not(.tabs) a").allTextContents()).toEqual(["Devices", "Dashboards"]);
  await page.getByText("Read-only", { exact: true }).waitFor();
  await page.getByText(/^\d+ requests$/).waitFor();
  expect(await page.locator(".writes, form.widget-form, .push_button, .keypad button").count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("link", { name: "Devices" }).first().click();
  await page.getByRole("link", { name: "Freezer 1" }).click();
  await page.getByRole("heading", { name: "Last values" }).waitFor();
  expect(await page.getByRole("heading", { name: "Change the device" }).count()).toBe(0);
  const inPage = await page.evaluate(() => [
    document.documentElement.outerHTML,
    JSON.stringify({ ...localStorage }),
    JSON.stringify({ ...sessionStorage }),
    document.cookie,
    location.href,
  ]);
  const state = JSON.stringify(await context.storageState());
  const all = [...inPage, state, ...traffic].join("\n");
  expect(all).toContain("Freezer 1");
  for (const token of [sandbox.tokens.profile, sandbox.tokens.device, sandbox.tokens.analysis])
    expect(all).not.toContain(token);
  expect(problems).toEqual([]);
  await end();
});

it("remembers favourites on this machine, without a write to the account, and reads no widget for a card", async () => {
  const before = sandbox.requestLog().length;
  const first = await open(["console"]);
  await first.page.getByRole("link", { name: "Dashboards" }).first().click();
  await first.page.getByRole("button", { name: "Favourite: Silo, any of them" }).click();
  const names = (page: Page) => page.locator(".card .whole").allTextContents();
  await expect.poll(async () => (await names(first.page))[0]).toBe("Silo, any of them");
  expect(await axeFindings(first.page)).toEqual([]);
  await first.end();
  const again = await open(["console"]);
  await again.page.getByRole("link", { name: "Dashboards" }).first().click();
  await expect.poll(async () => (await names(again.page))[0]).toBe("Silo, any of them");
  await again.end();
  const sent = sandbox.requestLog().slice(before);
  expect(sent.filter(({ method, url }) => method !== "GET" || url.startsWith("/data/"))).toEqual([]);
  expect([...first.problems, ...again.problems]).toEqual([]);
});

it("shows new data without reading, and reads no widget twice in ten seconds", async () => {
  const before = sandbox.requestLog().length;
  const { page, problems, end } = await open(["dashboard", "view", PLANT]);
  await page.getByRole("heading", { name: "Plant overview", level: 1 }).waitFor();
  await page.locator(".cell .iot-svg").first().waitFor();
  await page.getByText("Live", { exact: true }).first().waitFor();
  // At 20 records a second these take longer than two reads of a widget are apart.
  const value = 240;
  for (let sent = 1; sent <= value; sent += 1) {
    await sendAs(sandbox, FREEZER, { variable: "temperature", value: -sent, unit: "°C" });
    await page.waitForTimeout(50);
  }
  await page.getByText(`-${value}`, { exact: false }).first().waitFor({ state: "attached" });
  const log = sandbox
    .requestLog()
    .slice(before)
    .filter(({ method, url }) => method === "GET" && url.startsWith("/data/"));
  const times = new Map<string, number[]>();
  for (const { url, time } of log) times.set(url, [...(times.get(url) ?? []), Date.parse(time)]);
  for (const [url, each] of times) {
    const gaps = each.slice(1).map((time, i) => time - (each[i] ?? 0));
    // The log has milliseconds, and the times of the ends.
    expect([url, gaps.filter((gap) => gap < 9_000)]).toEqual([url, []]);
  }
  expect(sandbox.requestLog().filter(({ status }) => status === 429)).toEqual([]);
  expect(problems).toEqual([]);
  await end();
});

it("writes with --write, in a frame that says so", async () => {
  const name = new URL(sandbox.url).host;
  const { page, problems, end } = await open(["dashboard", "view", PLANT, "--write", "--confirm", name]);
  await page.getByText("Can write", { exact: true }).waitFor();
  expect(await page.locator(".shell.writes").count()).toBe(1);
  expect(await page.locator(".shell").evaluate((shell) => getComputedStyle(shell).outlineWidth)).toBe("4px");
  const button = page.locator(".push_button button").first();
  await button.click();
  await page
    .getByText(/^Sent /)
    .first()
    .waitFor();
  const posts = sandbox.requestLog().filter(({ method, url }) => method === "POST" && url.startsWith(`/data/${PLANT}`));
  expect(posts.length).toBe(1);
  expect(posts[0]?.status).toBe(200);
  expect(problems).toEqual([]);
  await end();
});

it("edits a dashboard with --write, by requests that the command passes on, and not without", async () => {
  const name = new URL(sandbox.url).host;
  const { page, running, problems, end } = await open(["dashboard", "view", PLANT, "--write", "--confirm", name]);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const wind = page.getByRole("application", { name: /^Wind,/ });
  await wind.focus();
  await page.keyboard.press("Shift+ArrowDown");
  const since = sandbox.requestLog().length;
  await page.keyboard.press("Control+s");
  await page.getByText("Everything is saved", { exact: true }).waitFor();
  // It compares with what is there, not with what it has read before.
  const sent = sandbox.requestLog().slice(since);
  const own = sent.filter(({ url }) => url === `/dashboard/${PLANT}`).map(({ method }) => method);
  expect(own.slice(0, 2)).toEqual(["GET", "PUT"]);
  expect([problems, new URL(page.url()).origin]).toEqual([[], running.origin]);
  await end();
  const reading = await open(["dashboard", "view", PLANT]);
  await reading.page.getByRole("heading", { name: "Plant overview", level: 1 }).waitFor();
  expect(await reading.page.getByRole("link", { name: "Edit", exact: true }).count()).toBe(0);
  await reading.page.goto(`${reading.running.origin}/#/dashboards/${PLANT}/edit`);
  await reading.page.getByText("This console only reads.", { exact: false }).waitFor();
  await reading.end();
});

it("lets nobody in with a code that was used, and says how to get in", async () => {
  const { running, end } = await open(["console"]);
  const other = await browser.newContext();
  const late = await other.newPage();
  await late.goto(running.address);
  await late.getByText("This page is for the user who started the console").waitFor();
  await other.close();
  await end();
});
