import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/index.ts";
import { axeFindings, consoleUnderTest, openConsole } from "./browser.ts";

const ui = consoleUnderTest();

/** The server of somebody else on this machine, at another port of the console's host name. */
const received: IncomingHttpHeaders[] = [];
const other = createServer(({ headers }, response) => {
  received.push(headers);
  response.setHeader("content-type", "text/html");
  response.end("<!doctype html><title>Other</title><p>Hello</p>");
});
let address = "";
beforeAll(async () => {
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  address = `http://${new URL(ui.sandbox.url).hostname}:${(other.address() as AddressInfo).port}/__sandbox/x`;
});
afterAll(() => void other.close());

const session = (headers: Record<string, string>): Promise<number> =>
  fetch(`${ui.sandbox.url}/__sandbox/session`, { headers }).then(({ status }) => status);

it("gives nothing to a server on another port, whatever the browser loads from it", async () => {
  const { context, page } = ui.ui;
  await ui.ui.open("devices");
  expect(await context.cookies()).toEqual([]);
  const elsewhere = await context.newPage();
  await elsewhere.goto(address);
  const found = await elsewhere.evaluate(async (url) => {
    await new Promise((done) => {
      const image = new Image();
      image.onload = image.onerror = done;
      image.src = `${location.pathname}?image`;
    });
    const reach = (path: string) =>
      fetch(`${url}${path}`, { credentials: "include" }).then(
        () => "read",
        () => "failed",
      );
    return {
      cookie: document.cookie,
      stored: sessionStorage.length + localStorage.length,
      reached: [await reach("/__sandbox/session"), await reach("/__sandbox/export")],
    };
  }, ui.sandbox.url);
  expect(found).toEqual({ cookie: "", stored: 0, reached: ["failed", "failed"] });
  // The tab of the console itself, and a window that the other page opens on it.
  await page.goto(address);
  expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0);
  const [popup] = await Promise.all([
    context.waitForEvent("page"),
    elsewhere.evaluate((url) => void window.open(`${url}/`), ui.sandbox.url),
  ]);
  await popup.getByText("Inspection is for programs on this machine").waitFor();
  await popup.close();
  await ui.ui.open("devices");
  expect(received.length).toBeGreaterThan(2);
  for (const headers of received) {
    expect([headers.cookie, headers.authorization, headers.referer]).toEqual([
      undefined,
      undefined,
      headers["sec-fetch-dest"] === "image" ? address : undefined,
    ]);
    const sent = Object.values(headers).flat().map(String);
    for (const value of sent) {
      expect(await session({ cookie: value })).not.toBe(200);
      if (/^[\w -]+$/.test(value)) expect(await session({ authorization: `Bearer ${value}` })).not.toBe(200);
    }
  }
  await elsewhere.close();
  ui.ui.problems.length = 0;
});

it("keeps the key for its own address alone, in all tabs of the browser", async () => {
  const { context, page } = ui.ui;
  await page.reload();
  await page.waitForSelector("main h1");
  const key = await page.evaluate(() => localStorage.getItem("iot-sandbox-key"));
  expect(key).toMatch(/^\S{32}$/);
  expect(await session({ authorization: `Bearer ${key}` })).toBe(200);
  const [second] = await Promise.all([
    context.waitForEvent("page"),
    page
      .getByRole("link", { name: "Dashboards" })
      .first()
      .click({ modifiers: ["Control"] }),
  ]);
  await second.getByRole("heading", { name: "Dashboards", level: 1 }).waitFor();
  await second.close();
  // The same port under another name of this machine is another address.
  const named = await context.newPage();
  await named.goto(`http://localhost:${new URL(ui.sandbox.url).port}/`);
  await named.getByText("This page is for the user who started the sandbox").waitFor();
  expect(await axeFindings(named)).toEqual([]);
  await named.close();
});

it("keeps the key of https away from a server that takes over its port with http", async () => {
  const sandbox = await createSandbox({ ephemeral: true, seed: "empty", tls: true });
  const { port } = new URL(sandbox.url);
  const browser = ui.ui.context.browser();
  if (browser === null) throw new Error("There is no browser");
  const secure = await openConsole(browser, sandbox, { ignoreHTTPSErrors: true });
  await secure.page.waitForSelector("main h1");
  const key = await secure.page.evaluate(() => localStorage.getItem("iot-sandbox-key"));
  expect(key).toMatch(/^\S{32}$/);
  await sandbox.close();
  const heard: string[] = [];
  const plain = createServer(({ headers, url = "" }, response) => {
    heard.push(JSON.stringify(headers), url);
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>Other</title>");
  });
  await new Promise<void>((done) => plain.listen(Number(port), "127.0.0.1", done));
  try {
    await secure.page.goto(`http://127.0.0.1:${port}/`);
    expect(await secure.page.evaluate(() => [document.cookie, localStorage.length + sessionStorage.length])).toEqual([
      "",
      0,
    ]);
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.join(" ")).not.toContain(key);
  } finally {
    await secure.context.close();
    plain.closeAllConnections();
    plain.close();
  }
});

it("lets nobody in with a code that was used, and leaves none in the address", async () => {
  const used = ui.sandbox.pageAddress();
  const browser = ui.ui.context.browser();
  if (browser === null) throw new Error("There is no browser");
  const code = new URL(used).hash.slice(1);
  const first = await browser.newContext();
  const page = await first.newPage();
  await page.goto(used);
  await page.waitForSelector("main h1");
  expect(page.url()).not.toContain(code);
  await page.goBack().catch(() => null);
  expect(page.url()).not.toContain(code);
  await first.close();
  const late = await browser.newContext();
  const again = await late.newPage();
  await again.goto(used);
  await again.getByText("This page is for the user who started the sandbox").waitFor();
  await late.close();
});

it("downloads everything as a file", async () => {
  const browser = ui.ui.context.browser();
  if (browser === null) throw new Error("There is no browser");
  const { page, context, open, problems } = await openConsole(browser, ui.sandbox);
  await open("snapshots");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download everything as a file" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("sandbox.tgz");
  const [first] = await (await download.createReadStream()).take(1).toArray();
  expect([...(first as Buffer).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  expect(problems).toEqual([]);
  await context.close();
});
