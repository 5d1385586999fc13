import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { afterMs, sleep } from "../../../src/commands/kit/long-wait.ts";
import type { EntrySource } from "../../../src/commands/kit/streams/entry.ts";
import { endAfter } from "../../../src/commands/kit/streams/limits.ts";

const DAY_MS = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a long wait", () => {
  it("of 30 days ends after 30 days, although the longest timer has fewer", () => {
    const done = vi.fn();
    afterMs(30 * DAY_MS, done);
    vi.advanceTimersByTime(30 * DAY_MS - 1_000);
    expect(done).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_001);
    expect(done).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("without an end never ends, and leaves no timer once it is given up", () => {
    const done = vi.fn();
    const stop = afterMs(Number.POSITIVE_INFINITY, done);
    vi.advanceTimersByTime(100 * DAY_MS);
    expect(done).not.toHaveBeenCalled();
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not follow the system's time when that is set", () => {
    const done = vi.fn();
    afterMs(5_000, done);
    vi.setSystemTime(Date.now() + DAY_MS);
    vi.advanceTimersByTime(4_000);
    expect(done).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() - 2 * DAY_MS);
    vi.advanceTimersByTime(1_001);
    expect(done).toHaveBeenCalledTimes(1);
  });

  it("is ended by its signal, with the reason of that", async () => {
    const controller = new AbortController();
    const waited = sleep(30 * DAY_MS, controller.signal);
    controller.abort(new Error("enough"));
    await expect(waited).rejects.toThrow("enough");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("--for", () => {
  it("of 30 days does not end a stream at once", async () => {
    const close = vi.fn();
    async function* entries() {
      yield { type: "open", atMs: 0 } as const;
      await new Promise(() => undefined);
    }
    const source = { entries: entries(), close, now: () => 0 } as unknown as EntrySource;
    const limited = endAfter(source, 30 * DAY_MS);
    await limited.entries[Symbol.asyncIterator]().next();
    vi.advanceTimersByTime(DAY_MS);
    expect(close).not.toHaveBeenCalled();
    vi.advanceTimersByTime(30 * DAY_MS);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it("counts from the opening of the stream, and ends one that does not open", async () => {
    const close = vi.fn();
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    async function* entries() {
      yield { type: "retry", atMs: 0, delayMs: 1, failures: 1, reason: "slow" } as const;
      await opened;
      yield { type: "open", atMs: 0 } as const;
      await new Promise(() => undefined);
    }
    const source = { entries: entries(), close, now: () => 0 } as unknown as EntrySource;
    const limited = endAfter(source, 50).entries[Symbol.asyncIterator]();
    await limited.next();
    vi.advanceTimersByTime(10_000);
    expect(close).not.toHaveBeenCalled();
    open();
    await limited.next();
    vi.advanceTimersByTime(49);
    expect(close).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(close).toHaveBeenCalledTimes(1);

    const other = { entries: entries(), close, now: () => 0 } as unknown as EntrySource;
    await endAfter(other, 50).entries[Symbol.asyncIterator]().next();
    vi.advanceTimersByTime(20_000);
    expect(close).toHaveBeenCalledTimes(2);
  });
});
