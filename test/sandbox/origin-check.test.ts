import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { call, ok } from "./client.ts";

const ALLOWED = "https://app.example.test";

let sandbox: Sandbox;
let token: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", allowOrigins: [ALLOWED, "http://localhost:3000/"] });
  token = sandbox.tokens.profile;
});
afterAll(() => sandbox.close());

const foreign = () => [
  "https://evil.example",
  "http://app.example.test",
  `${ALLOWED}:8443`,
  "http://localhost:3001",
  "http://127.0.0.1:3000",
  "http://localhost",
  `https://localhost:${sandbox.port}`,
  `http://localhost.evil.example:${sandbox.port}`,
  `http://evil.example@localhost:${sandbox.port}`,
  "null",
  "",
  "file://",
  "chrome-extension://abc",
  `${ALLOWED}, https://evil.example`,
];

describe("a request of a web page of another origin", () => {
  it("gets 403 and no CORS header, whatever it asks for", async () => {
    const requests = [
      ["GET", "/status"],
      ["OPTIONS", "/device"],
      ["POST", "/device"],
      ["GET", `/events?channels=ui&token=${token}`],
      ["GET", "/__sandbox/health"],
      ["GET", "/__sandbox/session"],
      ["POST", "/__sandbox/reset"],
      ["OPTIONS", "/__sandbox/reset"],
      ["POST", "/pdf"],
      ["GET", "/file/65a1000000000000000f0001/x"],
      ["GET", "/no-such-route"],
    ] as const;
    for (const origin of foreign()) {
      for (const [method, path] of requests) {
        const answer = await call(sandbox, method, path, { token, headers: { origin } });
        expect(answer.status, `${method} ${path} from ${origin}`).toBe(403);
        expect(answer.body.status).toBe(false);
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
        expect(answer.headers["vary"]).toBe("Origin");
      }
    }
  });

  it("changes nothing, also as a form that a browser sends without asking first", async () => {
    for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/json", "multipart/form-data"]) {
      const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site", "content-type": type };
      const raw = '{"name":"From a page"}';
      expect((await call(sandbox, "POST", `/analysis?token=${token}`, { headers, raw })).status, type).toBe(403);
    }
    expect(await ok(sandbox, "GET", "/analysis?filter[name]=From a page".replaceAll(" ", "%20"), { token })).toEqual(
      [],
    );
  });

  it("is told which option lets it in", async () => {
    const { body } = await call(sandbox, "GET", "/status", { headers: { origin: "http://localhost:8080" } });
    expect(body.message).toContain("--allow-origin http://localhost:8080");
    const odd = await call(sandbox, "GET", "/status", { headers: { origin: "null" } });
    expect(odd.body.message).not.toContain("--allow-origin");
  });

  it("gets 403 when only Sec-Fetch-Site gives it away: a link, a picture, a script of another site", async () => {
    for (const mode of ["navigate", "no-cors", "cors"]) {
      for (const site of ["cross-site", "Cross-Site", "cross-site, none", "anything"]) {
        const headers = { "sec-fetch-site": site, "sec-fetch-mode": mode };
        expect((await call(sandbox, "GET", "/status", { headers })).status, `${site} ${mode}`).toBe(403);
        expect((await call(sandbox, "GET", "/__sandbox/session", { headers })).status).toBe(403);
      }
    }
    for (const site of ["none", "same-origin", "same-site"]) {
      expect((await call(sandbox, "GET", "/status", { headers: { "sec-fetch-site": site } })).status, site).toBe(200);
    }
  });
});

describe("an allowed origin", () => {
  it("is named in every response to it, with Vary, and never as a star", async () => {
    for (const origin of [ALLOWED, "http://localhost:3000"]) {
      const headers = { origin, "sec-fetch-site": "cross-site" };
      const preflight = await call(sandbox, "OPTIONS", "/device", { headers });
      expect([preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([204, origin]);
      const good = await call(sandbox, "GET", "/device", { token, headers });
      expect([good.status, good.headers["access-control-allow-origin"], good.headers["vary"]]).toEqual([
        200,
        origin,
        "Origin",
      ]);
      const bad = await call(sandbox, "GET", "/device", { headers });
      expect([bad.status, bad.headers["access-control-allow-origin"]]).toEqual([401, origin]);
    }
  });

  it("may listen to the event stream", async () => {
    const controller = new AbortController();
    const url = `${sandbox.url}/events?channels=ui&token=${token}`;
    // The client of Node lets a program set what a browser sets by itself.
    const reply = await fetch(url, { headers: { origin: ALLOWED }, signal: controller.signal });
    expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([200, ALLOWED]);
    controller.abort();
  });

  it("does not reach the inspection routes", async () => {
    const headers = { origin: ALLOWED };
    expect((await call(sandbox, "GET", "/__sandbox/health", { headers })).status).toBe(403);
    expect((await call(sandbox, "POST", "/__sandbox/reset", { headers })).status).toBe(403);
  });

  it("has to be an http or https origin", async () => {
    for (const origin of [
      "*",
      "null",
      "",
      "localhost:3000",
      "ftp://a.example",
      "http://a.example/path",
      "http://u@a.example",
    ]) {
      const started = createSandbox({ seed: "empty", allowOrigins: [origin] });
      await expect(started, origin).rejects.toThrow(/is not an origin\. Use one such as/);
    }
  });
});

describe("the sandbox's own origin", () => {
  it("is every loopback name at its port, and inspection takes it from a page of the same name", async () => {
    for (const name of ["localhost", "127.0.0.1", "[::1]", "app.localhost"]) {
      const host = `${name}:${sandbox.port}`;
      const headers = { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" };
      expect((await call(sandbox, "POST", "/device", { token, body: { name }, headers })).status, name).toBe(201);
      expect((await call(sandbox, "DELETE", "/__sandbox/requests", { headers })).status, name).toBe(200);
    }
    const other = { origin: `http://localhost:${sandbox.port}`, "sec-fetch-site": "cross-site" };
    expect((await call(sandbox, "GET", "/status", { headers: other })).status).toBe(200);
    expect((await call(sandbox, "DELETE", "/__sandbox/requests", { headers: other })).status).toBe(403);
  });

  it("is also the one that a tunnel leads from, as the Host header says it", async () => {
    const tunnel = { host: "localhost:8080", origin: "http://localhost:8080" };
    expect((await call(sandbox, "GET", "/status", { headers: tunnel })).status).toBe(200);
    const rebound = { host: "evil.example:8080", origin: "http://evil.example:8080" };
    expect((await call(sandbox, "GET", "/status", { headers: rebound })).status).toBe(403);
  });
});
