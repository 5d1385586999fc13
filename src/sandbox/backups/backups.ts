import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import type { Jobs } from "../core/jobs.ts";
import { FileLinks } from "../files/links.ts";
import type { FileStore } from "../files/store.ts";
import { readSetting, removeSetting, writeSetting } from "../store/settings.ts";
import type { SandboxDatabase } from "../store/types.ts";
import type { ContentParts } from "./backup-content.ts";
import { backupFiles } from "./backup-content.ts";
import { ZipWriter } from "./zip.ts";

interface StoreParts extends ContentParts {
  readonly files: FileStore;
}

interface BackupParts extends StoreParts {
  /** Address of the sandbox for programs on this machine. */
  readonly address: { readonly origin: string };
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly jobs: Jobs;
}

/** A backup of a profile (docs/internals/platform/model.md, Profile backups). */
export interface ProfileBackup {
  readonly id: string;
  readonly profile: string;
  readonly status: "queued" | "processing" | "completed" | "failed";
  readonly file_path?: string;
  readonly file_size?: number;
  readonly error_message?: string;
  readonly created_at: string;
}

const META = "backup:";

/** Archives are files without a profile: lists do not show them and they use no storage. */
export const archiveOwner = (profile: string): string => `backup:${profile}`;

const archivePath = (id: string): string => `${id}.zip`;

const save = ({ db }: Pick<StoreParts, "db">, backup: ProfileBackup): void =>
  writeSetting(db, "profile", backup.profile, `${META}${backup.id}`, { ...backup });

const complete = (app: Pick<StoreParts, "db">, backup: ProfileBackup, bytes: number): void =>
  save(app, {
    ...backup,
    status: "completed",
    file_path: `backups/${backup.profile}/${archivePath(backup.id)}`,
    file_size: bytes,
  });

/** Stores a backup without uploaded files, synchronously. */
export function storeBackup(app: StoreParts, backup: ProfileBackup): void {
  const zip = new ZipWriter();
  const files = backupFiles(app, backup.profile).map(({ name, content }) => zip.add(name, content));
  const content = Buffer.concat([...files, zip.end()]);
  app.files.put(archiveOwner(backup.profile), archivePath(backup.id), { content });
  complete(app, backup, content.length);
}

/** The archive of a profile, with one file at a time in memory. */
async function* archiveOf(app: StoreParts, profile: string): AsyncGenerator<Uint8Array> {
  const zip = new ZipWriter();
  for (const { name, content } of backupFiles(app, profile)) yield zip.add(name, content);
  const paths = app.db.all<{ path: string }>("SELECT path FROM file WHERE profile = ? ORDER BY path", profile);
  for (const { path } of paths) {
    const content = await app.files.read(profile, path);
    if (content !== undefined) yield zip.add(`files/${path}`, content);
  }
  yield zip.end();
}

/** Backups of profiles. */
export class Backups {
  readonly #app: BackupParts;
  readonly #db: SandboxDatabase;
  readonly #files: FileStore;
  readonly #ids: IdSource;
  readonly #jobs: Jobs;
  readonly #links: FileLinks;

  constructor(app: BackupParts) {
    this.#app = app;
    this.#db = app.db;
    this.#files = app.files;
    this.#ids = app.ids;
    this.#jobs = app.jobs;
    this.#links = new FileLinks(app.db, app.clock);
  }

  /** Oldest first. */
  list(profile: string): ProfileBackup[] {
    return this.#db
      .all<{ doc: string }>(
        "SELECT doc FROM profile_setting WHERE owner = ? AND name LIKE ? ORDER BY name",
        profile,
        `${META}%`,
      )
      .map(({ doc }) => JSON.parse(doc) as ProfileBackup);
  }

  // Only this file writes the settings of this name.
  get(profile: string, id: string): ProfileBackup | undefined {
    return readSetting(this.#db, "profile", profile, `${META}${id}`) as ProfileBackup | undefined;
  }

  /** Orders a backup; it is created after the response. */
  order(profile: string, nowMs: number): ProfileBackup {
    const backup = {
      id: this.#ids.id(),
      profile,
      status: "queued",
      created_at: new Date(nowMs).toISOString(),
    } as const;
    save(this.#app, backup);
    this.#db.afterCommit(() => {
      this.#jobs.start(
        () => this.#make(backup),
        (error) => save(this.#app, { ...backup, status: "failed", error_message: String(error) }),
        profile,
      );
    });
    return backup;
  }

  /** A link to the archive that works without a token. */
  link({ id, profile }: ProfileBackup, lifetimeMs: number): string {
    return this.#links.signed(this.#app.address.origin, archiveOwner(profile), archivePath(id), lifetimeMs);
  }

  remove(profile: string, id: string): boolean {
    this.#files.remove(archiveOwner(profile), archivePath(id));
    return removeSetting(this.#db, "profile", profile, `${META}${id}`);
  }

  async #make(backup: ProfileBackup): Promise<void> {
    const { id, profile } = backup;
    const { size } = await this.#files.putStream(archiveOwner(profile), archivePath(id), {
      content: archiveOf(this.#app, profile),
    });
    // Deleted before it was complete.
    if (this.get(profile, id) === undefined) this.#files.remove(archiveOwner(profile), archivePath(id));
    else complete(this.#app, backup, size);
  }
}
