import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { call, type NewDevice, newDevice, ok } from "./client.ts";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const FILES = [
  ["/", "text/html"],
  ["/__sandbox/open", "text/html"],
  ["/assets/app.js", "text/javascript"],
  ["/assets/app.css", "text/css"],
  ["/assets/browser.js", "text/javascript"],
  ["/assets/draw.js", "text/javascript"],
  ["/assets/shared.js", "text/javascript"],
  ["/assets/editor.css", "text/css"],
] as const;

let sandbox: Sandbox;
let device: NewDevice;
let token: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  token = sandbox.tokens.profile;
  device = await newDevice(sandbox, { name: "Probe" });
});
afterAll(() => sandbox.close());

const plain = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  call({ url: sandbox.url }, method, path, { headers });

describe("the files of the console", () => {
  it.each(FILES)("are served at %s with a strict policy and without a secret", async (path, type) => {
    const { status, headers, text } = await plain(path, HTML);
    expect([status, headers["content-type"]]).toEqual([200, `${type}; charset=utf-8`]);
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; /,
    );
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    const caching = path.startsWith("/assets/") ? "no-cache" : "no-store";
    expect([headers["x-content-type-options"], headers["cache-control"]]).toEqual(["nosniff", caching]);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(text).not.toContain(token);
  });

  it("are sent again only when they have changed, the page itself always", async () => {
    const { headers } = await plain("/assets/app.js");
    const etag = String(headers["etag"]);
    const again = await plain("/assets/app.js", { "if-none-match": etag });
    expect([again.status, again.text, again.headers["etag"]]).toEqual([304, "", etag]);
    expect((await plain("/assets/app.js", { "if-none-match": '"another"' })).status).toBe(200);
    expect((await plain("/", { ...HTML, "if-none-match": etag })).status).toBe(200);
  });

  it("name parts that are loaded on use, and lead to no other file", async () => {
    const parts = new Set(["/assets/app.js"]);
    for (const path of parts) {
      const { status, headers, text } = await plain(path, HTML);
      expect([status, headers["content-type"]]).toEqual([200, "text/javascript; charset=utf-8"]);
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      // The name of a part changes with what is in it, that of the others does not.
      const keeps = path.startsWith("/assets/parts/") ? "private, max-age=31536000, immutable" : "no-cache";
      expect(headers["cache-control"], path).toBe(keeps);
      for (const [, part = ""] of text.matchAll(/"(\/assets\/parts\/[\w-]+\.js)"/g)) parts.add(part);
    }
    expect([...parts]).toContainEqual(expect.stringMatching(/parts\/editor-/));
    for (const path of ["none.js", "..%2fapp.js", "../../index.js", ""])
      expect((await plain(`/assets/parts/${path}`, HTML)).status, path).not.toBe(200);
  });

  it("are one document with nothing inline and nothing from elsewhere", async () => {
    const { text } = await plain("/", HTML);
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(text).not.toMatch(/<script>|<style| style=| on[a-z]+="|https?:\/\//);
  });

  it("leave what programs are answered at / as it was", async () => {
    for (const [method, headers] of [
      ["GET", {}],
      ["GET", { accept: "*/*" }],
      ["GET", { accept: "application/json" }],
      ["POST", HTML],
    ] as const) {
      const answer = await plain("/", headers, method);
      expect([answer.status, answer.body.message, answer.headers["x-sandbox-gap"]]).toEqual([
        404,
        "Route not found",
        "Unknown route",
      ]);
    }
    expect(sandbox.routes.filter(({ path }) => path === "/" || path.startsWith("/assets"))).toEqual([]);
  });

  it("are closed to other sites and to programs that act for the sandbox", async () => {
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "http://localhost:3000" },
      { host: "evil.example" },
      { "x-sandbox-own-call": "1" },
    ])
      for (const [path] of FILES)
        expect((await plain(path, { ...HTML, ...headers })).status, JSON.stringify(headers)).toBe(403);
  });

  it("stay there when faults are injected into everything else", async () => {
    sandbox.faults.set([{ kind: "status", status: 503 }]);
    try {
      expect((await plain("/", HTML)).status).toBe(200);
      expect((await plain("/")).status).toBe(503);
    } finally {
      sandbox.faults.set([]);
    }
  });
});

describe("the session of the console", () => {
  const enter = async (): Promise<string> => {
    const authorization = `Bearer ${new URL(sandbox.pageAddress()).hash.slice(1)}`;
    const { text } = await plain("/__sandbox/enter", { authorization }, "POST");
    return `Bearer ${(JSON.parse(text) as { readonly result: { readonly key: string } }).result.key}`;
  };

  it("is told to a page that was let in, without the secret of this run", async () => {
    const { status, text, headers } = await plain("/__sandbox/session", { authorization: await enter() });
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(JSON.parse(text)).toMatchObject({
      result: { source: "empty", profileId: sandbox.profileId, strict: false, variables: { IOT_TOKEN: token } },
    });
    expect(text).not.toContain(sandbox.inspectionHeaders.authorization.replace("Bearer ", ""));
  });

  it("is told to nobody else", async () => {
    const authorization = await enter();
    const path = "/__sandbox/session";
    expect((await plain(path)).status).toBe(401);
    expect((await plain(path, { token })).status).toBe(401);
    expect((await plain(path, { authorization: `${authorization}x` })).status).toBe(401);
    for (const headers of [
      { origin: "http://localhost:3000" },
      { "sec-fetch-site": "same-site" },
      { host: "evil.example" },
    ]) {
      const answer = await plain(path, { authorization, ...headers });
      expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([403, undefined]);
      expect(answer.text).not.toContain(token);
    }
  });
});

describe("the stream of the console", () => {
  it("tells of data, requests, changes and messages, but not of the console's own requests", async () => {
    const controller = new AbortController();
    const reply = await fetch(`${sandbox.url}/__sandbox/stream`, {
      signal: controller.signal,
      headers: sandbox.inspectionHeaders,
    });
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const until = async (piece: string): Promise<void> => {
      while (!text.includes(piece)) text += (await reader?.read())?.value ?? "";
    };
    await until("connected");
    const own = { "sec-fetch-site": "same-origin" };
    await call(sandbox, "GET", "/device?page=77", { token, headers: own });
    await call(sandbox, "GET", "/device?page=88", { token });
    await ok(sandbox, "POST", "/data", { token: device.token, body: [{ variable: "live", value: 4711 }] });
    await ok(sandbox, "PUT", `/device/${device.device_id}`, { token, body: { name: "Renamed" } });
    await until('"type":"changed"');
    await until("4711");
    await until("page=88");
    expect(text).not.toContain("page=77");
    expect(text).not.toContain(token);
    expect(sandbox.requestLog().find(({ url }) => url.endsWith("page=77"))).toMatchObject({ console: true });
    controller.abort();
  });
});

describe("one request of the log", () => {
  const last = (): number => sandbox.requestLog().at(-1)?.n ?? 0;
  const details = (n: number) =>
    ok<{ body: string; response: string; headers: Record<string, string> }>(sandbox, "GET", `/__sandbox/requests/${n}`);

  it("shows the bodies without tokens and passwords", async () => {
    const body = { name: "New", email: "new@example.test", password: 'pass-"word"-1', note: `token ${token}` };
    await call(sandbox, "POST", "/account", { body });
    const posted = await details(last());
    expect(posted.body).toContain("new@example.test");
    expect(posted.body).not.toMatch(/pass-|-1"/);
    expect(posted.body).not.toContain(token);
    await call(sandbox, "GET", `/device/token/${device.device_id}`, { token });
    const listed = await details(last());
    expect(listed.response).toContain('"permission":"full"');
    expect(listed.response).not.toContain(device.token);
    expect(listed.headers).not.toHaveProperty("token");
  });

  it("is cut where it is long, and refused when it is gone", async () => {
    const value = "x".repeat(5_000);
    await ok(sandbox, "POST", "/data", { token: device.token, body: [{ variable: "long", value }] });
    const { body } = await details(last());
    expect([body.length, body.endsWith(" ...")]).toEqual([4_004, true]);
    for (const n of ["999999999", "x", "__proto__"])
      expect((await call(sandbox, "GET", `/__sandbox/requests/${n}`)).status).toBe(404);
  });

  it("lets a page of an earlier run in by a key of this run, made for this address from what that run told it", async () => {
    const dataDir = temporaryFolder();
    const first = await createSandbox({ seed: "empty", dataDir });
    const path = "/__sandbox/session";
    const told = await call({ url: first.url }, "GET", path, { headers: first.inspectionHeaders });
    const { renewal } = (JSON.parse(told.text) as { readonly result: { readonly renewal: string } }).result;
    await first.close();
    const second = await createSandbox({ seed: "empty", dataDir });
    const get = (from: string, headers: Record<string, string> = {}) =>
      call({ url: second.url }, "GET", from, { headers });
    const { run } = (JSON.parse((await get("/__sandbox/run")).text) as { readonly result: { readonly run: string } })
      .result;
    const statusWith = async (text: string): Promise<number> => {
      const key = createHmac("sha256", renewal).update(text).digest("base64url");
      return (await get(path, { authorization: `Bearer ${key}` })).status;
    };
    expect(await statusWith(`${second.url}\n${run}`)).toBe(200);
    // Made by the page of another server, for another run, or sent as it is.
    expect(await statusWith(`${first.url}\n${run}`)).toBe(401);
    expect(await statusWith(`${second.url}\nan earlier one`)).toBe(401);
    expect((await get(path, { authorization: `Bearer ${renewal}` })).status).toBe(401);
    expect((await get("/__sandbox/run", { origin: "http://localhost:3000" })).status).toBe(403);
    await second.close();
  });
});

describe("the lines of an analysis", () => {
  it("are told with the time of each, and whether it is an error", async () => {
    const { id } = await ok<{ readonly id: string }>(sandbox, "POST", "/analysis", { token, body: { name: "Bare" } });
    await ok(sandbox, "POST", `/analysis/${id}/run`, { token, body: { scope: [] } });
    const { text } = await plain(`/__sandbox/analyses/${id}/console`, sandbox.inspectionHeaders);
    expect(JSON.parse(text)).toMatchObject({
      result: [
        {
          message: "The analysis has no script: upload one",
          isError: true,
          timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ],
    });
    expect((await plain(`/__sandbox/analyses/${id}/console`)).status).toBe(401);
  });
});
