import { del, get, post } from "../../lib/api/route.ts";
import { profileCredentials } from "../../schema/profile.ts";
import { accountOf } from "../accounts/owner.ts";
import type { App } from "../app.ts";
import { requireId } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import { reachProfile } from "../profiles/accessible-profiles.ts";
import type { Resource } from "../resource.ts";
import { listRecords } from "../store/list-records.ts";
import { Backups, type ProfileBackup } from "./backups.ts";

/** Routes of backups, which the library has no methods for. */
const backupRoutes = {
  list: get("/profile/:profileID/backup"),
  create: post("/profile/:profileID/backup"),
  download: post("/profile/:profileID/backup/:backupID/download"),
  delete: del("/profile/:profileID/backup/:backupID"),
};

const LINK_MS = 10 * 60_000;

const NEWEST_FIRST = { orderBy: ["created_at", "desc"] } as const;

/** Fields that are set when the backup ends. */
const UNSET = { file_path: undefined, file_size: undefined, error_message: undefined };

const gaps = {
  content: {
    subject: "Backups of profiles",
    choice:
      "size in bytes; the archive has no folder around it, dashboards contain their widgets, devices their parameters, only the newest script of an analysis is in it; the link is valid for ten minutes; neither the one a day nor the twelve months are enforced; there is no route to restore one",
  },
} as const;

const rule = "owner";
const uses = { rule, permission: "full", body: profileCredentials } as const;

const missing = (): PlatformError => new PlatformError(404, "Backup Not Found");

/** The size as `size` in `size_unit`, and always in MB as a string. */
function sizeOf(bytes: number): { readonly size: number; readonly size_unit: string; readonly file_size_mb: string } {
  return { size: bytes, size_unit: "bytes", file_size_mb: (bytes / 1024 / 1024).toFixed(2) };
}

function serve(app: App): void {
  const backups = new Backups(app);

  const needPaidPlan = (profile: string): void => {
    if (app.limits.planOf(profile) === "free")
      throw new PlatformError(403, "Backups are not available on the free plan");
  };

  app.on(backupRoutes.list, { rule }, ({ params, principal, query }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    needPaidPlan(id);
    const rows = backups.list(id).map((backup) => ({ ...UNSET, ...backup }));
    return listRecords(rows, query, NEWEST_FIRST);
  });

  app.on(backupRoutes.create, { rule, permission: "full" }, ({ now, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    needPaidPlan(id);
    return { message: "Backup queued", profile: id, backup_id: backups.order(id, now).id };
  });

  /** The backup in a path. */
  const need = (id: string, backupId: string): ProfileBackup => {
    const backup = backups.get(id, requireId(backupId, "Backup"));
    if (backup === undefined) throw missing();
    return backup;
  };

  app.on(backupRoutes.download, { ...uses, gaps: [gaps.content] }, ({ body, now, params, principal }) => {
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

  app.on(backupRoutes.delete, uses, ({ body, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    const backup = need(id, params.backupID);
    app.accounts.verifyAccount(accountOf(app, principal), body, "backup");
    backups.remove(id, backup.id);
    return "Backup successfully removed";
  });
}

/** Backups of a profile: ordered, created in the background, downloaded through a link. */
export const profileBackups: Resource = { gaps, serve };
