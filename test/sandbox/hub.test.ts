import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../src/sandbox/core/clock.ts";
import { StreamHub } from "../../src/sandbox/stream/hub.ts";
import { waitFor } from "../helpers/wait-for.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

/** Serves a hub on loopback and collects what a listener of `topic` hears. */
async function listener(hub: StreamHub, profile: string, topic: string): Promise<() => string> {
  const server = createServer((_request, response) => hub.open(response, { profile, topics: new Set([topic]) }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    hub.close();
    server.close();
    server.closeAllConnections();
  });
  let text = "";
  get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { agent: false }, (reply) => {
    reply.setEncoding("utf8");
    reply.on("data", (chunk: string) => {
      text += chunk;
    });
    reply.on("error", () => {});
  });
  await waitFor(() => text.includes(": connected"), "the stream to open");
  return () => text;
}

describe("the hub", () => {
  it("keeps a quiet stream alive with comments", async () => {
    const hub = new StreamHub({ afterCommit: (effect) => effect() }, realClock, 10);
    const heard = await listener(hub, "p", "ui");
    await waitFor(() => heard().split(": keepalive\n\n").length > 3, "three comments");
    expect(heard()).not.toContain("data:");
  });

  it("keeps events within their profile", async () => {
    const hub = new StreamHub({ afterCommit: (effect) => effect() }, realClock);
    const [one, two] = [await listener(hub, "one", "ui"), await listener(hub, "two", "ui")];
    hub.publish({ channel: "ui", profile: "one", payload: 1 });
    hub.publish({ channel: "ui", profile: "two", payload: 2 });
    await waitFor(() => one().includes("data:") && two().includes("data:"), "both events");
    expect(one().match(/"payload":\d/g)).toEqual(['"payload":1']);
    expect(two().match(/"payload":\d/g)).toEqual(['"payload":2']);
  });

  it("says nothing of writes that are lost", async () => {
    const waiting: (() => void)[] = [];
    const hub = new StreamHub({ afterCommit: (effect) => waiting.push(effect) }, realClock);
    const heard = await listener(hub, "p", "device_data.1");
    expect(hub.listening("device_data", "1")).toBe(true);
    expect(hub.listening("device_data", "2")).toBe(false);
    hub.publish({ channel: "device_data", resourceId: "1", profile: "p", payload: "lost" });
    waiting.pop();
    hub.publish({ channel: "device_data", resourceId: "1", profile: "p", payload: "kept" });
    waiting.pop()?.();
    await waitFor(() => heard().includes("kept"), "the event");
    expect(heard()).not.toContain("lost");
  });
});
