import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Resources } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { type ConsolePage, launch, openConsole, sendAs } from "./browser.ts";

const FREEZER = "65a1000000000000000d0001";
const MACHINE = "65a1000000000000000d0008";

let browser: Browser;
let sandbox: Sandbox;
let resources: Resources;
let ui: ConsolePage;

beforeAll(async () => {
  browser = await launch();
  sandbox = await createSandbox({ ephemeral: true });
  const region = { api: sandbox.url, sse: sandbox.eventsUrl };
  resources = new Resources({ token: sandbox.tokens.profile, region });
  ui = await openConsole(browser, sandbox, { permissions: ["clipboard-read", "clipboard-write"] });
});
afterAll(async () => {
  expect(ui.problems).toEqual([]);
  await browser.close();
  await sandbox.close();
});
beforeEach(() => {
  ui.problems.length = 0;
});

const button = (name: string) => ui.page.getByRole("button", { name, exact: true });
const link = (name: string) => ui.page.getByRole("link", { name, exact: true });
const says = (text: string) => ui.page.getByText(text, { exact: true }).first().waitFor();
const field = (name: string) => ui.page.getByLabel(name, { exact: true });
const lastOf = async (device: string, variable: string) =>
  (await resources.devices.getDeviceData(device, { variables: variable, qty: 1 }))[0];
/** Confirms the question that is open. */
const confirm = (name: string) => ui.page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

describe("a device", () => {
  it("takes a reading from the form, and shows it at once", async () => {
    await ui.open(`devices/${FREEZER}`);
    await field("Value").fill("-31.25");
    await button("Send").click();
    await says("Sent 1 record");
    expect(await lastOf(FREEZER, "temperature")).toMatchObject({ value: -31.25 });
    await ui.page.locator(".values li", { hasText: "-31.25" }).waitFor();
    await ui.page.locator("tbody td", { hasText: "-31.25" }).waitFor();
    await field("Value").fill("cold");
    await button("Send").click();
    await says('"cold" is not a number');
  });

  it("gets a parameter and a token, which can be shown, copied and deleted", async () => {
    await ui.open(`devices/${FREEZER}`);
    await field("Key").fill("color");
    await field("Parameter value").fill("green");
    await button("Add parameter").click();
    await says("Saved");
    expect((await resources.devices.paramList(FREEZER)).find(({ key }) => key === "color")?.value).toBe("green");
    await field("New token").fill("Second");
    await button("Create token").click();
    await says("Created");
    const row = ui.page.locator("tr", { hasText: "Second" });
    await row.getByRole("button", { name: "Copy" }).click();
    await says("Copied");
    const copied = await ui.page.evaluate(() => navigator.clipboard.readText());
    const made = (await resources.devices.tokenList(FREEZER, { amount: 9 })).find(({ name }) => name === "Second");
    expect(copied).toBe(made?.token);
    expect(await row.textContent()).not.toContain(copied);
    await row.getByRole("button", { name: "Show" }).click();
    expect(await row.textContent()).toContain(copied);
    await row.getByRole("button", { name: "Delete" }).click();
    await confirm("Delete");
    await row.waitFor({ state: "detached" });
    expect(await resources.devices.tokenList(FREEZER, { amount: 9 })).toHaveLength(1);
  });

  it("is created, emptied and deleted, each after a question", async () => {
    await ui.open("devices");
    await field("New device").fill("Made here");
    await button("Create").click();
    await ui.page.getByRole("heading", { level: 1, name: "Made here" }).waitFor();
    const id = new URL(ui.page.url()).hash.split("/")[2] ?? "";
    await sendAs(sandbox, id, { variable: "a", value: 1 });
    await button("Delete all data").click();
    await confirm("Delete all data");
    await says("All data of the device is deleted");
    expect(await resources.devices.amount(id)).toBe(0);
    await button("Delete device").click();
    const yes = ui.page.getByRole("dialog").getByRole("button", { name: "Delete device" });
    expect(await yes.isDisabled()).toBe(true);
    await field("Type delete to confirm").fill("delete");
    await yes.click();
    await ui.page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
    await expect(resources.devices.info(id)).rejects.toThrow("Device Not Found");
  });
});

describe("a dashboard", () => {
  const open = async (): Promise<void> => {
    await ui.open("dashboards/65a1000000000000000b0002");
    await ui.page.getByRole("heading", { name: "Pump" }).waitFor();
  };

  it("has forms that write, and buttons that write and run", async () => {
    await open();
    await field("Task").fill("Sweep the floor");
    await button("Add").click();
    await says("Sent 1 record");
    expect(await lastOf(MACHINE, "task")).toMatchObject({ value: "Sweep the floor" });
    await button("Start").click();
    await says("Sent on");
    expect(await lastOf(MACHINE, "pump")).toMatchObject({ value: "on" });
    await button("Report now").click();
    await says("The analysis was started");
  });

  it("follows the data of its devices", async () => {
    await open();
    await sendAs(sandbox, "65a1000000000000000d0002", { variable: "wind", value: 99, unit: "km/h" });
    await ui.page.locator(".widget", { hasText: "Wind" }).locator("text", { hasText: "99 km/h" }).waitFor();
  });

  it("can be seen through the eyes of a portal user", async () => {
    await ui.open("users");
    await ui.page.getByRole("link", { name: "Dashboards as Oda Operator" }).click();
    await says("Seen as the portal user Oda Operator");
    await link("Plant overview").waitFor();
    expect(await ui.page.locator("tbody tr").count()).toBe(1);
    await link("Plant overview").click();
    await ui.page.getByRole("heading", { level: 2, name: "Wind" }).waitFor();
    await says("Seen as the portal user Oda Operator");
  });
});

describe("analyses and actions", () => {
  it("run from the button, with their lines on the console and their messages in the outbox", async () => {
    await ui.open("analyses/65a1000000000000000a0002");
    await field("Scope as JSON, may be empty").fill("[1");
    await button("Run analysis").click();
    await ui.page.getByText(/^This is not JSON/).waitFor();
    await field("Scope as JSON, may be empty").fill('[{"variable": "go", "value": 1}]');
    await button("Run analysis").click();
    await ui.page.locator(".console li", { hasText: "Analysis ended after" }).waitFor();
    await link("Messages it sent").click();
    await ui.page.locator("summary", { hasText: "Daily report" }).waitFor();
    await button("Clear the outbox").click();
    await confirm("Clear the outbox");
    await says("Nothing is in the outbox.");
    expect(sandbox.outbox()).toEqual([]);
  });

  it("are switched on and off", async () => {
    await ui.open("actions");
    const row = ui.page.locator("tr", { hasText: "Freezer too warm" });
    await row.getByRole("button", { name: "Disable" }).click();
    await row.getByText("Inactive").waitFor();
    expect(await resources.actions.info("65a1000000000000000a1001")).toMatchObject({ active: false });
    await row.getByRole("button", { name: "Enable" }).click();
    await row.getByText("Active", { exact: true }).waitFor();
  });
});

describe("files", () => {
  it("are uploaded, downloaded and deleted", async () => {
    await ui.open("files");
    const file = { name: "a b.txt", mimeType: "text/plain", buffer: Buffer.from("four") };
    await field("Upload a file here").setInputFiles(file);
    const row = ui.page.locator("tr", { hasText: "a b.txt" });
    const [download] = await Promise.all([
      ui.page.waitForEvent("download"),
      row.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("a b.txt");
    await row.getByRole("button", { name: "Delete" }).click();
    await confirm("Delete");
    await row.waitFor({ state: "detached" });
  });
});

describe("the sandbox itself", () => {
  it("shows requests as they arrive, with their bodies, and as curl", async () => {
    await ui.open("requests");
    const posted = ui.page.getByRole("button", { name: "POST /data" });
    const before = await posted.count();
    await sendAs(sandbox, FREEZER, { variable: "seen", value: 5 });
    await expect.poll(() => posted.count()).toBe(before + 1);
    await posted.first().click();
    await ui.page.locator(".panel pre", { hasText: '"seen"' }).waitFor();
    await button("Copy as curl").click();
    await says("Copied");
    const curl = await ui.page.evaluate(() => navigator.clipboard.readText());
    expect(curl).toContain(`curl -X POST ${sandbox.url}/data `);
    expect(curl).toContain('-H "token: $IOT_SANDBOX_DEVICE_TOKEN"');
    expect(curl).not.toContain(sandbox.tokens.profile);
    await field("Status").selectOption("5");
    await says("No requests match.");
  });

  it("injects faults, moves the clock and becomes strict", async () => {
    await ui.open("faults");
    await field("Kind").selectOption("status");
    await field("Route").fill("GET /billing");
    await ui.page.getByRole("textbox", { name: "Status" }).fill("503");
    await button("Add rule").click();
    await says("Added");
    expect(sandbox.faults.list()).toMatchObject([{ kind: "status", route: "GET /billing", status: 503 }]);
    await button("Remove").click();
    await says("No faults are injected.");
    await ui.open("clock");
    await button("1 hour").click();
    await says("Advanced by 1 hour");
    expect(sandbox.clock.now() - Date.now()).toBeGreaterThan(3_590_000);
    await button("Back to the real time").click();
    await says("The clock shows the time of the machine");
    await ui.open("gaps");
    await button("Switch strict mode on").click();
    await says("Strict mode is on");
    await button("Switch strict mode off").click();
    await says("Strict mode is off");
  });

  it("gives the lines of the environment", async () => {
    await ui.open("environment");
    await button("Copy for sh").click();
    await says("Copied");
    const lines = await ui.page.evaluate(() => navigator.clipboard.readText());
    expect(lines).toContain(`export IOT_TOKEN=${sandbox.tokens.profile}`);
    expect(lines).not.toContain("IOT_SANDBOX_SECRET");
  });

  it("takes snapshots, restores them, and is reset after its name was typed", async () => {
    await ui.open("snapshots");
    await field("Name of the snapshot").fill("before");
    await button("Save a snapshot").click();
    await ui.page.locator("tr", { hasText: "before" }).waitFor();
    await resources.devices.edit(FREEZER, { name: "Changed" });
    await button("Restore").click();
    await confirm("Restore");
    await says("Restored");
    expect((await resources.devices.info(FREEZER)).name).toBe("Freezer 1");
    await resources.devices.edit(FREEZER, { name: "Changed" });
    await button("Reset the sandbox").click();
    await field("Type reset to confirm").fill("reset");
    await confirm("Reset the sandbox");
    await says("The sandbox is as new");
    expect((await resources.devices.info(FREEZER)).name).toBe("Freezer 1");
  });
});
