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

/** A state that was put aside. */
export interface SnapshotInfo {
  /** Name it is restored by. */
  readonly name: string;
  /** ISO text. */
  readonly created_at: string;
  /** Of the database and the contents of files. Contents share their place on disk with the sandbox. */
  readonly bytes: number;
}

/** States of a sandbox put aside beside its data; without a data directory they are gone at the end. */
export interface Snapshots {
  /** Puts the present state aside. The name is made from the time when none is given; one that exists is refused. */
  create(name?: string): Promise<SnapshotInfo>;
  /** Oldest first. */
  list(): SnapshotInfo[];
  /** Puts a state back, in one step: all of it or nothing. Tokens, files and data become those of the snapshot. */
  restore(name: string): Promise<void>;
  /** Forgets a state; one that does not exist is refused. */
  remove(name: string): Promise<void>;
}

/** Everything stored, put aside, taken out and brought in. One such work is done at a time. */
export interface StoredState {
  /** States put aside. */
  readonly snapshots: Snapshots;
  /**
   * Writes everything stored as one file, `.tar.gz`: the database and the contents of files. It holds the tokens, so
   * only the user can read it. A file that exists is replaced when the new one is complete.
   */
  exportTo(file: string): Promise<void>;
  /**
   * Puts an exported file in place of everything stored, all of it or nothing. Exports of older versions are brought
   * up to date.
   *
   * @throws SnapshotError when the file is anything else than a whole export
   */
  importFrom(file: string): Promise<void>;
}

export interface SnapshotParts {
  readonly db: OpenDatabase;
  readonly clock: Clock;
  readonly migrations: readonly Migration[];
  /** Directory of the contents of files. */
  readonly blobDirectory: () => string;
  /** Where snapshots are kept; without it in a temporary place. */
  readonly dataDir: string | undefined;
  /** Runs in the transaction in which everything stored was replaced. */
  readonly replaced: () => void;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const SNAPSHOTS = "snapshots";
/** A directory that is not complete yet; what a killed process leaves is removed at the next start. */
const UNFINISHED = "unfinished-";

function checkName(name: string): string {
  if (NAME.test(name) && !name.startsWith(UNFINISHED)) return name;
  throw new PlatformError(400, "A name of a snapshot has 1 to 64 letters, digits, dots, dashes and underscores");
}

function bytesOf(directory: string): number {
  const sizes = [DATABASE_NAME, ...blobPathsIn(directory)].map((path) => statSync(join(directory, path)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Disk trouble in words. */
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

/** Snapshots, exports and imports of everything stored, one after the other. */
export class SnapshotStore implements StoredState {
  readonly #parts: SnapshotParts;
  readonly #db: OpenDatabase;
  readonly #clock: Clock;
  readonly #migrations: readonly Migration[];
  readonly #blobDirectory: () => string;
  readonly #place: { snapshots: () => string; unfinished: () => string; clear: () => void; close: () => void };
  #last: Promise<unknown> = Promise.resolve();
  /** States put aside. */
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

  /**
   * Writes everything stored as one file, `.tar.gz`: the database and the contents of files. It holds the tokens, so
   * only the user can read it. A file that exists is replaced when the new one is complete.
   */
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

  /**
   * Puts an exported file in place of everything stored, all of it or nothing. Exports of older versions are brought
   * up to date.
   *
   * @throws SnapshotError when the file is anything else than a whole export
   */
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

  /** One after the other: each sees a whole state. */
  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work).catch((error: unknown) => {
      throw diskFailure(error);
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** A directory that is gone after `work`, whatever happens. */
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
    await loadSnapshot(this.#db, this.#blobDirectory(), directory, this.#parts.replaced);
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

  /** Works on a second name of the snapshot's files: bringing it up to date must not change it. */
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
