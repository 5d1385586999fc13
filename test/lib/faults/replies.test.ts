import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiError, Resources, SdkError } from "../../../src/index.ts";
import { failureOf, modes, type RecordingClock, recordingClock, token } from "../../helpers/fault-client.ts";
import {
  answer,
  type FaultServer,
  gzipped,
  html,
  ok,
  type Reaction,
  redirectTo,
  refuse,
  silence,
  startFaultServer,
  truncatedJson,
} from "../../helpers/fault-server.ts";

const json = (body: unknown): Reaction => answer({ body: JSON.stringify(body) });

describe.each(modes)("replies over $name", ({ options }) => {
  let server: FaultServer;
  let clock: RecordingClock;

  beforeEach(async () => {
    server = await startFaultServer(silence);
    clock = recordingClock();
  });

  afterEach(() => server.close());

  const devices = () =>
    new Resources({ token, region: { api: server.url, sse: server.url }, clock, ...options }).devices;

  /** The error of a call, which must have been made once and belong to the library. */
  async function refusalOf(reaction: Reaction): Promise<Error & Record<string, unknown>> {
    server.react(reaction);
    const error = await failureOf(devices().info("d1"));
    expect(error).toBeInstanceOf(SdkError);
    expect(error.message).not.toBe("");
    expect(server.requests).toHaveLength(1);
    expect(clock.waits).toEqual([]);
    return error;
  }

  it("truncated JSON", async () => {
    const error = await refusalOf(truncatedJson);
    expect(error).toMatchObject({ from: "SERVER_RESPONSE", status: 200, code: "INVALID_REPLY" });
  });

  it("HTML with 200", async () => {
    const error = await refusalOf(html(200));
    expect(String(error["data"])).toContain("Proxy error");
    expect(error.message).toContain("Proxy error");
  });

  it.each([
    ["empty body with 200", 200],
    ["204 without body", 204],
    ["400 without body", 400],
  ])("%s", async (_row, status) => {
    const error = await refusalOf(answer({ status, statusText: "" }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status });
    expect(error.message).toMatch(/empty/i);
    expect(error.message).toContain(String(status));
  });

  it("status:false with message, 200", async () => {
    const error = await refusalOf(json({ status: false, message: "Device not found" }));
    expect(error).toMatchObject({ message: "Device not found", status: 200, code: "REFUSED" });
    expect(String(error)).toBe("Device not found");
  });

  it("status:false with result, 200", async () => {
    expect(await refusalOf(json({ status: false, result: "Quota used up" }))).toMatchObject({
      message: "Quota used up",
    });
  });

  it("no status field, 200", async () => {
    const error = await refusalOf(json({ hello: "world" }));
    expect(error["data"]).toEqual({ hello: "world" });
    expect(error.message).toContain("world");
  });

  it("list call, status:false", async () => {
    server.react(json({ status: false, message: "Authorization Denied" }));
    const error = await failureOf(devices().list());
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe("Authorization Denied");
    expect(server.requests).toHaveLength(1);
  });

  it("list call, result null", async () => {
    server.react(ok(null));
    expect(await failureOf(devices().list())).toMatchObject({ name: "ApiError", code: "INVALID_REPLY" });
  });

  it("JSON sent as text/plain", async () => {
    server.react(answer({ headers: { "Content-Type": "text/plain" }, body: '{"status":true,"result":{"id":"d1"}}' }));
    await expect(devices().info("d1")).resolves.toEqual({ id: "d1" });
  });

  it("JSON with a byte-order mark", async () => {
    server.react(answer({ body: '\ufeff{"status":true,"result":{"id":"d1"}}' }));
    await expect(devices().info("d1")).resolves.toEqual({ id: "d1" });
  });

  it("gzip answer", async () => {
    server.react(gzipped({ id: "d1", name: "Füllstand" }));
    await expect(devices().info("d1")).resolves.toEqual({ id: "d1", name: "Füllstand" });
    expect(server.requests[0]?.headers["accept-encoding"]).toContain("gzip");
  });

  it("a broken gzip answer is an error", async () => {
    server.react(answer({ headers: { "Content-Encoding": "gzip" }, body: "not gzip at all" }));
    expect(await failureOf(devices().info("d1"))).toMatchObject({ from: "SERVER_RESPONSE", status: 200 });
  });

  async function expectWhole(mib: number): Promise<void> {
    const filling = "é".repeat((mib / 2) * 1024 * 1024);
    server.react(ok({ filling }));
    const device = (await devices().info("d1")) as unknown as { filling: string };
    expect(device.filling.length).toBe(filling.length);
    expect(device.filling === filling).toBe(true);
  }

  it("body of 4 MiB", () => expectWhole(4));
  it("body of 64 MiB", { tags: ["slow"] }, () => expectWhole(64));

  it.each([
    ["400 with message", 400, "Invalid variable"],
    ["401 with message", 401, "Authorization Denied"],
    ["403 with message", 403, "Forbidden by policy"],
  ])("%s", async (_row, status, message) => {
    const error = await refusalOf(refuse(status, message));
    expect(error).toMatchObject({ from: "SERVER_RESPONSE", status, message, method: "GET", code: "HTTP_ERROR" });
  });

  it("404 with HTML", async () => {
    const error = await refusalOf(html(404));
    expect(error).toMatchObject({ status: 404 });
    expect(String(error["data"])).toContain("Proxy error");
  });

  it("redirect, same origin", async () => {
    server.react((exchange) =>
      (exchange.request.path === "/device/d1" ? redirectTo("/moved/d1", 307) : ok({ id: "d1" }))(exchange),
    );
    await expect(devices().info("d1")).resolves.toEqual({ id: "d1" });
    expect(server.requests.map(({ path }) => path)).toEqual(["/device/d1", "/moved/d1"]);
    expect(server.requests[1]?.headers["token"]).toBe(token);
  });

  it("redirect, same origin, of a write: 307 keeps method and body", async () => {
    server.react((exchange) =>
      (exchange.request.path === "/device" ? redirectTo("/moved", 307) : ok({ device_id: "d1" }))(exchange),
    );
    await devices().create({ name: "Pump", type: "mutable" } as Parameters<ReturnType<typeof devices>["create"]>[0]);
    expect(server.requests[1]).toMatchObject({ method: "POST", path: "/moved" });
    expect(JSON.parse(server.requests[1]?.body ?? "")).toMatchObject({ name: "Pump" });
  });

  it("redirect to another origin", async () => {
    const other = await startFaultServer(ok({ id: "d1" }));
    try {
      server.react(redirectTo(`${other.url}/device/d1`));
      expect(await failureOf(devices().info("d1"))).toMatchObject({
        name: "ApiError",
        code: "HTTP_ERROR",
        status: 302,
        message: `The server redirected to ${other.url}: a response of another origin is not used`,
      });
      expect(other.requests).toHaveLength(0);
      expect(server.requests).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it("redirect loop", async () => {
    server.react(redirectTo("/device/d1"));
    const error = await failureOf(devices().info("d1"));
    expect(error).toBeInstanceOf(SdkError);
    expect(server.requests.length).toBeLessThanOrEqual(5 * 21);
  });

  it("redirect to nowhere", async () => {
    server.react(redirectTo("http://", 302));
    expect(await failureOf(devices().info("d1"))).toBeInstanceOf(SdkError);
    server.react(redirectTo("file:///etc/passwd", 302));
    expect(await failureOf(devices().info("d1"))).toBeInstanceOf(SdkError);
  });

  it.each(["plant/7", "q?x=1", "ref#3", "50%", "a%2Fb", "a\\b", "a\tb", "ü"])(
    "the path part %j reaches the server as one part",
    async (id) => {
      server.react(ok({ id }));
      await devices().info(id);
      expect(server.requests[0]?.path).toBe(`/device/${encodeURIComponent(id)}`);
    },
  );

  it.each([".", "..", ""])("the path part %j is refused before anything is sent", async (id) => {
    const error = await failureOf(Promise.resolve().then(() => devices().info(id)));
    expect(error).toMatchObject({ name: "InputError" });
    expect(server.requests).toHaveLength(0);
  });
});
