import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { manualClock } from "../../../src/sandbox/core/clock.ts";
import { FileStore } from "../../../src/sandbox/files/store.ts";
import { migrations } from "../../../src/sandbox/migrations.ts";
import { Signals } from "../../../src/sandbox/signals.ts";
import { openDirectory, openEphemeral, type Storage } from "../../../src/sandbox/store/open.ts";

const PROFILE = "65a1000000000000000f0001";
const NOW_MS = Date.parse("2026-05-14T10:37:21.500Z");

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

interface Opened {
  readonly storage: Storage;
  readonly files: FileStore;
  readonly events: string[];
}

function openStore(directory?: string): Opened {
  const clock = manualClock(NOW_MS);
  const storage =
    directory === undefined ? openEphemeral(migrations, NOW_MS) : openDirectory(directory, migrations, NOW_MS);
  cleanups.push(() => storage.close());
  const signals = new Signals((message) => {
    throw new Error(message);
  });
  const events: string[] = [];
  signals.on("resourceChanged", ({ event, kind, document }) => events.push(`${event} ${kind} ${document.id}`));
  return { storage, events, files: new FileStore({ db: storage.db, clock, signals, blobs: storage.blobs }) };
}

function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "iot-files-test-"));
  cleanups.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Paths of all blobs, temporary ones too. */
function blobsIn(directory: string): string[] {
  const root = join(directory, "blobs");
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}

describe("the file store", () => {
  it("leaves no content behind when the transaction around it is undone", async () => {
    const directory = temporaryDirectory();
    const { files, storage } = openStore(directory);
    const undone = (): void =>
      storage.db.transaction(() => {
        files.put(PROFILE, "lost.txt", { content: bytes("lost") });
        throw new Error("undone");
      });
    expect(undone).toThrow("undone");
    expect(blobsIn(directory)).toHaveLength(1);
    files.put(PROFILE, "kept.txt", { content: bytes("kept") });
    storage.db.flush();
    await new Promise((resolve) => setImmediate(resolve));
    expect(blobsIn(directory)).toHaveLength(1);
    expect((await files.read(PROFILE, "kept.txt"))?.toString()).toBe("kept");
  });

  it("keeps bytes, type and visibility of a file", async () => {
    const { files } = openStore();
    const put = files.put(PROFILE, "/reports/may.csv", { content: bytes("a,b\n"), public: true });
    expect(put).toEqual({
      profile: PROFILE,
      path: "reports/may.csv",
      size: 4,
      contentType: "text/csv; charset=utf-8",
      public: true,
      modifiedMs: NOW_MS,
      etag: md5("a,b\n"),
    });
    expect(files.get(PROFILE, "reports/may.csv")).toEqual(put);
    expect((await files.read(PROFILE, "reports/may.csv"))?.toString()).toBe("a,b\n");
    expect(files.get("65a1000000000000000f0002", "reports/may.csv")).toBeUndefined();
  });

  it("stores a stream, and reads a part of it", async () => {
    const { files } = openStore();
    await files.putStream(PROFILE, "log.txt", { content: pieces("0123", "456", "789"), contentType: "text/x-log" });
    expect(files.need(PROFILE, "log.txt")).toMatchObject({ size: 10, contentType: "text/x-log", public: false });
    const chunks: Buffer[] = [];
    for await (const chunk of files.open(PROFILE, "log.txt", { start: 3, end: 6 }) ?? []) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe("3456");
    expect(await files.md5(PROFILE, "log.txt")).toBe(md5("0123456789"));
  });

  it("brings a stream to disk before it gets its name", async () => {
    const directory = temporaryDirectory();
    const { files } = openStore(directory);
    const handle = await open(import.meta.filename);
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const { sync } = prototype;
    const there: string[][] = [];
    vi.spyOn(prototype, "sync").mockImplementation(function (this: FileHandle) {
      there.push(blobsIn(directory).map((path) => basename(dirname(path))));
      return sync.call(this);
    });
    await files.putStream(PROFILE, "log.txt", { content: pieces("0123", "456") });
    expect(there).toEqual([["tmp"]]);
  });

  it("has its files after a restart", { tags: ["posix"] }, async () => {
    const directory = temporaryDirectory();
    const first = openStore(directory);
    first.files.put(PROFILE, "a.txt", { content: bytes("first") });
    await first.files.putStream(PROFILE, "b.txt", { content: pieces("second") });
    first.storage.close();
    const second = openStore(directory);
    expect((await second.files.read(PROFILE, "a.txt"))?.toString()).toBe("first");
    expect((await second.files.read(PROFILE, "b.txt"))?.toString()).toBe("second");
    expect(blobsIn(directory).map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it("removes at its start what a killed process left without a row", async () => {
    const directory = temporaryDirectory();
    const first = openStore(directory);
    first.files.put(PROFILE, "a.txt", { content: bytes("kept") });
    first.storage.close();
    mkdirSync(join(directory, "blobs", "tmp"), { recursive: true });
    mkdirSync(join(directory, "blobs", "ab"), { recursive: true });
    writeFileSync(join(directory, "blobs", "tmp", "0".repeat(32)), "half");
    writeFileSync(join(directory, "blobs", "ab", `ab${"0".repeat(30)}`), "orphan");
    writeFileSync(join(directory, "blobs", "notes.txt"), "somebody's own");
    const second = openStore(directory);
    const names = blobsIn(directory);
    expect(names.map((path) => path.endsWith("notes.txt"))).toContain(true);
    expect(names).toHaveLength(2);
    expect((await second.files.read(PROFILE, "a.txt"))?.toString()).toBe("kept");
  });

  it("frees the disk when a file is replaced or removed", async () => {
    const directory = temporaryDirectory();
    const { files, storage } = openStore(directory);
    files.put(PROFILE, "a.txt", { content: bytes("one") });
    files.put(PROFILE, "a.txt", { content: bytes("two") });
    storage.db.flush();
    expect(blobsIn(directory)).toHaveLength(1);
    expect(files.remove(PROFILE, "a.txt")).toBe(true);
    expect(files.remove(PROFILE, "a.txt")).toBe(false);
    storage.db.flush();
    expect(blobsIn(directory)).toEqual([]);
  });

  it("keeps content that is still being read", async () => {
    const { files, storage } = openStore();
    await files.putStream(PROFILE, "big.bin", { content: pieces("x".repeat(400_000), "y".repeat(400_000)) });
    const stream = files.open(PROFILE, "big.bin");
    if (stream === undefined) throw new Error("no stream");
    files.remove(PROFILE, "big.bin");
    storage.db.flush();
    let size = 0;
    for await (const chunk of stream) size += (chunk as Buffer).length;
    expect(size).toBe(800_000);
  });

  it("leaves neither row nor content of a stream that breaks", async () => {
    const directory = temporaryDirectory();
    const { files } = openStore(directory);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes("start");
      throw new Error("the client went away");
    }
    await expect(files.putStream(PROFILE, "a.txt", { content: broken() })).rejects.toThrow("the client went away");
    expect(files.get(PROFILE, "a.txt")).toBeUndefined();
    expect(blobsIn(directory)).toEqual([]);
  });

  it("keeps the old file when the transaction around a new one is undone", async () => {
    const { files, storage } = openStore();
    files.put(PROFILE, "a.txt", { content: bytes("old") });
    storage.db.flush();
    const undo = (): void =>
      storage.db.transaction(() => {
        files.put(PROFILE, "a.txt", { content: bytes("new") });
        throw new Error("refused");
      });
    expect(undo).toThrow("refused");
    storage.db.flush();
    expect((await files.read(PROFILE, "a.txt"))?.toString()).toBe("old");
  });

  it("copies without copying bytes, and moves folders", async () => {
    const directory = temporaryDirectory();
    const { files, storage, events } = openStore(directory);
    files.put(PROFILE, "a/one.txt", { content: bytes("1"), public: true });
    files.put(PROFILE, "a/deep/two.txt", { content: bytes("2") });
    files.copy(PROFILE, { from: "a/one.txt", to: "copy.txt" });
    files.remove(PROFILE, "a/one.txt");
    files.move(PROFILE, { from: "a", to: "/b/" });
    storage.db.flush();
    expect(blobsIn(directory)).toHaveLength(2);
    expect(files.get(PROFILE, "copy.txt")).toMatchObject({ public: true, size: 1 });
    expect((await files.read(PROFILE, "b/deep/two.txt"))?.toString()).toBe("2");
    expect(files.get(PROFILE, "a/deep/two.txt")).toBeUndefined();
    expect(() => files.move(PROFILE, { from: "a", to: "c" })).toThrow("file can't be found");
    expect(events).toEqual([
      "create file a/one.txt",
      "create file a/deep/two.txt",
      "create file copy.txt",
      "delete file a/one.txt",
      "create file b/deep/two.txt",
      "delete file a/deep/two.txt",
    ]);
  });

  it("tells a file from a folder of the same name", () => {
    const { files } = openStore();
    files.put(PROFILE, "plan", { content: bytes("file") });
    files.put(PROFILE, "plan/a.txt", { content: bytes("in the folder") });
    files.put(PROFILE, "planet/b.txt", { content: bytes("elsewhere") });
    expect(files.removeTree(PROFILE, "plan/")).toBe(1);
    expect(files.get(PROFILE, "plan")).toBeDefined();
    expect(files.removeTree(PROFILE, "plan")).toBe(1);
    expect(files.removeTree(PROFILE, "plan")).toBe(0);
    expect(files.get(PROFILE, "planet/b.txt")).toBeDefined();
  });

  it("takes the climbing out of paths and refuses those without a name", () => {
    const { files } = openStore();
    const paths = ["../../etc/passwd", "/a/../b/./c.txt", "//x //  y.txt"].map(
      (path) => files.put(PROFILE, path, { content: bytes("") }).path,
    );
    expect(paths).toEqual(["etc/passwd", "a/b/c.txt", "x/y.txt"]);
    for (const path of ["", "/", "../..", "a\0b", "x".repeat(1025)]) {
      expect(() => files.put(PROFILE, path, { content: bytes("") }), path.slice(0, 9)).toThrow("Invalid filename");
    }
  });

  it("removes its temporary directory at the end", async () => {
    const { files, storage } = openStore();
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("iot-sandbox-blobs-"));
    files.put(PROFILE, "a.txt", { content: bytes("gone soon") });
    const made = readdirSync(tmpdir()).filter(
      (name) => name.startsWith("iot-sandbox-blobs-") && !before.includes(name),
    );
    expect(made.length).toBeGreaterThan(0);
    storage.close();
    expect(made.some((name) => !existsSync(join(tmpdir(), name)))).toBe(true);
  });
});

describe("a list of files", () => {
  const names = ["a.txt", "b/1.txt", "b/2.txt", "b/deep/3.txt", "b-side.txt", "b.txt", "é/ü 100%.txt", "z.txt"];

  function filled(): FileStore {
    const { files } = openStore();
    for (const name of names) files.put(PROFILE, name, { content: bytes(name) });
    files.put("65a1000000000000000f0002", "other.txt", { content: bytes("other") });
    return files;
  }

  it("shows one level, folders by their name", () => {
    const files = filled();
    const root = files.list(PROFILE, {});
    expect(root.files.map(({ path }) => path)).toEqual(["a.txt", "b-side.txt", "b.txt", "z.txt"]);
    expect(root.folders).toEqual(["b", "é"]);
    expect(root.next).toBeUndefined();
    const folder = files.list(PROFILE, { path: "/b/" });
    expect([folder.files.map(({ path }) => path), folder.folders]).toEqual([["b/1.txt", "b/2.txt"], ["deep"]]);
    expect(files.list(PROFILE, { path: "/b" })).toEqual(folder);
  });

  it("takes a path that is no folder as the start of names", () => {
    const start = filled().list(PROFILE, { path: "/b-" });
    expect([start.files.map(({ path }) => path), start.folders]).toEqual([["b-side.txt"], []]);
    expect(filled().list(PROFILE, { path: "/nothing/" })).toEqual({ files: [], folders: [] });
  });

  it.each([1, 2, 3, 5])("comes in pages of %i, files and folders together, each once", (amount) => {
    const files = filled();
    const seen: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < 10; page += 1) {
      const part = files.list(PROFILE, { amount, ...(after !== undefined && { after }) });
      expect(part.files.length + part.folders.length).toBeLessThanOrEqual(amount);
      seen.push(...part.files.map(({ path }) => path), ...part.folders.map((name) => `${name}/`));
      after = part.next;
      if (after === undefined) break;
    }
    expect(seen.sort()).toEqual(["a.txt", "b-side.txt", "b.txt", "b/", "z.txt", "é/"]);
  });

  it("finds a text at any depth, and refuses a mark of somebody else's", () => {
    const files = filled();
    expect(files.list(PROFILE, { search: "3.TXT" }).files.map(({ path }) => path)).toEqual(["b/deep/3.txt"]);
    expect(() => files.list(PROFILE, { after: "§" })).toThrow("Invalid pagination_token");
  });

  it("passes over folders of any size", { tags: ["slow"] }, () => {
    const { files } = openStore();
    for (let i = 0; i < 700; i += 1) files.put(PROFILE, `many/${i}`, { content: bytes("") });
    files.put(PROFILE, "z", { content: bytes("") });
    expect(files.list(PROFILE, {})).toMatchObject({ folders: ["many"], files: [{ path: "z" }] });
    expect(files.list(PROFILE, { path: "many/", amount: 1000 }).files).toHaveLength(700);
  });
});
