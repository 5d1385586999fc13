import { del, get, post } from "../../../lib/api/route.ts";
import { profileCredentials } from "../../../schema/profile.ts";
import { accountOf } from "../../accounts/owner.ts";
import type { App } from "../../app.ts";
import { createBackups, type ProfileBackup } from "../../backups/backups.ts";
import { requireId } from "../../core/ids.ts";
import { PlatformError } from "../../core/platform-error.ts";
import type { OldOptions } from "../../http/old-facts.ts";
import { listRecords } from "../../store/list-records.ts";
import { reachProfile } from "./reach.ts";

/** Routes of backups, which the library has no calls for (MODEL.md, ProfileBackup). */
const backupRoutes = {
  list: get("/profile/:profileID/backup"),
  create: post("/profile/:profileID/backup"),
  download: post("/profile/:profileID/backup/:backupID/download"),
  delete: del("/profile/:profileID/backup/:backupID"),
};

const LINK_MS = 10 * 60_000;

const NEWEST_FIRST = { orderBy: ["created_at", "desc"] } as const;

/** Fields that a backup gets in time. */
const UNSET = { file_path: undefined, file_size: undefined, error_message: undefined };

const owners: OldOptions = { tokens: ["profile"], permission: "full" };

const missing = (): PlatformError => new PlatformError(404, "Backup Not Found");

/** The size as `size` in `size_unit`, and always in MB as a text. */
function sizeOf(bytes: number): { readonly size: number; readonly size_unit: string; readonly file_size_mb: string } {
  return { size: bytes, size_unit: "bytes", file_size_mb: (bytes / 1024 / 1024).toFixed(2) };
}

/** Backups of a profile: ordered, made in the background, read through a link. */
export function registerBackupRoutes(app: App): void {
  const backups = createBackups(app);

  const needPaidPlan = (account: string): void => {
    const plan = app.limits.settings.plan ?? app.accounts.get(account)?.plan;
    if (plan === "free") throw new PlatformError(403, "Backups are not available on the free plan");
  };

  app.handle(backupRoutes.list, { tokens: ["profile"] }, ({ params, principal, query }) => {
    const { account, id } = reachProfile(app, params.profileID, principal);
    needPaidPlan(account);
    const rows = backups.list(id).map((backup) => ({ ...UNSET, ...backup }));
    return listRecords(rows, query, NEWEST_FIRST);
  });

  app.handle(backupRoutes.create, owners, ({ now, params, principal }) => {
    const { account, id } = reachProfile(app, params.profileID, principal);
    needPaidPlan(account);
    return { message: "Backup queued", profile: id, backup_id: backups.order(id, now).id };
  });

  /** The backup of a path. */
  const need = (id: string, backupId: string): ProfileBackup => {
    const backup = backups.get(id, requireId(backupId, "Backup"));
    if (backup === undefined) throw missing();
    return backup;
  };

  app.handle(backupRoutes.download, { ...owners, body: profileCredentials }, ({ body, now, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    const backup = need(id, params.backupID);
    app.accounts.verifyAccount(accountOf(app, principal), body, "backup");
    if (backup.status !== "completed") throw new PlatformError(400, `The backup is ${backup.status}`);
    return {
      url: backups.link(backup, LINK_MS),
      ...sizeOf(backup.file_size ?? 0),
      expire_at: new Date(now + LINK_MS).toISOString(),
      backup_id: backup.id,
      created_at: backup.created_at,
    };
  });

  app.handle(backupRoutes.delete, { ...owners, body: profileCredentials }, ({ body, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    const backup = need(id, params.backupID);
    app.accounts.verifyAccount(accountOf(app, principal), body, "backup");
    backups.remove(id, backup.id);
    return "Backup successfully removed";
  });
}
