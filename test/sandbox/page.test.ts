import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { SCRIPT } from "../../src/sandbox/ui/script.ts";
import { call, type NewDevice, newDevice, ok } from "./client.ts";

const EVIL = `<script>alert(1)</script>"'&<img src=x onerror=alert(1)>`;

let sandbox: Sandbox;
let device: NewDevice;
let token: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  token = sandbox.tokens.profile;
  device = await newDevice(sandbox, { name: EVIL, tags: [{ key: EVIL, value: EVIL }] });
  const params = [{ key: EVIL, value: EVIL, sent: false }];
  await ok(sandbox, "POST", `/device/${device.device_id}/params`, { token, body: params });
  const row = { variable: "level", value: EVIL, unit: EVIL.slice(0, 10), metadata: { [EVIL]: EVIL } };
  await ok(sandbox, "POST", "/data", { token: device.token, body: [row] });
});
afterAll(() => sandbox.close());

const page = (query = "") => call(sandbox, "GET", `/__sandbox/${query}`);

describe("the web page", () => {
  it.each(["", "?view=devices", "?view=live", "?view=outbox", "?view=requests", "?view=gaps"])(
    "is a whole document at /__sandbox/%s, with nothing from elsewhere and nothing inline",
    async (query) => {
      const { status, headers, text } = await page(query);
      expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["access-control-allow-origin"]).toBeUndefined();
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(text.match(/<h1>/g)).toHaveLength(1);
      expect(text.match(/aria-current="page"/g)).toHaveLength(1);
      expect(text).not.toMatch(/<script>|<style| style=| on[a-z]+="|https?:\/\//);
    },
  );

  it("shows devices, one device with its data and parameters, requests and gaps", async () => {
    expect((await page()).text).toContain(device.device_id);
    const one = (await page(`?view=device&id=${device.device_id}`)).text;
    for (const piece of ["level", "mutable", "1 parameters", "The last 1 records"]) expect(one).toContain(piece);
    expect((await page("?view=requests")).text).toContain(`/device/${device.device_id}/params`);
    expect((await page("?view=gaps")).text).toContain("Unknown route");
    expect((await page("?view=gaps&q=nothing-like-this")).text).toContain("No gaps match.");
    expect((await page("?q=nothing-like-this")).text).toContain("No devices match.");
  });

  it("shows what would have left the machine", async () => {
    const other = await createSandbox({ seed: "empty" });
    const body = { name: "New", email: "new@example.test", password: "pass-word-1" };
    await call(other, "POST", "/account", { body });
    const text = (await call(other, "GET", "/__sandbox/?view=outbox")).text;
    if (other.outbox().length === 0) expect(text).toContain("Nothing is in the outbox.");
    else expect(text).toContain("new@example.test");
    await other.close();
  });

  it("escapes whatever was stored or asked for", async () => {
    for (const query of [
      "",
      `?view=device&id=${device.device_id}`,
      `?q=${encodeURIComponent(EVIL)}`,
      `?view=gaps&q=${encodeURIComponent(EVIL)}`,
      `?view=${encodeURIComponent(EVIL)}`,
      `?view=device&id=${encodeURIComponent(EVIL)}`,
      `?view=live&id=${encodeURIComponent(EVIL)}`,
      "?view=requests",
    ]) {
      const { text } = await page(query);
      expect(text, query).not.toContain("<script>alert");
      expect(text, query).not.toContain("<img");
    }
    expect((await page()).text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  it("answers what it does not have with a page, too", async () => {
    for (const query of ["?view=nope", "?view=__proto__", `?view=device&id=${"a".repeat(24)}`]) {
      const { status, headers } = await page(query);
      expect([status, headers["content-type"]], query).toEqual([404, "text/html; charset=utf-8"]);
    }
  });

  it("never holds a token", async () => {
    await call(sandbox, "GET", `/info?token=${token}`);
    for (const query of ["", `?view=device&id=${device.device_id}`, "?view=requests", "?view=live"]) {
      const { text } = await page(query);
      expect(text).not.toContain(token.slice(2));
      expect(text).not.toContain(device.token);
    }
  });

  it("is closed to other sites and other names", async () => {
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "http://localhost:3000" }]) {
      for (const path of ["", "page.js", "page.css", "stream"]) {
        expect((await call(sandbox, "GET", `/__sandbox/${path}`, { headers })).status).toBe(403);
      }
    }
    expect((await call(sandbox, "GET", "/__sandbox/", { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await call(sandbox, "GET", "/__sandbox/", { headers: { "sec-fetch-site": "same-origin" } })).status).toBe(
      200,
    );
  });
});

describe("live data", () => {
  it("arrives on the page's stream without a token, of one device when asked for", async () => {
    const other = await newDevice(sandbox, { name: "Other" });
    const controller = new AbortController();
    const open = async (query: string) => {
      const reply = await fetch(`${sandbox.url}/__sandbox/stream${query}`, {
        signal: controller.signal,
        headers: sandbox.inspectionHeaders,
      });
      const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
      if (reader === undefined) throw new Error("The stream has no body");
      let text = "";
      return async (piece: string): Promise<string> => {
        while (!text.includes(piece)) text += (await reader.read()).value ?? "";
        return text;
      };
    };
    const all = await open("");
    const one = await open(`?device=${other.device_id}`);
    await all("connected");
    await one("connected");
    const send = ({ token: own }: NewDevice, value: number) =>
      ok(sandbox, "POST", "/data", { token: own, body: [{ variable: "live", value }] });
    await send(device, 4711);
    await send(other, 4712);
    expect(await all("4712")).toContain("4711");
    const seen = await one("4712");
    expect(seen).not.toContain("4711");
    expect(seen).toContain('"name":"Other"');
    controller.abort();
  });

  it("has a script that the browser can read, and that sets text only as text", () => {
    expect(() => new Function(SCRIPT)).not.toThrow();
    expect(SCRIPT).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval\(/);
  });
});
