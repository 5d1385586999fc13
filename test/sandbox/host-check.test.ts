import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Resources } from "../../src/index.ts";
import { namesThisMachine } from "../../src/sandbox/http/host-check.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { growthOf, IN_PROPORTION } from "../helpers/growth.ts";
import { buildChild, type Child, type ChildProgram, startChild } from "./process.ts";

let local: Sandbox;
let program: ChildProgram;
/** Listens on every address, so in a process of its own: tests have no other network than this machine. */
let open: Child;

beforeAll(async () => {
  local = await createSandbox({ seed: "empty" });
  program = await buildChild();
  open = await startChild(program, { seed: "empty", host: "0.0.0.0" });
});
afterAll(async () => {
  await local.close();
  open.process.kill("SIGTERM");
  await open.ended;
  program.remove();
});

/** Status of a request written byte by byte; the body must be an envelope. */
async function statusOf(head: string, url?: string): Promise<number> {
  const text = await textOf(head, url);
  const answer = /^HTTP\/1\.1 (\d{3}) [\s\S]*\r\n\r\n\{"status":(?:true|false),/.exec(text);
  if (answer === null) throw new Error(`${head} was answered without an envelope: ${text}`);
  return Number(answer[1]);
}

/** What comes back for a request written byte by byte. */
function textOf(head: string, url: string = local.url): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () =>
      socket.write(`${head}\r\nConnection: close\r\n\r\n`),
    );
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

describe("the Host header of a sandbox for this machine", { tags: ["posix"] }, () => {
  it.each([
    "localhost",
    "LocalHost",
    "localhost.",
    "localhost.:80",
    "a-b.app.localhost:5410",
    "127.0.0.1",
    "127.255.0.9:65535",
    "[::1]",
    "[::1]:1",
    "api.tago.io",
    "API.Tago.io.",
    "api.tago.io:80",
    "sse.tago.io",
    "api.us-e1.tago.io",
    "sse.us-e1.tago.io:443",
    "api.eu-w1.tago.io",
    "sse.eu-w1.tago.io",
  ])("may be %s", async (host) => {
    expect(await statusOf(`GET /status HTTP/1.1\r\nHost: ${host}`)).toBe(200);
  });

  it.each([
    "evil.example",
    "localhost.evil.example",
    "localhost.evil.example.",
    "evil-localhost",
    "127.0.0.1.nip.io",
    "tago.io",
    "admin.tago.io",
    "api.tago.io.evil.example",
    "evil-api.tago.io",
    "evil.api.tago.io",
    "api.tago.io..",
    "api.tago.io:65536",
    "api.tago.io@evil.example",
    "api.eu-w2.tago.io",
    "127.0.0.1.",
    "127.0.0.256",
    "127.0.0.1:65536",
    "127.0.0.1:80:80",
    "127.0.0.1:x",
    "127.0.0.1@evil.example",
    "evil.example@127.0.0.1",
    "127.0.0.1, evil.example",
    "127.0.0.1 evil.example",
    "127.0.0.1/",
    "127.0.0.1#",
    "::1",
    "[::2]",
    "[::1",
    "[::ffff:10.0.0.1]",
    "0.0.0.0",
    "192.168.1.7",
    "2130706433",
    ".localhost",
    "..localhost",
    "xn--",
    "",
  ])("is refused as %j", async (host) => {
    expect(await statusOf(`GET /status HTTP/1.1\r\nHost: ${host}`)).toBe(403);
  });

  it("is needed since HTTP 1.1, and there is one of it", async () => {
    expect(await statusOf("GET /status HTTP/1.1")).toBe(400);
    expect(await statusOf("GET /status HTTP/1.1\r\nHost: localhost\r\nHost: evil.example")).toBe(400);
    expect(await statusOf("GET /status HTTP/1.1\r\nHost: localhost\r\nhost: localhost")).toBe(400);
    expect(await statusOf("GET /status HTTP/1.0")).toBe(200);
    expect(await statusOf("GET /status HTTP/1.0\r\nHost: evil.example")).toBe(403);
  });
});

describe("a name of the platform", () => {
  const info = (more: string) => `GET /info HTTP/1.1\r\nHost: api.tago.io\r\nToken: ${local.tokens.profile}${more}`;

  it("lets in programs, and no page: nobody's origin is that name", async () => {
    expect(await statusOf(info(""))).toBe(200);
    expect(await statusOf(info("\r\nOrigin: http://api.tago.io"))).toBe(403);
    expect(await statusOf(info("\r\nOrigin: https://api.tago.io"))).toBe(403);
    expect(await statusOf(info("\r\nSec-Fetch-Site: cross-site"))).toBe(403);
  });

  it("does not open the inspection", async () => {
    const secret = `Authorization: ${local.inspectionHeaders["authorization"]}`;
    expect(await statusOf(`GET /__sandbox/health HTTP/1.1\r\nHost: localhost\r\n${secret}`)).toBe(200);
    expect(await statusOf(`GET /__sandbox/health HTTP/1.1\r\nHost: api.tago.io\r\n${secret}`)).toBe(403);
  });

  it("is not in the addresses the sandbox returns: they lead back to it", async () => {
    const region = { api: local.url, sse: local.eventsUrl };
    await new Resources({ token: local.tokens.profile, region }).integration.networks.create({ name: "LoRa" });
    const token = `Token: ${local.tokens.profile}`;
    const text = await textOf(
      `GET /integration/network?fields[]=middleware_endpoint HTTP/1.1\r\nHost: api.tago.io\r\n${token}`,
    );
    expect(text).toContain(`"middleware_endpoint":"localhost:${local.port}/middleware"`);
    expect(text).not.toContain("tago.io");
  });
});

describe("a target in absolute form", { tags: ["posix"] }, () => {
  it("is served for this machine, and refused for another whatever the Host header says", async () => {
    expect(await statusOf(`GET http://127.0.0.1:${local.port}/status HTTP/1.1\r\nHost: localhost`)).toBe(200);
    expect(await statusOf("GET http://localhost HTTP/1.1\r\nHost: localhost")).toBe(404);
    expect(await statusOf("GET http://evil.example/status HTTP/1.1\r\nHost: localhost")).toBe(403);
    expect(await statusOf("GET http://localhost/status HTTP/1.1\r\nHost: evil.example")).toBe(403);
    expect(await statusOf("GET http://localhost@evil.example/status HTTP/1.1\r\nHost: localhost")).toBe(403);
    expect(await statusOf("GET http:///status HTTP/1.1\r\nHost: localhost")).toBe(403);
  });

  it("of another form is no address", async () => {
    expect(await statusOf("OPTIONS * HTTP/1.1\r\nHost: localhost")).toBe(400);
    expect(await statusOf("GET //evil.example/status HTTP/1.1\r\nHost: localhost")).toBe(404);
    expect(await statusOf("GET /\\evil.example HTTP/1.1\r\nHost: localhost")).toBe(400);
  });
});

describe("a sandbox that other machines reach", { tags: ["posix"] }, () => {
  it("is served by any name that can be read, its inspection only by names of this machine", async () => {
    expect(await statusOf("GET /status HTTP/1.1\r\nHost: plant.example:80", open.ready.url)).toBe(200);
    expect(await statusOf("GET /status HTTP/1.1\r\nHost: a b", open.ready.url)).toBe(400);
    expect(await statusOf("GET /status HTTP/1.1\r\nHost: [", open.ready.url)).toBe(400);
    const secret = `Authorization: ${open.ready.inspectionHeaders.authorization}`;
    expect(await statusOf(`GET /__sandbox/health HTTP/1.1\r\nHost: localhost\r\n${secret}`, open.ready.url)).toBe(200);
    for (const path of ["/__sandbox/health", "/%5F%5fsandbox/requests", "//__sandbox/health", "/__SANDBOX/health"]) {
      const head = `GET ${path} HTTP/1.1\r\nHost: plant.example\r\n${secret}`;
      expect(await statusOf(head, open.ready.url), path).toBe(403);
    }
  });

  it("refuses the demo tokens and takes its own", async () => {
    const info = (token: string): Promise<number> =>
      statusOf(`GET /info HTTP/1.1\r\nHost: plant.example\r\nToken: ${token}`, open.ready.url);
    expect(await info(local.tokens.profile)).toBe(401);
    expect(await info(local.tokens.profile.slice(2))).toBe(401);
    expect(await info(open.ready.tokens.profile)).toBe(200);
  });
});

describe("namesThisMachine", () => {
  it("reads long names in a time in proportion to their length", async () => {
    const read = (length: number) => {
      expect(namesThisMachine(`${"a-".repeat(length)}.localhost`)).toBe(false);
      expect(namesThisMachine(`${"a.".repeat(length)}localhost!`)).toBe(false);
    };
    expect(await growthOf(read, 4_000)).toBeLessThan(IN_PROPORTION);
  });
});
