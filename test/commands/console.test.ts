import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleHere, consoleHere } from "../helpers/account-console.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

const PLANT = "65a1000000000000000b0002";
const FREEZER = "65a1000000000000000d0001";

let here: SandboxUnderTest;
let open: ConsoleHere;
beforeAll(async () => {
  here = await sandboxUnderTest();
  open = await consoleHere(here, ["console"]);
});
afterAll(async () => {
  await open.stop();
  await here.close();
});
afterEach(() => here.sandbox.faults.set([]));

type Sent = { readonly status: number; readonly text: string; readonly headers: Readonly<Record<string, unknown>> };

/** Sends exactly this target: fetch would take dots and encodings out of it. */
function send(
  target: string,
  init: { method?: string; headers?: object; body?: string; of?: ConsoleHere } = {},
): Promise<Sent> {
  const { method = "GET", headers = {}, body, of = open } = init;
  const { hostname, port } = new URL(of.origin);
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { hostname, port, path: target, method, headers: { ...of.headers, ...length, ...headers } },
      (reply) => {
        let text = "";
        reply.on("data", (part) => {
          text += String(part);
        });
        reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text, headers: reply.headers }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

const passedOn = async (work: () => Promise<unknown>): Promise<string[]> => {
  const before = here.requests().length;
  await work();
  return here.requests().slice(before);
};

describe("iot console", () => {
  it("reads devices and dashboards with the token of the environment, which it shows nowhere", async () => {
    const { tokens } = here.sandbox;
    const texts: string[] = [open.address];
    for (const path of [
      "/device?amount=3",
      `/device/${FREEZER}`,
      `/device/${FREEZER}/data?qty=2`,
      "/dashboard",
      `/dashboard/${PLANT}`,
    ]) {
      const reply = await send(`/api${path}`);
      expect([path, reply.status]).toEqual([path, 200]);
      expect(reply.headers["cache-control"]).toBe("no-store");
      texts.push(reply.text, JSON.stringify(reply.headers));
    }
    texts.push((await send("/__sandbox/session")).text, (await send("/")).text);
    for (const token of [tokens.profile, tokens.device, tokens.analysis]) expect(texts.join("\n")).not.toContain(token);
  });

  it("tells the page what it may do instead of what a sandbox has", async () => {
    const { result } = JSON.parse((await send("/__sandbox/session")).text);
    expect(result.capabilities).toMatchObject({ writes: false, readEveryMs: 11_000 });
    expect(Object.keys(result)).not.toEqual(expect.arrayContaining(["tokens"]));
    for (const name of ["tokens", "logins", "clock", "variables"]) expect(result[name]).toBeUndefined();
    expect((await send("/")).text).toContain('data-console="account"');
  });

  it.each([
    "GET /api/account",
    "GET /api/info",
    "GET /api/secrets",
    `GET /api/device/token/${FREEZER}`,
    `GET /api/device/${FREEZER}/params`,
    `GET /api/dashboard/${PLANT}/share/public`,
    "GET /api/profile/current/token",
    "GET /api/run/users/65a100000000000000050001/login",
    `HEAD /api/device/${FREEZER}`,
    `OPTIONS /api/device/${FREEZER}`,
    `PATCH /api/device/${FREEZER}`,
    `DELETE /api/device/${FREEZER}`,
    `PUT /api/device/${FREEZER}`,
    "POST /api/device",
    `POST /api/device/${FREEZER}/empty`,
    `GET /api/device/${FREEZER}/../../account`,
    `GET /api/device/${FREEZER}/%2e%2e/%2e%2e/account`,
    `GET /api/device/${FREEZER}%2f..%2ftoken`,
    `GET /api/device/token%2f${FREEZER}`,
    `GET /api//device/${FREEZER}`,
    `GET /api/./device/${FREEZER}`,
    `GET /api/device\\${FREEZER}`,
    `GET /api/DEVICE/${FREEZER}`,
    `GET /api/device/${FREEZER};/token`,
    `GET /api/device/${FREEZER}?_method=DELETE`,
    "GET /api/file/65a100000000000000010001/a",
  ])("does not pass on %s", async (line) => {
    const [method = "", target = ""] = line.split(" ");
    const requests = await passedOn(async () => {
      const { status } = await send(target, { method });
      expect([403, 404, 400]).toContain(status);
    });
    expect(requests).toEqual([]);
  });

  it("passes on no request that names another method or another host", async () => {
    const requests = await passedOn(async () => {
      for (const name of ["X-HTTP-Method-Override", "x-method-override", "X-HTTP-Method"])
        expect(await send(`/api/device/${FREEZER}`, { headers: { [name]: "DELETE" } })).toMatchObject({ status: 403 });
      for (const host of ["example.com", "localhost", "api.tago.io", "127.0.0.1:1"])
        expect(await send("/api/device", { headers: { host } })).toMatchObject({ status: 403 });
      for (const origin of ["http://example.com", "http://127.0.0.1:1", "null"])
        expect(await send("/api/device", { headers: { origin } })).toMatchObject({ status: 403 });
      expect(await send("/api/device", { headers: { "sec-fetch-site": "same-site" } })).toMatchObject({ status: 403 });
      expect(await send(`${here.sandbox.url}/device`)).toMatchObject({ status: 403 });
    });
    expect(requests).toEqual([]);
  });

  it("lets in nobody without the key of a page", async () => {
    const requests = await passedOn(async () => {
      for (const authorization of ["", "Bearer x", `Bearer ${here.sandbox.tokens.profile}`])
        for (const path of ["/api/device", "/__sandbox/session", "/__sandbox/stream"])
          expect(await send(path, { headers: { authorization } })).toMatchObject({ status: 401 });
      const used = new URL(open.address).hash.slice(1);
      const again = { method: "POST", headers: { authorization: `Bearer ${used}` } };
      expect(await send("/__sandbox/enter", again)).toMatchObject({ status: 401 });
      expect(
        await send("/api/device", { headers: { authorization: "", token: here.sandbox.tokens.profile } }),
      ).toMatchObject({ status: 401 });
    });
    expect(requests).toEqual([]);
  });

  it("writes nothing without --write", async () => {
    const [widget] = (await here.json<{ id: string }[]>(["widget", "list", "--dashboard", PLANT])) ?? [];
    const requests = await passedOn(async () => {
      for (const method of ["POST", "PUT", "DELETE"]) {
        const reply = await send(`/api/data/${PLANT}/${widget?.id}`, { method, body: "[]" });
        expect(reply).toMatchObject({ status: 403 });
      }
      const run = await send(`/api/analysis/65a1000000000000000a0001/run/${PLANT}/${widget?.id}`, { method: "POST" });
      expect(run).toMatchObject({ status: 403, text: expect.stringContaining("--write") });
    });
    expect(requests).toEqual([]);
  });

  it("makes one request of the same reads of ten seconds, and forgets those that failed", async () => {
    const path = `/device/${FREEZER}/data?qty=3`;
    const reads = await passedOn(() => Promise.all([1, 2, 3].map(() => send(`/api${path}`))));
    expect(reads).toEqual([`GET ${path}`]);
    here.sandbox.faults.set([{ route: "GET /dashboard", kind: "status", status: 403, count: 1 }]);
    expect(await send("/api/dashboard?page=1")).toMatchObject({ status: 403 });
    expect(await send("/api/dashboard?page=1")).toMatchObject({ status: 200 });
  });
});

describe("iot console --write", () => {
  it("asks for the name of the environment", async () => {
    const { code, stderr, stdout } = await here.iot(["console", "--write", "--no-browser", "--for", "1s"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("--confirm");
    const wrong = ["console", "--write", "--no-browser", "--for", "1s", "--confirm", "other"];
    expect(await here.iot(wrong)).toMatchObject({ code: 2, stdout: "" });
  });

  it("writes through widgets, and notes each change", async () => {
    const folder = temporaryFolder();
    const name = new URL(here.sandbox.url).host;
    const writing = await consoleHere(here, ["console", "--write", "--confirm", name], {
      env: { IOT_CONFIG_DIR: folder },
    });
    const widgets = await here.json<{ id: string; type: string }[]>(["widget", "list", "--dashboard", PLANT]);
    const button = widgets.find(({ type }) => type === "push_button")?.id ?? "";
    const data = JSON.stringify([{ origin: "65a1000000000000000d0008", variable: "pump", value: "on" }]);
    const json = { "content-type": "application/json" };
    const sent = await send(`/api/data/${PLANT}/${button}`, { of: writing, method: "POST", headers: json, body: data });
    expect(sent).toMatchObject({ status: 200 });
    expect(await send("/api/device", { of: writing, method: "POST", headers: json, body: "{}" })).toMatchObject({
      status: 403,
    });
    expect(await send(`/api/data/${PLANT}/${button}`, { of: writing, method: "POST", body: "{" })).toMatchObject({
      status: 400,
    });
    const { stderr } = await writing.stop();
    expect(stderr).toContain("1 change sent");
    const [journal = ""] = readdirSync(join(folder, "state", "journals")).filter((file) => file.endsWith(".jsonl"));
    expect(readFileSync(join(folder, "state", "journals", journal), "utf8")).toContain(`POST /data/${PLANT}/${button}`);
  });
});

describe("what the editor of dashboards needs", () => {
  const writing = (): Promise<ConsoleHere> =>
    consoleHere(here, ["console", "--write", "--confirm", new URL(here.sandbox.url).host], {
      env: { IOT_CONFIG_DIR: temporaryFolder() },
    });
  const json = { "content-type": "application/json" };
  const widget = { label: "N", type: "note", display: { value: "x" }, data: [] };

  it("is passed on with --write alone: dashboards are created and edited, widgets also deleted", async () => {
    const of = await writing();
    const write = (method: string, path: string, body: object = {}) =>
      send(`/api${path}`, { of, method, headers: json, body: JSON.stringify(body) });
    const made = await write("POST", "/dashboard", { label: "Made" });
    const { dashboard } = JSON.parse(made.text).result;
    const { widget: id } = JSON.parse((await write("POST", `/dashboard/${dashboard}/widget/`, widget)).text).result;
    const place = { widget_id: id, x: 0, y: 0, width: 4, height: 4 };
    for (const [method, path, body] of [
      ["PUT", `/dashboard/${dashboard}/widget/${id}`, { label: "M" }],
      ["PUT", `/dashboard/${dashboard}`, { arrangement: [place] }],
      ["DELETE", `/dashboard/${dashboard}/widget/${id}`, {}],
    ] as const) {
      expect([path, await send(`/api${path}`, { method, headers: json, body: JSON.stringify(body) })]).toMatchObject([
        path,
        { status: 403 },
      ]);
      expect([path, await write(method, path, body)]).toMatchObject([path, { status: 200 }]);
    }
    expect(await write("DELETE", `/dashboard/${dashboard}`)).toMatchObject({ status: 403 });
    await of.stop();
  });

  it("is read again at once where the page asks for it, and may write", async () => {
    const of = await writing();
    const path = `/dashboard/${PLANT}`;
    const headers = { "x-console-fresh": "1" };
    const twice = async (by: ConsoleHere) => {
      for (let sent = 0; sent < 2; sent += 1) await send(`/api${path}`, { of: by, headers });
    };
    expect(await passedOn(() => twice(of))).toEqual([`GET ${path}`, `GET ${path}`]);
    expect((await passedOn(() => twice(open))).length).toBeLessThan(2);
    await of.stop();
  });

  it("does not replace a secret with what the page got in its place", async () => {
    const of = await writing();
    const { dashboard } = JSON.parse(
      (await send("/api/dashboard", { of, method: "POST", headers: json, body: '{"label":"Secret"}' })).text,
    ).result;
    const held = { ...widget, display: { value: "x", parameters: [{ api_key: "a-very-secret-key" }] } };
    const body = JSON.stringify(held);
    const made = await send(`/api/dashboard/${dashboard}/widget/`, { of, method: "POST", headers: json, body });
    const path = `/api/dashboard/${dashboard}/widget/${JSON.parse(made.text).result.widget}`;
    const { display } = JSON.parse((await send(path, { of })).text).result;
    expect(display.parameters).toEqual([{ api_key: "…" }]);
    const back = JSON.stringify({ display: { ...display, value: "y" } });
    const requests = await passedOn(async () => {
      const rejected = await send(path, { of, method: "PUT", headers: json, body: back });
      expect(rejected).toMatchObject({ status: 400, text: expect.stringContaining("iot widget update") });
    });
    expect(requests).toEqual([]);
    await of.stop();
  });
});

describe("a platform that misbehaves", () => {
  const heard: string[] = [];
  const elsewhere = createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.end("{}");
  });
  const upstream = createServer((request, response) => {
    const { port } = elsewhere.address() as AddressInfo;
    const token = String(request.headers["token"] ?? "");
    if (request.url?.startsWith("/device?"))
      response.writeHead(302, { location: `http://127.0.0.1:${port}/stolen` }).end();
    else if (request.url?.startsWith("/dashboard?")) response.writeHead(307, { location: "/account" }).end();
    else if (request.url === "/account") heard.push("account");
    else
      response.end(
        JSON.stringify({ status: true, result: { id: "x", token: "abc", note: `your token ${token}`, info: {} } }),
      );
  });
  let misled: ConsoleHere;
  beforeAll(async () => {
    for (const server of [elsewhere, upstream])
      await new Promise<void>((done) => void server.listen(0, "127.0.0.1", () => done()));
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    misled = await consoleHere(here, ["console"], { env: { IOT_API_URL: url, IOT_EVENTS_URL: url } });
  });
  afterAll(async () => {
    await misled.stop();
    for (const server of [elsewhere, upstream]) {
      server.closeAllConnections();
      server.close();
    }
  });

  it("is followed to no other place", async () => {
    for (const path of ["/api/device?amount=1", "/api/dashboard?amount=1"])
      expect(await send(path, { of: misled })).toMatchObject({ status: 421 });
    expect(heard).toEqual([]);
  });

  it("gets no token into the page by repeating it", async () => {
    const { text, status } = await send(`/api/device/${FREEZER}`, { of: misled });
    expect(status).toBe(200);
    expect(text).not.toContain(here.sandbox.tokens.profile);
    expect(text).not.toContain("abc");
  });
});

it("passes on events of what pages read", async () => {
  const stream = await fetch(`${open.origin}/__sandbox/stream`, { headers: open.headers });
  const received: string[] = [];
  const reading = (async () => {
    for await (const part of stream.body ?? []) received.push(Buffer.from(part).toString("utf8"));
  })().catch(() => undefined);
  await send(`/api/device/${FREEZER}/data?qty=1`);
  await waitFor(
    () => received.join("").includes(`"kind":"data","event":"create","id":"${FREEZER}"`),
    "the stream to follow it",
  );
  await here.iot(["device", "data", "send", FREEZER, "temperature=-19.5"]);
  await waitFor(() => received.join("").includes('"type":"data"') && received.join("").includes("-19.5"), "the record");
  await waitFor(() => /"type":"used","requests":[1-9]/.test(received.join("")), "the count");
  await stream.body?.cancel().catch(() => undefined);
  void reading;
});

describe("favourites of an account", () => {
  const put = (body: unknown) => {
    const headers = { "content-type": "application/json" };
    return send("/__sandbox/favourites", { method: "PUT", headers, body: JSON.stringify(body) });
  };
  const marked = async () => {
    const { text } = await send("/__sandbox/session");
    return (JSON.parse(text) as { readonly result: { readonly favourites: readonly string[] } }).result.favourites;
  };

  it("are marked one by one, by id", async () => {
    for (const dashboard of [PLANT, FREEZER, PLANT]) await put({ dashboard, marked: true });
    expect(await marked()).toEqual([FREEZER, PLANT]);
    await put({ dashboard: FREEZER, marked: false });
    expect(await marked()).toEqual([PLANT]);
    for (const body of [{ dashboard: "../x", marked: true }, { dashboard: PLANT }, [], "x"])
      expect((await put(body)).status).toBe(400);
    expect(await marked()).toEqual([PLANT]);
  });

  it("need a file that can be read, which is named before a page is opened", async () => {
    const folder = temporaryFolder();
    const state = join(folder, "state");
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, "console-favourites.json"), "{");
    const { code, stderr } = await here.iot(["console", "--no-browser", "--for", "1s"], {
      env: { IOT_CONFIG_DIR: folder },
    });
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining("console-favourites.json") });
  });
});
