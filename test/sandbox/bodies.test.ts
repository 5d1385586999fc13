import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { call, newDevice, ok } from "./client.ts";

const MB = 1024 * 1024;

let sandbox: Sandbox;
let token: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  token = sandbox.tokens.profile;
});
afterAll(() => sandbox.close());

describe("the content type of a body", () => {
  const post = (contentType: string, path = "/device", raw = '{"name":"Typed"}') =>
    call(sandbox, "POST", path, { token, raw, headers: { "content-type": contentType } });

  it.each(["application/json", "application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"])(
    "may be %s",
    async (type) => {
      expect((await post(type)).status).toBe(201);
    },
  );

  it.each([
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "application/xml",
    "text/html",
    "application/jsonp",
    "application/+json",
    "x",
  ])("is refused as %s with 415, and the message says what to send", async (type) => {
    const answer = await post(type);
    expect([answer.status, answer.body.status]).toEqual([415, false]);
    expect(answer.body.message).toContain("Send JSON as application/json");
  });

  it("text/plain is text, which is no record and no setting of the sandbox", async () => {
    expect((await post("text/plain")).status).toBe(400);
    expect(
      (await call(sandbox, "PUT", "/__sandbox/faults", { raw: "[]", headers: { "content-type": "text/plain" } }))
        .status,
    ).toBe(415);
  });

  it("does not matter without a body", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await call(sandbox, "GET", "/device", { token, headers })).status).toBe(200);
  });
});

describe("the body of a GET request", () => {
  it.each([
    ["application/json", "page=1&amount=20"],
    ["application/json", '{"page":1'],
    ["application/x-www-form-urlencoded", "page=1"],
    ["text/plain", "x".repeat(2 * MB)],
  ])("is ignored, as %s too", async (type, raw) => {
    const answer = await call(sandbox, "GET", "/action", { token, raw, headers: { "content-type": type } });
    expect([answer.status, answer.headers["x-sandbox-gap"]]).toEqual([200, "Body of a GET request"]);
  });
});

describe("null in a body", () => {
  it("counts as an absent property, in lists and alternatives too", async () => {
    const device = { name: "Nulls", serie_number: null, active: null, chunk_retention: null, tags: null };
    const { device_id: id } = await newDevice(sandbox, device);
    expect(await ok(sandbox, "GET", `/device/${id}`, { token })).toMatchObject({ active: true, tags: [] });
    const params = [{ id: null, key: "k", value: "v", sent: null }];
    await ok(sandbox, "POST", `/device/${id}/params`, { token, body: params });
    const [param] = await ok<{ id: string }[]>(sandbox, "GET", `/device/${id}/params`, { token });
    await ok(sandbox, "POST", `/device/${id}/params`, { token, body: { ...param, value: null, sent: true } });
    expect(await ok(sandbox, "GET", `/device/${id}/params`, { token })).toEqual([{ ...param, value: "v", sent: true }]);
  });

  it("clears a value where the platform lets it", async () => {
    const { device_id: id } = await newDevice(sandbox, { description: "A" });
    await ok(sandbox, "PUT", `/device/${id}`, { token, body: { description: null } });
    expect(await ok(sandbox, "GET", `/device/${id}`, { token })).toMatchObject({ description: null });
  });

  it("is no value for a property the route needs", async () => {
    const answer = await call(sandbox, "POST", "/device", { token, body: { name: null } });
    expect([answer.status, Object.keys(answer.body.field_errors ?? {})]).toEqual([400, ["name"]]);
  });
});

/** Sends a body of any size in pieces; resolves with the response, and whether the connection is closed after it. */
function upload(
  path: string,
  bytes: number,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; text: string; isClosed: boolean }> {
  const piece = Buffer.alloc(MB);
  const pieces = function* () {
    for (let sent = 0; sent < bytes; sent += MB) yield piece.subarray(0, Math.min(MB, bytes - sent));
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${sandbox.url}${path}`,
      { method: "POST", agent: false, headers: { token, ...headers } },
      (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        reply.on("error", reject);
        reply.on("end", () => {
          const { statusCode: status = 0 } = reply;
          body.destroy();
          request.destroy();
          resolve({ status, text, isClosed: reply.headers.connection === "close" });
        });
      },
    );
    request.on("error", reject);
    const body = Readable.from(pieces());
    body.pipe(request);
  });
}

describe("a body above the limit", () => {
  const json = { "content-type": "application/json" };

  it.each([2 * MB, 100 * MB, 1000 * MB])(
    "of %d bytes is answered with 413, with its length named or in chunks",
    async (bytes) => {
      for (const headers of [{ ...json, "content-length": String(bytes) }, json]) {
        const { status, text, isClosed } = await upload("/device", bytes, headers);
        expect([status, isClosed]).toEqual([413, true]);
        expect(JSON.parse(text)).toEqual({ status: false, message: "Request body is too large (limit 1 MB)" });
      }
    },
  );

  it("that is no export is answered with 400 at any size", async () => {
    const headers = { ...sandbox.inspectionHeaders, "content-length": String(100 * MB) };
    const { status, text } = await upload("/__sandbox/import", 100 * MB, headers);
    expect([status, JSON.parse(text).message]).toEqual([400, "It is no export of a sandbox, or damaged"]);
  });

  it("of an upload whose form is broken is answered, too", async () => {
    const type = "multipart/form-data; boundary=x";
    const { status, text } = await upload("/files", 20 * MB, { "content-type": type });
    expect(status).toBe(400);
    expect(JSON.parse(text).message).toContain("Invalid multipart body");
  });

  it("ends the connection even of a client that never stops sending", { tags: ["slow"] }, async () => {
    const head = `POST /device HTTP/1.1\r\nhost: localhost\r\ntoken: ${token}\r\ncontent-type: application/json\r\ncontent-length: 9000000000\r\n\r\n`;
    const socket = connect(sandbox.port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    socket.on("error", () => {});
    socket.write(head);
    const piece = Buffer.alloc(64 * 1024);
    const sending = setInterval(() => socket.write(piece), 5);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(sending);
    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/i);
    expect(await ok(sandbox, "GET", "/status")).toBeDefined();
  });
});
