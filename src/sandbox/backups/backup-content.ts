import { gzipSync } from "node:zlib";
import type { Accounts } from "../accounts/accounts.ts";
import type { ScriptStore } from "../analyses/scripts.ts";
import { addonsOf, allocationOf } from "../billing/allocation.ts";
import { portalOf } from "../portal/settings.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { Kinds } from "../store/kinds.ts";
import type { ParamStore } from "../store/params.ts";
import type { Tokens } from "../store/tokens.ts";
import type { SandboxDatabase } from "../store/types.ts";

/** Sources of a profile backup. */
export interface ContentParts extends Collections {
  readonly accounts: Accounts;
  readonly db: SandboxDatabase;
  readonly kinds: Kinds;
  readonly params: ParamStore;
  readonly scripts: ScriptStore;
  readonly tokens: Tokens;
}

/** A file of a backup. */
interface BackupFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** Fields that no backup contains: tokens, values of secrets, state of runs. */
const LEFT_OUT: readonly string[] = ["token", "value", "console", "computer_usage", "devices"];

const MASK = "********";

function ownRecords({ collection }: Collections, kind: string, profile: string): readonly EntityDocument[] {
  return collection(kind)
    .all(profile)
    .filter((document) => document.profile === profile);
}

function recordsOf(
  app: Pick<ContentParts, "collection" | "params">,
  kind: string,
  profile: string,
): readonly Record<string, unknown>[] {
  const widgets = kind === "dashboard" ? ownRecords(app, "widget", profile) : [];
  return ownRecords(app, kind, profile).map((document) => {
    const shown = Object.fromEntries(Object.entries(document).filter(([name]) => !LEFT_OUT.includes(name)));
    if (kind === "dashboard")
      return { ...shown, widgets: widgets.filter(({ dashboard }) => dashboard === document.id) };
    if (kind !== "device") return shown;
    return { ...shown, params: app.params.list(document.id).map(({ key, value }) => ({ key, value })) };
  });
}

function portal(app: Pick<ContentParts, "db">, profile: string): Record<string, unknown> {
  const { anonymous_token: _, ...shown } = portalOf(app.db, profile);
  return shown;
}

/** `resources/*.json` and the versions of a profile: everything but the uploaded files and the data. */
export function backupFiles(app: ContentParts, profile: string): readonly BackupFile[] {
  const { accounts, db, scripts, tokens } = app;
  const records = app.kinds.records.flatMap(({ backup, kind }) =>
    backup === undefined ? [] : [[backup.file, recordsOf(app, kind, profile)] as const],
  );
  const authorizations = tokens.list("service", profile).map((token) => ({
    token: MASK,
    name: token.name,
    permission: token.permission,
    serie_number: token.serieNumber,
    created_at: token.createdAt,
  }));
  const resources = {
    ...Object.fromEntries(records),
    profile: {
      info: accounts.profile(profile),
      allocation: allocationOf(db, profile),
      addons: addonsOf(db, profile),
      team: accounts.team(profile),
    },
    run: portal(app, profile),
    service_authorization: authorizations,
  };
  const versions = ownRecords(app, "analysis", profile).flatMap(({ id }) => {
    const script = scripts.get(id);
    return script === undefined ? [] : [{ name: `versioning/analysis/${id}.gz`, content: gzipSync(script.content) }];
  });
  return [
    ...Object.entries(resources).map(([name, value]) => ({
      name: `resources/${name}.json`,
      content: Buffer.from(JSON.stringify(value)),
    })),
    ...versions,
  ];
}
