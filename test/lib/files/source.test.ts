import { describe, expect, it, vi } from "vitest";
import { CancelledError } from "../../../src/lib/core/errors.ts";
import { openSource } from "../../../src/lib/files/source.ts";

const never = new AbortController().signal;

/** Bytes that tell their place. */
const bytesOf = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, at) => at % 251);

async function* chunks(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.slice(at, at + size);
}

describe("the content of a Blob", () => {
  it("can be read again and from any place", async () => {
    const content = bytesOf(300_000);
    const source = await openSource(new Blob([content]));
    for (const [offset, length] of [
      [0, 300_000],
      [0, 300_000],
      [123_456, 100_000],
      [299_999, 1],
    ] as const) {
      const target = new Uint8Array(length);
      await expect(source.read(offset, target, never)).resolves.toBe(length);
      expect(Buffer.compare(target, content.subarray(offset, offset + length))).toBe(0);
    }
  });
});

describe("a stream of unknown length", () => {
  it("is put together across the borders of chunks and parts", async () => {
    const content = bytesOf(10_000);
    const source = await openSource(chunks(content, 777));
    const parts: Buffer[] = [];
    for (let length = 3000; length === 3000; ) {
      const target = new Uint8Array(3000);
      length = await source.read(0, target, never);
      parts.push(Buffer.from(target.subarray(0, length)));
    }
    expect(parts.map((part) => part.length)).toEqual([3000, 3000, 3000, 1000]);
    expect(Buffer.compare(Buffer.concat(parts), content)).toBe(0);
  });

  it("leaves the chunks to the program that made them", async () => {
    const chunk = bytesOf(100);
    const source = await openSource(
      (async function* () {
        yield chunk;
        yield chunk;
      })(),
    );
    const target = new Uint8Array(200);
    await expect(source.read(0, target, never)).resolves.toBe(200);
    expect(chunk).toHaveLength(100);
  });

  it("listens to the signal once per part, not per chunk, and lets go of it", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    await (await openSource(chunks(bytesOf(10_000), 10))).read(0, new Uint8Array(10_000), signal);
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  it("does not wait past the end of the signal", async () => {
    const stop = new AbortController();
    const silent = (): ReadableStream<Uint8Array> => new ReadableStream({ start: () => undefined });
    const read = async () => (await openSource(silent())).read(0, new Uint8Array(10), stop.signal);
    const waiting = read();
    stop.abort();
    await expect(waiting).rejects.toBeInstanceOf(CancelledError);
    await expect(read()).rejects.toBeInstanceOf(CancelledError);
  });
});
