import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { axeFindings, consoleUnderTest, launch, openConsole } from "./browser.ts";

const FREEZER = "65a1000000000000000d0001";
const MACHINE = "65a1000000000000000d0008";

describe("a form", () => {
  const here = consoleUnderTest();
  const { field, button } = here;

  /** Waits until a field says what is wrong with it, also to screen readers. */
  async function saysAt(name: string, text: string): Promise<void> {
    const input = here.ui.page.getByRole("textbox", { name, exact: true });
    await expect.poll(() => input.getAttribute("aria-invalid")).toBe("true");
    const id = await input.getAttribute("aria-describedby");
    expect(await here.ui.page.locator(`[id="${id}"]`).textContent()).toContain(text);
    here.ui.problems.length = 0;
  }

  it("shows at its fields what the platform refuses", async () => {
    await here.ui.open("devices");
    await field("New device").fill("x".repeat(150));
    await button("Create").click();
    await saysAt("New device", "At most 100 characters");
    expect(await field("New device").inputValue()).toHaveLength(150);
    expect(await axeFindings(here.ui.page)).toEqual([]);
    await here.ui.open(`devices/${FREEZER}`);
    const variable = here.ui.page.getByRole("textbox", { name: "Variable", exact: true });
    await variable.fill("v".repeat(150));
    await button("Send").click();
    await saysAt("Variable", "");
    await variable.fill("temperature");
    await field("Value").fill("cold");
    await button("Send").click();
    await saysAt("Value", '"cold" is not a number');
    await here.ui.page.getByText("Records as JSON").click();
    await field("Records").fill("[1");
    await button("Send JSON").click();
    await saysAt("Records", "This is not JSON");
    await field("New token").fill("t".repeat(200));
    await button("Create token").click();
    await saysAt("New token", "");
    await field("Key").fill("k".repeat(300));
    await button("Add parameter").click();
    await saysAt("Key", "");
    expect(await field("Key").inputValue()).toHaveLength(300);
    await here.ui.open("snapshots");
    await field("Name of the snapshot").fill("../up");
    await button("Save a snapshot").click();
    await saysAt("Name of the snapshot", "");
    await here.ui.open("clock");
    await here.ui.page.locator("input[type=datetime-local]").fill("1960-01-01T00:00");
    await button("Set the clock").click();
    await expect.poll(() => here.ui.page.locator("input[aria-invalid]").count()).toBe(1);
    here.ui.problems.length = 0;
  });

  it("of a dashboard does so for the record of each field", async () => {
    const on = (variable: string) => ({ data: { origin: MACHINE, variable } });
    const { dashboard } = await here.resources.dashboards.create({ label: "Wrong" });
    const { widget } = await here.resources.dashboards.widgets.create(dashboard, {
      label: "Entry",
      type: "form",
      data: [{ origin: MACHINE, variables: ["good"] }],
      display: {
        sections: [
          {
            fields: [
              { id: "a", type: "text", label: "Good", ...on("good") },
              { id: "b", type: "text", label: "Wrong", ...on("w".repeat(150)) },
            ],
          },
        ],
      },
    });
    await here.resources.dashboards.edit(dashboard, {
      arrangement: [{ widget_id: widget, x: 0, y: 0, width: 6, height: 4 }],
    });
    await here.ui.open(`dashboards/${dashboard}`);
    await field("Good").fill("1");
    await field("Wrong").fill("2");
    await button("Send").click();
    await saysAt("Wrong", "");
    expect(await field("Good").getAttribute("aria-invalid")).toBeNull();
  });

  it("of faults refuses a rule without what it needs, and says what a rule does", async () => {
    await here.ui.open("faults");
    await button("Add rule").click();
    await saysAt("Delay in ms", "Give a delay");
    await field("Kind").selectOption("status");
    await button("Add rule").click();
    await saysAt("Status", "Give a status");
    expect(here.sandbox.faults.list()).toEqual([]);
    await field("Status").fill("700");
    await button("Add rule").click();
    await saysAt("Status", "status is between 400 and 599");
    await field("Status").fill("503");
    await field("Message of the error").fill("Closed for lunch");
    await field("At most").fill("2");
    await field("Route").fill("GET /info");
    await here.says('Answered with 503 "Closed for lunch", at most 2 times.');
    await button("Add rule").click();
    const row = here.ui.page.getByRole("row", { name: 'Answered with 503 "Closed for lunch", at most 2 times' });
    await row.getByText("0 times").waitFor();
    const reply = await fetch(`${here.sandbox.url}/info`, { headers: { token: here.sandbox.tokens.profile } });
    expect([reply.status, await reply.json()]).toMatchObject([503, { message: "Closed for lunch" }]);
    await row.getByText("1 time", { exact: true }).waitFor();
    await button("Remove all").click();
    await here.ui.page.getByText(/^No faults are injected/).waitFor();
  });
});

describe("a sandbox that stops", () => {
  it("is missed at once, and after a restart with its data the page goes on where it was", async () => {
    const browser = await launch();
    const dataDir = temporaryFolder();
    const start = (port = 0) => createSandbox({ dataDir, tokens: "random", port });
    const first = await start();
    const { port, url } = first;
    const { page, open } = await openConsole(browser, first);
    const isLive = page.locator(".top").getByText("Live", { exact: true }).first();
    await open(`devices/${FREEZER}`);
    await isLive.waitFor();
    await page.getByLabel("Unit").fill("typed");
    await page.getByLabel("Value", { exact: true }).fill("7");
    await first.close();
    const failed: string[] = [];
    page.on("requestfailed", (request) => failed.push(request.url()));
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The sandbox does not answer", { exact: true }).waitFor();
    expect(failed.filter((address) => address.includes("/device/token"))).toHaveLength(1);
    const second = await start(port);
    await isLive.waitFor();
    expect(await page.getByLabel("Unit").inputValue()).toBe("typed");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Sent 1 record").waitFor();

    // Whoever has the port meanwhile learns keys that open nothing later, and finds nothing to make one from.
    await second.close();
    const heard: string[] = [];
    const other = createServer(({ headers, url: path }, response) => {
      heard.push(`${headers.authorization}`);
      response.statusCode = path === "/__sandbox/run" ? 200 : 401;
      response.end(JSON.stringify({ status: true, result: { run: "of another" } }));
    });
    await new Promise<void>((done) => other.listen(port, "127.0.0.1", done));
    await page.getByText("iot sandbox open").waitFor();
    const stored = await page.evaluate(() => Object.values({ ...localStorage, ...sessionStorage }));
    other.closeAllConnections();
    await new Promise((done) => other.close(done));
    const third = await start(port);
    const keys = [...new Set([...heard, ...stored.map((text) => `Bearer ${text}`)])];
    expect(keys.length).toBeGreaterThan(2);
    for (const authorization of keys) {
      const { status } = await fetch(`${url}/__sandbox/session`, { headers: { authorization } });
      expect(status).toBe(401);
    }
    await browser.close();
    await third.close();
  });
});
