import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cache } from "../../../src/index.ts";
import { Dictionary } from "../../../src/lib/clients/dictionary.ts";
import { modes, type RecordingClock, recordingClock, token } from "../../helpers/fault-client.ts";
import {
  answer,
  type FaultServer,
  inTurn,
  ok,
  refuse,
  resetBeforeHeaders,
  silence,
  startFaultServer,
  writeAll,
} from "../../helpers/fault-server.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const texts = { HELLO: "Hello" };

describe.each(modes)("in-flight sharing and cache over $name", ({ options }) => {
  let server: FaultServer;
  let clock: RecordingClock;
  let dictionary: Dictionary;

  beforeEach(async () => {
    Cache.clearCache();
    server = await startFaultServer(silence);
    clock = recordingClock();
    dictionary = new Dictionary({ token, region: { api: server.url, sse: server.url }, clock, ...options });
  });

  afterEach(() => server.close());

  const fifty = () => Array.from({ length: 50 }, () => dictionary.getLanguagesData("GREETINGS"));

  it("50 identical calls in flight", async () => {
    server.react(ok(texts));
    const results = await Promise.all(fifty());
    expect(server.requests).toHaveLength(1);
    expect(results).toHaveLength(50);
    for (const result of results) expect(result).toEqual(texts);
    expect(new Set(results).size).toBe(50);
  });

  it("50 identical calls, server says 400", async () => {
    server.react(refuse(400, "Invalid dictionary"));
    const results = await Promise.all(fifty());
    expect(new Set(results)).toEqual(new Set([null]));
    expect(server.requests).toHaveLength(1);
    expect(clock.waits).toEqual([]);
  });

  it("50 identical calls whose connection is lost go on with one more request", async () => {
    const impatient = new Dictionary({
      token,
      region: { api: server.url, sse: server.url },
      clock,
      attempts: 1,
      ...options,
    });
    server.react(inTurn(resetBeforeHeaders, ok(texts)));
    const results = await Promise.all(Array.from({ length: 50 }, () => impatient.getLanguagesData("GREETINGS")));
    expect(results.filter((result) => result === null)).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
    expect(clock.waits).toEqual(Array.from({ length: 49 }, () => 100));
  });

  it("a caller that leaves does not take the shared request from the others", async () => {
    let finish: (() => void) | undefined;
    server.react(async (exchange) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      await ok(texts)(exchange);
    });
    const controller = new AbortController();
    const first = dictionary.getLanguagesData("GREETINGS", "en-US", { signal: controller.signal });
    const second = dictionary.getLanguagesData("GREETINGS");
    await waitFor(() => finish !== undefined, "the request");
    controller.abort();
    await expect(first).rejects.toMatchObject({ name: "CancelledError" });
    finish?.();
    await expect(second).resolves.toEqual(texts);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["cached call after an empty body", answer({ body: "" })],
    ["cached call after a 204", answer({ status: 204 })],
  ])("%s", async (_row, reaction) => {
    server.react(inTurn(reaction, ok(texts)));
    await expect(dictionary.getLanguagesData("GREETINGS")).resolves.toBeNull();
    await expect(dictionary.getLanguagesData("GREETINGS")).resolves.toEqual(texts);
    expect(server.requests).toHaveLength(2);
  });

  it("failure is not cached", async () => {
    server.react(inTurn(answer({ body: '{"status":false,"message":"Not now"}' }), ok(texts)));
    await expect(dictionary.getLanguagesData("GREETINGS")).resolves.toBeNull();
    await expect(dictionary.getLanguagesData("GREETINGS")).resolves.toEqual(texts);
  });

  it("cache keys do not collide", async () => {
    server.react((exchange) => ok({ SLUG: exchange.request.path.split("/")[2] })(exchange));
    for (let round = 0; round < 2; round += 1) {
      for (const slug of ["AX", "B9", "Aa", "BB"]) {
        await expect(dictionary.getLanguagesData(slug)).resolves.toEqual({ SLUG: slug });
      }
    }
    expect(server.requests).toHaveLength(4);
  });

  it("the same request with another token is another request", async () => {
    server.react((exchange) => ok({ TOKEN: exchange.request.headers["token"] })(exchange));
    const other = new Dictionary({
      token: "other-token",
      region: { api: server.url, sse: server.url },
      clock,
      ...options,
    });
    await expect(dictionary.getLanguagesData("GREETINGS")).resolves.toEqual({ TOKEN: token });
    await expect(other.getLanguagesData("GREETINGS")).resolves.toEqual({ TOKEN: "other-token" });
  });

  it("a caller whose joined request was lost asks again with the settings of its own client", async () => {
    const place = { token, region: { api: server.url, sse: server.url }, clock };
    const asked: string[] = [];
    const of = (name: string, attempts: number) =>
      new Dictionary({
        ...place,
        attempts,
        fetch: (url, init) => {
          asked.push(name);
          return fetch(url, init);
        },
      });
    const [first, second] = [of("first", 1), of("second", 1)];
    server.react(ok(texts));
    await second.getLanguagesData("GREETINGS");
    Cache.clearCache();
    server.react((exchange) => (asked.at(-1) === "first" ? resetBeforeHeaders : ok(texts))(exchange));
    const answers = await Promise.all([first.getLanguagesData("GREETINGS"), second.getLanguagesData("GREETINGS")]);
    expect(answers).toEqual([null, texts]);
    expect(asked).toEqual(["second", "first", "second"]);
  });

  it("cached object is not shared mutable state", async () => {
    server.react(ok(texts));
    for (let round = 0; round < 3; round += 1) {
      const data = await dictionary.getLanguagesData("GREETINGS");
      expect(data).toEqual(texts);
      if (data !== null) data["HELLO"] = "changed by a caller";
    }
    expect(server.requests).toHaveLength(1);
  });

  it("a shared call is answered although the body comes in pieces", async () => {
    server.react(async ({ socket }) => {
      const body = JSON.stringify({ status: true, result: { HELLO: "Grüße 😀" } });
      const bytes = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      for (const byte of bytes) await writeAll(socket, Buffer.of(byte));
    });
    await expect(dictionary.getValueFromKey("en-US", "GREETINGS", "HELLO")).resolves.toBe("Grüße 😀");
  });
});
