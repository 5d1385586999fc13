import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axeFindings, consoleUnderTest } from "./browser.ts";

const PLANT = "65a1000000000000000b0002";

const here = consoleUnderTest();
const { button, field } = here;
const page = () => here.ui.page;
const tile = (name: string): Locator => page().getByRole("application", { name: new RegExp(`^${name},`) });
const said = (text: string | RegExp): Promise<void> => page().locator(".said", { hasText: text }).waitFor();
const press = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page().keyboard.press(key);
};
const stored = async (id: string) => {
  const { arrangement = [], tabs = [] } = await here.resources.dashboards.info(id);
  const widgets = await Promise.all(
    arrangement.map(({ widget_id: widget }) => here.resources.dashboards.widgets.info(id, widget)),
  );
  return { arrangement, tabs, widgets };
};
/** A dashboard of its own with notes side by side. */
const made = async (label: string, notes: readonly string[]): Promise<string> => {
  const { dashboard } = await here.resources.dashboards.create({ label });
  const arrangement = [];
  for (const [i, note] of notes.entries()) {
    const { widget } = await here.resources.dashboards.widgets.create(dashboard, {
      ...{ label: note, type: "note", display: { value: note }, analysis_run: null },
    });
    arrangement.push({ widget_id: widget, x: i * 4, y: 0, width: 4, height: 2 });
  }
  await here.resources.dashboards.edit(dashboard, { arrangement });
  return dashboard;
};
const edit = async (id: string): Promise<void> => {
  await page().goto(`${here.sandbox.url}/#/dashboards/${id}/edit`);
  await button("Add widget").waitFor();
};
const save = async (): Promise<void> => {
  await button("Save").click();
  await page().getByText("Everything is saved", { exact: true }).waitFor();
};
/** Presses Tab, or Shift and Tab, until something has the focus. */
const tabTo = async (name: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> => {
  for (let pressed = 0; pressed < 60; pressed += 1) {
    await press(key);
    const focused = await page().evaluate(() => {
      const { activeElement: element } = document;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
      return label ?? element?.getAttribute("aria-label") ?? element?.textContent ?? "";
    });
    if (focused.startsWith(name)) return;
  }
  throw new Error(`Tab does not reach ${name}`);
};

describe("the keyboard", () => {
  it("makes a dashboard of five widgets, with nothing else", async () => {
    await here.ui.open("dashboards");
    await tabTo("New dashboard");
    await page().keyboard.type("By keyboard");
    await press("Enter");
    await page().getByRole("heading", { name: "Edit By keyboard", level: 1 }).waitFor();
    await button("Add widget").waitFor();
    for (const [search, name] of [
      ["line", "Line chart"],
      ["solid", "Solid"],
      ["note", "Note"],
      ["card", "Card"],
      ["dynamic", "Dynamic table"],
    ] as const) {
      await tabTo("Add widget", search === "line" ? "Tab" : "Shift+Tab");
      await press("Enter");
      await page().getByRole("dialog", { name: "Add a widget" }).waitFor();
      await page().keyboard.type(search);
      await page().getByText("1 type. Enter adds the first one.").waitFor();
      await press("Enter");
      await said(`Added ${name}`);
      await expect.poll(() => tile(name).evaluate((each) => each === document.activeElement)).toBe(true);
    }
    await tabTo("Note,", "Shift+Tab");
    await press("ArrowDown", "ArrowDown", "ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp");
    await said(/Note is 5 columns wide, 3 rows high/);
    await press("Enter");
    await page().getByRole("dialog", { name: "Settings of Note" }).waitFor();
    await press("Control+a");
    await page().keyboard.type("Read this");
    await press("Enter");
    await said("Changed Read this");
    await press("Control+s");
    await page().getByText("Everything is saved", { exact: true }).waitFor();
    const id = new URL(page().url()).hash.split("/")[2] ?? "";
    const { arrangement, widgets } = await stored(id);
    expect(widgets.map(({ label, type }) => `${label} ${type}`)).toEqual([
      "Line chart line_chart",
      "Solid solid",
      "Read this note",
      "Card card",
      "Dynamic table dynamic_table",
    ]);
    expect(arrangement[2]).toMatchObject({ x: 7, width: 5, height: 3 });
  });

  it("deletes a widget, says so, and brings it back in the same place", async () => {
    const id = await made("Undo", ["One", "Two", "Three"]);
    await edit(id);
    await tile("Two").focus();
    await press("Delete");
    await said("Deleted Two");
    await expect.poll(() => tile("Three").evaluate((each) => each === document.activeElement)).toBe(true);
    await press("Control+z");
    await said("Undone: Deleted Two");
    await tile("Two").waitFor();
    await press("Control+Shift+z");
    await tile("Two").waitFor({ state: "detached" });
    await press("Control+z");
    await page().getByText("Everything is saved", { exact: true }).waitFor();
    expect(await button("Save").isDisabled()).toBe(true);
  });
});

describe("the mouse", () => {
  it("drags and resizes in whole columns and rows, and pushes what is in the way", async () => {
    const id = await made("Mouse", ["One", "Two", "Three"]);
    await edit(id);
    const column = ((await page().locator(".grid").boundingBox())?.width ?? 0) / 12;
    const drag = async (from: Locator, x: number, y: number): Promise<void> => {
      const box = (await from.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page().mouse.move(box.x + 12, box.y + 12);
      await page().mouse.down();
      await page().mouse.move(box.x + 12 + x / 2, box.y + 12 + y / 2);
      await page().mouse.move(box.x + 12 + x, box.y + 12 + y);
    };
    await drag(tile("One").locator("header"), 2 * column, 4);
    await page().locator(".dragged").waitFor();
    await page().mouse.up();
    await said("One is at column 3, row 1");
    await drag(tile("Three").locator(".corner"), -column, 84);
    await page().mouse.up();
    await said("Three is 3 columns wide, 3 rows high");
    await drag(tile("Three").locator("header"), -4 * column, 0);
    await press("Escape");
    await page().mouse.up();
    await save();
    const { arrangement } = await stored(id);
    expect(arrangement.map(({ x, y, width, height }) => [x, y, width, height])).toEqual([
      [2, 0, 4, 2],
      [4, 2, 4, 2],
      [8, 0, 3, 3],
    ]);
  });
});

describe("settings", () => {
  const open = async (name: string): Promise<Locator> => {
    await tile(name).focus();
    await press("Enter");
    const dialog = page().getByRole("dialog", { name: `Settings of ${name}` });
    await dialog.waitFor();
    return dialog;
  };

  it("choose a device and a variable by searching, and show their data", async () => {
    const id = await made("Sources", []);
    await edit(id);
    await button("Add widget").click();
    await field("Search widget types").fill("angular");
    await press("Enter");
    const dialog = await open("Angular");
    await dialog.getByText("Sample data").waitFor();
    // Enter waits for what was typed to be searched: before that, other devices are in the list.
    await dialog.getByRole("combobox", { name: "Device 1" }).click();
    await dialog.getByRole("option").nth(1).waitFor();
    await dialog.getByRole("combobox", { name: "Device 1" }).fill("freezer 1");
    await press("Enter");
    await expect.poll(() => dialog.getByRole("combobox", { name: "Device 1" }).inputValue()).toBe("Freezer 1");
    await dialog.getByRole("combobox", { name: "Variable 1" }).fill("temp");
    await dialog.getByRole("option", { name: "temperature" }).click();
    await dialog.getByText("Sample data").waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Apply" }).click();
    await save();
    const [widget] = (await stored(id)).widgets;
    expect(widget?.data).toMatchObject([{ origin: "65a1000000000000000d0001", variables: ["temperature"] }]);
  });

  it("show the line of each mistake as one types, keep the last valid drawing, and take no mistake over", async () => {
    const id = await made("Mistakes", ["One"]);
    await edit(id);
    const dialog = await open("One");
    const text = dialog.getByLabel("Definition, as JSON");
    const before = await text.inputValue();
    await text.fill(before.replace('"One"\n', "[]\n"));
    await dialog.getByText("display.value must be string", { exact: false }).waitFor();
    const line = before.split("\n").findIndex((each) => each.includes('"value"')) + 1;
    await dialog.getByRole("button", { name: `Line ${line}` }).click();
    expect(
      await text.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd)),
    ).toContain('"value": []');
    await dialog.getByText("Last valid version").waitFor();
    expect(await dialog.locator(".preview .picture").textContent()).toContain("One");
    expect(await dialog.getByRole("button", { name: "Apply" }).isDisabled()).toBe(true);
    await text.fill(before.replace('"One"\n', '"Two"\n'));
    await expect.poll(() => dialog.locator(".preview .picture").textContent()).toContain("Two");
    await press("Escape");
    await page().getByRole("dialog").getByText("Discard what you changed in these settings?").waitFor();
    await page().getByRole("dialog").getByRole("button", { name: "Discard" }).last().click();
    await dialog.waitFor({ state: "detached" });
    await page().getByText("Everything is saved", { exact: true }).waitFor();
  });
});

describe("saving", () => {
  const writes = (since: number): string[] =>
    here.sandbox
      .requestLog()
      .slice(since)
      .filter(({ method }) => method !== "GET")
      .map(({ method, url }) => `${method} ${url.replaceAll(/[0-9a-f]{24}/g, ":id").replace(/\/$/, "")}`);

  it("writes what was created, edited and deleted, then the arrangement, and nothing else", async () => {
    const id = await made("Writes", ["One", "Two", "Three"]);
    await edit(id);
    const since = here.sandbox.requestLog().length;
    await tile("Two").focus();
    await press("Delete");
    await tile("One").focus();
    await press("Enter");
    await page().getByRole("dialog").getByLabel("Title").fill("First");
    await press("Enter");
    await button("Add widget").click();
    await field("Search widget types").fill("clock");
    await press("Enter");
    await save();
    expect(writes(since)).toEqual([
      "POST /dashboard/:id/widget",
      "PUT /dashboard/:id/widget/:id",
      "DELETE /dashboard/:id/widget/:id",
      "PUT /dashboard/:id",
    ]);
    const { widgets } = await stored(id);
    expect(widgets.map(({ label }) => label)).toEqual(["First", "Three", "Clock"]);
    // What was saved can be undone as well, and is saved again then.
    await button("Undo").click();
    await button("Undo").click();
    await button("Undo").click();
    await save();
    expect((await stored(id)).widgets.map(({ label }) => label).sort()).toEqual(["One", "Three", "Two"]);
  });

  it("that fails half way says what was saved, and saves the rest the next time", async () => {
    const id = await made("Half", ["One", "Two"]);
    await edit(id);
    for (const [name, title] of [
      ["One", "First"],
      ["Two", "Second"],
    ] as const) {
      await tile(name).focus();
      await press("Enter");
      await page().getByRole("dialog").getByLabel("Title").fill(title);
      await press("Enter");
      await said(`Changed ${title}`);
    }
    await tile("Second").focus();
    await press("ArrowDown");
    const since = here.sandbox.requestLog().length;
    const [, second] = (await stored(id)).widgets;
    const failing = new RegExp(`/widget/${second?.id}$`);
    await page().route(failing, (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({ status: 400, json: { status: false, message: "No" } })
        : route.continue(),
    );
    await button("Save").click();
    await page()
      .getByRole("alert")
      .getByText(/^Saved: change "First"\. Could not change "Second": No\. /)
      .waitFor();
    here.ui.problems.splice(0);
    await page().unroute(failing);
    await page().getByText("2 unsaved changes").waitFor();
    await save();
    expect(writes(since).filter((line) => line.startsWith("PUT"))).toEqual([
      "PUT /dashboard/:id/widget/:id",
      "PUT /dashboard/:id/widget/:id",
      "PUT /dashboard/:id",
    ]);
    expect((await stored(id)).widgets.map(({ label }) => label)).toEqual(["First", "Second"]);
  });

  it("notices what somebody else saved meanwhile, asks, and joins both", async () => {
    const id = await made("Both", ["One", "Two"]);
    await edit(id);
    await tile("One").focus();
    await press("ArrowDown");
    const [, two] = (await stored(id)).widgets;
    const { widget } = await here.resources.dashboards.widgets.create(id, {
      ...{ label: "Theirs", type: "note", display: { value: "x" } },
    });
    const { arrangement = [] } = await here.resources.dashboards.info(id);
    await here.resources.dashboards.edit(id, {
      arrangement: [...arrangement, { widget_id: widget, x: 8, y: 0, width: 4, height: 2 }],
    });
    await button("Save").click();
    const question = page().getByRole("dialog", { name: "Save mine as well" });
    await question.getByText('"Theirs" was added.', { exact: false }).waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await page().getByText("1 unsaved change", { exact: true }).waitFor();
    await button("Save").click();
    await question.getByRole("button", { name: "Save mine as well" }).click();
    await page().getByText("Everything is saved", { exact: true }).waitFor();
    await tile("Theirs").waitFor();
    const after = await stored(id);
    expect(after.widgets.map(({ label }) => label)).toEqual(["One", "Two", "Theirs"]);
    expect([after.arrangement[0]?.y, after.widgets[1]?.id]).toEqual([1, two?.id]);
  });
});

describe("unsaved changes", () => {
  it("stay when the page is loaded again, without a token, and leaving asks first", async () => {
    page().on("dialog", (dialog) => void dialog.accept());
    const id = await made("Draft", ["One"]);
    await edit(id);
    await tile("One").focus();
    await press("ArrowRight");
    await said("One is at column 2");
    await page().reload();
    await said("Your unsaved changes are here again");
    await page().getByText("1 unsaved change", { exact: true }).waitFor();
    const draft = await page().evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(draft).toContain("One");
    for (const token of Object.values(here.sandbox.tokens)) expect(token === "" || !draft.includes(token)).toBe(true);
    await page().getByRole("link", { name: "Back to the dashboard" }).click();
    const question = page().getByRole("dialog", { name: "Leave" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await page().getByRole("heading", { name: "Edit Draft", level: 1 }).waitFor();
    expect(page().url()).toContain(`${id}/edit`);
    await page().goBack();
    await question.getByRole("button", { name: "Cancel" }).click();
    await page().getByRole("heading", { name: "Edit Draft", level: 1 }).waitFor();
    expect(page().url()).toContain(`${id}/edit`);
    await page().getByRole("link", { name: "Back to the dashboard" }).click();
    await question.getByRole("button", { name: "Leave" }).click();
    await page().getByRole("heading", { name: "Draft", level: 1, exact: true }).waitFor();
    await page().getByRole("link", { name: "Edit", exact: true }).click();
    await page().getByText("1 unsaved change", { exact: true }).waitFor();
    await button("Discard").click();
    await page().getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await page().getByText("Everything is saved", { exact: true }).waitFor();
    expect(await page().evaluate((name) => sessionStorage.getItem(name), `iot-edit-${id}`)).toBeNull();
  });

  it("of tabs are undone like others", async () => {
    const id = await made("Tabs", ["One"]);
    await edit(id);
    await button("Add tab").click();
    await button("Add tab").click();
    await page().getByText("There are no widgets here. Add one.").waitFor();
    await page().getByText("Tab settings").click();
    await field("Title of the tab").fill("Second");
    await press("Enter");
    await button("Second").waitFor();
    await button("Move left").click();
    await save();
    expect((await stored(id)).tabs.map(({ value }) => value)).toEqual(["Second", "Tab 1"]);
    for (let step = 0; step < 4; step += 1) await button("Undo").click();
    await page().getByText("1 unsaved change", { exact: true }).waitFor();
    await save();
    const { tabs, arrangement } = await stored(id);
    expect([tabs, arrangement[0]?.tab]).toEqual([[], undefined]);
  });

  it("of a widget on all tabs leave it there, unless another tab is chosen", async () => {
    const id = await made("All tabs", ["One", "Two"]);
    await here.resources.dashboards.edit(id, { tabs: [{ key: "1", value: "First" }] });
    await edit(id);
    for (const [name, tab] of [
      ["One", undefined],
      ["Two", "First"],
    ] as const) {
      await tile(name).focus();
      await press("Enter");
      await page().getByRole("dialog").getByLabel("Title").fill(`${name}!`);
      if (tab !== undefined) await page().getByRole("dialog").getByLabel("Tab").selectOption(tab);
      await page().getByRole("dialog").getByRole("button", { name: "Apply" }).click();
      await said(`Changed ${name}!`);
    }
    await save();
    expect((await stored(id)).arrangement.map(({ tab }) => tab)).toEqual([undefined, "1"]);
  });
});

describe("the editor", () => {
  it.each(["light", "dark"] as const)("has nothing that axe finds, in %s, wide and narrow", async (colorScheme) => {
    await page().emulateMedia({ colorScheme });
    for (const width of [1280, 360]) {
      await page().setViewportSize({ width, height: 800 });
      await edit(PLANT);
      await page().locator(".editing .iot-widget").first().waitFor();
      expect([width, await axeFindings(page())]).toEqual([width, []]);
      expect(await page().evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await button("Add widget").click();
      await page().locator(".gallery .iot-widget").first().waitFor();
      expect(["gallery", width, await axeFindings(page())]).toEqual(["gallery", width, []]);
      await press("Escape");
      await tile("Wind").focus();
      await press("Enter");
      const dialog = page().getByRole("dialog", { name: "Settings of Wind" });
      const text = dialog.getByLabel("Definition, as JSON");
      await text.fill((await text.inputValue()).replace('"angular"', "1"));
      await dialog.getByText("Last valid version").waitFor();
      await dialog.getByRole("combobox", { name: "Device 1" }).waitFor();
      expect(["settings", width, await axeFindings(page())]).toEqual(["settings", width, []]);
      await press("Escape");
      await page().getByRole("dialog").getByRole("button", { name: "Discard" }).last().click();
      await dialog.waitFor({ state: "detached" });
    }
    await page().setViewportSize({ width: 1280, height: 800 });
  });

  it("has a gallery of every type, each drawn with sample data once it is in view", async () => {
    await edit(PLANT);
    await button("Add widget").click();
    await page().getByText("33 types. Enter adds the first one.").waitFor();
    const drawn = page().locator(".gallery .iot-widget");
    await drawn.first().waitFor();
    expect(await drawn.count()).toBeLessThan(33);
    await page().locator(".gallery li").last().scrollIntoViewIfNeeded();
    await page().locator(".gallery li").last().locator(".iot-widget").waitFor();
    await press("Escape");
  });
});
