import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Device, RequestError, Resources } from "../../../src/index.ts";
import { failureOf, modes, type RecordingClock, recordingClock, token } from "../../helpers/fault-client.ts";
import {
  closeWhenIdle,
  drip,
  type FaultServer,
  html,
  inTurn,
  ok,
  type Reaction,
  refuse,
  resetBeforeHeaders,
  resetMidBody,
  silence,
  stall,
  startFaultServer,
  unusedPort,
} from "../../helpers/fault-server.ts";
import { holdTimers } from "../../helpers/held-timers.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const fourWaits = [1500, 1500, 1500, 1500];

describe.each(modes)("connection faults over $name", ({ options }) => {
  let server: FaultServer;
  let clock: RecordingClock;

  beforeEach(async () => {
    server = await startFaultServer(silence);
    clock = recordingClock();
  });

  afterEach(() => server.close());

  const params = (extra: object = {}) => ({
    token,
    region: { api: server.url, sse: server.url },
    clock,
    ...options,
    ...extra,
  });
  const resources = (extra: object = {}): Resources => new Resources(params(extra));

  function expectNoAnswer(error: Error, code: "NETWORK_ERROR" | "TIMEOUT" = "NETWORK_ERROR"): void {
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ from: "CLIENT_REQUEST", method: "GET", status: -1, code });
    expect(error).toHaveProperty("url", expect.stringMatching(/\/device\/d1$/));
    expect(error).toHaveProperty("attempts.length", 5);
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(token);
  }

  it("connect refused", async () => {
    const port = await unusedPort();
    const api = `http://127.0.0.1:${port}`;
    const error = await failureOf(resources({ region: { api, sse: api } }).devices.info("d1"));
    expectNoAnswer(error);
    expect(clock.waits).toEqual(fourWaits);
    expect(JSON.stringify(error["attempts"])).toContain("ECONNREFUSED");
  });

  it("reset before headers", async () => {
    server.react(resetBeforeHeaders);
    expectNoAnswer(await failureOf(resources().devices.info("d1")));
    expect(server.requests).toHaveLength(5);
    expect(clock.waits).toEqual(fourWaits);
  });

  it("reset mid-body", async () => {
    server.react(resetMidBody);
    expectNoAnswer(await failureOf(resources().devices.info("d1")));
    expect(server.requests).toHaveLength(5);
    expect(clock.waits).toEqual(fourWaits);
  });

  it("reset twice then OK", async () => {
    server.react(inTurn(resetBeforeHeaders, resetMidBody, ok({ id: "d1" })));
    await expect(resources().devices.info("d1")).resolves.toMatchObject({ id: "d1" });
    expect(server.requests).toHaveLength(3);
    expect(clock.waits).toEqual([1500, 1500]);
  });

  it("stale keep-alive socket", async () => {
    server.react(closeWhenIdle(ok({ id: "d1" }), 1));
    const { devices } = resources();
    for (let call = 0; call < 20; call += 1) {
      await expect(devices.info("d1")).resolves.toMatchObject({ id: "d1" });
      await waitFor(() => server.openSockets.size === 0, "the server to drop the idle socket");
      // The other end is in this process, too: it hears of it when the event loop next looks at its sockets.
      await pause(5);
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(clock.waits).toEqual([]);
  });

  it("no headers ever", async () => {
    const deadline = holdTimers(40);
    const call = failureOf(resources({ timeoutMs: 40 }).devices.info("d1"));
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await waitFor(() => server.requests.length === attempt, `attempt ${attempt}`);
      deadline.elapse();
    }
    expectNoAnswer(await call, "TIMEOUT");
    expect(server.requests).toHaveLength(5);
    expect(clock.waits).toEqual(fourWaits);
  });

  it.each<[string, Reaction]>([
    ["body stalls half-way", stall],
    ["body drips 1 byte per second", drip(5)],
  ])("%s", async (_row, reaction) => {
    const slow: Socket[] = [];
    server.react((exchange) => {
      slow.push(exchange.socket);
      return reaction(exchange);
    });
    const deadline = holdTimers(60);
    const call = failureOf(resources({ timeoutMs: 60, attempts: 2 }).devices.info("d1"));
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await waitFor(() => server.requests.length === attempt, `attempt ${attempt}`);
      deadline.elapse();
    }
    const error = await call;
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ status: -1, code: "TIMEOUT" });
    expect(server.requests).toHaveLength(2);
    await waitFor(() => slow.every((socket) => socket.destroyed), "the slow connections to be given up");
  });

  it("a timeout of a single call counts before that of the client", async () => {
    const error = await failureOf(resources({ timeoutMs: 60_000, attempts: 1 }).devices.info("d1", { timeoutMs: 30 }));
    expect(error).toMatchObject({ code: "TIMEOUT" });
  });

  it("500 for ever", async () => {
    server.react(refuse(500, "Internal Error"));
    const error = await failureOf(resources().devices.info("d1"));
    expect(error).toMatchObject({ from: "SERVER_RESPONSE", status: 500, message: "Internal Error" });
    expect(error).toHaveProperty("attempts.length", 5);
    expect(server.requests).toHaveLength(5);
    expect(clock.waits).toEqual(fourWaits);
  });

  it("500 twice then OK", async () => {
    const broken = refuse(500, "Internal Error");
    server.react(inTurn(broken, broken, ok({ id: "d1" })));
    await expect(resources().devices.info("d1")).resolves.toMatchObject({ id: "d1" });
    expect(clock.waits).toEqual([1500, 1500]);
  });

  it("500 four times then OK", async () => {
    const broken = refuse(500, "Internal Error");
    server.react(inTurn(broken, broken, broken, broken, ok({ id: "d1" })));
    await expect(resources().devices.info("d1")).resolves.toMatchObject({ id: "d1" });
    expect(server.requests).toHaveLength(5);
    expect(clock.waits).toEqual(fourWaits);
  });

  it("HTML with 502", async () => {
    server.react(html(502));
    const error = await failureOf(resources().devices.info("d1"));
    expect(error).toMatchObject({ from: "SERVER_RESPONSE", status: 502 });
    expect(String(error["data"])).toContain("Proxy error");
    expect(server.requests).toHaveLength(5);
    expect(clock.waits).toEqual(fourWaits);
  });

  it("POST body kept over a retry", async () => {
    server.react(inTurn(refuse(500, "Internal Error"), resetBeforeHeaders, ok("1 Data Added")));
    const data = [{ variable: "temperature", value: 21.5, unit: "°C" }];
    await expect(new Device(params()).sendData(data)).resolves.toBe("1 Data Added");
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /data",
      "POST /data",
      "POST /data",
    ]);
    for (const { body, headers } of server.requests) {
      expect(JSON.parse(body)).toEqual(data);
      expect(headers["content-type"]).toBe("application/json");
    }
  });

  it("a write that may have arrived is not sent again when the program says so", async () => {
    const device = new Device(params({ retry: { ambiguousWrites: false } }));
    for (const reaction of [resetMidBody, refuse(500, "Internal Error")]) {
      server.reset();
      server.react(reaction);
      await failureOf(device.sendData({ variable: "temperature", value: 1 }));
      expect(server.requests).toHaveLength(1);
    }
  });

  it("429: no hammering", async () => {
    server.react(refuse(429, "Too many requests", { "Retry-After": "2" }));
    const error = await failureOf(resources().devices.info("d1"));
    expect(error).toMatchObject({ status: 429, message: "Too many requests" });
    for (const wait of clock.waits) expect(wait).toBeGreaterThanOrEqual(2_000);
    expect(clock.waits).toHaveLength(server.requests.length - 1);
  });

  it("429: Retry-After honoured", async () => {
    server.react(inTurn(refuse(429, "Too many requests", { "Retry-After": "2" }), ok({ id: "d1" })));
    await expect(resources().devices.info("d1")).resolves.toMatchObject({ id: "d1" });
    expect(clock.waits).toEqual([2_000]);
  });

  it("429 whose wait is too long ends the call at once and says how long it is", async () => {
    server.react(refuse(429, "Come back tomorrow", { "Retry-After": "86400" }));
    const error = await failureOf(resources().devices.info("d1"));
    expect(error).toMatchObject({ status: 429, retryAfterMs: 86_400_000 });
    expect(server.requests).toHaveLength(1);
    expect(clock.waits).toEqual([]);
  });

  it("attempts and wait follow the options, on the real clock", async () => {
    server.react(refuse(500, "Internal Error"));
    const wait = holdTimers(40);
    const client = new Resources({
      token,
      region: { api: server.url, sse: server.url },
      attempts: 3,
      retryDelayMs: 40,
      ...options,
    });
    const call = failureOf(client.devices.info("d1"));
    for (let attempt = 1; attempt < 3; attempt += 1) {
      await waitFor(() => wait.waiting === 1, "the wait between two attempts");
      expect(server.requests).toHaveLength(attempt);
      wait.elapse();
    }
    await call;
    expect(server.requests).toHaveLength(3);
  });

  it("a backoff takes the place of the fixed wait", async () => {
    server.react(refuse(500, "Internal Error"));
    await failureOf(resources({ backoff: (attempt: number) => attempt * 100 }).devices.info("d1"));
    expect(clock.waits).toEqual([100, 200, 300, 400]);
  });

  it("a cancelled call ends at once, between two attempts and in the middle of one", async () => {
    const broken = refuse(500, "Internal Error");
    for (const reaction of [broken, silence, stall]) {
      server.reset();
      server.react(reaction);
      const controller = new AbortController();
      let isWaiting = false;
      const onRetry = () => {
        isWaiting = true;
      };
      // Without the signal, neither the attempt nor the wait after it would end.
      const patient = { timeoutMs: 0, retryDelayMs: 3_600_000, onRetry };
      const client = new Resources({ token, region: { api: server.url, sse: server.url }, ...patient, ...options });
      const call = failureOf(client.devices.info("d1", { signal: controller.signal }));
      await waitFor(() => (reaction === broken ? isWaiting : server.requests.length === 1), "the first attempt");
      controller.abort(new Error("no longer needed"));
      const error = await call;
      expect(error).toMatchObject({ name: "CancelledError", message: "Cancelled request" });
      expect(server.requests).toHaveLength(1);
    }
  });
});

describe("stale keep-alive socket, dropped at the moment of the next request", () => {
  const hangUp: Reaction = ({ socket }) => {
    socket.end();
  };
  // Neither fetch nor undici says of a reset connection whether it had served before; node:http does.
  const ways = [
    ...modes.map(({ name, options }) => ({ name, options, how: "closed", drop: hangUp })),
    ...modes
      .filter(({ name }) => name === "http")
      .map(({ name, options }) => ({ name, options, how: "reset", drop: resetBeforeHeaders })),
  ];

  it.each(ways)("$how, over $name", async ({ options, drop }) => {
    const served = new Set<number>();
    const server = await startFaultServer((exchange) => {
      const { connection } = exchange.request;
      if (served.has(connection)) return drop(exchange);
      served.add(connection);
      return ok({ id: "d1" })(exchange);
    });
    const clock = recordingClock();
    try {
      const region = { api: server.url, sse: server.url };
      const { devices } = new Resources({ token, region, clock, ...options });
      for (let call = 0; call < 20; call += 1) {
        await expect(devices.info("d1")).resolves.toMatchObject({ id: "d1" });
      }
      expect(clock.waits).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
