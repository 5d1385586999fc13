import { describe, expect, it } from "vitest";
import { consoleHere } from "../helpers/account-console.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { axeFindings, consoleUnderTest } from "./browser.ts";

const NAME = "Search devices, dashboards, views and actions";

describe("the search for everything", () => {
  const here = consoleUnderTest();
  const field = () => here.ui.page.getByRole("combobox", { name: NAME });
  const options = () => here.ui.page.getByRole("option").allTextContents();
  const active = () =>
    here.ui.page.evaluate(() => {
      const id = document.activeElement?.getAttribute("aria-activedescendant") ?? "";
      return document.getElementById(id)?.textContent;
    });

  it("opens with Ctrl-K and a button, and what is chosen with the keyboard", async () => {
    const { page, open } = here.ui;
    await open("clock");
    await page.keyboard.press("Control+k");
    await field().waitFor();
    await page.getByRole("option", { name: "Freezer 1" }).waitFor();
    await page.keyboard.type("plant ov");
    await expect.poll(active).toBe("Plant overviewDashboard");
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Plant overview" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await page.getByRole("button", { name: /^Search/ }).click();
    await field().fill("silo device");
    await expect.poll(async () => (await options()).length).toBeGreaterThan(2);
    const [first, second] = await options();
    expect(await active()).toBe(first);
    await field().press("ArrowDown");
    await expect.poll(active).toBe(second);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("does things: a new device is one search away, and colors and a nothing found are said", async () => {
    const { page, open } = here.ui;
    await open("clock");
    await page.keyboard.press("Control+k");
    await field().fill("new device");
    await field().press("Enter");
    await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("placeholder"))).toBe("Name");
    await page.keyboard.press("Control+k");
    await field().fill("colors dark");
    await field().press("Enter");
    await expect.poll(() => page.getByLabel("Colors").inputValue()).toBe("dark");
    await page.getByRole("button", { name: /^Search/ }).click();
    await field().fill("no such thing at all");
    await here.ui.page.getByRole("dialog").getByRole("status").getByText("Nothing found").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });
});

describe("the search in an account with more devices than are read", () => {
  const here = consoleUnderTest({}, { seed: "fleet-1000" });

  it("asks the platform for the names that are typed, once nothing is typed for a moment", async () => {
    for (const name of ["Zz far away 1", "Zz far away 2"])
      await here.resources.devices.create({ name, type: "mutable" });
    const env = {
      IOT_CONFIG_DIR: temporaryFolder(),
      IOT_API_URL: here.sandbox.url,
      IOT_EVENTS_URL: here.sandbox.eventsUrl,
      IOT_TOKEN: here.sandbox.tokens.profile,
    };
    const running = await consoleHere({ env }, ["console"], { isForPage: true });
    const { page } = here.ui;
    await page.goto(running.address);
    await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
    const asked = () => here.sandbox.requestLog().filter(({ url }) => url.startsWith("/device?")).length;
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: NAME });
    await page.getByRole("option").nth(5).waitFor();
    const before = asked();
    await field.pressSequentially("zz far", { delay: 20 });
    await page.getByRole("option", { name: "Zz far away 2" }).waitFor();
    expect(asked() - before).toBeLessThanOrEqual(2);
    await running.stop();
    here.ui.problems.length = 0;
  });
});
