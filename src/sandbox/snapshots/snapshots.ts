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

/** As the server sees it. */
export interface SnapshotStore extends StoredState {
  pack(target: NodeJS.WritableStream): Promise<void>;
  unpack(source: AsyncIterable<Uint8Array>): Promise<void>;
  close(): void;
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

export function createSnapshots(parts: SnapshotParts): SnapshotStore {
  const { db, clock, migrations, blobDirectory } = parts;
  const place = createPlace(parts.dataDir);
  place.clear();

  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: each sees a whole state. */
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = last.then(work).catch((error: unknown) => {
      throw diskFailure(error);
    });
    last = done.catch(() => undefined);
    return done;
  };

  /** A directory that is gone after `work`, whatever happens. */
  const withDirectory = async <T>(work: (directory: string) => T | Promise<T>): Promise<T> => {
    const directory = place.unfinished();
    try {
      return await work(directory);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  };

  const pathOf = (name: string): string => {
    const path = join(place.snapshots(), checkName(name));
    if (existsSync(path)) return path;
    throw new PlatformError(404, `There is no snapshot ${name}`);
  };

  const infoOf = (name: string): SnapshotInfo => {
    const path = join(place.snapshots(), name);
    return { name, created_at: statSync(join(path, DATABASE_NAME)).mtime.toISOString(), bytes: bytesOf(path) };
  };

  const list = (): SnapshotInfo[] => {
    const names = existsSync(place.snapshots()) ? readdirSync(place.snapshots()) : [];
    return names
      .filter((name) => NAME.test(name) && !name.startsWith(UNFINISHED))
      .map(infoOf)
      .sort((a, b) => a.created_at.localeCompare(b.created_at));
  };

  const load = async (directory: string): Promise<void> => {
    prepareSnapshot(directory, migrations, clock.now());
    await loadSnapshot(db, blobDirectory(), directory, parts.replaced);
  };

  const create = (name = new Date().toISOString().replaceAll(/[:.]/g, "-")): SnapshotInfo => {
    const final = join(place.snapshots(), checkName(name));
    if (existsSync(final)) throw new PlatformError(409, `There is a snapshot ${name} already`);
    const directory = place.unfinished();
    try {
      saveSnapshot(db, blobDirectory(), directory);
      renameSync(directory, final);
    } catch (error) {
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
    return infoOf(name);
  };

  /** Works on a second name of the snapshot's files: bringing it up to date must not change it. */
  const restore = (name: string): Promise<void> => {
    const source = pathOf(name);
    return withDirectory((directory) => {
      copySnapshot(source, directory);
      return load(directory);
    });
  };

  const pack = (target: NodeJS.WritableStream): Promise<void> =>
    withDirectory((directory) => {
      saveSnapshot(db, blobDirectory(), directory);
      return packSnapshot(directory, Date.now(), target);
    });

  const unpack = (source: AsyncIterable<Uint8Array>): Promise<void> =>
    withDirectory(async (directory) => {
      await unpackSnapshot(source, directory);
      await load(directory);
    });

  return {
    snapshots: {
      create: (name) => inTurn(() => create(name)),
      list,
      restore: (name) => inTurn(() => restore(name)),
      remove: (name) => inTurn(() => rmSync(pathOf(name), { recursive: true, force: true })),
    },
    exportTo: (file) =>
      inTurn(async () => {
        const temporary = `${file}.${process.pid}.tmp`;
        try {
          await pack(createWriteStream(temporary, { flags: "wx", mode: 0o600, flush: true }));
          renameSync(temporary, file);
        } catch (error) {
          rmSync(temporary, { force: true });
          throw error;
        }
      }),
    importFrom: (file) => inTurn(() => unpack(createReadStream(file))),
    pack: (target) => inTurn(() => pack(target)),
    unpack: (source) => inTurn(() => unpack(source)),
    close: place.close,
  };
}
