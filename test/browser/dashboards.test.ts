import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { axeFindings, consoleUnderTest, sendAs, showWidgets } from "./browser.ts";

const MACHINE = "65a1000000000000000d0008";
const FREEZER = "65a1000000000000000d0001";
const SILO = "65a1000000000000000d0005";

const here = consoleUnderTest();
const { button, field, says, lastOf } = here;

const show = (widgets: Parameters<typeof showWidgets>[1], more?: object) => showWidgets(here, widgets, more);

const formOf = (fields: readonly object[], buttons: readonly object[] = [{ id: "go", text: "Write" }]) => ({
  type: "form",
  data: [{ origin: MACHINE, variables: ["note"] }],
  display: {
    buttons,
    sections: [{ fields: fields.map((each, i) => ({ id: `f${i}`, ...each })) }],
  },
});
const on = (variable: string) => ({ data: { origin: MACHINE, variable } });

describe("a form", () => {
  it("stores a file, and writes its name with address, path and sum", async () => {
    await show([formOf([{ type: "upload", label: "Photo", required: true, path: "photos", ...on("photo") }])]);
    const content = Buffer.from("a picture");
    await field("Photo").setInputFiles({ name: "gate 1.png", mimeType: "image/png", buffer: content });
    await button("Write").click();
    await says("Sent 1 record");
    const written = await lastOf(MACHINE, "photo");
    expect(written).toMatchObject({
      value: "gate 1.png",
      metadata: { file: { path: "photos/gate 1.png", md5: createHash("md5").update(content).digest("hex") } },
    });
    const stored = await fetch(written?.metadata?.file?.url ?? "", { headers: { token: here.sandbox.tokens.profile } });
    expect(await stored.text()).toBe("a picture");
    expect(stored.headers.get("content-type")).toContain("image/png");
    await button("Write").click();
    expect(await field("Photo").evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true);
  });

  it("stores a file of a portal user, who may not read it", async () => {
    const id = "65a1000000000000000b0002";
    const form = formOf([{ type: "upload", label: "Receipt", ...on("receipt") }]);
    const { widget } = await here.resources.dashboards.widgets.create(id, { label: "Receipts", ...form });
    const { arrangement = [], tabs } = await here.resources.dashboards.info(id);
    const place = { widget_id: widget, x: 0, y: 90, width: 4, height: 3, tab: tabs?.[0]?.key ?? "" };
    await here.resources.dashboards.edit(id, { arrangement: [...arrangement, place] });
    await here.ui.open(`dashboards/${id}?as=65a100000000000000050001`);
    await says("Seen as the portal user Oda Operator");
    await field("Receipt").setInputFiles({ name: "r.txt", mimeType: "text/plain", buffer: Buffer.from("12") });
    await button("Write").click();
    await says("Sent 1 record");
    const path = `devices/${MACHINE}/r.txt`;
    expect(await lastOf(MACHINE, "receipt")).toMatchObject({ value: "r.txt", metadata: { file: { path, md5: "" } } });
    await here.resources.dashboards.edit(id, { arrangement });
    // The refused look at the sum is an error of the network in the browser.
    expect(here.ui.problems.splice(0)).toEqual([expect.stringContaining("401")]);
  });

  it("shows fields by the values of others, and writes only what it shows", async () => {
    await show([
      formOf([
        {
          type: "dropdown",
          label: "Kind",
          options: [{ value: "bug" }, { value: "idea", label: "An idea", unit: "u", default: true }],
          ...on("kind"),
        },
        {
          type: "text",
          label: "Problem",
          visibility_conditions: [{ field: `kind${MACHINE}`, condition: "=", value: "bug" }],
          ...on("problem"),
        },
        { type: "hidden", fixed_value: "7", unit: "x", ...on("silent") },
      ]),
    ]);
    expect(await field("Kind").inputValue()).toBe("idea");
    expect(await field("Problem").count()).toBe(0);
    await field("Kind").selectOption("bug");
    await field("Problem").fill("It leaks");
    await field("Kind").selectOption({ label: "An idea" });
    await button("Write").click();
    await says("Sent 2 records");
    expect(await lastOf(MACHINE, "kind")).toMatchObject({ value: "idea", unit: "u" });
    expect(await lastOf(MACHINE, "silent")).toMatchObject({ value: "7", unit: "x" });
    expect(await lastOf(MACHINE, "problem")).toBeUndefined();
    await field("Kind").selectOption("bug");
    await button("Write").click();
    await expect.poll(async () => (await lastOf(MACHINE, "problem"))?.value).toBe("It leaks");
  });

  it("writes numbers and dates, refuses what its field does not allow, and asks before it sends", async () => {
    const ask = { id: "go", text: "Write", show_confirmation: true, confirmation_message: "Sure?" };
    await show([
      formOf(
        [
          {
            type: "incremental-step",
            label: "Level",
            unit: "cm",
            minimum: 2,
            maximum: 8,
            step_value: 2,
            ...on("step"),
          },
          { type: "calendar", label: "Shift", show_end_date: true, ...on("shift") },
          {
            type: "dropdown-multi",
            label: "Days",
            options: [{ value: "mo" }, { value: "tu", label: "Tue" }],
            ...on("days"),
          },
          { type: "switch", label: "Lamp", ...on("lamp") },
        ],
        [ask],
      ),
    ]);
    await field("Level (cm)").fill("9");
    expect(await axeFindings(here.ui.page)).toEqual([]);
    await field("Shift, from").fill("2026-01-05");
    await field("Shift, to").fill("2026-01-06");
    await field("Days").selectOption(["mo", "tu"]);
    await field("Lamp").selectOption("true");
    const yes = () => here.ui.page.getByRole("dialog").getByRole("button", { name: "Write", exact: true });
    await button("Write").click();
    await here.ui.page.getByText("Sure?").waitFor();
    await yes().click();
    expect(await lastOf(MACHINE, "step")).toBeUndefined();
    await field("Level (cm)").fill("4");
    await button("Write").click();
    await yes().click();
    await says("Sent 4 records");
    expect(await lastOf(MACHINE, "step")).toMatchObject({ value: 4, unit: "cm" });
    expect(await lastOf(MACHINE, "shift")).toMatchObject({
      metadata: { start_date: "2026-01-05T00:00:00.000Z", end_date: "2026-01-06T00:00:00.000Z" },
    });
    expect(await lastOf(MACHINE, "days")).toMatchObject({
      value: "mo;tu",
      metadata: {
        sentValues: [
          { value: "mo", label: "mo" },
          { value: "tu", label: "Tue" },
        ],
      },
    });
    expect(await lastOf(MACHINE, "lamp")).toMatchObject({ value: true });
  });
});

describe("keys and buttons", () => {
  const pin = {
    type: "keypad",
    data: [{ origin: MACHINE, variables: ["pin"], query: "last_value" }],
    display: {
      show_digits_bar: true,
      show_last_column: true,
      buttons: [
        { text: "Disarm", value: "disarm" },
        { text: "Off", value: "off", disabled: true },
      ],
    },
  };

  it("a keypad writes its digits and the action of the button, or its digits after three seconds", async () => {
    await show([pin]);
    for (const key of ["1", "2", "3", "Clear", "4", "0"]) await button(key).click();
    expect(await axeFindings(here.ui.page)).toEqual([]);
    expect(await here.ui.page.getByLabel("Digits of Widget 0").textContent()).toBe("••");
    expect(await button("Off").isDisabled()).toBe(true);
    await button("Disarm").click();
    await says("Sent 40,disarm");
    expect(await lastOf(MACHINE, "pin")).toMatchObject({ value: "40,disarm" });
    await button("7").click();
    await button("8").click();
    await expect.poll(async () => (await lastOf(MACHINE, "pin"))?.value).toBe("78");
    await button("5").click();
    await button("Send the digits").click();
    await says("Sent 5");
  });

  it("a step button writes the next number, within its limits", async () => {
    const limit = { enabled: true, minimum: 0, maximum: 0.3 };
    const data = [{ origin: MACHINE, variables: ["dose"], query: "last_value" }];
    await show([{ type: "step_button", data, display: { limit, step_value: 0.1, unit: "l" } }]);
    for (const value of [0.1, 0.2, 0.3, 0.3]) {
      await button("+ 0.1").click();
      await says(`Sent ${value}`);
      expect(await lastOf(MACHINE, "dose")).toMatchObject({ value, unit: "l" });
      await here.ui.page.locator(".widget output", { hasText: `${value} l` }).waitFor();
    }
  });
});

describe("a table", () => {
  it("changes and deletes its records where the widget allows it", async () => {
    const time = new Date(Date.now() - 60_000).toISOString();
    await sendAs(here.sandbox, MACHINE, [
      { variable: "batch", value: 5, group: "b1", time },
      { variable: "grade", value: "A", group: "b1", time },
    ]);
    const column = (variable: string, edit: object) => ({ ...on(variable), alias: variable, id: variable, edit });
    await show([
      {
        type: "dynamic_table",
        data: [{ origin: MACHINE, variables: ["batch", "grade"] }],
        display: {
          variables: [
            column("batch", { enabled: true, type: "number", required: true }),
            column("grade", { enabled: false }),
            { id: "control", is_control: true, show_edit: true, show_delete: true, data: null },
          ],
        },
      },
      {
        type: "static_table",
        data: [{ origin: MACHINE, variables: ["grade"], query: "last_value" }],
        display: {
          variables: [
            {
              ...column("grade", { enabled: true, type: "dropdown", options: [{ value: "A" }, { value: "B" }] }),
              data_type: "variable",
              position: { x: 0, y: 0 },
            },
          ],
        },
      },
    ]);
    const [dynamic, fixed] = [0, 1].map((place) => here.ui.page.locator(".widget", { hasText: `Widget ${place}` }));
    await dynamic?.getByRole("button", { name: "Edit" }).click();
    const dialog = here.ui.page.getByRole("dialog");
    expect(await axeFindings(here.ui.page)).toEqual([]);
    expect(await dialog.getByLabel("grade").count()).toBe(0);
    await dialog.getByLabel("batch").fill("6.5");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dynamic?.getByText("Saved batch").waitFor();
    expect(await lastOf(MACHINE, "batch")).toMatchObject({ value: 6.5, group: "b1", metadata: { old_value: 5 } });
    await dynamic?.locator("td", { hasText: "6.5" }).waitFor();
    await fixed?.getByRole("button", { name: "Edit cells" }).click();
    await dialog.getByLabel("grade").selectOption("B");
    await dialog.getByRole("button", { name: "Save" }).click();
    await fixed?.getByText("Saved grade").waitFor();
    expect(await lastOf(MACHINE, "grade")).toMatchObject({ value: "B" });
    await dynamic?.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dynamic?.getByText("Deleted the row").waitFor();
    expect([await lastOf(MACHINE, "batch"), await lastOf(MACHINE, "grade")]).toEqual([undefined, undefined]);
  });

  it("changes names and tags of the devices it lists", async () => {
    await here.ui.open("dashboards/65a1000000000000000b0002");
    const table = here.ui.page.getByRole("region", { name: "Devices", exact: true });
    await table.getByRole("button", { name: "Edit Freezer 1" }).click();
    const dialog = here.ui.page.getByRole("dialog");
    await dialog.getByLabel("room").fill("hall 2");
    await dialog.getByRole("button", { name: "Save" }).click();
    await table.getByText("Saved room").waitFor();
    const { tags } = await here.resources.devices.info(FREEZER);
    expect(tags.find(({ key }) => key === "room")?.value).toBe("hall 2");
    await table.locator("td", { hasText: "hall 2" }).waitFor();
  });
});

describe("dates that a viewer chooses", () => {
  const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const rows = async (place: number): Promise<number> =>
    here.ui.page
      .locator(".widget", { hasText: `Widget ${place}` })
      .locator("tbody tr")
      .count();
  const table = (more: object = {}, display: object = {}) => ({
    type: "dynamic_table",
    data: [{ origin: SILO, variables: ["visit"], qty: 50, ...more }],
    display: { variables: [{ id: "v", data: { origin: SILO, variable: "visit" } }], ...display },
  });
  const period = {
    enabled: true,
    presets: [
      { type: "this_day", amount: 1, default: true },
      { type: "last_day", amount: 2 },
      { type: "unknown_kind", amount: 1 },
    ],
    show_calendar: true,
    max_range: "3 day",
  };

  it("hold for the widgets that allow it: a preset, or days within the longest span", async () => {
    await sendAs(
      here.sandbox,
      SILO,
      [0, 1, 2, 5].map((back) => ({
        variable: "visit",
        value: back,
        group: `v${back}`,
        time: `${day(back)}T00:00:01Z`,
      })),
    );
    await show([table(), table({ overwrite: false }), table({}, { override_dashboard_presets: true })], {
      filter: { period },
    });
    const counts = async () => Promise.all([0, 1, 2].map(rows));
    await expect.poll(counts).toEqual([1, 4, 4]);
    expect(await field("Period").locator("option").allTextContents()).toEqual([
      "As the widgets say",
      "this day",
      "last day (2)",
      "From day to day",
    ]);
    await field("Period").selectOption({ label: "last day (2)" });
    await expect.poll(counts).toEqual([2, 4, 4]);
    await expect.poll(() => here.ui.page.url()).toContain("period=");
    await here.ui.page.reload();
    await expect.poll(counts).toEqual([2, 4, 4]);
    await field("Period").selectOption({ label: "From day to day" });
    await field("First day").fill(day(5));
    await says("At most 3 days can be chosen");
    expect(await axeFindings(here.ui.page)).toEqual([]);
    await field("Last day").fill(day(4));
    await expect.poll(counts).toEqual([1, 4, 4]);
    await expect.poll(() => here.ui.page.url()).toContain(`to=${day(4)}`);
    await here.ui.page.reload();
    await expect.poll(counts).toEqual([1, 4, 4]);
    await field("Period").selectOption({ label: "As the widgets say" });
    await expect.poll(counts).toEqual([4, 4, 4]);
  });

  it("hold for one widget by its intervals", async () => {
    await show([table({}, { intervals: ["1 week", "3 day"] })]);
    await expect.poll(() => rows(0)).toBe(4);
    await field("From the last").selectOption("3 day");
    await expect.poll(() => rows(0)).toBe(3);
  });
});

describe("the tabs of a dashboard", () => {
  it("lead elsewhere where they are links, but to no script", async () => {
    const key = "1705050000201";
    const tabs = [
      { key, value: "Values", type: "dashboard" },
      { key: "1705050000202", value: "Guide", type: "link", link: "https://example.test/guide" },
      { key: "1705050000203", value: "Trap", type: "link", link: "javascript:alert(1)" },
    ];
    await show([{ type: "note", display: { content: "Here" } }], { tabs });
    const link = here.ui.page.getByRole("link", { name: "Guide", exact: true });
    expect(await link.getAttribute("href")).toBe("https://example.test/guide");
    expect(await link.getAttribute("rel")).toBe("noreferrer");
    expect(await here.ui.page.locator(".tabs a").count()).toBe(1);
    expect(await axeFindings(here.ui.page)).toEqual([]);
  });
});
