import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_REPLY_BYTES } from "../../src/lib/core/limits.ts";
import { runHere } from "../helpers/in-process.ts";
import { type SmallServer, smallServer } from "../helpers/small-server.ts";

let server: SmallServer;
let other: SmallServer;
let reply: (response: ServerResponse) => void;

beforeAll(async () => {
  server = await smallServer((_request, response) => reply(response));
  other = await smallServer((_request, response) => response.end('{"status":true,"result":[]}'));
});
afterAll(() => Promise.all([server.close(), other.close()]));

const iot = (...args: string[]) =>
  runHere([...args, "--json"], {
    env: { IOT_API_URL: server.url, IOT_EVENTS_URL: server.url, IOT_TOKEN: "3f0b9c1e", IOT_RETRIES: "0" },
  });

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("a response that cannot be used", () => {
  it.each([
    [
      "nested too deeply",
      (to: ServerResponse) => to.end(`{"status":true,"result":${nested(200_000)}}`),
      "platform.unusable_reply",
      "nested more than 1,000 levels deep",
    ],
    [
      "too large",
      (to: ServerResponse) => to.writeHead(200, { "content-length": String(MAX_REPLY_BYTES + 1) }).write("{"),
      "platform.unusable_reply",
      "larger than 256 MiB",
    ],
    [
      "in an encoding it does not have",
      (to: ServerResponse) => to.writeHead(200, { "content-encoding": "gzip" }).end("no gzip"),
      "platform.invalid_reply",
      "could not be decoded",
    ],
    [
      "at another origin",
      (to: ServerResponse) => to.writeHead(307, { location: `${other.url}/device` }).end(),
      "platform.invalid_reply",
      "The server redirected to http://127.0.0.1:",
    ],
  ])("because it is %s is a failure of the platform, not of the network", async (_what, send, code, why) => {
    reply = send;
    const read = await iot("device", "list");
    const { error } = JSON.parse(read.stderr);
    expect(error).toMatchObject({ code, exit: 1, why: expect.stringContaining(why) });
    expect([read.code, read.stdout]).toEqual([1, ""]);
    const before = server.seen.length;
    const write = await iot("api", "POST", "/device", "--field", "name=Pump");
    expect(JSON.parse(write.stderr).error).toMatchObject({
      code,
      exit: 1,
      next: expect.stringContaining('The change may have been made: check with "iot api GET /device"'),
    });
    expect(server.seen.length - before).toBe(1);
    expect(other.seen).toEqual([]);
  });
});
