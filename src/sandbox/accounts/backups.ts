import type { FullApp } from "../app.ts";
import type { CollectionName, EntityDocument } from "../types.ts";
import { portalOf } from "./portal.ts";
import { readSetting, removeSetting, writeSetting } from "./settings.ts";

/** A backup of a profile (MODEL.md, ProfileBackup). */
export interface ProfileBackup {
  readonly id: string;
  readonly profile: string;
  readonly status: "queued" | "processing" | "completed" | "failed";
  readonly file_path?: string;
  readonly file_size?: number;
  readonly error_message?: string;
  readonly created_at: string;
}

/** Backups of profiles, and what they hold. */
export interface Backups {
  /** Newest first. */
  list(profile: string): ProfileBackup[];
  get(profile: string, id: string): ProfileBackup | undefined;
  /** Orders one; it is made after the answer. */
  order(profile: string, nowMs: number): ProfileBackup;
  /** The file of a backup that is complete. */
  content(profile: string, id: string): string | undefined;
  remove(profile: string, id: string): boolean;
}

const META = "backup:";
const CONTENT = "backup-content:";

/** Kinds of records a backup holds. */
const KINDS: readonly CollectionName[] = [
  "network",
  "connector",
  "device",
  "entity",
  "dictionary",
  "secret",
  "sql",
  "analysis",
  "dashboard",
  "widget",
  "run_user",
  "action",
  "am",
  "tcore",
];

/** Members that no backup holds: tokens, values of secrets, what only runs leave behind. */
const LEFT_OUT: readonly string[] = ["token", "value", "console", "computer_usage", "devices"];

function recordOf(app: FullApp, kind: CollectionName, document: EntityDocument): Record<string, unknown> {
  const shown = Object.fromEntries(Object.entries(document).filter(([name]) => !LEFT_OUT.includes(name)));
  if (kind === "device") {
    const params = app.params.list(document.id).map(({ key, value }) => ({ key, value }));
    return { ...shown, params };
  }
  const script = kind === "analysis" ? app.scripts.get(document.id) : undefined;
  return script === undefined ? shown : { ...shown, script: Buffer.from(script.content).toString("utf8") };
}

/** The document of a backup: everything of the profile but data, files and secrets. */
function contentOf(app: FullApp, profile: string, createdAt: string): string {
  const records = KINDS.map((kind) => {
    const own = app
      .collection(kind)
      .all(profile)
      .filter((document) => document.profile === profile);
    return [kind, own.map((document) => recordOf(app, kind, document))] as const;
  });
  const { anonymous_token: _, ...run } = portalOf(app.db, profile);
  const { id, name } = app.accounts.profile(profile) ?? { id: profile, name: "" };
  return JSON.stringify({
    format: "profile-backup",
    version: 1,
    profile: { id, name },
    created_at: createdAt,
    resources: { ...Object.fromEntries(records), run: [run] },
  });
}

/** Stores a backup with its content. */
export function storeBackup(app: FullApp, backup: ProfileBackup): void {
  const { id, profile } = backup;
  const text = contentOf(app, profile, backup.created_at);
  const file_path = `backups/${profile}/${id}.json`;
  const whole = { ...backup, status: "completed", file_path, file_size: Buffer.byteLength(text) };
  writeSetting(app.db, "profile", profile, `${CONTENT}${id}`, { text });
  writeSetting(app.db, "profile", profile, `${META}${id}`, whole);
}

export function createBackups(app: FullApp): Backups {
  const { db, ids, jobs } = app;

  // Only this file writes the settings of this name.
  const read = (profile: string, id: string): ProfileBackup | undefined =>
    readSetting(db, "profile", profile, `${META}${id}`) as ProfileBackup | undefined;

  const save = (backup: ProfileBackup): void =>
    writeSetting(db, "profile", backup.profile, `${META}${backup.id}`, { ...backup });

  const make = (backup: ProfileBackup): void => {
    if (read(backup.profile, backup.id) === undefined) return;
    storeBackup(app, backup);
  };

  return {
    list: (profile) =>
      db
        .all<{ doc: string }>(
          "SELECT doc FROM profile_setting WHERE owner = ? AND name LIKE ? ORDER BY name DESC",
          profile,
          `${META}%`,
        )
        .map(({ doc }) => JSON.parse(doc) as ProfileBackup),
    get: read,
    order: (profile, nowMs) => {
      const backup = { id: ids.id(), profile, status: "queued", created_at: new Date(nowMs).toISOString() } as const;
      save(backup);
      db.afterCommit(() => {
        jobs.start(
          async () => make(backup),
          (error) => save({ ...backup, status: "failed", error_message: String(error) }),
          profile,
        );
      });
      return backup;
    },
    content: (profile, id) => {
      const text = readSetting(db, "profile", profile, `${CONTENT}${id}`)?.["text"];
      return typeof text === "string" ? text : undefined;
    },
    remove: (profile, id) => {
      removeSetting(db, "profile", profile, `${CONTENT}${id}`);
      return removeSetting(db, "profile", profile, `${META}${id}`);
    },
  };
}
