/** The file is not an export of a sandbox, or it is damaged. Nothing was changed. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
}

/** A saved state. */
export interface SnapshotInfo {
  /** Name to restore it by. */
  readonly name: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** Of the database and the contents of files. Contents share their disk space with the sandbox. */
  readonly bytes: number;
}

/** Saved states of a sandbox, stored beside its data; without a data directory they are removed at the end. */
export interface Snapshots {
  /** Saves the current state. The default name is the time; a name that exists is an error. */
  create(name?: string): Promise<SnapshotInfo>;
  /** Oldest first. */
  list(): SnapshotInfo[];
  /** Restores a state, in one step: all of it or nothing. Tokens, files and data become those of the snapshot. */
  restore(name: string): Promise<void>;
  /** Removes a state; one that does not exist is an error. */
  remove(name: string): Promise<void>;
}

/** Snapshots, export and import of all stored data. One operation runs at a time. */
export interface StoredState {
  /** Saved states. */
  readonly snapshots: Snapshots;
  /**
   * Writes all stored data as one file, `.tar.gz`: the database and the contents of files. It contains the tokens, so
   * only the user can read it. An existing file is replaced when the new one is complete.
   */
  exportTo(file: string): Promise<void>;
  /**
   * Replaces all stored data by an exported file, all of it or nothing. Exports of older versions are migrated.
   *
   * @throws SnapshotError when the file is not a complete export
   */
  importFrom(file: string): Promise<void>;
}

/** The data directory of a stopped sandbox. */
export interface StoppedSandbox extends StoredState {
  /** Releases the directory. */
  close(): void;
}
