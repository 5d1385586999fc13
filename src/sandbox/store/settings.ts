import { isRecord } from "../../lib/core/json.ts";
import type { SandboxDatabase } from "./types.ts";

/** Owner of the settings. */
export type SettingOwner = "account" | "profile";

export type SettingDocument = Readonly<Record<string, unknown>>;

/** A stored setting; `undefined` when it was never written. */
export function readSetting(
  db: SandboxDatabase,
  of: SettingOwner,
  owner: string,
  name: string,
): SettingDocument | undefined {
  const row = db.get<{ doc: string }>(`SELECT doc FROM ${of}_setting WHERE owner = ? AND name = ?`, owner, name);
  const parsed: unknown = row === undefined ? undefined : JSON.parse(row.doc);
  return isRecord(parsed) ? parsed : undefined;
}

/** Writes a whole setting. */
export function writeSetting(
  db: SandboxDatabase,
  of: SettingOwner,
  owner: string,
  name: string,
  document: SettingDocument,
): void {
  db.run(
    `INSERT INTO ${of}_setting (owner, name, doc) VALUES (?, ?, ?)
     ON CONFLICT (owner, name) DO UPDATE SET doc = excluded.doc`,
    owner,
    name,
    JSON.stringify(document),
  );
}

/** Removes a setting. True when it existed. */
export function removeSetting(db: SandboxDatabase, of: SettingOwner, owner: string, name: string): boolean {
  return db.run(`DELETE FROM ${of}_setting WHERE owner = ? AND name = ?`, owner, name).changes > 0;
}
