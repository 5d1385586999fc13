import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guessRowFormat, type RowFormat, readRows } from "../../../src/commands/kit/rows/reader.ts";

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, format: RowFormat, size = 7): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const { value, problem } of readRows(inPieces(text, size), format, "rows")) {
    if (problem !== undefined) throw problem;
    rows.push(value);
  }
  return rows;
}

const cell = (text: string): string =>
  /[",\r\n]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text;
const words = fc.string({
  unit: fc.constantFrom("a", ",", '"', "\n", "\r", "é", "😀", " ", "{", "]", "\\"),
  maxLength: 8,
});

describe("rows of a file", () => {
  it("come out of CSV as they went in, wherever the text is cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(words, words), { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        async (list, size) => {
          for (const end of ["\n", "\r\n"]) {
            const lines = [["one", "two"], ...list].map((cells) => cells.map(cell).join(",") + end);
            const expected = list.map(([one, two]) => ({ one, two }));
            expect(await read(lines.join(""), "csv", size)).toEqual(expected);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("come out of JSON lists and lines as they went in, wherever the text is cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        async (list, size) => {
          const values = JSON.parse(JSON.stringify(list)) as unknown[];
          expect(await read(JSON.stringify(list), "json", size)).toEqual(values);
          expect(await read(`\n ${JSON.stringify(list, null, 2)} \n`, "json", size)).toEqual(values);
          expect(await read(list.map((one) => JSON.stringify(one)).join("\n"), "ndjson", size)).toEqual(values);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("are one row where a document is no list, and none where there is nothing", async () => {
    expect(await read('{"a": [1, {"b": "]"}]}', "json")).toEqual([{ a: [1, { b: "]" }] }]);
    for (const format of ["json", "ndjson", "csv"] as const) expect(await read("", format)).toEqual([]);
    expect(await read("[]", "json")).toEqual([]);
    expect(await read("\ufeffa,b\n1\n\n", "csv", 2)).toEqual([{ a: "1" }]);
  });

  it.each([
    ['[{"a": 1}, {"a": ', "json"],
    ['[{"a": 1},, {"a": 2}]', "json"],
    ['[{"a": 1}] {"a": 2}', "json"],
    ['[{"a": 1} {"a": 2}]', "json"],
    ['{"a": 1}\n{"a"', "ndjson"],
    ['a,b\n1,"2', "csv"],
    ["a,b\n1,2,3\n", "csv"],
    ["a,a\n1,2\n", "csv"],
  ] as const)("are refused with exit 3 in %s", async (text, format) => {
    await expect(read(text, format)).rejects.toMatchObject({ exit: 3 });
  });

  it("may have any line ends, odd quotes, names of the language and missing cells in CSV", async () => {
    expect(await read("\ufeffa,b\r1,2\r\n3,4\n\n5\r\n", "csv", 1)).toEqual([
      { a: "1", b: "2" },
      { a: "3", b: "4" },
      { a: "5" },
    ]);
    expect(await read('a,b\n5" pipe,"x"y\n"a ""b""","c,\n\r"\n', "csv", 2)).toEqual([
      { a: '5" pipe', b: '"x"y' },
      { a: 'a "b"', b: "c,\n\r" },
    ]);
    const [row] = await read("__proto__,constructor\nx,y\n", "csv");
    expect(Object.entries(row ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });

  it("are named by their number where they cannot be read, and the ones behind them still come", async () => {
    const rows = [];
    for await (const row of readRows(inPieces("a,b\n1,2\n1,2,3\n4,5\n", 3), "csv", "f.csv")) rows.push(row);
    expect(rows).toMatchObject([
      { row: 1, value: { a: "1", b: "2" } },
      { row: 2, problem: { row: 2, exit: 3, why: "It has 3 cells for 2 columns." } },
      { row: 3, value: { a: "4", b: "5" } },
    ]);
    await expect(read('a,b\n1,2\n3,"4\n', "csv")).rejects.toMatchObject({
      row: 2,
      message: 'Row 2 of "rows" cannot be read.',
      why: "A quoted cell is not closed.",
    });
    const broken = async function* (): AsyncGenerator<string> {
      yield "a\n1\n";
      throw new Error("the disk");
    };
    await expect(async () => {
      for await (const _ of readRows(broken(), "csv", "f.csv"));
    }).rejects.toThrow("the disk");
  });

  it("need not be read to the end", async () => {
    let isClosed = false;
    const endless = async function* (): AsyncGenerator<string> {
      try {
        yield "a\n";
        for (;;) yield "1\n".repeat(1_000);
      } finally {
        isClosed = true;
      }
    };
    for await (const { row } of readRows(endless(), "csv", "f.csv")) if (row === 5) break;
    expect(isClosed).toBe(true);
  });

  it("have the format their name or their first characters speak for", () => {
    expect(guessRowFormat("a.CSV", "")).toBe("csv");
    expect(guessRowFormat("a.jsonl", "")).toBe("ndjson");
    expect(guessRowFormat("-", ' [{"a":1}]')).toBe("json");
    expect(guessRowFormat("-", '{"a":1}')).toBe("ndjson");
    expect(guessRowFormat("-", '{"a":1}\n{"a":2}\n')).toBe("ndjson");
    expect(guessRowFormat("-", '{\n  "a": 1\n}\n')).toBe("json");
    expect(guessRowFormat("-", "a,b\n")).toBe("csv");
  });
});
