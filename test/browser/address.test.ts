import { describe, expect, it } from "vitest";
import { axeFindings, consoleUnderTest } from "./browser.ts";

const SILO_DASHBOARD = "dashboards/65a1000000000000000b0003";

describe("the address of a view", () => {
  const here = consoleUnderTest({}, { seed: "fleet-1000" });

  it("holds search, order and page, and Back restores them with the place on the page", async () => {
    const { page, open } = here.ui;
    await open("devices");
    await here.field("Search name, id or tag").fill("cold box");
    await page.getByRole("button", { name: "Name", exact: true }).click();
    await page.getByRole("button", { name: "Name", exact: true }).click();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText(/^Page 2 of/).waitFor();
    const first = await page.locator("tbody th").first().textContent();
    await page.evaluate(() => scrollTo(0, 700));
    await page.locator("tbody th a").nth(30).click();
    await page.getByText("All devices").waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await page.getByText(/^Page 2 of/).waitFor();
    expect(await here.field("Search name, id or tag").inputValue()).toBe("cold box");
    expect(await page.locator("tbody th").first().textContent()).toBe(first);
    expect(await page.locator("th[aria-sort=descending]").textContent()).toBe("Name");
    await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBeGreaterThan(600);
    await page.reload();
    await page.getByText(/^Page 2 of/).waitFor();
    expect(await page.locator("tbody th").first().textContent()).toBe(first);
    await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBeGreaterThan(600);
  });

  it("sorts devices by the state that is shown", async () => {
    const { page, open } = here.ui;
    await open("devices?sort=State");
    const states = await page.locator("td[data-title=State]").allTextContents();
    expect(states).toEqual([...states].sort());
    await page.getByRole("button", { name: "State", exact: true }).click();
    const reversed = await page.locator("td[data-title=State]").allTextContents();
    expect(reversed[0]).not.toBe(states[0]);
  });

  it("does not keep what is typed waiting for the search of a thousand rows", async () => {
    const { page, open } = here.ui;
    await open("devices");
    const caption = page.locator("caption");
    await expect.poll(() => caption.textContent()).toBe("1,000 devices");
    const during = await page.evaluate(async () => {
      const field = document.querySelector<HTMLInputElement>("input[type=search]");
      const rows = (): string => document.querySelector("caption")?.textContent ?? "";
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "Cold box 001");
      field?.dispatchEvent(new Event("input", { bubbles: true }));
      // What the event itself rendered, and nothing later.
      await Promise.resolve();
      return [field?.value, rows()];
    });
    expect(during).toEqual(["Cold box 001", "1,000 devices"]);
    await expect.poll(() => caption.textContent()).not.toBe("1,000 devices");
  });
});

describe("the address of a view of the demo account", () => {
  const here = consoleUnderTest({ timezoneId: "Asia/Tokyo" });

  it("holds the tab of a dashboard and the devices of a blueprint", async () => {
    const { page, open } = here.ui;
    await open("dashboards/65a1000000000000000b0001");
    await here.button("Values").click();
    await expect.poll(() => page.url()).toContain("tab=");
    await page.reload();
    await page.locator("[aria-pressed=true]", { hasText: "Values" }).waitFor();
    await open(SILO_DASHBOARD);
    const silo = page.getByRole("combobox", { name: "Silo", exact: true });
    await silo.fill("west");
    await page.getByRole("option", { name: "Silo west" }).click();
    await expect.poll(() => page.url()).toContain("device.");
    await page.reload();
    await expect.poll(() => silo.inputValue()).toBe("Silo west");
    await silo.press("ArrowDown");
    expect(await page.getByRole("option").allTextContents()).toContain("Silo east");
    expect(await axeFindings(page)).toEqual([]);
    await silo.press("Enter");
    await expect.poll(() => page.url()).toContain("=none");
    await page.reload();
    await expect.poll(() => silo.inputValue()).toBe("None chosen");
  });

  it("holds the request that is open, below its row, also after others have come", async () => {
    const { page, open } = here.ui;
    const ask = (path: string) =>
      fetch(`${here.sandbox.url}${path}`, { headers: { token: here.sandbox.tokens.profile } });
    await ask("/device?page=1&amount=3&fields[]=name&fields[]=tags&fields[]=last_input&resolveTags=true&marked=1");
    await open("requests");
    const path = page.getByRole("button", { name: /marked=1/ });
    expect((await path.boundingBox())?.height).toBeLessThan(30);
    await path.click();
    const below = page.locator("tr:has([aria-expanded=true]) + tr .panel");
    await below.getByRole("heading", { name: /marked=1/ }).waitFor();
    await expect.poll(() => page.url()).toContain("open=");
    for (let sent = 0; sent < 51; sent += 1) await ask("/info");
    await page.getByText(/^Page 2 of/).waitFor();
    await page.reload();
    await below.getByRole("heading", { name: /marked=1/ }).waitFor();
    await path.click();
    await below.waitFor({ state: "detached" });
  });

  it("leads to a heading with the focus, while the view loads and when there is no such thing", async () => {
    const { page, open } = here.ui;
    const focused = () =>
      page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
    await open("devices");
    let release = (): void => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route(/\/device\/65a1/, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("link", { name: "Freezer 1" }).click();
    await expect.poll(focused).toBe("H1 Device");
    release();
    await expect.poll(focused).toBe("H1 Freezer 1");
    await page.unroute(/\/device\/65a1/);
    for (const [view, title] of [
      ["devices/65a1000000000000000dffff", "Device not found"],
      ["dashboards/65a1000000000000000bffff", "Dashboard not found"],
      ["analyses/65a1000000000000000affff", "Analysis not found"],
    ]) {
      await page.goto(`${here.sandbox.url}/#/${view}`);
      await expect.poll(focused).toBe(`H1 ${title}`);
    }
    here.ui.problems.length = 0;
  });

  it("names the zone of its times, and tells how long ago something was", async () => {
    const { page, open } = here.ui;
    await open("devices");
    await page.getByText("Times are in Asia/Tokyo.").waitFor();
    const row = page.getByRole("row", { name: /^Freezer 1/ });
    expect(await row.locator("time").getAttribute("title")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d Asia\/Tokyo$/);
    const advance = (body: object) =>
      fetch(`${here.sandbox.url}/__sandbox/clock`, {
        method: "PUT",
        body: JSON.stringify(body),
        headers: { ...here.sandbox.inspectionHeaders, "content-type": "application/json" },
      });
    await advance({ advance: 3 * 86_400_000 + 3_600_000 });
    await row.getByText("3 days ago").waitFor();
    expect(await row.locator(".state").textContent()).toBe("Silent");
    expect(await row.locator(".good").count()).toBe(0);
    await advance({ reset: true });
    await row.getByText("Active").waitFor();
  });

  it("holds the tag whose devices are shown, and says what was searched in vain", async () => {
    const { page, open } = here.ui;
    await open("devices");
    await page.getByRole("button", { name: "device_type: silo" }).first().click();
    await expect.poll(() => page.locator("caption").textContent()).toBe("3 devices");
    await expect.poll(() => page.url()).toContain("search=");
    await here.field("Search name, id or tag").fill("no such thing");
    await here.says('No devices match "no such thing".');
  });

  it("of a portal user's dashboards says that they load, as long as they do", async () => {
    const { page } = here.ui;
    let release = (): void => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route("**/run/users/**", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${here.sandbox.url}/#/dashboards?as=65a100000000000000050001`);
    await page.getByRole("heading", { level: 1, name: "Dashboards" }).waitFor();
    await expect.poll(() => page.locator("main .none").allTextContents()).toEqual(["Loading"]);
    release();
    await page.getByRole("link", { name: "Plant overview" }).waitFor();
    await page.unroute("**/run/users/**");
  });
});

describe("a blueprint of an account with a thousand devices", () => {
  const here = consoleUnderTest({}, { seed: "fleet-1000" });

  it("lets each of them be searched and chosen, also those that the list does not show", async () => {
    const { page, open } = here.ui;
    const devices = await here.resources.devices.list({
      amount: 1_000,
      fields: ["id", "name"],
      orderBy: ["name", "asc"],
    });
    const last = devices.at(-1)?.name ?? "";
    const { dashboard } = await here.resources.dashboards.create({
      label: "Any device",
      type: "blueprint",
      blueprint_devices: [{ id: "one", label: "Device", name: "one", conditions: [] }],
    });
    await open(`dashboards/${dashboard}`);
    const picker = page.getByRole("combobox", { name: "Device", exact: true });
    await picker.click();
    await here.says("The first 100: type to see others");
    await picker.fill(last);
    await picker.press("Enter");
    await expect.poll(() => picker.inputValue()).toBe(last);
  });
});

describe("an empty account", () => {
  const here = consoleUnderTest({}, { seed: "empty" });

  it("says how to get a first of everything, in words that work, without a token in the page", async () => {
    const { page, open } = here.ui;
    await open("requests");
    const line = (await page.locator(".empty pre").textContent()) ?? "";
    expect(line).toBe(`curl ${here.sandbox.url}/status`);
    for (const view of ["actions", "files", "users"]) {
      await open(view);
      await page.locator(".empty code").first().waitFor();
      await page.locator(".empty").getByRole("button", { name: "Load the demo account" }).first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
    }
    const headers = { token: here.sandbox.tokens.profile, "content-type": "application/json" };
    for (const { id } of await here.resources.analysis.list()) await here.resources.analysis.delete(id);
    for (const view of ["dashboards", "analyses", "devices"]) {
      await open(view);
      await here.says(`There are no ${view} yet.`);
      expect(await page.content()).not.toContain(here.sandbox.tokens.profile);
      const [, url = "", body = ""] =
        /POST (\S+) .* --data '(.*)'$/.exec((await page.locator(".empty pre").textContent()) ?? "") ?? [];
      expect((await fetch(url, { method: "POST", headers, body })).ok, view).toBe(true);
      await page.getByRole("link", { name: /^First / }).waitFor();
    }
    await page.getByRole("link", { name: "First device" }).click();
    await page.locator(".empty pre", { hasText: "/data" }).waitFor();
  });

  it("becomes the demo account where that is asked for", async () => {
    const { page, open } = here.ui;
    await open("files");
    await here.button("Load the demo account").click();
    await page.getByRole("dialog").getByRole("button", { name: "Load the demo account" }).click();
    await page.getByText("iotdeck 0.1.0, demo").waitFor();
    await page.getByRole("link", { name: "reports/" }).waitFor();
    await open("devices");
    await page.getByRole("link", { name: "Freezer 1" }).waitFor();
    expect(await page.locator(".empty").count()).toBe(0);
  });
});
