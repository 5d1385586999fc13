import { describe, expect, it, vi } from "vitest";
import { InputError, Resources } from "../../../src/index.ts";
import * as limits from "../../../src/lib/core/limits.ts";
import { failureOf, modes, token } from "../../helpers/fault-client.ts";
import { drip, ok, refuse, silence, stall, startFaultServer } from "../../helpers/fault-server.ts";

describe("defaults", () => {
  it("are the constants of the specification", () => {
    expect(limits).toMatchObject({
      REQUEST_TIMEOUT_MS: 60_000,
      REQUEST_ATTEMPTS: 5,
      RETRY_DELAY_MS: 1_500,
      SHARED_REQUEST_WAIT_MS: 100,
      CACHE_TTL_MS: 5_000,
      DICTIONARY_CACHE_TTL_MS: 3_600_000,
      EVENT_RECONNECT_MS: 1_000,
      LIST_PAGE: 1,
      LIST_AMOUNT: 20,
      STREAM_BATCH_QTY: 1_000,
      MAX_DEVICE_STREAM_QTY: 1_000,
      MAX_DATA_STREAM_QTY: 10_000,
      DATA_STREAM_WAIT_MS: 1_000,
      DEVICE_STREAM_WAIT_MS: 500,
      UPLOAD_PART_BYTES: 7_340_032,
      UPLOAD_LANES: 3,
      UPLOAD_PART_TRIES: 5,
      UPLOAD_PART_WAIT_MS: 2_000,
      UPLOAD_END_TRIES: 3,
      UPLOAD_MIN_PART_BYTES: 5 * 1024 * 1024,
      FILE_LIST_QTY: 300,
      PAYMENT_HISTORY_AMOUNT: 10,
      DROPDOWN_QTY: 999,
      DOWNLINK_TOKEN_AMOUNT: 10,
    });
  });

  it.each(modes)("take attempts and timeout from the environment over $name", async ({ options }) => {
    const server = await startFaultServer(refuse(500, "Internal Error"));
    const devices = () =>
      new Resources({ token, region: { api: server.url, sse: server.url }, retryDelayMs: 1, ...options }).devices;
    try {
      vi.stubEnv("TAGOIO_REQUEST_ATTEMPTS", "2");
      await failureOf(devices().info("d1"));
      expect(server.requests).toHaveLength(2);
      vi.stubEnv("TAGOIO_REQUEST_ATTEMPTS", "1");
      vi.stubEnv("TAGOIO_REQUEST_TIMEOUT", "50");
      // The body counts as well: headers alone do not stop the clock.
      for (const slow of [silence, stall, drip(5)]) {
        server.react(slow);
        expect(await failureOf(devices().info("d1"))).toMatchObject({ code: "TIMEOUT", status: -1 });
      }
    } finally {
      vi.unstubAllEnvs();
      await server.close();
    }
  });

  it.each([
    ["timeoutMs", { timeoutMs: -1 }],
    ["attempts", { attempts: Number.NaN }],
    ["retryDelayMs", { retryDelayMs: Number.POSITIVE_INFINITY }],
    ["token", { token: "line\nbreak" }],
  ])("refuse a bad %s", (field, bad) => {
    const make = () => new Resources({ token, ...bad }).devices;
    expect(make).toThrow(InputError);
    expect(make).toThrow(expect.objectContaining({ field }));
  });

  it("send a token only where the call belongs to somebody", async () => {
    const server = await startFaultServer(ok({ id: "d1" }));
    try {
      await new Resources({ token, region: { api: server.url, sse: server.url } }).devices.info("d1");
      const [request] = server.requests;
      expect(request?.headers["token"]).toBe(token);
      expect(request?.headers["authorization"]).toBeUndefined();
      expect(request?.path).not.toContain(token);
    } finally {
      await server.close();
    }
  });
});
