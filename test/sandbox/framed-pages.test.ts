import { get } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { type DevPage, servePage } from "../../src/sandbox/pages/dev-server.ts";

const JSON_BODY = { "content-type": "application/json" };
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function serve(): Promise<
  DevPage & { readonly origin: string; readonly code: string; readonly calls: unknown[] }
> {
  const calls: unknown[] = [];
  const call = async (body: object): Promise<unknown> => calls.push(body);
  const page = await servePage({ command: "iot dashboard dev", settings: { title: "Page" }, call });
  open.push(page);
  const { origin, hash } = new URL(page.url);
  return { ...page, origin, code: hash.slice(1), calls };
}

/** Enters with the code of the address, and requests with the key. */
async function enter({ origin, code }: { readonly origin: string; readonly code: string }) {
  const sent = await fetch(`${origin}/__sandbox/enter`, {
    method: "POST",
    headers: { authorization: `Bearer ${code}` },
  });
  const { result } = (await sent.json()) as { readonly result: { readonly key: string } };
  return async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const headers = { authorization: `Bearer ${result.key}`, ...JSON_BODY };
    const response = await fetch(`${origin}/__sandbox/${path}`, { ...init, headers });
    return ((await response.json()) as { readonly result: T }).result;
  };
}

describe("a page that is served while it is written", () => {
  it("is served with a sandbox and a policy of its own, after a doctype, and runs nothing before the prelude", async () => {
    const page = await serve();
    page.show("<!-- x --> <!DOCTYPE html><p>Page</p>");
    const ask = await enter(page);
    const { frame, title } = await ask<{ readonly frame: string; readonly title: string }>("session");
    expect(title).toBe("Page");
    const response = await fetch(page.origin + frame);
    expect(await response.text()).toMatch(/^<!-- x --> <!DOCTYPE html><script>\{[\s\S]+\}<\/script><p>Page<\/p>$/);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^sandbox allow-scripts allow-forms; default-src 'none';/);
    expect(policy).not.toMatch(/https?:|\*|allow-same-origin|allow-top|allow-popups|connect-src/);
    expect(response.headers.get("connection-allowlist")).toBe("(response-origin)");
    page.show("<p>No doctype</p>");
    expect(await (await fetch(page.origin + frame)).text()).toMatch(/^<!doctype html><script>/);
  });

  it("lets one browser in by its address, and refuses other sites, host names and paths", async () => {
    const page = await serve();
    const { origin } = page;
    const statusOf = async (path: string, init: RequestInit = {}): Promise<number> =>
      (await fetch(origin + path, init)).status;
    for (const path of ["/__sandbox/session", "/__sandbox/changes/0"]) expect(await statusOf(path)).toBe(401);
    const post = { method: "POST", body: "{}" };
    expect(await statusOf("/__sandbox/call", post)).toBe(401);
    const ask = await enter(page);
    const again = await fetch(`${origin}/__sandbox/enter`, {
      method: "POST",
      headers: { authorization: `Bearer ${page.code}` },
    });
    expect(await again.json()).toEqual({
      status: false,
      message: 'This address works once, within a minute: run "iot dashboard dev" again',
    });
    expect(await ask("call", { method: "POST", body: '{"op":"list"}' })).toBe(1);
    expect(page.calls).toEqual([{ op: "list" }]);
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }])
      expect(await statusOf("/__sandbox/session", { headers })).toBe(403);
    const { port } = new URL(origin);
    const named = await new Promise<number>((resolve) => {
      get({ host: "127.0.0.1", port, path: "/", headers: { host: "evil.example" } }, ({ statusCode = 0 }) =>
        resolve(statusCode),
      );
    });
    expect(named).toBe(403);
    for (const path of ["/__sandbox/page/x", "/other", "/../package.json"]) expect(await statusOf(path)).toBe(404);
  });

  it("tells whoever waits of a new page, or of why there is none", async () => {
    const page = await serve();
    page.show("<p>One</p>");
    const ask = await enter(page);
    expect(await ask("changes/0")).toEqual({ version: 1 });
    const waiting = ask("changes/1");
    page.fail("It has a mistake");
    expect(await waiting).toEqual({ version: 2, problem: "It has a mistake" });
  });
});

describe("framed pages of the console", () => {
  let sandbox: Sandbox;
  const inspect = (body: object) =>
    fetch(`${sandbox.url}/__sandbox/page`, {
      method: "POST",
      headers: { ...sandbox.inspectionHeaders, ...JSON_BODY },
      body: JSON.stringify(body),
    });

  it("are files of a profile, opened by whoever may see the console", async () => {
    sandbox = await createSandbox({ seed: "empty" });
    open.push(sandbox);
    const file = Buffer.from("<p>File</p>").toString("base64");
    const upload = { method: "POST", headers: { token: sandbox.tokens.profile, ...JSON_BODY } };
    const body = JSON.stringify([{ filename: "/a/page.html", file, public: false }]);
    expect((await fetch(`${sandbox.url}/files`, { ...upload, body })).status).toBe(200);
    const found = { profile: sandbox.profileId, path: "a/page.html" };
    const { result } = (await (await inspect(found)).json()) as { readonly result: { readonly address: string } };
    const page = await fetch(sandbox.url + result.address);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("<p>File</p>");
    expect((await inspect({ ...found, path: "a/other.html" })).status).toBe(404);
    expect((await inspect({ path: 1 })).status).toBe(400);
    expect((await fetch(`${sandbox.url}/__sandbox/page`, { method: "POST", body: JSON.stringify(found) })).status).toBe(
      401,
    );
  });
});
