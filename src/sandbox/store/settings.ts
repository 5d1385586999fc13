import { isRecord } from "../../lib/core/json.ts";
import type { SandboxDatabase } from "./types.ts";

/** Whose settings they are. */
export type SettingOwner = "account" | "profile";

export type SettingDocument = Readonly<Record<string, unknown>>;

/** A setting as it was written; `undefined` when it never was. */
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

/** Writes a setting whole. */
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

/** Forgets a setting. True when there was one. */
export function removeSetting(db: SandboxDatabase, of: SettingOwner, owner: string, name: string): boolean {
  return db.run(`DELETE FROM ${of}_setting WHERE owner = ? AND name = ?`, owner, name).changes > 0;
}
