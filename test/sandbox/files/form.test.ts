import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boundaryOf, type Form, readForm } from "../../../src/sandbox/files/form.ts";
import { Blobs } from "../../../src/sandbox/store/blobs.ts";

const MB = 1024 * 1024;
let folder: string;
let blobs: Blobs;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "iot-form-"));
  blobs = new Blobs(folder);
});
afterEach(() => {
  blobs.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = (...pieces: readonly (string | Buffer)[]): Promise<Form> =>
  readForm(
    Readable.from(pieces.map((piece) => Buffer.from(piece))),
    "x",
    (content) => blobs.writeStream(content),
    (blob) => blobs.remove(blob.id),
  );

/** Files on the disk, whole ones and halves. */
const stored = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

const part = (name: string, value: string, more = ""): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const END = "--x--\r\n";

describe("a form", () => {
  it("has texts and one file, empty ones too, wherever they stand", async () => {
    const form = await read(part("a", "1"), part("file", "", '; filename=""'), part("é", "zwei ü"), part("b", ""), END);
    expect({ ...form.fields }).toEqual({ a: "1", é: "zwei ü", b: "" });
    expect([form.file?.size, stored().length]).toEqual([0, 1]);
  });

  it("is read with text before its first and after its last boundary", async () => {
    const form = await read("preamble\r\n", part("a", "1"), END, "epilogue", "more of it");
    expect({ ...form.fields }).toEqual({ a: "1" });
  });

  it("has the last of the texts with one name, and no prototype", async () => {
    const form = await read(part("__proto__", "p"), part("constructor", "c"), part("a", "1"), part("a", "2"), END);
    expect(Object.getPrototypeOf(form.fields)).toBeNull();
    expect(Object.entries(form.fields)).toEqual([
      ["__proto__", "p"],
      ["constructor", "c"],
      ["a", "2"],
    ]);
    expect("p" in {}).toBe(false);
  });

  it("names no place on the disk", async () => {
    for (const name of ["../../outside", "/etc/outside", "C:\\outside", "a\0b", "%2e%2e%2foutside"]) {
      const { file } = await read(part("file", "content", `; filename="${name}"`), END);
      expect(stored()).toEqual([file?.id]);
      blobs.remove(file?.id ?? "");
    }
  });

  it.each<[string, string, readonly string[]]>([
    ["that is empty", "it ends too early", []],
    ["without a boundary", "it ends too early", ["x".repeat(MB)]],
    ["without an end", "it ends too early", [part("a", "1")]],
    ["cut off in a header", "it ends too early", ["--x\r\nContent-Disp"]],
    ["cut off in a file", "it ends too early", [part("file", "y".repeat(MB), '; filename="f"')]],
    ["cut off after its file", "it ends too early", [part("file", "y", '; filename="f"'), part("a", "1")]],
    ["with too long a text", "a field is too long", [part("a", "y".repeat(MB + 1)), END]],
    [
      "with a long text after its file",
      "a field is too long",
      [part("f", "y", '; filename="f"'), part("a", "y".repeat(2 * MB)), END],
    ],
    [
      "with two files",
      "it has more than one file",
      [part("f", "1", '; filename="f"'), part("g", "2", '; filename="g"'), END],
    ],
    [
      "with thousands of parts",
      "it has too many parts",
      [part("f", "1", '; filename="f"'), part("a", "1").repeat(5_000), END],
    ],
    ["with a text without a name", "a part has no name", ["--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n", END]],
    [
      "with a file without a name",
      "a part has no name",
      ['--x\r\nContent-Disposition: form-data; filename="f"\r\n\r\n1\r\n', END],
    ],
  ])("%s is refused, and nothing is left on the disk", async (_, why, pieces) => {
    await expect(read(...pieces)).rejects.toMatchObject({ status: 400, message: `Invalid multipart body: ${why}` });
    expect(stored()).toEqual([]);
  });

  it("that is cut off long after its file was stored leaves nothing either", async () => {
    let isStored = (): void => {};
    const whole = new Promise<void>((resolve) => {
      isStored = resolve;
    });
    async function* slow(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${part("file", "content", '; filename="f"')}--x\r\n`);
      await whole;
      expect(stored()).toHaveLength(1);
    }
    const store = (content: AsyncIterable<Uint8Array>) => blobs.writeStream(content).finally(isStored);
    const form = readForm(Readable.from(slow()), "x", store, (blob) => blobs.remove(blob.id));
    await expect(form).rejects.toMatchObject({ status: 400 });
    expect(stored()).toEqual([]);
  });

  it("with a header of 1 MB is read without it", async () => {
    const header = `X-Long: ${"h".repeat(MB)}\r\n`;
    const form = await read(part("a", "1").replace("\r\n\r\n", `\r\n${header}\r\n`), part("b", "2"), END);
    expect({ ...form.fields }).toEqual({ a: "1", b: "2" });
  });

  it("fails with its source and with its store", async () => {
    async function* cut(): AsyncGenerator<Buffer> {
      yield Buffer.from(part("file", "y".repeat(MB), '; filename="f"').slice(0, -2));
      throw new Error("connection reset");
    }
    const discard = (): void => {};
    await expect(readForm(Readable.from(cut()), "x", (content) => blobs.writeStream(content), discard)).rejects.toThrow(
      "connection reset",
    );
    expect(stored()).toEqual([]);
    const full = async (content: AsyncIterable<Uint8Array>) => {
      for await (const _ of content) throw new Error("disk is full");
      return { id: "", size: 0, md5: "" };
    };
    const file = part("file", "y".repeat(20 * MB), '; filename="f"');
    await expect(readForm(Readable.from([Buffer.from(file)]), "x", full, discard)).rejects.toThrow("disk is full");
  });

  it("of any size takes no more memory than its pieces", { tags: ["slow"] }, async () => {
    const piece = Buffer.alloc(64 * 1024, "\r\n--");
    const pieces = 4 * 1024;
    let mostRss = 0;
    function* whole(): Generator<Buffer> {
      yield Buffer.from(part("file", "", '; filename="f"').slice(0, -2));
      for (let n = 0; n < pieces; n += 1) yield piece;
      yield Buffer.from(`\r\n${END}`);
    }
    const before = process.memoryUsage.rss();
    let size = 0;
    await readForm(
      Readable.from(whole()),
      "x",
      async (content) => {
        for await (const chunk of content) {
          size += chunk.byteLength;
          mostRss = Math.max(mostRss, process.memoryUsage.rss());
        }
        return { id: "", size, md5: "" };
      },
      () => {},
    );
    expect(size).toBe(pieces * piece.byteLength);
    expect(mostRss - before).toBeLessThan(150 * MB);
  });
});

describe("the boundary of a form", () => {
  it.each<[string | undefined, string | undefined]>([
    ["multipart/form-data; boundary=x", "x"],
    ['Multipart/Form-Data; charset=utf-8; Boundary="a b"', "a b"],
    ["multipart/form-data", undefined],
    ["multipart/form-data; boundary=", undefined],
    ["multipart/mixed; boundary=x", undefined],
    [undefined, undefined],
  ])("of %j is %j", (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary);
  });

  it("is not read from a megabyte of it", () => {
    expect(boundaryOf(`multipart/form-data; boundary="${"y".repeat(MB)}"`)).toBeUndefined();
  });
});
