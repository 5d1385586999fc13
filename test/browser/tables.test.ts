import { expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/index.ts";
import { axeFindings, consoleUnderTest, launch, openConsole, sendAs } from "./browser.ts";

const MACHINE = "65a1000000000000000d0008";

const here = consoleUnderTest();
const table = (name: string) => here.ui.page.locator(".widget", { hasText: name });

it("a table of devices shows each device once, with search and order by a column", async () => {
  const browser = await launch();
  const sandbox = await createSandbox({ ephemeral: true, seed: "factory" });
  const { page, problems, open } = await openConsole(browser, sandbox);
  await open("dashboards/65a2000000000000000b0001");
  const machines = page.locator(".widget", { hasText: "Machines" });
  await machines.getByText("Page 1 of 2, 39 rows").waitFor();
  const names = async () => machines.locator("tbody tr td:first-child").allTextContents();
  const first = await names();
  await machines.getByRole("button", { name: "Next" }).click();
  const all = [...first, ...(await names())];
  expect([all.length, new Set(all).size]).toEqual([39, 39]);
  await machines.getByRole("button", { name: "Name", exact: true }).click();
  expect((await names())[0]).toBe([...all].sort()[0]);
  await machines.getByRole("button", { name: "Name", exact: true }).click();
  expect((await names())[0]).toBe([...all].sort().at(-1));
  expect(await machines.locator("th[aria-sort=descending]").textContent()).toBe("Name");
  await machines.getByLabel("Search Machines").fill("press 0");
  await expect.poll(names).toEqual(
    all
      .filter((name) => name.startsWith("Press 0"))
      .sort()
      .reverse(),
  );
  await machines.getByLabel("Search Machines").fill("no such machine");
  await machines.getByText("No rows match.").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(problems).toEqual([]);
  await browser.close();
  await sandbox.close();
});

it("a table with more rows than its widget asks for can be read to the last one", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    variable: "lot",
    value: i,
    group: `lot${i}`,
    time: new Date(Date.now() - 60_000 + i * 1_000),
  }));
  await sendAs(here.sandbox, MACHINE, rows);
  const { dashboard } = await here.resources.dashboards.create({ label: "Lots" });
  const { widget } = await here.resources.dashboards.widgets.create(dashboard, {
    label: "Lots made",
    type: "dynamic_table",
    data: [{ origin: MACHINE, variables: ["lot"] }],
    display: {
      variables: [
        { id: "a", alias: "Lot", data: { origin: MACHINE, variable: "lot" }, edit: { enabled: true, type: "number" } },
        { id: "c", is_control: true, show_edit: true, show_delete: true, data: null },
      ],
    },
  });
  await here.resources.dashboards.edit(dashboard, {
    arrangement: [{ widget_id: widget, x: 0, y: 0, width: 4, height: 4 }],
  });
  await here.ui.open(`dashboards/${dashboard}`);
  const lots = table("Lots made");
  await lots.getByRole("button", { name: "Load older rows" }).click();
  await lots.getByText("Page 1 of 3, 60 rows").waitFor();
  const height = async () => (await lots.boundingBox())?.height;
  const before = await height();
  await lots.getByRole("button", { name: "Next" }).click();
  await lots.getByRole("button", { name: "Next" }).click();
  expect(await lots.getByRole("button", { name: "Load older rows" }).count()).toBe(0);
  // New rows do not move what is being read.
  const shown = async () => lots.locator("tbody tr td:first-child").allTextContents();
  const page = await shown();
  expect(page.at(-1)).toBe("0");
  await sendAs(here.sandbox, MACHINE, { variable: "lot", value: 60, group: "lot60" });
  await lots.getByRole("button", { name: "1 new row" }).waitFor();
  expect(await shown()).toEqual(page);
  await lots.getByRole("button", { name: "Edit" }).last().click();
  await here.ui.page.getByRole("dialog").getByLabel("Lot").fill("1000");
  expect(await height()).toBe(before);
  await here.ui.page.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await shown()).at(-1)).toBe("1000");
  await lots.getByRole("button", { name: "Delete" }).last().click();
  await here.ui.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect.poll(async () => (await shown()).at(-1)).toBe("1");
  await lots.getByRole("button", { name: "1 new row" }).click();
  await expect.poll(async () => (await shown())[0]).toBe("60");
  // The table scrolls in its place in the grid: four rows of it.
  expect(await height()).toBeLessThanOrEqual(4 * 84);
});

it("no widget of a live dashboard shows a picture of a control", async () => {
  for (const dashboard of ["65a1000000000000000b0001", "65a1000000000000000b0002"]) {
    await here.ui.open(`dashboards/${dashboard}`);
    for (const tab of await here.ui.page.locator(".tabs button").all()) {
      await tab.click();
      await here.ui.page.locator(".skeleton").first().waitFor({ state: "detached" });
      const pictures =
        ".iot-pill, .iot-search, .iot-form, .iot-type-push_button, .iot-type-step_button, .iot-type-keypad";
      expect(await here.ui.page.locator(pictures).count()).toBe(0);
    }
  }
});

it("a widget's header has real buttons and links", async () => {
  const { dashboard } = await here.resources.dashboards.create({ label: "Links" });
  const { widget } = await here.resources.dashboards.widgets.create(dashboard, {
    label: "With links",
    type: "note",
    display: {
      value: "text",
      header_buttons: [
        { text: "Manual", type: "link", url: "https://example.com/manual" },
        { text: "Bad", type: "link", url: "javascript:alert(1)" },
      ],
    },
  });
  await here.resources.dashboards.edit(dashboard, {
    arrangement: [{ widget_id: widget, x: 0, y: 0, width: 4, height: 4 }],
  });
  await here.ui.open(`dashboards/${dashboard}`);
  const links = table("With links").getByRole("link");
  await links.first().waitFor();
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
    "https://example.com/manual",
  ]);
});
