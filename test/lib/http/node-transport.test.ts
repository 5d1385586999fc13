import { createServer, type IncomingMessage } from "node:http";
import { networkInterfaces } from "node:os";
import { afterEach, expect, it } from "vitest";
import { NodeTransport } from "../../../src/lib/http/node-transport.ts";

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === "::1"));
const requests: IncomingMessage[] = [];
const server = createServer((request, response) => {
  requests.push(request);
  response.end("done");
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function ask(host: string, url: (port: number) => string): Promise<IncomingMessage | undefined> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await new NodeTransport().send({ method: "GET", url: url(port), headers: {}, body: undefined, timeoutMs: 60_000 });
  return requests.at(-1);
}

it("sends user and password of an address as Authorization", async () => {
  const request = await ask("127.0.0.1", (port) => `http://ann:p%40ss@127.0.0.1:${port}/a?b=c`);
  expect(request?.url).toBe("/a?b=c");
  expect(request?.headers.authorization).toBe(`Basic ${Buffer.from("ann:p@ss").toString("base64")}`);
});

// A container may have no IPv6: then there is no such address to ask.
it(`asks ${hasIpv6 ? "an IPv6 address" : "localhost by its name"}`, async () => {
  const host = hasIpv6 ? "::1" : "127.0.0.1";
  const request = await ask(host, (port) => `http://${hasIpv6 ? "[::1]" : "localhost"}:${port}/a`);
  expect(request?.headers.host).toMatch(hasIpv6 ? /^\[::1\]:/ : /^localhost:/);
});
