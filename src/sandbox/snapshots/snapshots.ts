import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "../../lib/core/error-code.ts";
import { makeFolder } from "../../lib/core/make-folder.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { OpenDatabase } from "../store/database.ts";
import type { Migration } from "../store/types.ts";
import { packSnapshot, unpackSnapshot } from "./archive.ts";
import { blobPathsIn, copySnapshot, DATABASE_NAME, loadSnapshot, prepareSnapshot, saveSnapshot } from "./content.ts";
import type { SnapshotInfo, Snapshots, StoredState } from "./stored-state.ts";

export interface SnapshotParts {
  readonly db: OpenDatabase;
  readonly clock: Clock;
  readonly migrations: readonly Migration[];
  /** Directory of the contents of files. */
  readonly blobDirectory: () => string;
  /** Directory of snapshots; without it a temporary one. */
  readonly dataDir: string | undefined;
  /** Runs in the transaction that replaced all stored data. */
  readonly onReplaced: () => void;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const SNAPSHOTS = "snapshots";
/** A directory that is not complete yet; the remains of a killed process are removed at the next start. */
const UNFINISHED = "unfinished-";

function checkName(name: string): string {
  if (NAME.test(name) && !name.startsWith(UNFINISHED)) return name;
  throw new PlatformError(400, "A name of a snapshot has 1 to 64 letters, digits, dots, dashes and underscores");
}

function bytesOf(directory: string): number {
  const sizes = [DATABASE_NAME, ...blobPathsIn(directory)].map((path) => statSync(join(directory, path)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Messages for disk errors. */
function diskFailure(error: unknown): unknown {
  const code = errorCode(error);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") {
    return new PlatformError(503, "The disk is full: nothing was changed");
  }
  return error;
}

function createPlace(dataDir: string | undefined) {
  let path = dataDir;
  const make = (): string => {
    path ??= mkdtempSync(join(tmpdir(), "iot-sandbox-snapshots-"));
    return path;
  };
  return {
    snapshots: (): string => join(make(), SNAPSHOTS),
    /** An empty directory on the same file system, so that contents can be linked. */
    unfinished: (): string => {
      makeFolder(join(make(), SNAPSHOTS), 0o700);
      return mkdtempSync(join(make(), SNAPSHOTS, UNFINISHED));
    },
    clear: (): void => {
      if (path === undefined || !existsSync(join(path, SNAPSHOTS))) return;
      for (const name of readdirSync(join(path, SNAPSHOTS))) {
        if (name.startsWith(UNFINISHED)) rmSync(join(path, SNAPSHOTS, name), { recursive: true, force: true });
      }
    },
    close: (): void => {
      if (dataDir === undefined && path !== undefined) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Snapshots, exports and imports of all stored data, one after the other. */
export class SnapshotStore implements StoredState {
  readonly #parts: SnapshotParts;
  readonly #db: OpenDatabase;
  readonly #clock: Clock;
  readonly #migrations: readonly Migration[];
  readonly #blobDirectory: () => string;
  readonly #place: { snapshots: () => string; unfinished: () => string; clear: () => void; close: () => void };
  #last: Promise<unknown> = Promise.resolve();
  /** Saved states. */
  readonly snapshots: Snapshots;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#migrations = parts.migrations;
    this.#blobDirectory = parts.blobDirectory;
    this.#place = createPlace(parts.dataDir);
    this.#place.clear();
    this.snapshots = {
      create: (name) => this.#inTurn(() => this.#create(name)),
      list: () => this.#list(),
      restore: (name) => this.#inTurn(() => this.#restore(name)),
      remove: (name) => this.#inTurn(() => rmSync(this.#pathOf(name), { recursive: true, force: true })),
    };
  }

  exportTo(file: string): Promise<void> {
    return this.#inTurn(async () => {
      const temporary = `${file}.${process.pid}.tmp`;
      try {
        await this.#pack(createWriteStream(temporary, { flags: "wx", mode: 0o600, flush: true }));
        renameSync(temporary, file);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
      }
    });
  }

  importFrom(file: string): Promise<void> {
    return this.#inTurn(() => this.#unpack(createReadStream(file)));
  }

  pack(target: NodeJS.WritableStream): Promise<void> {
    return this.#inTurn(() => this.#pack(target));
  }

  unpack(source: AsyncIterable<Uint8Array>): Promise<void> {
    return this.#inTurn(() => this.#unpack(source));
  }

  close(): void {
    this.#place.close();
  }

  /** Sequential: each operation sees a consistent state. */
  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work).catch((error: unknown) => {
      throw diskFailure(error);
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** A directory that is removed after `work`, even on an error. */
  async #withDirectory<T>(work: (directory: string) => T | Promise<T>): Promise<T> {
    const directory = this.#place.unfinished();
    try {
      return await work(directory);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  #pathOf(name: string): string {
    const path = join(this.#place.snapshots(), checkName(name));
    if (existsSync(path)) return path;
    throw new PlatformError(404, `There is no snapshot ${name}`);
  }

  #infoOf(name: string): SnapshotInfo {
    const path = join(this.#place.snapshots(), name);
    return { name, created_at: statSync(join(path, DATABASE_NAME)).mtime.toISOString(), bytes: bytesOf(path) };
  }

  #list(): SnapshotInfo[] {
    const names = existsSync(this.#place.snapshots()) ? readdirSync(this.#place.snapshots()) : [];
    return names
      .filter((name) => NAME.test(name) && !name.startsWith(UNFINISHED))
      .map((name) => this.#infoOf(name))
      .sort((a, b) => a.created_at.localeCompare(b.created_at));
  }

  async #load(directory: string): Promise<void> {
    prepareSnapshot(directory, this.#migrations, this.#clock.now());
    await loadSnapshot(this.#db, this.#blobDirectory(), directory, this.#parts.onReplaced);
  }

  #create(name = new Date().toISOString().replaceAll(/[:.]/g, "-")): SnapshotInfo {
    const final = join(this.#place.snapshots(), checkName(name));
    if (existsSync(final)) throw new PlatformError(409, `There is a snapshot ${name} already`);
    const directory = this.#place.unfinished();
    try {
      saveSnapshot(this.#db, this.#blobDirectory(), directory);
      renameSync(directory, final);
    } catch (error) {
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
    return this.#infoOf(name);
  }

  /** Works on hard links of the snapshot's files: migrating it must not change it. */
  #restore(name: string): Promise<void> {
    const source = this.#pathOf(name);
    return this.#withDirectory((directory) => {
      copySnapshot(source, directory);
      return this.#load(directory);
    });
  }

  #pack(target: NodeJS.WritableStream): Promise<void> {
    return this.#withDirectory((directory) => {
      saveSnapshot(this.#db, this.#blobDirectory(), directory);
      return packSnapshot(directory, Date.now(), target);
    });
  }

  #unpack(source: AsyncIterable<Uint8Array>): Promise<void> {
    return this.#withDirectory(async (directory) => {
      await unpackSnapshot(source, directory);
      await this.#load(directory);
    });
  }
}
