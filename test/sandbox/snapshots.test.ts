import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createSandbox,
  openStoppedSandbox,
  type Sandbox,
  type SandboxOptions,
  SnapshotError,
} from "../../src/sandbox/index.ts";
import { call, newDevice, ok } from "./client.ts";

let folder: string;
const open: Sandbox[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "iot-saved-"));
});
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ seed: "empty", ...options });
  open.push(sandbox);
  return sandbox;
}

async function names(sandbox: Sandbox): Promise<string[]> {
  const rows = await ok<{ name: string }[]>(sandbox, "GET", "/device?amount=100", { token: sandbox.tokens.profile });
  return rows.map(({ name }) => name);
}

async function upload(sandbox: Sandbox, filename: string, text: string): Promise<void> {
  const body = [{ filename, file: Buffer.from(text).toString("base64"), type: "text/plain" }];
  await ok(sandbox, "POST", "/files", { token: sandbox.tokens.profile, body });
}

async function content(sandbox: Sandbox, filename: string): Promise<string> {
  const path = `/file/${sandbox.profileId}/${filename}`;
  return (await call(sandbox, "GET", path, { token: sandbox.tokens.profile })).text;
}

/** Everything below a directory with its mode. */
const modes = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${entry.isDirectory() ? "d" : "f"}${(statSync(path).mode & 0o777).toString(8)}`;
  });

describe.each([
  ["on disk", () => ({ dataDir: join(folder, "plant") })],
  ["in memory", () => ({})],
])("snapshots of a sandbox %s", (_, options) => {
  it("put back everything as it was, data and files, and keep it for later", async () => {
    const sandbox = await start(options());
    const device = await newDevice(sandbox, { name: "Before" });
    await ok(sandbox, "POST", "/data", { token: device.token, body: [{ variable: "a", value: 1 }] });
    await upload(sandbox, "note.txt", "first");
    const made = await sandbox.snapshots.create("calm");
    expect(made).toMatchObject({ name: "calm", bytes: expect.any(Number) });

    await newDevice(sandbox, { name: "After" });
    await ok(sandbox, "POST", "/data", { token: device.token, body: [{ variable: "a", value: 2 }] });
    await upload(sandbox, "note.txt", "second");
    for (const _round of [1, 2]) {
      await sandbox.snapshots.restore("calm");
      expect(await names(sandbox)).toEqual(["Before"]);
      expect(await ok(sandbox, "GET", "/data?variable=a&query=count", { token: device.token })).toBe(1);
      expect(await content(sandbox, "note.txt")).toBe("first");
      await ok(sandbox, "POST", `/device/${device.device_id}/empty`, { token: sandbox.tokens.profile });
      await upload(sandbox, "note.txt", "third");
    }
    expect(sandbox.snapshots.list()).toEqual([made]);
    await sandbox.snapshots.remove("calm");
    expect(sandbox.snapshots.list()).toEqual([]);
  });

  it("keep a file that was replaced while somebody read it", { tags: ["slow"] }, async () => {
    const sandbox = await start(options());
    const first = "first ".repeat(1_000_000);
    await upload(sandbox, "note.txt", first);
    await sandbox.snapshots.create("calm");
    const path = `/file/${sandbox.profileId}/note.txt`;
    const headers = { token: sandbox.tokens.profile };
    const reading = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${sandbox.url}${path}`, { headers, agent: false }, resolve).once("error", reject);
    });
    await upload(sandbox, "note.txt", "second");
    await sandbox.snapshots.restore("calm");
    reading.resume();
    await once(reading, "close");
    expect(await content(sandbox, "note.txt")).toBe(first);
  });

  it("survive a reset, and have names that are theirs alone", async () => {
    const sandbox = await start(options());
    await newDevice(sandbox, { name: "Kept" });
    const { name } = await sandbox.snapshots.create();
    sandbox.reset();
    expect(await names(sandbox)).toEqual([]);
    await expect(sandbox.snapshots.create(name)).rejects.toMatchObject({ status: 409 });
    for (const bad of ["", "..", "a/b", "../up", ".hidden", "unfinished-x", "a".repeat(65)]) {
      await expect(sandbox.snapshots.create(bad), bad).rejects.toMatchObject({ status: 400 });
      await expect(sandbox.snapshots.restore(bad), bad).rejects.toMatchObject({ status: 400 });
    }
    await expect(sandbox.snapshots.restore("none")).rejects.toMatchObject({ status: 404 });
    await sandbox.snapshots.restore(name);
    expect(await names(sandbox)).toEqual(["Kept"]);
  });
});

describe("an export", () => {
  it("is one file that only the user can read, and is a sandbox again elsewhere", { tags: ["posix"] }, async () => {
    const sandbox = await start();
    await newDevice(sandbox, { name: "Travels" });
    await upload(sandbox, "a/note.txt", "with files");
    const file = join(folder, "plant.tar.gz");
    writeFileSync(file, "an older one");
    await sandbox.exportTo(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["plant.tar.gz"]);

    const dataDir = join(folder, "elsewhere");
    const stopped = openStoppedSandbox(dataDir, { create: true });
    await stopped.importFrom(file);
    stopped.close();
    const other = await start({ dataDir });
    expect(await names(other)).toEqual(["Travels"]);
    expect(await content(other, "a/note.txt")).toBe("with files");
    expect([...new Set(modes(dataDir))].sort()).toEqual(["d700", "f600"]);
  });

  it("goes out and comes in over the inspection routes of a running sandbox", async () => {
    const from = await start();
    await newDevice(from, { name: "Sent" });
    const reply = await fetch(`${from.url}/__sandbox/export`, { headers: from.inspectionHeaders });
    const bytes = Buffer.from(await reply.arrayBuffer());
    const to = await start({ dataDir: join(folder, "to") });
    await newDevice(to, { name: "Replaced" });
    expect((await call(to, "POST", "/__sandbox/import", { raw: bytes })).status).toBe(200);
    expect(await names(to)).toEqual(["Sent"]);
  });

  it("of the first version is read", async () => {
    const sandbox = await start();
    await sandbox.importFrom(join(import.meta.dirname, "..", "fixtures", "exports", "format-1.tar.gz"));
    expect(await names(sandbox)).toEqual(["Kept"]);
    expect(await content(sandbox, "folder/note.txt")).toBe("a note of the first format");
    expect(await content(sandbox, "block.bin")).toBe("b".repeat(512));
    expect(await content(sandbox, "empty.txt")).toBe("");
  });

  it("keeps each of thousands of rows", { tags: ["slow"] }, async () => {
    const from = await start({ dataDir: join(folder, "from") });
    const device = await newDevice(from);
    const rows = Array.from({ length: 500 }, (_, value) => ({ variable: "load", value }));
    for (let n = 0; n < 10; n += 1) await ok(from, "POST", "/data", { token: device.token, body: rows });
    const file = join(folder, "all.tar.gz");
    await from.exportTo(file);
    const to = await start({ dataDir: join(folder, "to") });
    await to.importFrom(file);
    expect(await ok(to, "GET", "/data?query=count", { token: device.token })).toBe(5_000);
    expect(await names(to)).toEqual(await names(from));
  });
});

describe("what is no export", () => {
  /** Every kind of rubbish, from the bytes of a good export. */
  function rubbish(good: Buffer): Record<string, Buffer> {
    const tar = gunzipSync(good);
    const flipped = Buffer.from(good);
    // In the checksum: a wrong byte elsewhere may unpack to the same.
    flipped[good.length - 8] = (flipped[good.length - 8] ?? 0) ^ 0x55;
    const renamed = (from: string, to: string): Buffer => {
      const copy = Buffer.from(tar);
      const at = copy.indexOf(from);
      copy.fill(0, at, at + 100);
      copy.write(to, at);
      copy.fill(" ", at + 148, at + 156);
      const sum = copy.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
      copy.write(`${sum.toString(8).padStart(6, "0")}\0 `, at + 148);
      return gzipSync(copy);
    };
    const unreadable = Buffer.from(tar);
    unreadable.fill(0x55, tar.indexOf("sandbox.db\0") + 124, tar.indexOf("sandbox.db\0") + 160);
    const [blob = ""] = /blobs\/[0-9a-f]{2}\/[0-9a-f]{32}/.exec(tar.toString("latin1")) ?? [];
    const damaged = Buffer.from(tar);
    const page = damaged.indexOf("SQLite format 3") + 3 * 4096;
    damaged.fill(0xff, page, page + 4096);
    return {
      empty: Buffer.alloc(0),
      text: Buffer.from("This is not an export."),
      "packed text": gzipSync("This is not an export."),
      "zeros only": gzipSync(Buffer.alloc(4096)),
      "half of one": good.subarray(0, Math.floor(good.length / 2)),
      "without its last byte": good.subarray(0, -1),
      "with a wrong byte": flipped,
      "with a header that cannot be read": gzipSync(unreadable),
      "with a damaged database": gzipSync(damaged),
      "without a manifest": renamed("sandbox.json", "other.json"),
      "without a database": renamed("sandbox.db\0", "blobs/aa/aa000000000000000000000000000000"),
      "the database twice": renamed(blob, "sandbox.db"),
      "a way out": renamed("sandbox.db\0", "../../outside"),
      "an absolute path": renamed("sandbox.db\0", "/tmp/iot-outside"),
      "a newer format": gzipSync(Buffer.from(tar.toString("latin1").replace('"format": 1', '"format": 9'), "latin1")),
      "a database of something else": gzipSync(
        Buffer.from(tar.toString("latin1").replaceAll("device_param", "device_harm_"), "latin1"),
      ),
    };
  }

  it("is refused, and nothing is changed: not in a running sandbox, not in an empty folder", {
    tags: ["slow"],
  }, async () => {
    const sandbox = await start({ dataDir: join(folder, "plant") });
    const device = await newDevice(sandbox, { name: "Safe" });
    await upload(sandbox, "note.txt", "safe too");
    const file = join(folder, "good.tar.gz");
    await sandbox.exportTo(file);
    const bad = join(folder, "bad.tar.gz");
    for (const [kind, bytes] of Object.entries(rubbish(readFileSync(file)))) {
      writeFileSync(bad, bytes);
      await expect(sandbox.importFrom(bad), kind).rejects.toThrow(SnapshotError);
      const answer = await call(sandbox, "POST", "/__sandbox/import", { raw: bytes });
      expect([answer.status, answer.body.status], kind).toEqual([400, false]);
      const fresh = openStoppedSandbox(join(folder, "fresh"), { create: true });
      await expect(fresh.importFrom(bad), kind).rejects.toThrow(SnapshotError);
      fresh.close();
      expect(existsSync(join(folder, "fresh")), kind).toBe(false);
    }
    expect(existsSync(join(folder, "..", "outside"))).toBe(false);
    expect(existsSync("/tmp/iot-outside")).toBe(false);
    expect(await names(sandbox)).toEqual(["Safe"]);
    expect(await content(sandbox, "note.txt")).toBe("safe too");
    await ok(sandbox, "POST", "/data", { token: device.token, body: [{ variable: "a", value: 1 }] });
    expect(readdirSync(join(folder, "plant", "snapshots"))).toEqual([]);
  });

  it("leaves a folder without a database as it was", async () => {
    const dataDir = join(folder, "mine");
    // What is left when a damaged database was moved away.
    const sandbox = await start({ dataDir });
    await upload(sandbox, "note.txt", "mine");
    await sandbox.snapshots.create("mine");
    await sandbox.close();
    rmSync(join(dataDir, "sandbox.db"));
    const before = readdirSync(dataDir, { recursive: true });
    const bad = join(folder, "bad");
    writeFileSync(bad, "rubbish");
    const stopped = openStoppedSandbox(dataDir, { create: true });
    await expect(stopped.importFrom(bad)).rejects.toThrow(SnapshotError);
    stopped.close();
    expect(readdirSync(dataDir, { recursive: true })).toEqual(before);
    expect(() => openStoppedSandbox(dataDir)).toThrow(/There is no sandbox in/);
    expect(readdirSync(dataDir, { recursive: true })).toEqual(before);
  });
});
