import { existsSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type DataCreate, Device, Resources, type WidgetCreateInfo } from "../../src/index.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/index.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Debian's Chromium, or the one that `CHROMIUM` names. */
export function launch(): Promise<Browser> {
  const usual = NAMES.flatMap((name) => (process.env["PATH"] ?? "").split(":").map((folder) => join(folder, name)));
  const executablePath = process.env["CHROMIUM"] || usual.find(existsSync);
  if (executablePath === undefined) throw new Error("Chromium is missing: install it, or set CHROMIUM to its path");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

/** A page of the console, and everything that went wrong in it. */
export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, refused requests, and violations of the content security policy. */
  readonly problems: string[];
  /** Opens a view and waits until it has loaded. */
  open(view: string): Promise<void>;
}

type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

/** Lets a browser in, as `iot sandbox open` does. */
export async function openConsole(
  browser: Browser,
  sandbox: Sandbox,
  options: ContextOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // For what hangs: a busy machine takes longer than the 30 s that are usual.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      console.error(`violation of ${violatedDirective} by ${blockedURI}`),
    );
  });
  await page.goto(sandbox.pageAddress());
  await page.waitForURL(`${sandbox.url}/`);
  const open = async (view: string): Promise<void> => {
    await page.goto(`${sandbox.url}/#/${view}`);
    // Only the part behind # changes: the view before may still be there.
    await page.waitForFunction((title) => {
      const heading = document.querySelector("main h1");
      const isThere = title === undefined ? heading !== null : heading?.textContent === title;
      return (
        isThere && ![...document.querySelectorAll("main .none")].some(({ textContent }) => textContent === "Loading")
      );
    }, VIEWS[view]);
  };
  return { page, context, problems, open };
}

type Reading = Awaited<ReturnType<Resources["devices"]["getDeviceData"]>>[number];

/** The console of a sandbox with the demo account, for the tests of one file. */
export interface ConsoleUnderTest {
  readonly sandbox: Sandbox;
  readonly resources: Resources;
  readonly ui: ConsolePage;
  button(name: string): Locator;
  field(name: string): Locator;
  /** Waits for a text of its own. */
  says(text: string): Promise<void>;
  /** What a variable of a device holds now. */
  lastOf(device: string, variable: string): Promise<Reading | undefined>;
}

/** Starts them before the tests of a file. A test in whose page something goes wrong fails. */
export function consoleUnderTest(options: ContextOptions = {}, content: SandboxOptions = {}): ConsoleUnderTest {
  let started: (Pick<ConsoleUnderTest, "sandbox" | "resources" | "ui"> & { readonly browser: Browser }) | undefined;
  const here = (): NonNullable<typeof started> => {
    if (started === undefined) throw new Error("The console is started before the tests, not before that");
    return started;
  };
  beforeAll(async () => {
    const browser = await launch();
    const sandbox = await createSandbox({ ephemeral: true, ...content });
    const region = { api: sandbox.url, sse: sandbox.eventsUrl };
    const resources = new Resources({ token: sandbox.tokens.profile, region });
    started = { browser, sandbox, resources, ui: await openConsole(browser, sandbox, options) };
  });
  afterEach(() => expect(here().ui.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await started?.browser.close();
    await started?.sandbox.close();
  });
  return {
    get sandbox() {
      return here().sandbox;
    },
    get resources() {
      return here().resources;
    },
    get ui() {
      return here().ui;
    },
    button: (name) => here().ui.page.getByRole("button", { name, exact: true }),
    field: (name) => here().ui.page.getByLabel(name, { exact: true }),
    says: (text) => here().ui.page.getByText(text, { exact: true }).first().waitFor(),
    lastOf: async (device, variable) =>
      (await here().resources.devices.getDeviceData(device, { variables: variable, qty: 1 }))[0],
  };
}

/** A dashboard with these widgets below each other, opened. They are named `Widget 0`, `Widget 1` ... where they have no label. */
export async function showWidgets(
  here: ConsoleUnderTest,
  widgets: readonly (Omit<WidgetCreateInfo, "label"> & { readonly label?: string })[],
  more: object = {},
): Promise<string> {
  const { dashboard } = await here.resources.dashboards.create({ label: "Made here", ...more });
  const arrangement = [];
  for (const [place, widget] of widgets.entries()) {
    const made = await here.resources.dashboards.widgets.create(dashboard, { label: `Widget ${place}`, ...widget });
    arrangement.push({ widget_id: made.widget, x: 0, y: place * 4, width: 6, height: 4 });
  }
  await here.resources.dashboards.edit(dashboard, { arrangement });
  await here.ui.open(`dashboards/${dashboard}`);
  await here.ui.page.getByRole("heading", { name: widgets[0]?.label ?? "Widget 0" }).waitFor();
  return dashboard;
}

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds in a page as it is. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Past the content security policy, which holds for the page's own scripts.
  await page.evaluate(axe.source);
  const found = await page.evaluate<Finding[]>("axe.run().then(({ violations }) => violations)");
  return found.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
}

const DEVICE = "65a1000000000000000d0001";

/** The tabs after the first of the dashboard with old widgets. */
const LEGACY_TABS = [2, 3, 4, 5, 6, 7, 8];

/** Addresses of all views, with the heading of each; ids are those of the demo account. */
export const VIEWS: Readonly<Record<string, string>> = {
  devices: "Devices",
  [`devices/${DEVICE}`]: "Freezer 1",
  dashboards: "Dashboards",
  "dashboards/65a1000000000000000b0002": "Plant overview",
  "dashboards/65a1000000000000000b0002?full=1": "Plant overview",
  "dashboards/65a1000000000000000b0001": "Plant, old widgets",
  ...Object.fromEntries(
    LEGACY_TABS.map((n) => [`dashboards/65a1000000000000000b0001?tab=170505000000${n}`, "Plant, old widgets"]),
  ),
  "dashboards/65a1000000000000000b0002?tab=1705050000102": "Plant overview",
  "dashboards/65a1000000000000000b0003": "Silo, any of them",
  "dashboards?look=table": "Dashboards",
  "dashboards?as=65a100000000000000050001": "Dashboards",
  analyses: "Analyses",
  "analyses/65a1000000000000000a0002": "report",
  actions: "Actions",
  files: "Files",
  "files?folder=reports": "Files",
  users: "Users and access",
  requests: "Requests",
  outbox: "Outbox",
  gaps: "Gaps",
  faults: "Faults",
  clock: "Clock",
  snapshots: "Snapshots and reset",
  environment: "Environment",
  "no-such-view": "Not found",
};

/** Sends data as a device does: with its own token, found by the profile's. */
export async function sendAs(sandbox: Sandbox, id: string, data: DataCreate | readonly DataCreate[]): Promise<void> {
  const region = { api: sandbox.url, sse: sandbox.eventsUrl };
  const resources = new Resources({ token: sandbox.tokens.profile, region });
  const [found] = await resources.devices.tokenList(id, { amount: 1, fields: ["token"] });
  await new Device({ token: found?.token ?? "", region }).sendData(data);
}
