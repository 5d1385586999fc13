import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { packTar, type TarEntry, unpackTar } from "../../src/sandbox/snapshots/tar.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const entry = (name: string, text: string): TarEntry => ({ name, size: text.length, content: [bytes(text)] });

async function packed(...entries: readonly TarEntry[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of packTar(entries, Date.parse("2026-05-14T10:00:00Z"))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function unpacked(archive: Uint8Array, pieceBytes = 1_000): Promise<string[]> {
  const found: string[] = [];
  function* pieces(): Generator<Uint8Array> {
    for (let at = 0; at < archive.length; at += pieceBytes) yield archive.subarray(at, at + pieceBytes);
  }
  await unpackTar(Readable.from(pieces()), async ({ name, size }, content) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    found.push(`${name} ${size} ${Buffer.concat(chunks).toString()}`);
  });
  return found;
}

/** The archive with another byte in the first header, whose sum is right again. */
function changed(archive: Buffer, at: number, text: string): Buffer {
  const copy = Buffer.from(archive);
  copy.write(text, at, "latin1");
  copy.fill(" ", 148, 156);
  const sum = copy.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  copy.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return copy;
}

describe("an archive", () => {
  it("has its files back, however its bytes are split", async () => {
    const archive = await packed(entry("a.txt", "first"), entry("empty", ""), entry("b/c", "x".repeat(512)));
    for (const size of [1, 511, 512, 5_000]) {
      expect(await unpacked(archive, size)).toEqual(["a.txt 5 first", "empty 0 ", `b/c 512 ${"x".repeat(512)}`]);
    }
  });

  it("is one of plain files that belong to nobody else", async () => {
    const header = (await packed(entry("a.txt", "first"))).subarray(0, 512).toString("latin1");
    expect(header.slice(100, 136)).toBe("0000600\x000000000\x000000000\x0000000000005\0");
    expect(header.slice(156, 157) + header.slice(257, 265)).toBe("0ustar\x0000");
  });

  it("is not written with a content of another size", async () => {
    for (const size of [1, 9]) {
      await expect(packed({ ...entry("a.txt", "first"), size })).rejects.toThrow("a.txt");
    }
  });

  it("fails with its source and with its reader", async () => {
    const archive = await packed(entry("a.txt", "first".repeat(1_000)));
    async function* cut(): AsyncGenerator<Uint8Array> {
      yield archive.subarray(0, 2_000);
      throw Object.assign(new Error("cut off"), { code: "Z_DATA_ERROR" });
    }
    const drain = async (_: unknown, content: AsyncIterable<Uint8Array>) => {
      for await (const _chunk of content);
    };
    await expect(unpackTar(cut(), drain)).rejects.toThrow("cut off");
    const full = async () => {
      throw new RangeError("disk is full");
    };
    await expect(unpackTar(Readable.from([archive]), full)).rejects.toThrow("disk is full");
  });

  it.each<[string, string, (archive: Buffer) => Buffer]>([
    ["in the middle of a file", "ends in the middle", (archive) => archive.subarray(0, 600)],
    ["in the middle of a header", "ends in the middle", (archive) => archive.subarray(0, 300)],
    ["before the padding of a file", "ends in the middle", (archive) => archive.subarray(0, 517)],
    ["before its end", "ends in the middle", (archive) => archive.subarray(0, 1_024)],
    ["after nothing", "ends in the middle", () => Buffer.alloc(0)],
  ])("that is cut %s is refused", async (_, why, cut) => {
    await expect(unpacked(cut(await packed(entry("a.txt", "first"))))).rejects.toMatchObject({
      name: "SnapshotError",
      message: expect.stringContaining(why),
    });
  });

  it.each<[string, string, (archive: Buffer) => Buffer]>([
    ["a link", "something else", (archive) => changed(archive, 156, "1")],
    ["a symbolic link", "something else", (archive) => changed(archive, 156, "2")],
    ["a device", "something else", (archive) => changed(archive, 156, "3")],
    ["a folder", "something else", (archive) => changed(archive, 156, "5")],
    ["a wrong sum", "cannot be read", (archive) => Buffer.concat([Buffer.from("A"), archive.subarray(1)])],
    ["a size that is none", "cannot be read", (archive) => changed(archive, 124, "-0000000001")],
    ["a negative size", "cannot be read", (archive) => changed(archive, 124, "\xff".repeat(12))],
    ["attributes of 4 GB", "cannot be read", (archive) => changed(changed(archive, 156, "x"), 124, "40000000000")],
    ["something after its end", "cannot be read", (archive) => Buffer.concat([archive, Buffer.from("more")])],
  ])("with %s is refused", async (_, why, change) => {
    await expect(unpacked(change(await packed(entry("a.txt", "first"))))).rejects.toMatchObject({
      name: "SnapshotError",
      message: expect.stringContaining(why),
    });
  });
});
