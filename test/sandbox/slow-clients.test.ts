import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, createApp } from "../../src/sandbox/app.ts";
import { realClock } from "../../src/sandbox/core/clock.ts";
import { IdSource } from "../../src/sandbox/core/ids.ts";
import { FaultInjector } from "../../src/sandbox/http/faults.ts";
import { RequestLog } from "../../src/sandbox/http/request-log.ts";
import { info } from "../../src/sandbox/info/routes.ts";
import { migrations } from "../../src/sandbox/migrations.ts";
import { kinds } from "../../src/sandbox/resources.ts";
import { openEphemeral, type Storage } from "../../src/sandbox/store/open.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { call } from "./client.ts";

const CONNECTIONS = 20;

let storage: Storage;
let app: App;
let port: number;

beforeAll(async () => {
  storage = openEphemeral(migrations, Date.now());
  app = createApp({
    storage,
    clock: realClock,
    kinds,
    ids: new IdSource(realClock),
    faults: new FaultInjector(),
    requestLog: new RequestLog(),
    host: "127.0.0.1",
    connectionLimits: { headersMs: 100, requestMs: 300, checkMs: 20, connections: CONNECTIONS },
    log: (message) => {
      throw new Error(message);
    },
  });
  info.serve(app);
  port = await app.server.listen(0);
});
afterAll(async () => {
  await app.server.close();
  storage.close();
});

/** A request is answered; one that this machine itself held up for too long is refused as well, and repeated. */
const untilServed = (): Promise<void> =>
  waitFor(async () => {
    const reply = await call({ url: `http://127.0.0.1:${port}` }, "GET", "/status").catch(() => undefined);
    return reply?.status === 200;
  }, "an answer");

/** Everything the server sends until it closes the connection. */
function untilClosed(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => {});
  return new Promise((resolve) => socket.once("close", () => resolve(text)));
}

describe("a client that is too slow", () => {
  it("loses its connection when it sends nothing at all, or no end of its headers", async () => {
    for (const bytes of ["", "GET /status HTTP/1.1\r\nhost: localhost\r\nx-a: "]) {
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
      expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*"status":false/);
    }
  });

  it("loses it when its headers trickle in", async () => {
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /status HTTP/1.1\r\nhost: localhost\r\n"));
    const timer = setInterval(() => socket.write("x-a: b\r\n"), 10);
    expect(await untilClosed(socket)).toContain("408");
    clearInterval(timer);
  });

  it("loses it when its body trickles in", { tags: ["slow"] }, async () => {
    const head =
      "POST /account/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n";
    const socket = connect(port, "127.0.0.1", () => socket.write(head));
    const timer = setInterval(() => socket.write(" "), 10);
    await untilClosed(socket);
    clearInterval(timer);
    await untilServed();
  });
});

describe("connections", () => {
  it("above the limit are closed, and those below it go on", async () => {
    const open = Array.from({ length: CONNECTIONS * 2 }, () => connect(port, "127.0.0.1"));
    const answers = await Promise.all(open.map(untilClosed));
    expect(answers.filter((text) => text.includes("408")).length).toBeGreaterThanOrEqual(CONNECTIONS);
    expect(answers.filter((text) => text === "").length).toBeGreaterThan(0);
    await untilServed();
  });
});
