import { describe, expect, it } from "vitest";
import { axeFindings, consoleUnderTest, sendAs } from "./browser.ts";

const FREEZER = "65a1000000000000000d0001";
const MACHINE = "65a1000000000000000d0008";

const here = consoleUnderTest({ permissions: ["clipboard-read", "clipboard-write"] });
const { button, field, says, lastOf } = here;
const link = (name: string) => here.ui.page.getByRole("link", { name, exact: true });
/** Confirms the question that is open. */
const confirm = (name: string) => here.ui.page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

describe("a device", () => {
  it("takes a reading from the form, and shows it at once", async () => {
    await here.ui.open(`devices/${FREEZER}`);
    await field("Value").fill("-31.25");
    await button("Send").click();
    await says("Sent 1 record");
    expect(await lastOf(FREEZER, "temperature")).toMatchObject({ value: -31.25 });
    await here.ui.page.locator(".values li", { hasText: "-31.25" }).waitFor();
    await here.ui.page.locator("tbody td", { hasText: "-31.25" }).waitFor();
    await field("Value").fill("cold");
    await button("Send").click();
    await says('"cold" is not a number');
  });

  it("gets a parameter and a token, which can be shown, copied and deleted", async () => {
    await here.ui.open(`devices/${FREEZER}`);
    await field("Key").fill("color");
    await field("Parameter value").fill("green");
    await button("Add parameter").click();
    await says("Saved");
    expect((await here.resources.devices.paramList(FREEZER)).find(({ key }) => key === "color")?.value).toBe("green");
    await field("New token").fill("Second");
    await button("Create token").click();
    await says("Created");
    const row = here.ui.page.locator("tr", { hasText: "Second" });
    await row.getByRole("button", { name: "Copy" }).click();
    await says("Copied");
    const copied = await here.ui.page.evaluate(() => navigator.clipboard.readText());
    const made = (await here.resources.devices.tokenList(FREEZER, { amount: 9 })).find(({ name }) => name === "Second");
    expect(copied).toBe(made?.token);
    expect(await row.textContent()).not.toContain(copied);
    await row.getByRole("button", { name: "Show" }).click();
    expect(await row.textContent()).toContain(copied);
    await row.getByRole("button", { name: "Delete" }).click();
    await confirm("Delete");
    await row.waitFor({ state: "detached" });
    expect(await here.resources.devices.tokenList(FREEZER, { amount: 9 })).toHaveLength(1);
  });

  it("is created, emptied and deleted, each after a question", async () => {
    await here.ui.open("devices");
    await field("New device").fill("Made here");
    await button("Create").click();
    await here.ui.page.getByRole("heading", { level: 1, name: "Made here" }).waitFor();
    const id = new URL(here.ui.page.url()).hash.split("/")[2] ?? "";
    await sendAs(here.sandbox, id, { variable: "a", value: 1 });
    await button("Delete all data").click();
    await confirm("Delete all data");
    await says("All data of the device is deleted");
    expect(await here.resources.devices.amount(id)).toBe(0);
    await button("Delete device").click();
    const yes = here.ui.page.getByRole("dialog").getByRole("button", { name: "Delete device" });
    expect(await yes.isDisabled()).toBe(true);
    await field("Type delete to confirm").fill("delete");
    await yes.click();
    await here.ui.page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
    await expect(here.resources.devices.info(id)).rejects.toThrow("Device Not Found");
  });
});

describe("a dashboard", () => {
  const open = async (): Promise<void> => {
    await here.ui.open("dashboards/65a1000000000000000b0002");
    await here.ui.page.getByRole("heading", { name: "Pump" }).waitFor();
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
    await sendAs(here.sandbox, "65a1000000000000000d0002", { variable: "wind", value: 99, unit: "km/h" });
    await here.ui.page.locator(".widget", { hasText: "Wind" }).locator("text", { hasText: "99 km/h" }).waitFor();
  });

  it("can be seen through the eyes of a portal user", async () => {
    await here.ui.open("users");
    await here.ui.page.getByRole("link", { name: "Dashboards as Oda Operator" }).click();
    await says("Seen as the portal user Oda Operator");
    await link("Plant overview").waitFor();
    expect(await here.ui.page.locator(".card").count()).toBe(1);
    await link("Plant overview").click();
    await here.ui.page.getByRole("heading", { level: 2, name: "Wind" }).waitFor();
    await says("Seen as the portal user Oda Operator");
  });
});

describe("analyses and actions", () => {
  it("run from the button, with their lines on the console and their messages in the outbox", async () => {
    await here.ui.open("analyses/65a1000000000000000a0002");
    await field("Scope as JSON, may be empty").fill("[1");
    await button("Run analysis").click();
    await here.ui.page.getByText(/^This is not JSON/).waitFor();
    await field("Scope as JSON, may be empty").fill('[{"variable": "go", "value": 1}]');
    await button("Run analysis").click();
    await here.ui.page.locator(".console li", { hasText: "Analysis ended after" }).waitFor();
    await link("Messages it sent").click();
    await here.ui.page.getByRole("button", { name: "Daily report" }).waitFor();
    await button("Clear the outbox").click();
    await confirm("Clear the outbox");
    await here.ui.page.getByText(/^Nothing is in the outbox\./).waitFor();
    expect(here.sandbox.outbox()).toEqual([]);
  });

  it("have a console like a terminal: times, errors in words, the newest line last and in sight", async () => {
    const { id: bare } = await here.resources.analysis.create({ name: "Without a script" });
    await here.ui.open(`analyses/${bare}`);
    await button("Run analysis").click();
    const line = here.ui.page.locator(".console li.bad", { hasText: "Error The analysis has no script" });
    await line.waitFor();
    await here.ui.page.reload();
    await line.waitFor();
    expect(await line.locator("time").textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const script = "for (let i = 0; i < 90; i += 1) console.log('line', i); console.error('went wrong');";
    const content = Buffer.from(script).toString("base64");
    await here.resources.analysis.uploadScript(bare, { name: "s.js", content, language: "node" });
    await button("Run analysis").click();
    await here.ui.page.locator(".console li.bad", { hasText: "Error went wrong" }).waitFor();
    await here.ui.page.locator(".console li", { hasText: "Analysis ended after" }).waitFor();
    const box = here.ui.page.getByRole("log");
    const below = () =>
      box.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    await expect.poll(below).toBeLessThan(8);
    expect(await box.locator("li").last().textContent()).toContain("Analysis ended after");
    await box.evaluate((element) => element.scrollTo(0, 0));
    await here.ui.page.getByRole("button", { name: "Follow the newest lines", pressed: false }).click();
    await expect.poll(below).toBeLessThan(8);
    expect(await axeFindings(here.ui.page)).toEqual([]);
    expect((await here.resources.analysis.info(bare)).console).toContain("line 89");
  });

  it("are switched on and off", async () => {
    await here.ui.open("actions");
    const row = here.ui.page.locator("tr", { hasText: "Freezer too warm" });
    await row.getByRole("button", { name: "Disable" }).click();
    await row.getByText("Inactive").waitFor();
    expect(await here.resources.actions.info("65a1000000000000000a1001")).toMatchObject({ active: false });
    await row.getByRole("button", { name: "Enable" }).click();
    await row.getByText("Active", { exact: true }).waitFor();
  });
});

describe("files", () => {
  it("are uploaded, downloaded and deleted", async () => {
    await here.ui.open("files");
    const file = { name: "a b.txt", mimeType: "text/plain", buffer: Buffer.from("four") };
    await field("Upload a file here").setInputFiles(file);
    const row = here.ui.page.locator("tr", { hasText: "a b.txt" });
    const [download] = await Promise.all([
      here.ui.page.waitForEvent("download"),
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
    await here.ui.open("requests");
    const posted = here.ui.page.getByRole("button", { name: "POST /data" });
    const before = await posted.count();
    await sendAs(here.sandbox, FREEZER, { variable: "seen", value: 5 });
    await expect.poll(() => posted.count()).toBe(before + 1);
    await posted.first().click();
    await here.ui.page.locator(".panel pre", { hasText: '"seen"' }).waitFor();
    await button("Copy as curl").click();
    await says("Copied");
    const curl = await here.ui.page.evaluate(() => navigator.clipboard.readText());
    expect(curl).toContain(`curl -X POST ${here.sandbox.url}/data `);
    expect(curl).toContain('-H "token: $IOT_SANDBOX_DEVICE_TOKEN"');
    expect(curl).not.toContain(here.sandbox.tokens.profile);
    await field("Status").selectOption("5");
    await says("No requests match.");
  });

  it("injects faults, moves the clock and becomes strict", async () => {
    await here.ui.open("faults");
    await field("Kind").selectOption("status");
    await field("Route").fill("GET /billing");
    await here.ui.page.getByRole("textbox", { name: "Status" }).fill("503");
    await button("Add rule").click();
    await says("Added");
    expect(here.sandbox.faults.list()).toMatchObject([{ kind: "status", route: "GET /billing", status: 503 }]);
    await says('Answered with 503 "Injected fault"');
    await button("Remove").click();
    await here.ui.page.getByText(/^No faults are injected\./).waitFor();
    await here.ui.open("clock");
    await button("1 hour").click();
    await says("Advanced by 1 hour");
    expect(here.sandbox.clock.now() - Date.now()).toBeGreaterThan(3_590_000);
    await button("Back to the real time").click();
    await says("The clock shows the time of the machine");
    await here.ui.open("gaps");
    await button("Switch strict mode on").click();
    await says("Strict mode is on");
    await button("Switch strict mode off").click();
    await says("Strict mode is off");
  });

  it("gives the lines of the environment", async () => {
    await here.ui.open("environment");
    await button("Copy for sh").click();
    await says("Copied");
    const lines = await here.ui.page.evaluate(() => navigator.clipboard.readText());
    expect(lines).toContain(`export IOT_TOKEN=${here.sandbox.tokens.profile}`);
    expect(lines).not.toContain("IOT_SANDBOX_SECRET");
  });

  it("takes snapshots, restores them, and is reset after its name was typed", async () => {
    await here.ui.open("snapshots");
    await field("Name of the snapshot").fill("before");
    await button("Save a snapshot").click();
    await here.ui.page.locator("tr", { hasText: "before" }).waitFor();
    await here.resources.devices.edit(FREEZER, { name: "Changed" });
    await button("Restore").click();
    await confirm("Restore");
    await says("Restored");
    expect((await here.resources.devices.info(FREEZER)).name).toBe("Freezer 1");
    await here.resources.devices.edit(FREEZER, { name: "Changed" });
    await button("Reset the sandbox").click();
    await field("Type reset to confirm").fill("reset");
    await confirm("Reset the sandbox");
    await says("The sandbox was reset");
    expect((await here.resources.devices.info(FREEZER)).name).toBe("Freezer 1");
  });
});
