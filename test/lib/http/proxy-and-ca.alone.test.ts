import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ClientOptions, openEventStream, Resources } from "../../../src/index.ts";
import { type Certificate, selfSignedCertificate } from "../../../src/sandbox/http/certificate.ts";
import { failureOf, recordingClock, token } from "../../helpers/fault-client.ts";
import { eventStream, type FaultServer, ok, startFaultServer, unusedPort } from "../../helpers/fault-server.ts";
import { type ProxyServer, startProxy } from "../../helpers/proxy-server.ts";

let certificate: Certificate;
let secure: FaultServer;
let plain: FaultServer;
let proxy: ProxyServer;

beforeAll(() => {
  certificate = selfSignedCertificate();
});

beforeEach(async () => {
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"]) {
    vi.stubEnv(name, undefined);
  }
  secure = await startFaultServer(ok({ id: "d1" }), { tls: certificate });
  plain = await startFaultServer(ok({ id: "d1" }));
  proxy = await startProxy();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([proxy.close(), secure.close(), plain.close()]);
});

afterAll(() => {
  vi.unstubAllEnvs();
});

function devices(server: FaultServer, options: Partial<ClientOptions> = {}) {
  const region = { api: server.url, sse: server.url };
  return new Resources({ region, clock: recordingClock(), ...options, token }).devices;
}

describe("certificates", () => {
  it("of an unknown authority are refused, without trying again and without sending the token", async () => {
    const clock = recordingClock();
    const error = await failureOf(devices(secure, { clock }).info("d1"));
    expect(error).toMatchObject({ from: "CLIENT_REQUEST", status: -1 });
    expect(error.message).toMatch(/self.signed/i);
    expect(clock.waits).toEqual([]);
    expect(secure.requests).toHaveLength(0);
  });

  it("are accepted when the option `ca` names their authority", async () => {
    await expect(devices(secure, { ca: certificate.cert }).info("d1")).resolves.toEqual({ id: "d1" });
    await expect(devices(secure, { ca: [certificate.cert] }).info("d1")).resolves.toEqual({ id: "d1" });
    expect(secure.requests[0]?.headers["token"]).toBe(token);
  });

  it("for another host are refused although their authority is known", async () => {
    const { port } = secure;
    const region = { api: `https://elsewhere.localhost:${port}`, sse: `https://elsewhere.localhost:${port}` };
    const error = await failureOf(devices(secure, { region, ca: certificate.cert }).info("d1"));
    expect(error).toMatchObject({ from: "CLIENT_REQUEST", status: -1 });
    expect(secure.requests).toHaveLength(0);
  });

  it("count for the event stream too", async () => {
    secure.react(eventStream(["data: a\n\n"]));
    const region = { api: secure.url, sse: secure.url };
    const stream = openEventStream({ channels: { channel: "ui" }, token, region, ca: certificate.cert });
    const types: string[] = [];
    for await (const item of stream) {
      types.push(item.type);
      if (item.type === "message") break;
    }
    expect(types).toEqual(["open", "message"]);
  });
});

describe("a proxy", () => {
  it("given as option carries plain and secure requests", async () => {
    await expect(devices(plain, { proxy: proxy.url }).info("d1")).resolves.toEqual({ id: "d1" });
    await expect(devices(secure, { proxy: proxy.url, ca: certificate.cert }).info("d1")).resolves.toEqual({ id: "d1" });
    expect(proxy.seen).toHaveLength(2);
    expect(proxy.seen[1]).toBe(`CONNECT 127.0.0.1:${secure.port}`);
    expect(plain.requests).toHaveLength(1);
    expect(secure.requests).toHaveLength(1);
  });

  it("sees nothing of a secure request but where it goes", async () => {
    await devices(secure, { proxy: proxy.url, ca: certificate.cert }).info("d1");
    expect(JSON.stringify([proxy.seen, proxy.credentials])).not.toContain(token);
  });

  it("gets the name and password of its address, which no error shows", async () => {
    const address = proxy.url.replace("http://", "http://ann:open-sesame@");
    await devices(plain, { proxy: address }).info("d1");
    expect(proxy.credentials[0]).toBe(`Basic ${Buffer.from("ann:open-sesame").toString("base64")}`);
    const port = await unusedPort();
    const error = await failureOf(devices(plain, { proxy: `http://ann:open-sesame@127.0.0.1:${port}` }).info("d1"));
    expect(error).toMatchObject({ status: -1 });
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain("open-sesame");
  });

  it("named by the environment is used, and left out for the hosts of NO_PROXY", async () => {
    vi.stubEnv("HTTP_PROXY", proxy.url);
    await devices(plain).info("d1");
    expect(proxy.seen).toHaveLength(1);
    // Another address of the same server: what was learnt about the first one must not count for it.
    vi.stubEnv("NO_PROXY", "localhost");
    const region = { api: `http://localhost:${plain.port}`, sse: `http://localhost:${plain.port}` };
    await devices(plain, { region }).info("d1");
    expect(proxy.seen).toHaveLength(1);
    expect(plain.requests).toHaveLength(2);
  });

  it("named by the environment is looked for when a client is made", async () => {
    const before = devices(plain);
    vi.stubEnv("http_proxy", proxy.url);
    await before.info("d1");
    expect(proxy.seen).toHaveLength(0);
    await devices(plain).info("d1");
    expect(proxy.seen).toHaveLength(1);
  });

  it("that is down is reported as a failed connection", async () => {
    const port = await unusedPort();
    const clock = recordingClock();
    const error = await failureOf(devices(plain, { clock, proxy: `http://127.0.0.1:${port}` }).info("d1"));
    expect(error).toMatchObject({ from: "CLIENT_REQUEST", status: -1, code: "NETWORK_ERROR" });
    expect(plain.requests).toHaveLength(0);
  });

  it.each(["not an address", "ftp://127.0.0.1:21"])("with the address %j is refused as a setting", async (address) => {
    const error = await failureOf(Promise.resolve().then(() => devices(plain, { proxy: address }).info("d1")));
    expect(error.name).toMatch(/InputError|RequestError/);
    expect(plain.requests).toHaveLength(0);
  });
});
