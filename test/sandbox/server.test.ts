import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { holdTimers } from "../helpers/held-timers.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { call, newDevice, ok } from "./client.ts";

let sandbox: Sandbox;
let token: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  token = sandbox.tokens.profile;
});
afterAll(() => sandbox.close());

/** Sends bytes as they are and reads what comes back until the connection closes. */
function rawExchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(sandbox.port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

describe("the envelope", () => {
  it("wraps results and refusals in JSON, and lets no web page read them", async () => {
    const good = await call(sandbox, "GET", "/status");
    expect(good.body).toEqual({ status: true, result: { version: expect.any(String) } });
    expect(good.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(good.headers["access-control-allow-origin"]).toBeUndefined();
    const bad = await call(sandbox, "GET", "/info");
    expect(bad.status).toBe(401);
    expect(bad.body).toEqual({ status: false, message: "Authorization Denied" });
    expect(bad.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("answers an unknown route, and a known one with another method, with 404", async () => {
    for (const [method, path] of [
      ["GET", "/nope"],
      ["PATCH", "/device"],
      ["DELETE", "/status"],
      ["GET", "/__sandbox/nope"],
    ] as const) {
      const answer = await call(sandbox, method, path, { token });
      expect([answer.status, answer.body.message], path).toEqual([404, "Route not found"]);
    }
  });

  it("serves every path with and without a final slash", async () => {
    for (const path of ["/device", "/device/", "/integration/network", "/integration/network/", "/dashboard/"]) {
      expect((await call(sandbox, "GET", path, { token })).status, path).toBe(200);
    }
  });

  it("answers HEAD without a body and OPTIONS with the allowed headers", async () => {
    const head = await call(sandbox, "HEAD", "/status");
    expect([head.status, head.text]).toEqual([200, ""]);
    const options = await call(sandbox, "OPTIONS", "/device", { headers: { origin: sandbox.url } });
    expect([options.status, options.text]).toEqual([204, ""]);
    expect(options.headers["access-control-allow-methods"]).toContain("DELETE");
    const allowed = String(options.headers["access-control-allow-headers"]).toLowerCase();
    for (const name of ["content-type", "cache-control", "authorization", "token", "device-token", "analysis-token"]) {
      expect(allowed).toContain(name);
    }
  });
});

describe("bodies", () => {
  const post = (raw: string | Uint8Array, contentType = "application/json") =>
    call(sandbox, "POST", "/device", { token, raw, headers: { "content-type": contentType } });

  it("that are not JSON are refused with 400", async () => {
    for (const raw of ["{bad", "[1,", "'x'", "\u0000"]) {
      const answer = await post(raw);
      expect([answer.status, answer.body.message], raw).toEqual([400, "Invalid JSON"]);
    }
  });

  it("of the wrong shape are refused with the fields named", async () => {
    for (const raw of ["[]", "null", "3", '"text"', "true"]) {
      const answer = await post(raw);
      expect(answer.status, raw).toBe(400);
      expect(answer.body.message).toBe("Error on Body parameters");
      expect(answer.body.field_errors).toHaveProperty("body");
    }
    const named = await post(JSON.stringify({ name: 5, tags: [{ key: "a" }] }));
    expect(Object.keys(named.body.field_errors as object).sort()).toEqual(["name", "tags.0.value"]);
  });

  it("may be missing although a content type is named", async () => {
    const answer = await call(sandbox, "GET", "/device", { token, headers: { "content-type": "application/json" } });
    expect(answer.status).toBe(200);
    expect((await post("")).status).toBe(400);
  });

  it("may start with a byte-order mark, and may come without a content type", async () => {
    const body = `\uFEFF${JSON.stringify({ name: "With a mark" })}`;
    expect((await post(body)).status).toBe(201);
    expect((await call(sandbox, "POST", "/device", { token, raw: '{"name":"No type"}' })).status).toBe(201);
  });

  it("above the limit are refused with 413, and the connection can be told so", async () => {
    const device = await newDevice(sandbox);
    const rows = [{ variable: "a", value: "x".repeat(300 * 1024) }];
    const answer = await call(sandbox, "POST", "/data", { token: device.token, body: rows });
    expect(answer.status).toBe(413);
    expect(answer.body.message).toContain("200 kB");
    const large = await call(sandbox, "POST", "/device", { token, body: { name: "x".repeat(2 * 1024 * 1024) } });
    expect(large.status).toBe(413);
    const bytes = JSON.stringify(rows);
    const head = `POST /data HTTP/1.1\r\nhost: localhost\r\ntoken: ${device.token}\r\nconnection: close\r\ntransfer-encoding: chunked`;
    const chunked = await rawExchange(`${head}\r\n\r\n${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n`);
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("nested a hundred thousand deep are refused or stored, never a crash", async () => {
    const deep = `{"name":"deep","tags":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect((await post(deep)).status).toBe(400);
    expect((await call(sandbox, "GET", "/status")).status).toBe(200);
  });

  it("cannot set the prototype of anything", async () => {
    const raw = '{"label":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const answer = await call(sandbox, "POST", "/dashboard", { token, raw });
    expect(answer.status).toBe(201);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("ids in paths", () => {
  it("of another form are refused with 400, unknown ones with 404", async () => {
    for (const id of [
      "xyz",
      "123",
      "65A100000000000000000001",
      "%00",
      "..%2F..",
      "' OR 1=1 --".replaceAll(" ", "%20"),
    ]) {
      const answer = await call(sandbox, "GET", `/device/${id}`, { token });
      expect([answer.status, answer.body.message], id).toEqual([400, "Invalid Device ID"]);
    }
    const unknown = await call(sandbox, "GET", "/device/65a100000000000000000001", { token });
    expect([unknown.status, unknown.body.message]).toEqual([404, "Device Not Found"]);
  });

  it("of new records start with their creation time in seconds", async () => {
    const before = Math.floor(Date.now() / 1000);
    const { device_id } = await newDevice(sandbox);
    const after = Math.floor(Date.now() / 1000);
    expect(device_id).toMatch(/^[0-9a-f]{24}$/);
    const created = Number.parseInt(device_id.slice(0, 8), 16);
    expect(created).toBeGreaterThanOrEqual(before);
    expect(created).toBeLessThanOrEqual(after);
  });
});

describe("what is no request of the platform", () => {
  it("a foreign host name is refused: the sandbox is not for web pages that resolve to this machine", async () => {
    for (const host of [
      "evil.example",
      `evil.example:${sandbox.port}`,
      "127.0.0.1.evil.example",
      "localhost.evil.example",
    ]) {
      expect((await call(sandbox, "GET", "/status", { headers: { host } })).status, host).toBe(403);
    }
    for (const host of [
      "localhost",
      `localhost:${sandbox.port}`,
      "127.0.0.1",
      "app.localhost",
      `[::1]:${sandbox.port}`,
    ]) {
      expect((await call(sandbox, "GET", "/status", { headers: { host } })).status, host).toBe(200);
    }
  });

  it("bytes that are not HTTP get an envelope too", async () => {
    const text = await rawExchange("HELLO\r\n\r\n");
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('"status":false');
  });

  it("an address above the limit is refused with 431", async () => {
    const text = await rawExchange(`GET /device?x=${"y".repeat(70_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(text).toContain('"status":false');
  });

  it("a client that goes away in the middle of its body leaves the server running", async () => {
    const socket = connect(sandbox.port, "127.0.0.1");
    socket.write(`POST /device HTTP/1.1\r\nhost: localhost\r\ntoken: ${token}\r\ncontent-length: 100\r\n\r\n{"na`);
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    expect((await call(sandbox, "GET", "/status")).status).toBe(200);
  });

  it("a client that goes away before its whole body is read is no defect of the sandbox", async () => {
    const said: string[] = [];
    const own = await createSandbox({ seed: "empty", log: (text) => said.push(text) });
    own.faults.set([{ route: "POST /device", kind: "latency", delayMs: 1_234 }]);
    const delay = holdTimers(1_234);
    const body = '{"name":"Gone"}';
    const head = `POST /device HTTP/1.1\r\nhost: localhost\r\ntoken: ${own.tokens.profile}\r\ncontent-length: ${body.length}`;
    const socket = connect(own.port, "127.0.0.1");
    await new Promise<void>((resolve) => socket.write(`${head}\r\n\r\n${body}`, () => resolve()));
    await waitFor(() => delay.waiting === 1, "the request");
    socket.destroy();
    // It has heard of the end when it answers another request.
    expect((await call(own, "GET", "/status")).status).toBe(200);
    delay.elapse();
    expect((await call(own, "GET", "/status")).status).toBe(200);
    await own.close();
    expect(said).toEqual([]);
  });
});

describe("inspection", () => {
  it("tells health, gaps and the clock", async () => {
    const health = await ok(sandbox, "GET", "/__sandbox/health");
    expect(health).toMatchObject({ name: "iotdeck-sandbox", version: expect.any(String), pid: process.pid });
    expect(await ok<unknown[]>(sandbox, "GET", "/__sandbox/gaps")).not.toHaveLength(0);
    expect(await ok(sandbox, "GET", "/__sandbox/clock")).toMatchObject({ manual: false });
  });

  it("keeps the last requests, without any token in them", async () => {
    const device = await newDevice(sandbox);
    await call(sandbox, "GET", `/info?token=${token}`);
    await call(sandbox, "DELETE", `/device/token/${device.token}`, { token });
    const text = JSON.stringify(await ok(sandbox, "GET", "/__sandbox/requests"));
    expect(text).toContain("/device/token/***");
    expect(text).toContain("token=***");
    expect(text).not.toContain(device.token);
    expect(text).not.toContain(token.slice(2));
    expect(sandbox.requestLog().at(-2)).toMatchObject({ method: "DELETE", status: 200, token: "profile" });
  });

  it("is closed to web pages, even those that this machine serves", async () => {
    for (const headers of [
      { origin: "http://localhost:3000" },
      { "sec-fetch-site": "cross-site" },
      { origin: "null" },
    ]) {
      expect((await call(sandbox, "POST", "/__sandbox/reset", { headers })).status).toBe(403);
    }
    const health = await call(sandbox, "GET", "/__sandbox/health");
    expect(health.headers["access-control-allow-origin"]).toBeUndefined();
  });
});
