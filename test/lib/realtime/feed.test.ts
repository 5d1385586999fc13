import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFeed } from "../../../src/lib/realtime/feed.ts";

interface Seen {
  readonly data: string[];
  readonly ids: (string | undefined)[];
  readonly retries: number[];
  overflows: number;
}

function read(chunks: readonly string[], maxChars = 1_000_000): Seen {
  const seen: Seen = { data: [], ids: [], retries: [], overflows: 0 };
  const feed = createFeed(
    {
      onEvent(event) {
        seen.data.push(event.data);
        seen.ids.push(event.id);
      },
      onRetry: (delayMs) => seen.retries.push(delayMs),
      onOverflow() {
        seen.overflows += 1;
      },
    },
    maxChars,
  );
  for (const chunk of chunks) feed(chunk);
  return seen;
}

describe("feed", () => {
  it.each([
    ["LF", "data: one\ndata: more\n\ndata: two\n\n"],
    ["CRLF", "data: one\r\ndata: more\r\n\r\ndata: two\r\n\r\n"],
    ["CR", "data: one\rdata: more\r\rdata: two\r\r"],
  ])("reads events with %s line ends, cut at every place", (_name, text) => {
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(read([text.slice(0, cut), text.slice(cut)]).data).toEqual(["one\nmore", "two"]);
    }
    expect(read([...text]).data).toEqual(["one\nmore", "two"]);
  });

  it("delivers an event that ends with CR CR without waiting for the next one", () => {
    expect(read(["data: now\r\r"]).data).toEqual(["now"]);
  });

  it("skips a byte-order mark at the beginning only", () => {
    expect(read(["\ufeffdata: a\n\n", "data: \ufeffb\n\n"]).data).toEqual(["a", "\ufeffb"]);
  });

  it("joins several data lines with newlines, and ignores comments", () => {
    expect(read([": hello\ndata: a\n: in between\ndata: b\ndata:\n\n"]).data).toEqual(["a\nb\n"]);
  });

  it("reports ids and the retry field, and ignores a retry that is not a number", () => {
    const seen = read(["retry: 200\nretry: soon\nid: 7\ndata: a\n\ndata: b\n\n"]);
    expect(seen.ids).toEqual(["7", undefined]);
    expect(seen.retries).toEqual([200]);
  });

  it("reports an event that is too large once, and reads nothing after it", () => {
    const seen = read(["data: ", "x".repeat(60), "x".repeat(60), "\n\n", "data: later\n\n"], 100);
    expect(seen.overflows).toBe(1);
    expect(seen.data).toEqual([]);
  });

  it("reads the same events however a stream is split into chunks", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "é", "😀", " ", ":", "x") });
    const ending = fc.constantFrom("\n", "\r\n", "\r");
    const events = fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 5 });
    fc.assert(
      fc.property(events, ending, fc.array(fc.nat(200), { maxLength: 12 }), (blocks, end, cuts) => {
        const text = blocks.map((lines) => `${lines.map((data) => `data: ${data}${end}`).join("")}${end}`).join("");
        const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length])];
        places.sort((a, b) => a - b);
        const chunks = places.slice(1).map((place, index) => text.slice(places[index], place));
        const expected = blocks.map((lines) => lines.join("\n"));
        expect(read(chunks).data).toEqual(expected);
        expect(read([...text]).data).toEqual(expected);
      }),
    );
  });
});
