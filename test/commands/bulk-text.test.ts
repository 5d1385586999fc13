import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DataRecord, type RangeQuery, readWindows } from "../../src/commands/kit/devices/windows.ts";
import { linesOf } from "../../src/commands/kit/rows/lines.ts";
import { rowText } from "../../src/commands/kit/rows/row-text.ts";

async function* piecesOf(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
};

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom('"', ",", "\r\n", "\n", " x", "x ", '","', "\u2028", "\u001b[31m", "=1+1", ""),
);

describe("the CSV of exports", () => {
  it("is byte for byte that of a general encoder", async () => {
    const columns = ["id", "value", "unit", "metadata"] as const;
    const text = await rowText("csv", { columns, header: true, csvSafe: false, csvBom: false });
    const record = fc.record({
      id: hostile,
      value: fc.oneof(hostile, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
      unit: fc.option(hostile, { nil: undefined }),
      metadata: fc.option(fc.dictionary(hostile, hostile), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (records) => {
        const cells = records.map((one) =>
          columns.map((name) => {
            const cell = one[name];
            return cell === undefined ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell);
          }),
        );
        const expected = stringify([[...columns], ...cells], {
          record_delimiter: "\r\n",
          quoted_match: /[\r\n]|^\s|\s$/,
        });
        expect(text.head + text.text(records as unknown as readonly DataRecord[], true)).toBe(expected);
      }),
    );
  });

  it("marks what a spreadsheet would run, when asked to", async () => {
    const text = await rowText("csv", { columns: ["value"], header: false, csvSafe: true, csvBom: true });
    expect(text.head).toBe("\ufeff");
    const records = ["=SUM(A1)", "-5", -5].map((value) => ({ value }));
    expect(text.text(records as unknown as readonly DataRecord[], true)).toBe("'=SUM(A1)\r\n'-5\r\n-5\r\n");
  });
});

describe("reading files piece by piece", () => {
  it("ends lines at line feeds only", async () => {
    expect(await all(linesOf(piecesOf("a\u2028b\r\nc\n\nlast", 3)))).toEqual(["a\u2028b\r", "c", "", "last"]);
  });
});

describe("reading a range by time", () => {
  const recordAt = (ms: number, n: number): DataRecord => ({ id: `r${n}`, time: new Date(ms) });
  /** A server that gives at most so many records at a time. */
  const server = (records: readonly DataRecord[], cap: number) => {
    const asked: RangeQuery[] = [];
    const read = async (query: RangeQuery): Promise<readonly DataRecord[]> => {
      asked.push(query);
      const { fromMs = 0, toMs, qty, skip } = query;
      const found = records.filter(({ time }) => time.getTime() >= fromMs && time.getTime() <= toMs);
      return found.slice(skip, skip + Math.min(qty, cap));
    };
    return { asked, read };
  };

  it("gives each record once, whatever shares a moment and however little comes at a time", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 900 }),
        fc.integer({ min: 150, max: 10_000 }),
        async (moments, cap) => {
          const records = [...moments].sort((a, b) => a - b).map(recordAt);
          const windows = await all(readWindows(server(records, cap).read, undefined, 12));
          expect(windows.flatMap((window) => window.records.map(({ id }) => id))).toEqual(records.map(({ id }) => id));
          expect(windows.at(-1)?.nextMs).toBe(13);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("reads a moment again when its records move under its hands", async () => {
    const many = Array.from({ length: 400 }, (_, n) => recordAt(5, n));
    let isMoved = false;
    const { read } = server(many, 150);
    const moving = async (query: RangeQuery): Promise<readonly DataRecord[]> => {
      // Two records of the moment vanish after its first page was read.
      if (query.skip > 0 && !isMoved) {
        isMoved = true;
        many.splice(3, 2);
      }
      return read(query);
    };
    const windows = await all(readWindows(moving, 0, 10));
    const ids = windows.flatMap((window) => window.records.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(400);
  });
});
