import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, DataDirectoryError, MigrationError } from "../../src/sandbox/index.ts";
import { migrations } from "../../src/sandbox/migrations.ts";
import { OpenDatabase } from "../../src/sandbox/store/database.ts";
import { migrate } from "../../src/sandbox/store/migrations.ts";
import { call, newDevice, ok } from "./client.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "iot-upgrade-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const file = (): string => join(dataDir, "sandbox.db");

/** The versions of the first release, in their order: what was there before anything was added. */
const FIRST = ["0001-core", "0001-data"];

/** A file as the first release left it: its tables, an account, a profile, a token, a device with data. */
function writeOldFile(): void {
  const db = new OpenDatabase({ path: file() });
  const first = migrations.filter(({ version }) => FIRST.includes(version));
  expect(first.map(({ version }) => version)).toEqual(FIRST);
  migrate(db, first, 0);
  const at = Date.parse("2026-01-31T12:00:00Z");
  const account = { id: "65a100000000000000000a01", name: "Old", email: "old@example.test", plan: "scale" };
  const profile = { id: "65a1000000000000000e0001", account: account.id, name: "Old plant", logo_url: null };
  const device = { name: "Old device", type: "mutable", active: true, visible: true, tags: [] };
  const dates = { created_at: "2026-01-31T12:00:00.000Z", updated_at: "2026-01-31T12:00:00.000Z" };
  const id = "65a1000000000000000d0001";
  const wire = {
    id: "65a100000000000000000f01",
    device: id,
    variable: "level",
    value: 7,
    group: "g",
    time: dates.created_at,
  };
  db.run(
    "INSERT INTO account VALUES (?, ?, 'salt:hash', '{}', NULL, ?)",
    account.id,
    account.email,
    JSON.stringify(account),
  );
  db.run("INSERT INTO profile VALUES (?, ?, ?)", profile.id, account.id, JSON.stringify({ ...profile, ...dates }));
  db.run(
    "INSERT INTO entity (id, kind, profile, created_at, updated_at, keys, doc) VALUES (?, 'device', ?, ?, ?, ?, ?)",
    id,
    profile.id,
    at,
    at,
    JSON.stringify({ name: "old device" }),
    JSON.stringify({ ...device, id, profile: profile.id, ...dates }),
  );
  const token =
    "INSERT INTO token (key, kind, profile, ref_id, name, permission, created_at, position) VALUES (?, ?, ?, ?, 'Old', 'full', 0, 0)";
  db.run(token, "0ld00000-0000-4000-8000-000000000001", "profile", profile.id, profile.id);
  db.run(token, "0ld00000-0000-4000-8000-000000000002", "device", profile.id, id);
  db.run(
    `INSERT INTO device_data (seq, device, variable, time, created_at, id, grp, number, text, located, chunk, wire)
     VALUES (1, ?, 'level', ?, ?, ?, 'g', 7, '7', 0, -1, ?)`,
    id,
    at,
    at,
    wire.id,
    JSON.stringify(wire),
  );
  db.run("INSERT INTO data_chunk VALUES (?, -1, 1)", id);
  db.run("INSERT INTO setting VALUES ('seeded', '1')");
  db.close();
}

describe("a database of the first release", () => {
  it("is brought up to date, with everything that was in it", async () => {
    writeOldFile();
    const sandbox = await createSandbox({ dataDir });
    const token = "p-0ld00000-0000-4000-8000-000000000001";
    const deviceToken = "0ld00000-0000-4000-8000-000000000002";
    expect(await ok(sandbox, "GET", "/device", { token })).toEqual([expect.objectContaining({ name: "Old device" })]);
    expect(await ok(sandbox, "GET", "/data?variable=level", { token: deviceToken })).toEqual([
      expect.objectContaining({ value: 7 }),
    ]);
    // What came later works in it too, and what was there is not seeded over.
    await ok(sandbox, "POST", "/data", { token: deviceToken, body: [{ variable: "level", value: 8 }] });
    const body = [{ filename: "new.txt", file: Buffer.from("new").toString("base64"), type: "text/plain" }];
    expect((await call(sandbox, "POST", "/files", { token, body })).status).toBeLessThan(300);
    await sandbox.close();
    const db = new OpenDatabase({ path: file() });
    const versions = db.all<{ version: string }>("SELECT version FROM migration").map(({ version }) => version);
    expect(versions.sort()).toEqual(migrations.map(({ version }) => version).sort());
    expect(db.get("SELECT count(*) AS n FROM account")).toEqual({ n: 1 });
    db.close();
  });

  it("has the same tables afterwards as a new one", async () => {
    const schema = (path: string): unknown => {
      const db = new OpenDatabase({ path });
      const rows = db.all("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name");
      db.close();
      return rows;
    };
    writeOldFile();
    await (await createSandbox({ dataDir })).close();
    const fresh = join(dataDir, "fresh");
    await (await createSandbox({ dataDir: fresh, seed: "empty" })).close();
    expect(schema(file())).toEqual(schema(join(fresh, "sandbox.db")));
  });
});

describe("a database with demo tokens of 38 characters", () => {
  it("opens with the tokens of 36 characters, published or replaced", async () => {
    const older = (token: string): string => token.replace(/-(\d{10})$/, (_, digits: string) => `-00${digits}`);
    const first = await createSandbox({ dataDir, seed: "empty", tokens: "random" });
    await first.close();
    const db = new OpenDatabase({ path: file() });
    const { value } = db.get<{ value: string }>("SELECT value FROM setting WHERE key = 'demo_secrets'") ?? {
      value: "{}",
    };
    const applied: { tokens: Record<string, string> } = JSON.parse(value);
    const tokens = Object.entries(applied.tokens).map(([name, token]) => [older(name), token]);
    db.run(
      "UPDATE setting SET value = ? WHERE key = 'demo_secrets'",
      JSON.stringify({ ...applied, tokens: Object.fromEntries(tokens) }),
    );
    // One that an even older version left published, and one it replaced.
    const read = applied.tokens["p-5eed0000-0000-4000-8000-0000000002"] ?? "";
    db.run("UPDATE token SET key = ? WHERE key = ?", "5eed0000-0000-4000-8000-000000000002", read.slice(2));
    db.run("DELETE FROM migration WHERE version = '0002-token-length'");
    db.close();
    const again = await createSandbox({ dataDir });
    for (const token of [again.tokens.profile, again.tokens.read, again.tokens.analysis]) {
      expect(token).toHaveLength(36);
      await ok(again, "GET", "/info", { token });
    }
    await again.close();
  });
});

describe("a database that cannot be used", () => {
  it("of a newer version is refused, and left as it is", async () => {
    const sandbox = await createSandbox({ dataDir, seed: "empty" });
    await newDevice(sandbox, { name: "Kept" });
    await sandbox.close();
    const change = (sql: string): void => {
      const db = new OpenDatabase({ path: file() });
      db.run(sql);
      db.close();
    };
    change("INSERT INTO migration VALUES ('9999-future', 0)");
    await expect(createSandbox({ dataDir })).rejects.toThrow(MigrationError);
    await expect(createSandbox({ dataDir })).rejects.toThrow(/newer version of the sandbox \(unknown: 9999-future\)/);
    change("DELETE FROM migration WHERE version = '9999-future'");
    const again = await createSandbox({ dataDir });
    expect(await ok(again, "GET", "/device", { token: again.tokens.profile })).toHaveLength(1);
    await again.close();
  });

  it("with a migration that fails stays in its old version", () => {
    writeOldFile();
    const db = new OpenDatabase({ path: file() });
    const broken = { version: "0002-broken", sql: "CREATE TABLE half (a TEXT); CREATE TABLE entity (b TEXT)" };
    const first = migrations.filter(({ version }) => FIRST.includes(version));
    expect(() => migrate(db, [...first, broken], 0)).toThrow(/0002-broken/);
    expect(db.get("SELECT name FROM sqlite_master WHERE name = 'half'")).toBeUndefined();
    expect(db.get("SELECT count(*) AS n FROM entity")).toEqual({ n: 1 });
    db.close();
  });

  it("is refused when it is in use, by whom is said", async () => {
    const sandbox = await createSandbox({ dataDir, seed: "empty" });
    await expect(createSandbox({ dataDir })).rejects.toThrow(DataDirectoryError);
    await expect(createSandbox({ dataDir })).rejects.toThrow(new RegExp(`in use by process ${process.pid}`));
    await sandbox.close();
  });
});
