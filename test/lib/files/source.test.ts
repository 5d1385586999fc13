import { describe, expect, it, vi } from "vitest";
import { CancelledError } from "../../../src/lib/core/errors.ts";
import { blobSource, streamSource } from "../../../src/lib/files/source.ts";

const never = new AbortController().signal;

/** Bytes that tell their place. */
const bytesOf = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, at) => at % 251);

async function* chunks(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.slice(at, at + size);
}

/** A Blob that gives out the very bytes it holds. */
class SharingBlob extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([bytes]);
    this.#bytes = bytes;
  }

  override slice(): Blob {
    return this;
  }

  override stream(): ReturnType<Blob["stream"]> {
    const bytes = this.#bytes;
    return new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
  }
}

describe("the content of a Blob", () => {
  it("can be read again and from any place", async () => {
    const content = bytesOf(300_000);
    const source = blobSource(new Blob([content]));
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

  it("is left alone where the Blob gives out its own bytes", async () => {
    const content = bytesOf(1000);
    const source = blobSource(new SharingBlob(content));
    const target = new Uint8Array(1000);
    await source.read(0, target, never);
    await source.read(0, target, never);
    expect(content).toHaveLength(1000);
    expect(Buffer.compare(target, bytesOf(1000))).toBe(0);
  });

  it("frees its chunks when they are copied", async () => {
    const made: Uint8Array[] = [];
    const content = bytesOf(300_000);
    const blob = new Blob([content]);
    const slice = blob.slice.bind(blob);
    blob.slice = (...range) => {
      const part = slice(...range);
      const stream = part.stream.bind(part);
      part.stream = () =>
        stream().pipeThrough(
          new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
            transform(chunk, controller) {
              made.push(chunk);
              controller.enqueue(chunk);
            },
          }),
        );
      return part;
    };
    const target = new Uint8Array(300_000);
    await blobSource(blob).read(0, target, never);
    expect(Buffer.compare(target, content)).toBe(0);
    expect(made.length).toBeGreaterThan(0);
    expect(made.map((chunk) => chunk.byteLength)).toEqual(made.map(() => 0));
  });
});

describe("a stream of unknown length", () => {
  it("is put together across the borders of chunks and parts", async () => {
    const content = bytesOf(10_000);
    const source = streamSource(chunks(content, 777));
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
    const source = streamSource(
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
    await streamSource(chunks(bytesOf(10_000), 10)).read(0, new Uint8Array(10_000), signal);
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  it("does not wait past the end of the signal", async () => {
    const stop = new AbortController();
    const silent = (): ReadableStream<Uint8Array> => new ReadableStream({ start: () => undefined });
    const read = () => streamSource(silent()).read(0, new Uint8Array(10), stop.signal);
    const waiting = read();
    stop.abort();
    await expect(waiting).rejects.toBeInstanceOf(CancelledError);
    await expect(read()).rejects.toBeInstanceOf(CancelledError);
  });
});
