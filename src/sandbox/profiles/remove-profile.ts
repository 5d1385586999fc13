import type { Accounts } from "../accounts/accounts.ts";
import type { Owners } from "../accounts/owner.ts";
import type { ScriptStore } from "../analyses/scripts.ts";
import type { OwnedAnalyses } from "../analyses/types.ts";
import { archiveOwner } from "../backups/backups.ts";
import type { Principal } from "../core/principal.ts";
import type { DataStore } from "../data/store.ts";
import type { EntityRows } from "../entities/rows.ts";
import type { FileStore } from "../files/store.ts";
import type { Signals } from "../signals.ts";
import type { Collections } from "../store/document.ts";
import type { ParamStore } from "../store/params.ts";
import type { SandboxDatabase } from "../store/types.ts";

interface RemovalParts extends Collections {
  readonly accounts: Accounts;
  readonly analyses: OwnedAnalyses;
  readonly data: DataStore;
  readonly db: SandboxDatabase;
  readonly entityRows: EntityRows;
  readonly files: FileStore;
  readonly params: ParamStore;
  readonly scripts: ScriptStore;
  readonly signals: Signals;
}

/** Tables whose rows belong to a profile by their column with that name. */
function profileTables({ db }: Pick<RemovalParts, "db">): string[] {
  return db
    .all<{ name: string }>(
      `SELECT m.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND m.name <> 'profile' AND c.name = 'profile'`,
    )
    .map(({ name }) => name);
}

/**
 * Removes a profile with everything in it: devices with their data and parameters, scripts, rows of entities, files,
 * records, tokens, users. Signals are sent first, so that running work of the profile can stop.
 */
export function removeProfile(app: RemovalParts, profileId: string, principal?: Principal): void {
  const { db } = app;
  const document = { ...app.accounts.profile(profileId), id: profileId };
  app.signals.emit("resourceChanged", {
    profile: profileId,
    kind: "profile",
    event: "delete",
    document,
    ...(principal !== undefined && { principal }),
  });
  for (const device of app.collection("device").all(profileId)) {
    app.data.removeDevice(device.id);
    for (const param of app.params.list(device.id)) app.params.remove(device.id, param.id);
  }
  for (const { id } of app.collection("analysis").all(profileId)) {
    app.scripts.remove(id);
    app.analyses.forget(id);
  }
  for (const { id } of app.collection("entity").all(profileId)) app.entityRows.empty(id);
  app.files.removeProfile(profileId);
  app.files.removeProfile(archiveOwner(profileId));
  db.run("DELETE FROM run_state WHERE id IN (SELECT id FROM entity WHERE profile = ?)", profileId);
  db.run("DELETE FROM run_user_item WHERE run_user IN (SELECT id FROM run_user_login WHERE profile = ?)", profileId);
  // Children can be removed after their parents.
  db.get("PRAGMA defer_foreign_keys = ON");
  for (const table of profileTables(app)) db.run(`DELETE FROM "${table}" WHERE profile = ?`, profileId);
  db.run("DELETE FROM profile_setting WHERE owner = ?", profileId);
  app.accounts.removeProfile(profileId);
}

/** Removes an account with all its profiles. */
export function removeAccount(app: RemovalParts & Owners, accountId: string, principal: Principal): void {
  for (const { id, account } of app.accounts.profiles(accountId)) {
    if (account === accountId) removeProfile(app, id, principal);
  }
  for (const link of app.tokens.list("link", accountId)) app.tokens.remove(link.token);
  app.db.run("DELETE FROM token WHERE created_by = ?", accountId);
  app.accounts.remove(accountId);
}
