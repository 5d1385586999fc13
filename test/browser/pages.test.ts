import { readFileSync, writeFileSync } from "node:fs";
import { createServer, get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Data, Resources } from "../../src/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type ProgramHere, programHere } from "../helpers/program-here.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { axeFindings, launch } from "./browser.ts";

/** A page that says nothing by itself: a test speaks through it. */
const QUIET = "<!doctype html><title>Quiet</title><p>Quiet</p>";
const ID = "65a100000000000000500001";

let browser: Browser;
let program: ProgramHere;
const folder = temporaryFolder();

beforeAll(async () => {
  [browser, program] = await Promise.all([launch(), programHere()]);
});
afterAll(async () => {
  await browser.close();
  await program.close();
});

interface DevPage {
  readonly url: string;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Everything that went wrong in the page around the frame. */
  readonly problems: string[];
  readonly file: string;
  /** Of the page that is shown now. */
  frame(): Frame;
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Runs `iot ... dev` for as long as a test takes, and opens its page. */
async function openDev(name: string, text: string, args: readonly string[], command = "dashboard"): Promise<DevPage> {
  const file = join(folder, name);
  writeFileSync(file, text);
  let stop = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let found = (_: string): void => undefined;
  const url = new Promise<string>((resolve) => {
    found = resolve;
  });
  const clock = { ...quickClock(), sleep: () => until };
  const onOutput = (bytes: Buffer): void => found(bytes.toString().trim());
  const ended = program.run([command, "dev", file, ...args], { clock, onOutput });
  const early = ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
  early.catch(() => undefined);
  const address = await Promise.race([url, early]);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  ends.push(async () => {
    await context.close();
    stop();
    expect(await ended).toMatchObject({ code: 0 });
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  await page.goto(address);
  await page.locator("iframe").waitFor();
  const frame = (): Frame => {
    const [shown] = page.mainFrame().childFrames();
    if (shown === undefined) throw new Error("There is no frame");
    return shown;
  };
  await expect.poll(() => frame().url()).toContain("/__sandbox/page/");
  await frame().waitForLoadState();
  return { url: address, context, page, problems, file, frame };
}

/** Sends a request from the page, and waits for the response to it. */
const askFrom = (frame: Frame, op: string, payload?: unknown): Promise<Record<string, unknown>> =>
  frame.evaluate(
    ([name, body]) =>
      new Promise((resolve) => {
        const id = crypto.randomUUID?.() ?? String(Math.random());
        addEventListener("message", ({ data }) => data.id === id && resolve(data));
        parent.postMessage({ type: "dashboard:request", id, op: name, payload: body }, "*");
      }),
    [op, payload] as const,
  );

describe("a dashboard page that is being written", () => {
  it("lists and runs the stored queries of the profile, with the rows that iot sql run prints", async () => {
    const { frame, page } = await openDev("quiet.html", QUIET, ["--no-browser"]);
    const { result } = await askFrom(frame(), "sql.list");
    expect(result).toEqual({ queries: [{ id: ID, name: "Warm freezer" }] });
    const expected = await program.json<object[]>(["sql", "run", ID, "--param", "1=-11"]);
    const params = [{ key: "$1", value: "-11" }];
    const answer = await askFrom(frame(), "sql.run", { query_id: ID, params });
    expect(answer).toMatchObject({
      type: "dashboard:response",
      ok: true,
      result: {
        columns: ["time", "temperature"],
        rows: expected,
        meta: { row_count: expected.length, served_from_cache: false },
      },
    });
    expect(expected.length).toBeGreaterThan(0);
    await page.locator("#log li", { hasText: "sql.run" }).waitFor();
  });
});

describe("a custom widget that is being written", () => {
  const place = ["--widget", "name:Route planner", "--dashboard", "name:Plant overview", "--no-browser"];

  /** Sends a message of the widget, and waits for the response with its key. */
  const change = (frame: Frame, method: string | undefined, variables: unknown): Promise<Record<string, unknown>> =>
    frame.evaluate(
      ([name, rows]) =>
        new Promise((resolve) => {
          const key = String(Math.random());
          addEventListener("message", ({ data }) => data.key === key && resolve(data));
          parent.postMessage({ method: name, variables: rows, key }, "*");
        }),
      [method, variables] as const,
    );

  it("is bundled from TypeScript, gets its widget with the records, and what it sends is stored", async () => {
    const { frame, page, problems } = await openDev(
      "route.ts",
      readFileSync("examples/pages/route.ts", "utf8"),
      [...place, "--write"],
      "widget",
    );
    await frame().getByRole("heading", { name: "Route planner" }).waitFor();
    const rows = await program.json<{ variable: string; device: string }[]>([
      "widget",
      "data",
      "name:Route planner",
      "--dashboard",
      "name:Plant overview",
    ]);
    expect(await frame().locator("li").count()).toBe(rows.length);
    await frame().getByRole("button", { name: "Send speed 0" }).click();
    await frame().getByText("Sent", { exact: true }).waitFor();
    await frame().getByText("speed: 0 km/h").waitFor();
    expect(await page.locator("#log .bad").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("changes and deletes records, and is told why the platform rejects something", async () => {
    const { sandbox } = program.here;
    const region = { api: sandbox.url, sse: sandbox.eventsUrl };
    const { devices, dashboards } = new Resources({ token: sandbox.tokens.profile, region });
    const { device_id: origin } = await devices.create({ name: "Written", type: "mutable" });
    const { dashboard } = await dashboards.create({ label: "Written" });
    const data = [{ origin, variables: ["level"], query: "last_value" as const }];
    const { widget } = await dashboards.widgets.create(dashboard, { label: "Own", type: "iframe", data, display: {} });
    const of = ["--widget", widget, "--dashboard", dashboard, "--no-browser", "--write"];
    const { frame } = await openDev("edits.html", QUIET, of, "widget");
    const last = async (): Promise<Data | undefined> =>
      (await devices.getDeviceData(origin, { variables: "level" }))[0];
    const level = { variable: "level", value: 7 };
    expect(await change(frame(), undefined, { ...level, device: origin })).toMatchObject({ status: true });
    const { id, value } = (await last()) ?? {};
    expect(value).toBe(7);
    expect(await change(frame(), "edit", [{ id, origin, value: 8 }])).toMatchObject({ status: true });
    expect(await last()).toMatchObject({ id, value: 8 });
    expect(await change(frame(), "edit-resource", { device: origin, "tags.route": "north" })).toMatchObject({
      status: true,
    });
    expect((await devices.info(origin)).tags).toContainEqual({ key: "route", value: "north" });
    expect(await change(frame(), "delete", { id, device: origin })).toMatchObject({ status: true });
    expect(await last()).toBeUndefined();
    for (const [method, rows] of [
      ["send", { variable: "not in the widget", value: 1, origin }],
      ["drop", { variable: "speed" }],
      ["send", []],
      ["send", "text"],
    ] as const)
      expect(await change(frame(), method, rows)).toMatchObject({ status: false, message: expect.stringMatching(/./) });
  });

  it("changes nothing without --write, and has no token in what it is told of the user", async () => {
    const { frame } = await openDev("reads.html", QUIET, place, "widget");
    const startMs = Date.now();
    const message = expect.stringContaining("--write");
    for (const method of ["send", "edit", "delete", "edit-resource"])
      expect(await change(frame(), method, { id: "1", variable: "speed", value: 1 })).toMatchObject({
        status: false,
        message,
      });
    expect(program.here.requestsSince(startMs).filter((request) => !request.startsWith("GET "))).toEqual([]);
    const told = await frame().evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener("message", ({ data }) => data.userInformation && resolve(data.userInformation));
          parent.postMessage({ loaded: true }, "*");
        }),
    );
    expect(told).toMatchObject({ token: null });
  });

  it("shows why a changed source cannot be bundled, keeps the page before, and goes on once it can", async () => {
    const { frame, page, file } = await openDev("broken.ts", "document.body.append('One');", place, "widget");
    await frame().getByText("One").waitFor();
    writeFileSync(file, "const = 1;");
    await page.getByRole("alert").getByText("broken.ts could not be bundled.").waitFor();
    expect(await frame().getByText("One").count()).toBe(1);
    writeFileSync(file, "document.body.append('Another');");
    await page.frameLocator("iframe").getByText("Another").waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });
});

/** A server of somebody else: no page may reach it. */
async function elsewhere(): Promise<{ readonly origin: string; readonly reached: string[]; close(): void }> {
  const reached: string[] = [];
  const server: Server = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.setHeader("access-control-allow-origin", "*").end();
  });
  server.on("connection", () => reached.push("connection"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, reached, close: () => server.close() };
}

/** Ways for a page to send something, which leave the page where it is. */
const SENDING = `async (to) => {
  const tries = {
    fetch: () => fetch(to),
    opaque: () => fetch(to, { method: "POST", mode: "no-cors", body: "x" }),
    request: () => new Promise((done, failed) => {
      const request = new XMLHttpRequest();
      request.onload = done;
      request.onerror = failed;
      request.open("GET", to);
      request.send();
    }),
    socket: () => new Promise((done, failed) => {
      const socket = new WebSocket(to.replace("http", "ws"));
      socket.onopen = done;
      socket.onerror = failed;
    }),
    events: () => new Promise((done, failed) => {
      const source = new EventSource(to);
      source.onopen = done;
      source.onerror = failed;
    }),
    module: () => import(to),
    worker: () => new Promise((done, failed) => {
      const text = "fetch(" + JSON.stringify(to) + ").then(() => postMessage(1), () => postMessage(0))";
      const worker = new Worker(URL.createObjectURL(new Blob([text])));
      worker.onmessage = ({ data }) => (data === 1 ? done() : failed());
      worker.onerror = failed;
    }),
  };
  for (const [name, source] of Object.entries({ img: "src", script: "src", video: "src", iframe: "src", embed: "src", object: "data" }))
    tries[name] = () => new Promise((done, failed) => {
      const element = document.createElement(name);
      // A frame that was blocked loads as well: an error page.
      Object.assign(element, { onload: name === "iframe" ? failed : done, onloadeddata: done, onerror: failed, [source]: to });
      document.body.append(element);
      setTimeout(failed, 300);
    });
  for (const rel of ["stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "modulepreload", "manifest"])
    tries[rel] = () => new Promise((done, failed) => {
      const link = document.createElement("link");
      Object.assign(link, { rel, href: to, as: "image", onload: done, onerror: failed });
      document.head.append(link);
      setTimeout(failed, 300);
    });
  tries.style = async () => {
    const style = document.createElement("style");
    style.textContent = "@import url(" + to + "); body { background: url(" + to + ") } @font-face { font-family: x; src: url(" + to + ") } p { font-family: x }";
    document.head.append(style);
    await new Promise((done) => setTimeout(done, 300));
    throw new Error("sent nothing that a script could tell of");
  };
  tries.beacon = async () => {
    if (!navigator.sendBeacon(to, "x")) throw new Error("refused");
    await new Promise((done) => setTimeout(done, 300));
    throw new Error("sent nothing that a script could tell of");
  };
  const outcomes = await Promise.all(Object.entries(tries).map(([name, work]) => Promise.resolve().then(work).then(() => [name], () => [])));
  return outcomes.flat();
}`;

/** Ways for a page to go elsewhere, or to take the page around it there. */
const LEAVING: Readonly<Record<string, string>> = {
  itself: "location.href = to",
  "itself by a refresh": `document.head.insertAdjacentHTML("beforeend", '<meta http-equiv="refresh" content="0;url=' + to + '">')`,
  "itself by a link": "Object.assign(document.createElement('a'), { href: to }).click()",
  "itself by a form":
    "for (const method of ['get', 'post']) { const form = Object.assign(document.createElement('form'), { action: to, method }); document.body.append(form); form.submit(); }",
  "a download": "Object.assign(document.createElement('a'), { href: to, download: 'x' }).click()",
  "a window": "if (open(to) !== null) throw new Error('opened')",
  "a window by a link": "Object.assign(document.createElement('a'), { href: to, target: '_blank' }).click()",
  "the page around it": "parent.location = to",
  "the top by a link": "Object.assign(document.createElement('a'), { href: to, target: '_top' }).click()",
  "the top by a form":
    "{ const form = Object.assign(document.createElement('form'), { action: to, target: '_top' }); document.body.append(form); form.submit(); }",
};

describe("custom dashboards as the vendor's pages use them", () => {
  it("gives every mistake the code that the platform gives it", async () => {
    const { frame } = await openDev("codes.html", QUIET, ["--no-browser"]);
    const codeOf = async (op: string, payload?: unknown): Promise<unknown> => {
      const { ok, error } = await askFrom(frame(), op, payload);
      return ok === true ? "ok" : (error as { readonly code: string }).code;
    };
    const { faults } = program.here.sandbox;
    expect(await codeOf("sql.drop")).toBe("unknown_op");
    for (const payload of [undefined, "x", { query_id: "../device" }, { query_id: ID, params: {} }])
      expect(await codeOf("sql.run", payload)).toBe("bad_request");
    expect(await codeOf("sql.run", { query_id: "0".repeat(24) })).toBe("not_found");
    expect(await codeOf("sql.run", { query_id: ID, params: [{ key: "1", value: "1" }] })).toBe("bad_params");
    const expected = { 401: "forbidden", 402: "plan_limit", 403: "forbidden", 408: "timeout", 422: "bad_params" };
    for (const [status, code] of Object.entries({
      ...expected,
      429: "rate_limited",
      500: "api_error",
      504: "timeout",
    })) {
      faults.set([
        { kind: "status", route: "POST /sql/*/execute", status: Number(status), message: "In its own words" },
      ]);
      expect(await askFrom(frame(), "sql.run", { query_id: ID })).toMatchObject({
        ok: false,
        error: { code, message: "In its own words" },
      });
    }
    faults.set([{ kind: "drop", route: "POST /sql/*/execute" }]);
    expect(await codeOf("sql.run", { query_id: ID })).toBe("api_error");
    faults.set([]);
    expect(await codeOf("sql.run", { query_id: ID })).toBe("ok");
  });

  it("gets the theme after each ready and when it changes, and has it in its address", async () => {
    const { frame, page } = await openDev("theme.html", QUIET, ["--no-browser", "--theme", "dark"]);
    expect(new URL(frame().url()).search).toBe("?theme=dark&v=1");
    await frame().evaluate(() => {
      const got: unknown[] = [];
      Object.assign(globalThis, { got });
      addEventListener("message", ({ data }) => got.push(data));
      for (const _ of [1, 2]) parent.postMessage({ type: "dashboard:ready" }, "*");
    });
    const got = (): Promise<unknown> => frame().evaluate("got");
    const [theme, style] = [
      { type: "dashboard:theme", theme: "dark" },
      { type: "dashboard:style", style: {} },
    ];
    await expect.poll(got).toEqual([theme, style, theme, style]);
    await page.getByLabel("Theme").selectOption("light");
    await expect.poll(got).toEqual([theme, style, theme, style, { ...theme, theme: "light" }]);
  });

  it("is shown to the users of --as, who see and may do what their access rules say", async () => {
    const users = ["--as", "name:Oda Operator"];
    const { frame, page } = await openDev("users.html", QUIET, ["--no-browser", ...users]);
    expect(await askFrom(frame(), "sql.run", { query_id: ID })).toMatchObject({ error: { code: "forbidden" } });
    expect(await askFrom(frame(), "sql.list")).toMatchObject({ result: { queries: [] } });
    await page.getByLabel("Viewer").selectOption("Profile");
    await page.locator("#log li", { hasText: "frame: start" }).nth(1).waitFor();
    expect(await askFrom(frame(), "sql.run", { query_id: ID })).toMatchObject({ ok: true });
  });

  it("is loaded again when its file changes, and gets no response to what an earlier page asked", async () => {
    const { frame, file } = await openDev("change.html", QUIET, ["--no-browser"]);
    program.here.sandbox.faults.set([{ kind: "latency", route: "GET /sql", delayMs: 1_500 }]);
    await frame().evaluate(() => parent.postMessage({ type: "dashboard:request", id: "old", op: "sql.list" }, "*"));
    const listening =
      "<script>got = []; addEventListener('message', ({ data }) => got.push(data.id ?? data.type))</script>";
    writeFileSync(file, QUIET.replace("Quiet</p>", `Changed</p>${listening}`));
    await expect.poll(() => frame().getByText("Changed").count()).toBe(1);
    await askFrom(frame(), "sql.list");
    program.here.sandbox.faults.set([]);
    expect(await frame().evaluate("got.includes('old')")).toBe(false);
  });

  it("may load itself again", async () => {
    const { frame, page } = await openDev("again.html", QUIET, ["--no-browser"]);
    await frame().evaluate(() => location.reload());
    await page.locator("#log li", { hasText: "frame: start" }).nth(1).waitFor();
    await askFrom(frame(), "sql.list");
  });

  it("is shown without errors by the example, in a page without findings of axe", async () => {
    const example = readFileSync("examples/pages/warm-freezers.html", "utf8");
    for (const theme of ["light", "dark"]) {
      const { frame, page, problems } = await openDev("example.html", example, ["--no-browser", "--theme", theme]);
      await frame()
        .getByText(/^\d+ rows in \d+ ms$/)
        .waitFor();
      expect(await frame().locator("tbody tr").count()).toBeGreaterThan(0);
      expect(await page.locator("#log .bad").count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      expect(problems).toEqual([]);
    }
  });

  it("is for the browser of the user alone: its address works once, and other sites and names are refused", async () => {
    const { url, page, file } = await openDev("once.html", QUIET, ["--no-browser"]);
    const { origin } = new URL(page.url());
    const code = url.split("#")[1] ?? "";
    const statusOf = async (path: string, init: RequestInit = {}): Promise<number> =>
      (await fetch(origin + path, init)).status;
    expect(file).toContain("once.html");
    const headers = { authorization: `Bearer ${code}` };
    expect(await statusOf("/__sandbox/enter", { method: "POST", headers })).toBe(401);
    for (const path of ["/__sandbox/session", "/__sandbox/changes/0"]) expect(await statusOf(path)).toBe(401);
    expect(await statusOf("/__sandbox/call", { method: "POST", body: "{}" })).toBe(401);
    for (const path of ["/__sandbox/page/x", "/__sandbox/page/", "/etc/passwd"]) expect(await statusOf(path)).toBe(404);
    expect(await statusOf("/", { headers: { origin: "https://evil.example" } })).toBe(403);
    const named = await new Promise<number>((resolve) => {
      get(`${origin}/`, { headers: { host: "evil.example" } }, ({ statusCode = 0 }) => resolve(statusCode));
    });
    expect(named).toBe(403);
  });
});

describe("a hostile page", () => {
  it("sends nothing to other servers, whichever way it tries", async () => {
    const { frame, page, problems } = await openDev("hostile.html", QUIET, ["--no-browser"]);
    const other = await elsewhere();
    ends.push(async () => other.close());
    expect(await frame().evaluate(`(${SENDING})(${JSON.stringify(`${other.origin}/secret`)})`)).toEqual([]);
    expect(other.reached).toEqual([]);
    // Each is a line of the log, so that authors see what they miss.
    await page.locator("#log li.bad", { hasText: "frame: blocked connect-src" }).first().waitFor();
    expect(problems).toEqual([]);
  });

  it("leads neither itself nor the page around it to another server, and opens no windows", async () => {
    const { frame, page, context } = await openDev("leaving.html", QUIET, ["--no-browser"]);
    const other = await elsewhere();
    ends.push(async () => other.close());
    const address = page.url();
    for (const [name, code] of Object.entries(LEAVING)) {
      await page.getByRole("button", { name: "Clear" }).click();
      await page.getByRole("button", { name: "Reload" }).click();
      await page.locator("#log li", { hasText: "frame: start" }).waitFor();
      await frame()
        .evaluate(`{ const to = ${JSON.stringify(`${other.origin}/left`)}; ${code} }`)
        .catch(() => undefined);
      await page.waitForTimeout(200);
      expect([name, page.url(), context.pages().length, other.reached]).toEqual([name, address, 1, []]);
    }
  });

  it("reads nothing of the page around it, its storage, its cookies or its server", async () => {
    const { frame, page } = await openDev("nosy.html", QUIET, ["--no-browser"]);
    await page.evaluate(() => {
      // biome-ignore lint/suspicious/noDocumentCookie: what a page must not read
      document.cookie = "secret=1";
    });
    const tries = {
      document: "parent.document.title",
      storage: "localStorage.length",
      "storage of the page around it": "parent.localStorage.length",
      session: "sessionStorage.length",
      cookies: "document.cookie",
      database: "indexedDB.open('x')",
      peers: "new RTCPeerConnection()",
      "peers of a frame in it":
        "new (document.body.appendChild(document.createElement('iframe')).contentWindow.RTCPeerConnection)()",
      "its address": "parent.location.href",
      session_route: "await (await fetch('/__sandbox/session')).text()",
      call_route: "await (await fetch('/__sandbox/call', { method: 'POST', body: '{}' })).text()",
    };
    for (const [name, code] of Object.entries(tries)) {
      const found = await frame().evaluate(
        `(async () => { try { return String(await (async () => (${code}))()); } catch { return "refused"; } })()`,
      );
      expect([name, found]).toEqual([name, "refused"]);
    }
    expect(await frame().evaluate("origin")).toBe("null");
  });

  it("never sees a token: not in its address, nor in anything the page around it gets", async () => {
    const { frame, page } = await openDev("token.html", QUIET, ["--no-browser", "--as", "name:Oda Operator"]);
    const bodies: string[] = [];
    page.on("response", async (response) => bodies.push(await response.text().catch(() => "")));
    await page.reload();
    await page.locator("iframe").waitFor();
    await expect.poll(() => page.mainFrame().childFrames()[0]?.url()).toContain("/__sandbox/page/");
    await frame().waitForLoadState();
    expect(bodies.some((body) => body.includes('"viewers"'))).toBe(true);
    await askFrom(frame(), "sql.run", { query_id: ID });
    const token = program.here.sandbox.tokens.profile;
    expect([...bodies, frame().url(), page.url(), await page.content()].filter((text) => text.includes(token))).toEqual(
      [],
    );
  });

  it("is the only one that the page around it listens to", async () => {
    const { frame, page } = await openDev("listen.html", QUIET, ["--no-browser"]);
    await frame().evaluate(`{
      const inner = document.body.appendChild(document.createElement("iframe"));
      inner.srcdoc = "<script>parent.parent.postMessage({ type: 'dashboard:request', id: 'inner', op: 'sql.list' }, '*')</scr" + "ipt>";
    }`);
    await page.evaluate(() => postMessage({ type: "dashboard:request", id: "own", op: "sql.list" }, "*"));
    await frame().evaluate(() => parent.postMessage({ type: "dashboard:request", id: "", op: "sql.list" }, "*"));
    await askFrom(frame(), "sql.list");
    const lines = await page.locator("#log li").allTextContents();
    expect(lines.filter((line) => line.includes("dashboard:response"))).toHaveLength(1);
  });
});
