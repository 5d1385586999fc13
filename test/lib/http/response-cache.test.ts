import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Cache } from "../../../src/lib/http/cache.ts";
import { copyOf, ResponseCache } from "../../../src/lib/http/response-cache.ts";

describe("the response cache", () => {
  let nowMs = 0;
  const cacheOf = (maxEntries?: number) => new ResponseCache(maxEntries, () => nowMs);

  beforeEach(() => {
    nowMs = 1_000;
  });

  it("gives back what was put in until its time is over", () => {
    const cache = cacheOf();
    cache.set("key", { a: 1 }, 100);
    nowMs += 99;
    expect(cache.get("key")).toEqual({ a: 1 });
    nowMs += 1;
    expect(cache.get("key")).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it("keeps a result 5 seconds unless told otherwise", () => {
    const cache = cacheOf();
    cache.set("key", 1);
    nowMs += 4_999;
    expect(cache.get("key")).toBe(1);
    nowMs += 1;
    expect(cache.get("key")).toBeUndefined();
  });

  it.each([0, -1, Number.NaN])("keeps nothing for %s ms", (ttlMs) => {
    const cache = cacheOf();
    cache.set("key", 1, ttlMs);
    expect(cache.get("key")).toBeUndefined();
  });

  it("starts the time again with a new value, not with a look", () => {
    const cache = cacheOf();
    cache.set("key", 1, 100);
    nowMs += 60;
    cache.get("key");
    nowMs += 60;
    expect(cache.get("key")).toBeUndefined();
    cache.set("key", 2, 100);
    nowMs += 60;
    cache.set("key", 3, 100);
    nowMs += 60;
    expect(cache.get("key")).toBe(3);
  });

  it.each([
    ["null", null],
    ["0", 0],
    ["false", false],
    ["an empty text", ""],
    ["a date", new Date(0)],
  ])("keeps %s", (_name, value) => {
    const cache = cacheOf();
    cache.set("key", value);
    expect(cache.get("key")).toEqual(value);
  });

  it("takes undefined for no value", () => {
    const cache = cacheOf();
    cache.set("key", undefined);
    expect(cache.size).toBe(0);
  });

  it("holds 10,000 entries at the most; the one not used for longest leaves first", () => {
    const cache = cacheOf();
    for (let i = 0; i < 10_000; i += 1) cache.set(`key ${i}`, i);
    expect(cache.get("key 0")).toBe(0);
    cache.set("one more", 1);
    expect(cache.size).toBe(10_000);
    expect(cache.get("key 0")).toBe(0);
    expect(cache.get("key 1")).toBeUndefined();
    expect(cache.get("key 2")).toBe(2);
  });

  it("does what a list searched with loops does", () => {
    type Known = { key: string; value: number; expiresAt: number };
    const step = fc.oneof(
      fc.record({
        do: fc.constant("set" as const),
        key: fc.constantFrom(..."abcdefg"),
        ttl: fc.integer({ min: 1, max: 30 }),
      }),
      fc.record({ do: fc.constant("get" as const), key: fc.constantFrom(..."abcdefg") }),
      fc.record({ do: fc.constant("pass" as const), ms: fc.nat(12) }),
      fc.record({ do: fc.constant("clear" as const), odds: fc.nat(9) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, maxEntries) => {
        const cache = cacheOf(maxEntries);
        // Most recently used last.
        let model: Known[] = [];
        for (const [value, action] of steps.entries()) {
          if (action.do === "pass") nowMs += action.ms;
          else if (action.do === "set") {
            cache.set(action.key, value, action.ttl);
            model = model.filter(({ key }) => key !== action.key);
            model.push({ key: action.key, value, expiresAt: nowMs + action.ttl });
            if (model.length > maxEntries) model.shift();
          } else if (action.do === "get") {
            const known = model.find(({ key }) => key === action.key);
            model = model.filter((entry) => entry !== known);
            const isValid = known !== undefined && known.expiresAt > nowMs;
            if (isValid) model.push(known);
            expect(cache.get(action.key)).toBe(isValid ? known.value : undefined);
          } else if (action.odds === 0) {
            cache.clear();
            model = [];
          }
          expect(cache.size).toBe(model.length);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, () => object]>([
    ["a flat object", () => ({ a: "1", b: 2, c: null })],
    ["a nested object", () => ({ a: { b: [1, { c: 2 }] } })],
    ["a list", () => [{ a: 1 }, [2]]],
    ["an object with a date", () => ({ at: new Date(5) })],
    ["a map", () => new Map([["a", { b: 1 }]])],
  ])("shares %s with nobody", (_name, make) => {
    const cache = cacheOf();
    const given = make();
    cache.set("key", given);
    const first = cache.get("key");
    const second = cache.get("key");
    expect(first).toEqual(make());
    const objects = (value: unknown): object[] =>
      typeof value !== "object" || value === null
        ? []
        : [value, ...(value instanceof Map ? [...value.values()] : Object.values(value)).flatMap(objects)];
    const seen = [...objects(given), ...objects(first), ...objects(second)];
    expect(new Set(seen).size).toBe(seen.length);
    expect(copyOf(given)).toEqual(given);
    expect(copyOf(given)).not.toBe(given);
  });

  it("leaves no timer behind", () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const cache = new ResponseCache();
    for (let i = 0; i < 100; i += 1) cache.set(`key ${i}`, i, 3_600_000);
    expect(timers()).toBe(before);
  });
});

describe("Cache", () => {
  beforeEach(() => {
    Cache.clearCache();
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000 });
  });

  afterEach(() => {
    vi.useRealTimers();
    Cache.clearCache();
  });

  it("keeps what is added for 5 seconds, or as long as told", () => {
    Cache.addCache({ url: "/a" }, "short");
    Cache.addCache({ url: "/b" }, "long", 60_000);
    vi.setSystemTime(5_999);
    expect(Cache.getCache({ url: "/a" })).toBe("short");
    vi.setSystemTime(6_000);
    expect(Cache.getCache({ url: "/a" })).toBeUndefined();
    expect(Cache.getCache({ url: "/b" })).toBe("long");
    Cache.clearCache();
    expect(Cache.getCache({ url: "/b" })).toBeUndefined();
  });

  it("knows a request by all its members, not by their order", () => {
    const request = { url: "/a", method: "GET", token: "t", query: { b: 1, a: [1, { d: 1, c: 2 }] } };
    Cache.addCache(request, 1);
    expect(Cache.getCache({ query: { a: [1, { c: 2, d: 1 }], b: 1 }, token: "t", method: "GET", url: "/a" })).toBe(1);
    for (const other of [
      { ...request, token: "u" },
      { ...request, method: "POST" },
      { ...request, query: { b: 1, a: [{ d: 1, c: 2 }, 1] } },
      { ...request, body: null },
      { url: "/a" },
      {},
    ]) {
      expect(Cache.getCache(other)).toBeUndefined();
    }
  });

  it.each([
    ["AX", "B9"],
    ["Aa", "BB"],
    ["AaAa", "BBBB"],
  ])("does not take %s for %s, whose short hashes are equal", (first, second) => {
    Cache.addCache({ url: first }, first);
    expect(Cache.getCache({ url: second })).toBeUndefined();
    Cache.addCache({ url: second }, second);
    expect([Cache.getCache({ url: first }), Cache.getCache({ url: second })]).toEqual([first, second]);
  });

  it("does not take text in one member for another member", () => {
    Cache.addCache({ a: '1","b":"2' }, "joined");
    expect(Cache.getCache({ a: "1", b: "2" })).toBeUndefined();
  });

  it("gives everybody a copy", () => {
    const value = { texts: { HELLO: "Hello" } };
    Cache.addCache({ url: "/a" }, value);
    value.texts.HELLO = "changed by the giver";
    const taken = Cache.getCache({ url: "/a" }) as typeof value;
    expect(taken).toEqual({ texts: { HELLO: "Hello" } });
    taken.texts.HELLO = "changed by a taker";
    expect(Cache.getCache({ url: "/a" })).toEqual({ texts: { HELLO: "Hello" } });
  });
});
