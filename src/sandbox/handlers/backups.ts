import { del, get, post } from "../../lib/api/route.ts";
import { createBackups } from "../accounts/backups.ts";
import type { FullApp } from "../app.ts";
import { requireId } from "../ids.ts";
import { decodeQuery, textOf } from "../query-decode.ts";
import { createSignedLinks } from "../runs/signed-link.ts";
import { type HandlerOptions, PlatformError } from "../types.ts";
import { reachProfile } from "./reach-profile.ts";

/** Routes of backups, which the library has no calls for (MODEL.md, ProfileBackup). */
const backupRoutes = {
  list: get("/profile/:profileID/backup"),
  create: post("/profile/:profileID/backup"),
  download: post("/profile/:profileID/backup/:backupID/download"),
  delete: del("/profile/:profileID/backup/:backupID"),
};

const DOWNLOAD_PATH = "/profile-backup/:profileID/:backupID";
const LINK_MS = 10 * 60_000;

const owners: HandlerOptions = { tokens: ["profile"], permission: "full" };

const missing = (): PlatformError => new PlatformError(404, "Backup Not Found");

/** Backups of a profile: ordered, made in the background, read through a link. */
export function registerBackupRoutes(app: FullApp): void {
  const backups = createBackups(app);
  const links = createSignedLinks();

  app.handle(backupRoutes.list, { tokens: ["profile"] }, ({ params, principal }) =>
    backups.list(reachProfile(app, params.profileID, principal).id),
  );

  app.handle(backupRoutes.create, owners, ({ now, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    return backups.order(id, now);
  });

  app.handle(backupRoutes.download, owners, ({ now, params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    const backup = backups.get(id, requireId(params.backupID, "Backup"));
    if (backup === undefined) throw missing();
    if (backup.status !== "completed") throw new PlatformError(400, `The backup is ${backup.status}`);
    const path = DOWNLOAD_PATH.replace(":profileID", id).replace(":backupID", backup.id);
    const untilMs = now + LINK_MS;
    return {
      url: `${app.address.origin}${links.sign(path, untilMs)}`,
      file_size: backup.file_size,
      expire_at: new Date(untilMs).toISOString(),
    };
  });

  app.handle(backupRoutes.delete, owners, ({ params, principal }) => {
    const { id } = reachProfile(app, params.profileID, principal);
    if (!backups.remove(id, requireId(params.backupID, "Backup"))) throw missing();
    return "Successfully Removed";
  });

  app.server.serve(
    "GET",
    DOWNLOAD_PATH,
    ({ incoming, params, path }) => {
      const query = decodeQuery((incoming.url ?? "").split("?")[1] ?? "");
      const fits = links.check(path, textOf(query["expires"]), textOf(query["signature"]), app.clock.now());
      if (!fits) throw new PlatformError(401, "Authorization Denied");
      const text = backups.content(params["profileID"] ?? "", params["backupID"] ?? "");
      if (text === undefined) throw missing();
      return { status: 200, text, headers: { "content-type": "application/json; charset=utf-8" } };
    },
    { faults: false },
  );
}
