import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchQty, batchWait, pacer, readPages, sendBatches } from "../../../src/lib/api/streaming.ts";
import { CancelledError, InputError } from "../../../src/lib/core/errors.ts";
import { manualClock } from "../../helpers/scripted-transport.ts";

const wrong = (value: unknown) => value as number;

describe("the number of records per request", () => {
  it.each<[number | undefined, number]>([
    [undefined, 1000],
    [wrong(null), 1000],
    [1, 1],
    [0.2, 1],
    [999.1, 1000],
    [10_000, 10_000],
  ])("%s becomes %i", (value, expected) => {
    expect(batchQty(value, 10_000)).toBe(expected);
  });

  it.each([
    [10_001, "The maximum of poolingRecordQty is 10000"],
    [10_000.1, "The maximum of poolingRecordQty is 10000"],
    [Number.POSITIVE_INFINITY, "The maximum of poolingRecordQty is 10000"],
    [0, "The minimum of poolingRecordQty is 1"],
    [-5, "The minimum of poolingRecordQty is 1"],
    [Number.NaN, "The minimum of poolingRecordQty is 1"],
    [wrong("many"), "The minimum of poolingRecordQty is 1"],
  ])("%s is refused", (value, message) => {
    const check = () => batchQty(value, 10_000);
    expect(check).toThrow(InputError);
    expect(check).toThrow(expect.objectContaining({ message, field: "poolingRecordQty" }));
  });
});

describe("the wait between requests", () => {
  it("is the default only when none is given: 0 is a wait of its own", () => {
    expect([batchWait(undefined, 500), batchWait(wrong(null), 500), batchWait(0, 500), batchWait(7, 500)]).toEqual([
      500, 500, 0, 7,
    ]);
  });

  it.each([-1, Number.NaN, wrong("soon")])("is never %s", (value) => {
    expect(() => batchWait(value, 500)).toThrow(InputError);
  });

  it("counts from start to start, and there is none before the first", async () => {
    const clock = manualClock();
    const pace = pacer(clock, 1000, undefined);
    await pace();
    expect(clock.waits).toEqual([]);
    clock.pass(300);
    await pace();
    expect(clock.waits).toEqual([700]);
    clock.pass(5_000);
    await pace();
    expect(clock.waits).toEqual([700]);
    await pace();
    expect(clock.waits).toEqual([700, 1000]);
  });

  it("ends with the caller's signal", async () => {
    const pace = pacer(manualClock(), 1000, AbortSignal.abort("enough"));
    await pace();
    await expect(pace()).rejects.toThrow(CancelledError);
  });
});

describe("reading page by page", () => {
  const stream = (total: number, qty: number, options: { waitMs?: number; initialSkip?: number } = {}) => {
    const skips: number[] = [];
    const clock = manualClock();
    const pages = readPages({
      qty,
      waitMs: options.waitMs ?? 0,
      initialSkip: options.initialSkip ?? 0,
      neverStop: false,
      clock,
      signal: undefined,
      read: async (skip) => {
        skips.push(skip);
        return Array.from({ length: Math.max(0, Math.min(qty, total - skip)) }, (_, index) => skip + index);
      },
    });
    return { pages, skips, clock };
  };

  it("gives every row once and in order, whatever the size of the pages", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 20 }), fc.nat(10), async (total, qty, initialSkip) => {
        const { pages, skips } = stream(total, qty, { initialSkip });
        const seen: number[] = [];
        for await (const page of pages) {
          expect(page.length).toBeGreaterThan(0);
          seen.push(...page);
        }
        const expected = Array.from({ length: Math.max(0, total - initialSkip) }, (_, index) => initialSkip + index);
        expect(seen).toEqual(expected);
        expect(skips).toHaveLength(Math.floor(expected.length / qty) + 1);
      }),
      { numRuns: 500 },
    );
  });

  it("waits between pages only", async () => {
    const { pages, clock } = stream(25, 10, { waitMs: 1000 });
    for await (const _page of pages) clock.pass(100);
    expect(clock.waits).toEqual([900, 900]);
  });

  it("reads nothing ahead: leaving the loop ends the requests", async () => {
    const { pages, skips, clock } = stream(1000, 10, { waitMs: 1000 });
    for await (const page of pages) if (page.includes(15)) break;
    expect(skips).toEqual([0, 10]);
    expect(clock.waits).toEqual([1000]);
    await expect(pages.next()).resolves.toEqual({ done: true, value: undefined });
    expect(skips).toHaveLength(2);
  });

  it("goes on for ever when told to, after the rows it has seen", async () => {
    const arrivals = [["a", "b"], ["c"], [], [], ["d"]];
    const skips: number[] = [];
    const clock = manualClock();
    const pages = readPages({
      qty: 2,
      waitMs: 1000,
      initialSkip: 0,
      neverStop: true,
      clock,
      signal: undefined,
      read: async (skip) => {
        skips.push(skip);
        return arrivals.shift() ?? [];
      },
    });
    const seen: string[] = [];
    for await (const page of pages) {
      seen.push(...page);
      if (seen.includes("d")) break;
    }
    expect(seen).toEqual(["a", "b", "c", "d"]);
    expect(skips).toEqual([0, 2, 3, 3, 3]);
    expect(clock.waits).toEqual([1000, 1000, 1000, 1000]);
  });

  it("ends with the error of a page", async () => {
    const pages = readPages({
      qty: 2,
      waitMs: 0,
      initialSkip: 0,
      neverStop: true,
      clock: manualClock(),
      signal: undefined,
      read: async (skip) => {
        if (skip > 0) throw new InputError("broken");
        return [1, 2];
      },
    });
    const seen: unknown[] = [];
    const all = async () => {
      for await (const page of pages) seen.push(page);
    };
    await expect(all()).rejects.toThrow("broken");
    expect(seen).toEqual([[1, 2]]);
  });
});

describe("sending in batches", () => {
  const sender = (options: { qty?: number; waitMs?: number; signal?: AbortSignal } = {}) => {
    const sent: unknown[][] = [];
    const clock = manualClock();
    const settings = { qty: options.qty ?? 2, waitMs: options.waitMs ?? 0, clock, signal: options.signal };
    const send = (rows: readonly unknown[]) =>
      sendBatches(rows, settings, async (batch) => {
        sent.push(JSON.parse(batch.text) as unknown[]);
      });
    return { send, sent, clock };
  };

  it("sends every row once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 30 }), fc.integer({ min: 1, max: 12 }), async (rows, qty) => {
        const { send, sent } = sender({ qty });
        await expect(send(rows)).resolves.toBe(`${rows.length} Data added.`);
        expect(sent.flat()).toEqual(rows);
        expect(sent).toHaveLength(Math.ceil(rows.length / qty));
        for (const batch of sent.slice(0, -1)) expect(batch).toHaveLength(qty);
      }),
      { numRuns: 300 },
    );
  });

  it("waits between batches only", async () => {
    const { send, clock } = sender({ waitMs: 1000 });
    await send([1, 2, 3, 4, 5]);
    expect(clock.waits).toEqual([1000, 1000]);
  });

  it("sends nothing for an empty list", async () => {
    const { send, sent } = sender();
    await expect(send([])).resolves.toBe("0 Data added.");
    expect(sent).toEqual([]);
  });

  it.each([{ variable: "a" }, "text", null, undefined, 5])("takes only a list, not %j", async (data) => {
    const { send, sent } = sender();
    const call = send(data as unknown as unknown[]);
    await expect(call).rejects.toThrow(InputError);
    await expect(call).rejects.toThrow("Only data array is allowed");
    expect(sent).toEqual([]);
  });

  it("lets the batch under way end before it reports a record that cannot be written", async () => {
    const ended: unknown[] = [];
    const settings = { qty: 1, waitMs: 0, clock: manualClock(), signal: undefined };
    const call = sendBatches([1, 2n, 3], settings, async (batch) => {
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(batch.text);
    });
    await expect(call).rejects.toThrow("The body cannot be written as JSON");
    expect(ended).toEqual(["[1]"]);
  });

  it("stops at the first batch that fails, with its error", async () => {
    const tried: string[] = [];
    const settings = { qty: 1, waitMs: 0, clock: manualClock(), signal: undefined };
    const call = sendBatches([1, 2, 3], settings, async (batch) => {
      tried.push(batch.text);
      if (batch.text === "[2]") throw new InputError("refused");
    });
    await expect(call).rejects.toThrow("refused");
    expect(tried).toEqual(["[1]", "[2]"]);
  });

  it("stops in a wait when the signal ends it", async () => {
    const controller = new AbortController();
    const sent: string[] = [];
    const settings = { qty: 1, waitMs: 1000, clock: manualClock(), signal: controller.signal };
    const call = sendBatches([1, 2, 3], settings, async (batch) => {
      sent.push(batch.text);
      controller.abort();
    });
    await expect(call).rejects.toThrow(CancelledError);
    expect(sent).toEqual(["[1]"]);
  });
});
