import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readsByTime } from "../../../src/lib/api/streaming.ts";
import { readWindows, type WindowStream } from "../../../src/lib/api/time-window.ts";
import { CancelledError } from "../../../src/lib/core/errors.ts";
import { manualClock } from "../../helpers/scripted-transport.ts";

interface Row {
  readonly id: number;
  readonly at: Date;
}

/** A store that changes between two reads. */
function storeOf(moments: readonly number[], maxQty: number) {
  let nextId = 0;
  const make = (ms: number): Row => ({ id: nextId++, at: new Date(ms) });
  const rows = new Map(moments.map(make).map((row) => [row.id, row]));
  const asked: number[] = [];
  let before: () => void = () => undefined;
  const stream: WindowStream<Row> = {
    maxQty,
    keyOf: ({ id }) => id,
    momentOf: ({ at }) => at,
    async read(from, qty, turn) {
      before();
      asked.push(qty);
      const found = [...rows.values()]
        .filter(({ at }) => from === undefined || at >= from)
        .sort((a, b) => a.at.getTime() - b.at.getTime() || a.id - b.id);
      return found.slice(turn * qty, (turn + 1) * qty);
    },
  };
  const onRead = (change: () => void) => {
    before = change;
  };
  const insert = (ms: number): Row => {
    const row = make(ms);
    rows.set(row.id, row);
    return row;
  };
  return { stream, rows, asked, onRead, insert };
}

const steps = (qty: number) => ({ qty, waitMs: 0, clock: manualClock(), signal: undefined });

async function all<Page>(pages: AsyncIterable<readonly Page[]>): Promise<Page[][]> {
  const found: Page[][] = [];
  for await (const page of pages) found.push([...page]);
  return found;
}

describe("a window by time", () => {
  it("gives every row once, in order, in pages of the size asked for, whatever the ties", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 8 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 5 }),
        async (moments, qty, room) => {
          const { stream, rows } = storeOf(moments, qty + room);
          const pages = await all(readWindows([stream], steps(qty)));
          expect(pages.every((page) => page.length >= 1 && page.length <= qty)).toBe(true);
          const given = pages.flat();
          expect(new Set(given.map(({ id }) => id)).size).toBe(given.length);
          expect(given).toHaveLength(rows.size);
          expect(given.map(({ at }) => at)).toEqual([...given].map(({ at }) => at).sort((a, b) => +a - +b));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("neither doubles nor misses a row when others are inserted and deleted between the pages", async () => {
    const change = fc.record({ insertAt: fc.nat({ max: 60 }), remove: fc.nat({ max: 60 }), isInsert: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 60 }),
        fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 6 }),
        async (moments, changes, qty) => {
          const { stream, rows, onRead, insert } = storeOf(moments, 1000);
          const stayed = new Set(rows.keys());
          const ahead: Row[] = [];
          const given: Row[] = [];
          let step = 0;
          onRead(() => {
            for (const { isInsert, insertAt, remove } of changes[step] ?? []) {
              if (isInsert) {
                const row = insert(insertAt);
                if (insertAt > Math.max(-1, ...given.map(({ at }) => +at))) ahead.push(row);
              } else {
                const id = [...rows.keys()][remove % Math.max(1, rows.size)];
                if (id === undefined) continue;
                rows.delete(id);
                stayed.delete(id);
              }
            }
            step += 1;
          });
          for await (const page of readWindows([stream], steps(qty))) given.push(...page);
          const ids = given.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of stayed) expect(ids).toContain(id);
          for (const { id } of ahead) if (rows.has(id)) expect(ids).toContain(id);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("counts only inside one moment, when that holds more rows than a request may ask for", async () => {
    const { stream, asked } = storeOf(
      Array.from({ length: 25 }, (_, i) => (i < 22 ? 5 : 6)),
      10,
    );
    const pages = await all(readWindows([stream], steps(10)));
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(25);
    expect(Math.max(...asked)).toBe(10);
  });

  it("goes on when a server gives shorter pages than asked for, until one brings nothing new", async () => {
    const { stream } = storeOf(
      Array.from({ length: 300 }, (_, i) => i),
      1000,
    );
    const capped: WindowStream<Row> = {
      ...stream,
      read: async (from, qty, turn) => (await stream.read(from, qty, turn)).slice(0, 70),
    };
    const pages = await all(readWindows([capped], steps(100)));
    expect(pages.flat()).toHaveLength(300);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(300);
  });

  it("ends after one request when there is nothing", async () => {
    const { stream, asked } = storeOf([], 100);
    expect(await all(readWindows([stream], steps(10)))).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  it("leaves out what is to be skipped", async () => {
    const { stream } = storeOf([1, 1, 1, 2, 3, 3], 100);
    const pages = await all(readWindows([stream], { ...steps(2), initialSkip: 3 }));
    expect(pages.flat().map(({ at }) => +at)).toEqual([2, 3, 3]);
  });

  it("goes on for ever when it may not stop, and asks for nothing after the loop was left", async () => {
    const { stream, asked, insert } = storeOf([1], 100);
    const other = storeOf([7], 100);
    const given: number[] = [];
    for await (const page of readWindows([stream, other.stream], { ...steps(5), neverStop: true })) {
      given.push(...page.map(({ at }) => +at));
      if (given.length === 2) insert(1);
      if (given.length === 3) break;
    }
    expect(given).toEqual([1, 7, 1]);
    const count = asked.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toHaveLength(count);
  });

  it("ends with the signal", async () => {
    const abort = new AbortController();
    const { stream } = storeOf([1, 2, 3, 4], 100);
    const waiting = { ...steps(1), waitMs: 5, signal: abort.signal };
    const read = async () => {
      for await (const _ of readWindows([stream], waiting)) abort.abort();
    };
    await expect(read()).rejects.toThrow(CancelledError);
  });

  it("needs a moment of every row", async () => {
    const stream: WindowStream<object> = {
      maxQty: 10,
      keyOf: (row) => row,
      momentOf: () => "never",
      read: () => Promise.resolve([{}]),
    };
    await expect(all(readWindows([stream], steps(5)))).rejects.toThrow("A row without a date");
  });

  it("is only read when it is asked for", () => {
    expect([undefined, null, "count", "time"].map(readsByTime)).toEqual([false, false, false, true]);
    expect(() => readsByTime("day")).toThrow('Invalid window: it must be "count" or "time"');
  });
});
