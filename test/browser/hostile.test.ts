import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Resources } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { launch, openConsole, sendAs } from "./browser.ts";

const EVIL = `<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>"'&{{7*7}}\u202eevil`;
const LONG = "W".repeat(90);

let browser: Browser;
let sandbox: Sandbox;

beforeAll(async () => {
  browser = await launch();
  sandbox = await createSandbox({ ephemeral: true, seed: "empty" });
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

/** Puts the same hostile text into every field that takes one. Returns addresses of what was made. */
async function fill(name: string): Promise<string[]> {
  const region = { api: sandbox.url, sse: sandbox.eventsUrl };
  const resources = new Resources({ token: sandbox.tokens.profile, region });
  const tags = [{ key: name.slice(0, 100), value: name }];
  const { device_id: device } = await resources.devices.create({ name, description: name, type: "mutable", tags });
  await resources.devices.paramSet(device, [{ key: name, value: name, sent: false }]);
  await resources.devices.tokenCreate(device, { name, permission: "full", expire_time: "never" });
  const row = {
    variable: "level",
    value: name,
    unit: name.slice(0, 20),
    group: name.slice(0, 24),
    metadata: { a: name },
  };
  await sendAs(sandbox, device, [row, { variable: "number", value: 5, metadata: { a: name } }]);
  const { id: analysis } = await resources.analysis.create({ name, description: name, tags });
  const { dashboard } = await resources.dashboards.create({
    label: name,
    type: "dashboard",
    description: name,
    tags,
    tabs: [
      { key: "1", value: name, hidden: false },
      { key: "2", value: name, hidden: false },
    ],
  });
  const made = await resources.dashboards.widgets.create(dashboard, {
    label: name,
    type: "form",
    data: [{ origin: device, query: "last_value", variables: ["level"] }],
    display: {
      header_buttons: [{ text: name, type: "analysis", analysis }],
      buttons: [{ id: name, text: name }],
      sections: [
        {
          fields: [
            {
              id: name,
              type: "select",
              label: name,
              options: [{ value: name }],
              data: { origin: device, variable: "level" },
            },
          ],
        },
      ],
    },
  });
  const arrangement = [{ widget_id: made.widget, x: 0, y: 0, width: 12, height: 4, tab: "1" }];
  await resources.dashboards.edit(dashboard, { arrangement });
  await resources.actions.create({
    name,
    active: true,
    type: "condition",
    tags,
    action: { type: "script", script: [analysis] },
    trigger: [{ device, variable: "level", is: "=", value: name, value_type: "string", unlock: false }],
  });
  await resources.run.userCreate({
    name,
    email: `u${name.length}@example.test`,
    password: "Secret-123",
    timezone: "UTC",
    active: true,
    tags,
  });
  await resources.accessManagement.create({ name, active: true, permissions: [], targets: [] }).catch(() => undefined);
  await resources.files.uploadFile(new Blob(["x"]), `${name.replace(/[/\\]/g, "")}.txt`).catch(() => undefined);
  await fetch(`${sandbox.url}/device?name=${encodeURIComponent(name)}`, {
    headers: { token: sandbox.tokens.profile, "user-agent": name.replace(/[^\x20-\x7e]/g, "") },
  });
  await sandbox.snapshots.create(`snapshot-${name.length}`);
  sandbox.faults.set([{ kind: "status", route: `GET /${name}`, message: name }]);
  return [`devices/${device}`, `dashboards/${dashboard}`, `analyses/${analysis}`];
}

it.each([
  ["markup and characters that turn the text around", EVIL],
  ["words without an end", LONG],
])("shows %s in every field as text", async (_, name) => {
  const made = await fill(name);
  const lists = ["devices", "dashboards", "analyses", "actions", "files", "users", "requests", "outbox", "faults"];
  for (const width of [1280, 360]) {
    const { page, context, problems, open } = await openConsole(browser, sandbox, { viewport: { width, height: 800 } });
    for (const view of [...lists, ...made, `files?folder=${encodeURIComponent(name)}`, encodeURIComponent(name)]) {
      await open(view);
      expect(await page.evaluate(() => "hit" in globalThis), view).toBe(false);
      expect(await page.locator("main img, main script").count(), view).toBe(0);
      const text = (await page.textContent("main")) ?? "";
      expect(text, view).not.toContain("\u202e");
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), view).toBeLessThanOrEqual(0);
      if (made.includes(view) || view === "devices") expect(text, view).toContain(name.slice(0, 30));
    }
    expect(problems).toEqual([]);
    await context.close();
  }
});
