import dns from "node:dns";
import { createServer } from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { takeAttempts } from "./no-network.ts";

/** Addresses that are set aside for documentation: nothing answers there. */
const [address, host] = ["192.0.2.1", "device.example"];

describe("the guard against connections that leave the machine", () => {
  afterEach(() => {
    takeAttempts();
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      "a socket",
      () => new Promise((resolve, reject) => net.connect(80, address, () => resolve(0)).on("error", reject)),
    ],
    ["a socket by name", () => new Promise((_resolve, reject) => net.connect({ port: 80, host }).on("error", reject))],
    ["fetch", () => fetch(`http://${address}/`)],
    ["fetch by name", () => fetch(`https://${host}/`)],
    ["a look-up", () => dns.promises.lookup(host)],
    ["a look-up with a callback", () => new Promise((_resolve, reject) => dns.lookup(host, (error) => reject(error)))],
  ])("stops %s and notes where it was going", async (_name, connect) => {
    await expect(connect()).rejects.toThrow();
    const attempts = takeAttempts();
    expect(attempts.length).toBeGreaterThan(0);
    for (const attempt of attempts) expect(attempt).toMatch(/^(192\.0\.2\.1|device\.example)\n/);
  });

  it("lets this machine be reached by name, by address and through a socket file", async () => {
    const server = createServer((_request, response) => response.end("here"));
    for (const place of [0, join(tmpdir(), `guard-${process.pid}.sock`)]) {
      await new Promise<void>((resolve) => server.listen(place, () => resolve()));
      const bound = server.address();
      if (typeof bound === "string") {
        await new Promise<void>((resolve, reject) => {
          const socket = net.connect(bound, () => resolve(socket.destroy() && undefined));
          socket.on("error", reject);
        });
      } else {
        for (const name of ["127.0.0.1", "localhost"]) {
          await expect((await fetch(`http://${name}:${bound?.port}/`)).text()).resolves.toBe("here");
        }
      }
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    }
    expect(takeAttempts()).toEqual([]);
  });
});
