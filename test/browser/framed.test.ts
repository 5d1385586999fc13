import { readFileSync } from "node:fs";
import type { Frame } from "playwright-core";
import { expect, it } from "vitest";
import { axeFindings, consoleUnderTest } from "./browser.ts";

const here = consoleUnderTest();
const DASHBOARD = "65a1000000000000000b0002";
const example = readFileSync("examples/pages/warm-freezers.html", "utf8");

async function upload(path: string, text: string): Promise<string> {
  await here.resources.files.uploadBase64([
    { filename: path, file: Buffer.from(text).toString("base64"), public: false },
  ]);
  const [own] = await here.resources.profiles.list();
  return `${here.sandbox.url}/file/${own?.id}${path}`;
}

async function frameOf(): Promise<Frame> {
  const { page } = here.ui;
  await page.locator("main iframe").waitFor();
  const shown = (): Frame | undefined => page.frames().find((frame) => frame.url().includes("/__sandbox/page/"));
  await expect.poll(shown).toBeDefined();
  return shown() ?? page.mainFrame();
}

/** Runs code in the framed page. The frame is another one as soon as the console has heard of the upload. */
async function inFrame(code: string): Promise<unknown> {
  for (;;) {
    const frame = await frameOf();
    try {
      return await frame.evaluate(code);
    } catch (error) {
      if (!frame.isDetached()) throw error;
    }
  }
}

it("shows an HTML file of the sandbox as a custom dashboard, to the profile and to a portal user, in both themes", async () => {
  const { ui, button } = here;
  await upload("/pages/warm.html", example);
  await ui.open("files?folder=pages");
  await ui.page.getByRole("link", { name: "Show as a dashboard" }).click();
  const frame = ui.page.frameLocator("main iframe");
  await frame.getByText(/^\d+ rows in \d+ ms$/).waitFor();
  await ui.page.getByLabel("Colors").selectOption("dark");
  await frame.locator("html.dark").waitFor();
  await ui.page.getByLabel("Colors").selectOption("light");
  await frame.locator("html.light").waitFor();
  expect(await axeFindings(ui.page)).toEqual([]);
  await ui.page.getByLabel("Viewer").selectOption("Oda Operator");
  await frame.getByText(/is missing/).waitFor();
  await upload("/pages/warm.html", example.replace("Warm freezers</h1>", "Changed</h1>"));
  await frame.getByRole("heading", { name: "Changed" }).waitFor();
  expect(await button("Download").count()).toBe(0);
});

it("shows the page of a custom widget on its dashboard, which sends and gets data", async () => {
  const { ui, resources, button } = here;
  const page = `<!doctype html><title>x</title><h1></h1><p></p><button>Send</button><script>
    addEventListener("message", ({ data }) => {
      if (data.widget) { document.querySelector("h1").textContent = data.widget.label; origin = data.widget.display.variables[0].origin.id; }
      if (data.realtime) document.querySelector("p").textContent = data.realtime.flatMap(({ result }) => result).map(({ variable, value }) => variable + "=" + value).join(" ");
    });
    document.querySelector("button").onclick = () => parent.postMessage({ variables: { variable: "speed", value: 41, origin }, key: "1" }, "*");
    parent.postMessage({ loaded: true }, "*");
  </script>`
    .replace("origin =", "device =")
    .replace("value: 41, origin", "value: 41, origin: device");
  const url = await upload("/pages/widget.html", page);
  const { widgets } = resources.dashboards;
  const { arrangement = [] } = await resources.dashboards.info(DASHBOARD);
  for (const { widget_id: id } of arrangement ?? []) {
    const info = await widgets.info(DASHBOARD, id);
    if (info.type === "iframe") await widgets.edit(DASHBOARD, id, { display: { ...info.display, url } });
  }
  await ui.open(`dashboards/${DASHBOARD}`);
  await button("More").click();
  const frame = ui.page.frameLocator(".widget iframe");
  await frame.getByRole("heading", { name: "Route planner" }).waitFor();
  await frame.getByRole("button", { name: "Send" }).click();
  await frame.getByText("speed=41").waitFor();
});

it("keeps a framed page from the console, its key, its API and other servers", async () => {
  const { ui, sandbox } = here;
  await upload("/pages/quiet.html", "<!doctype html><title>x</title><p>Quiet</p>");
  await ui.open("files/pages%2Fquiet.html");
  const tries = {
    document: "parent.document.title",
    key: "localStorage.getItem('iot-sandbox-key')",
    "key of the console": "parent.localStorage.length",
    cookies: "document.cookie",
    api: "await (await fetch('/device')).text()",
    session: "await (await fetch('/__sandbox/session')).text()",
    file: `await new Promise((done, failed) => { const image = new Image(); image.onload = done; image.onerror = failed; image.src = '${sandbox.url}/file/x/y.svg'; })`,
    window: "if (open('/') === null) throw 0",
    "the page around it": "parent.location = '/'",
    elsewhere: "await fetch('http://127.0.0.1:9/')",
  };
  for (const [name, code] of Object.entries(tries)) {
    const found = await inFrame(
      `(async () => { try { return String(await (async () => { ${code.startsWith("if") || code.includes("location =") ? code : `return ${code}`} })()); } catch { return "refused"; } })()`,
    );
    expect([name, found]).toEqual([name, "refused"]);
  }
  // What was tried is in the console of the browser, as violations of the page's own policy.
  const isOwn = (text: string): boolean =>
    /page\/|Content Security Policy|sandboxed|Blocked|violat|navigate/i.test(text);
  expect(ui.problems.splice(0).filter((text) => !isOwn(text))).toEqual([]);
  // A page that leads itself to another one of the sandbox leaves for an error page: only framed pages are shown there.
  await (await frameOf()).evaluate("location.href = '/'").catch(() => undefined);
  await expect
    .poll(() => ui.page.frames().some((each) => each.url() === `${sandbox.url}/` && each !== ui.page.mainFrame()))
    .toBe(false);
  await ui.open("files");
  ui.problems.splice(0);
});

it("opens framed pages by their own path alone, and to no other site", async () => {
  const { sandbox, ui } = here;
  await upload("/pages/path.html", "<!doctype html><title>x</title><p>Path</p>");
  await ui.open("files/pages%2Fpath.html");
  const address = (await frameOf()).url();
  const own = await fetch(address);
  expect([own.status, own.headers.get("content-security-policy")]).toEqual([
    200,
    expect.stringMatching(/^sandbox allow-scripts allow-forms; default-src 'none';/),
  ]);
  const other = await fetch(`${sandbox.url}/__sandbox/page/${"x".repeat(32)}`);
  expect(other.status).toBe(404);
  const body = JSON.stringify({ profile: "x", path: "pages/path.html" });
  expect((await fetch(`${sandbox.url}/__sandbox/page`, { method: "POST", body })).status).toBe(401);
});
