import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { PlatformError } from "../../src/sandbox/core/platform-error.ts";
import { migrations } from "../../src/sandbox/migrations.ts";
import { OpenDatabase } from "../../src/sandbox/store/database.ts";
import { migrate } from "../../src/sandbox/store/migrations.ts";
import { openDirectory } from "../../src/sandbox/store/open.ts";
import { DataDirectoryError, MigrationError } from "../../src/sandbox/store/storage-errors.ts";
import type { SqlInput } from "../../src/sandbox/store/types.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "iot-db-"));
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function newDatabase(maxPages?: number): OpenDatabase {
  const db = new OpenDatabase({ path: ":memory:", ...(maxPages !== undefined && { maxPages }) });
  cleanups.push(() => db.close());
  db.exec("CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT)");
  return db;
}

const texts = (db: OpenDatabase): unknown[] => db.all("SELECT text FROM item ORDER BY id").map((row) => row["text"]);

describe("binding values", () => {
  it("stores booleans as numbers and undefined as null, where the driver would end the process", () => {
    const db = newDatabase();
    db.run("INSERT INTO item (id, text) VALUES (?, ?)", true, undefined);
    expect(db.get("SELECT id, text FROM item")).toEqual({ id: 1, text: null });
  });

  it("refuses objects, and text that SQLite would cut at a NUL character", () => {
    const db = newDatabase();
    const hostile = { a: 1 } as unknown as SqlInput;
    expect(() => db.run("INSERT INTO item (text) VALUES (?)", hostile)).toThrow(TypeError);
    expect(() => db.run("INSERT INTO item (text) VALUES (?)", "a\0b")).toThrow(/NUL/);
    expect(texts(db)).toEqual([]);
  });

  it("gives rows as plain objects with the columns only", () => {
    const db = newDatabase();
    db.run("INSERT INTO item (text) VALUES ('a')");
    expect(Object.keys(db.get("SELECT * FROM item") ?? {})).toEqual(["id", "text"]);
    expect(db.get("SELECT * FROM item WHERE id = 99")).toBeUndefined();
  });
});

describe("transactions", () => {
  it("undo everything when the work throws, and only that", async () => {
    const db = newDatabase();
    db.transaction(() => db.run("INSERT INTO item (text) VALUES ('kept')"));
    expect(() =>
      db.transaction(() => {
        db.run("INSERT INTO item (text) VALUES ('lost')");
        throw new Error("stop");
      }),
    ).toThrow("stop");
    await db.committed();
    expect(texts(db)).toEqual(["kept"]);
  });

  it("can be nested: the inner one is undone alone", async () => {
    const db = newDatabase();
    db.transaction(() => {
      db.run("INSERT INTO item (text) VALUES ('outer')");
      try {
        db.transaction(() => {
          db.run("INSERT INTO item (text) VALUES ('inner')");
          throw new Error("inner");
        });
      } catch {
        // Expected: only the inner one is undone.
      }
      db.run("INSERT INTO item (text) VALUES ('after')");
    });
    await db.committed();
    expect(texts(db)).toEqual(["outer", "after"]);
  });

  it("run their effects after the commit, and none of a transaction that was undone", async () => {
    const db = newDatabase();
    const seen: string[] = [];
    db.transaction(() => {
      db.run("INSERT INTO item (text) VALUES ('a')");
      db.afterCommit(() => seen.push("kept"));
    });
    expect(() =>
      db.transaction(() => {
        db.run("INSERT INTO item (text) VALUES ('b')");
        db.afterCommit(() => seen.push("lost"));
        throw new Error("stop");
      }),
    ).toThrow();
    expect(seen).toEqual([]);
    await db.committed();
    expect(seen).toEqual(["kept"]);
  });

  it("run an effect at once when nothing is waiting to be written", () => {
    const seen: string[] = [];
    newDatabase().afterCommit(() => seen.push("now"));
    expect(seen).toEqual(["now"]);
  });
});

describe("a full disk", () => {
  it("loses nothing that was acknowledged, stores nothing that was not, and goes on", async () => {
    const directory = newDirectory();
    const db = new OpenDatabase({ path: join(directory, "full.db"), maxPages: 40 });
    cleanups.push(() => db.close());
    db.exec("CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT)");
    let acknowledged = 0;
    let failure: unknown;
    for (let round = 0; round < 200 && failure === undefined; round += 1) {
      try {
        db.transaction(() => {
          for (let i = 0; i < 3; i += 1) db.run("INSERT INTO item (text) VALUES (?)", "x".repeat(2_000));
        });
        await db.committed();
        acknowledged += 3;
      } catch (error) {
        failure = error;
      }
    }
    expect(failure).toBeInstanceOf(PlatformError);
    expect(failure).toMatchObject({ status: 503, message: expect.stringContaining("full") });
    expect(acknowledged).toBeGreaterThan(0);
    expect(db.get("SELECT count(*) AS n FROM item")).toEqual({ n: acknowledged });
    db.run("DELETE FROM item");
    db.run("INSERT INTO item (text) VALUES ('again')");
    await db.committed();
    expect(texts(db)).toEqual(["again"]);
  });
});

describe("migrations", () => {
  it("are applied once each, in order", () => {
    const db = new OpenDatabase({ path: ":memory:" });
    cleanups.push(() => db.close());
    const first = { version: "0001-a", sql: "CREATE TABLE a (x)" };
    const second = { version: "0002-a", sql: "CREATE TABLE b (x)" };
    expect(migrate(db, [first], 0)).toBe(1);
    expect(migrate(db, [first, second], 0)).toBe(1);
    expect(migrate(db, [first, second], 0)).toBe(0);
  });

  it("leave nothing behind when one fails", () => {
    const db = new OpenDatabase({ path: ":memory:" });
    cleanups.push(() => db.close());
    const broken = { version: "0001-a", sql: "CREATE TABLE a (x); CREATE TABEL b (x)" };
    expect(() => migrate(db, [broken], 0)).toThrow(MigrationError);
    expect(db.all("SELECT name FROM sqlite_master WHERE name = 'a'")).toEqual([]);
    expect(migrate(db, [{ version: "0001-a", sql: "CREATE TABLE a (x)" }], 0)).toBe(1);
  });

  it("refuse a file of a newer version in plain words", () => {
    const directory = newDirectory();
    const storage = openDirectory(directory, [{ version: "9999-future", sql: "CREATE TABLE f (x)" }], 0);
    storage.close();
    expect(() => openDirectory(directory, [], 0)).toThrow(/newer version of the sandbox .*9999-future/);
  });
});

describe("the data directory", () => {
  it("keeps what was written, in a file only the user can read", { tags: ["posix"] }, async () => {
    const directory = newDirectory();
    const first = openDirectory(join(directory, "deep", "er"), migrations, 0);
    expect(first.isNew).toBe(true);
    first.db.run("INSERT INTO setting (key, value) VALUES ('a', 'b')");
    await first.db.committed();
    first.close();
    expect(readdirSync(join(directory, "deep", "er"))).toEqual(["sandbox.db"]);
    expect(statSync(join(directory, "deep", "er", "sandbox.db")).mode & 0o077).toBe(0);
    const second = openDirectory(join(directory, "deep", "er"), migrations, 0);
    cleanups.push(() => second.close());
    expect(second.isNew).toBe(false);
    expect(second.db.get("SELECT value FROM setting WHERE key = 'a'")).toEqual({ value: "b" });
  });

  it("has one owner at a time, and says who it is", () => {
    const directory = newDirectory();
    const owner = openDirectory(directory, migrations, 0);
    expect(() => openDirectory(directory, migrations, 0)).toThrow(DataDirectoryError);
    expect(() => openDirectory(directory, migrations, 0)).toThrow(`in use by process ${process.pid}`);
    owner.close();
    const next = openDirectory(directory, migrations, 0);
    cleanups.push(() => next.close());
  });

  it("ignores a lock file that a killed process left behind", () => {
    const directory = newDirectory();
    writeFileSync(join(directory, "sandbox.lock"), "1\n");
    const storage = openDirectory(directory, migrations, 0);
    cleanups.push(() => storage.close());
    expect(storage.isNew).toBe(true);
  });

  it("refuses a file that is something else, and leaves it alone", () => {
    const directory = newDirectory();
    writeFileSync(join(directory, "sandbox.db"), "this is not a database, but a longer text ".repeat(50));
    expect(() => openDirectory(directory, migrations, 0)).toThrow(/is not a database of the sandbox/);
    expect(statSync(join(directory, "sandbox.db")).size).toBeGreaterThan(2_000);
  });

  it("says so when it cannot be made", () => {
    const directory = newDirectory();
    writeFileSync(join(directory, "file"), "");
    expect(() => openDirectory(join(directory, "file", "sub"), migrations, 0)).toThrow(/cannot be used/);
  });
});
