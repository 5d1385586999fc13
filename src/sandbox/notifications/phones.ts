import type { SandboxDatabase } from "../store/types.ts";

/** A phone that receives push messages. */
interface Phone {
  readonly token: string;
  readonly platform: string;
}

export function addPhone(db: SandboxDatabase, profile: string, { token, platform }: Phone): void {
  db.run("INSERT OR REPLACE INTO push_device (profile, token, platform) VALUES (?, ?, ?)", profile, token, platform);
}

export function removePhone(db: SandboxDatabase, profile: string, token: string): void {
  db.run("DELETE FROM push_device WHERE profile = ? AND token = ?", profile, token);
}

export function phonesOf(db: SandboxDatabase, profile: string): readonly Phone[] {
  return db.all<{ token: string; platform: string }>(
    "SELECT token, platform FROM push_device WHERE profile = ? ORDER BY token",
    profile,
  );
}
