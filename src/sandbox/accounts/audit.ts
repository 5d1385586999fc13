import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import type { ResourceEvent, Signals } from "../signals.ts";
import type { Kinds } from "../store/kinds.ts";
import { fold } from "../store/list-query.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { actorOf, type Owners } from "./owner.ts";

/** A change, as the platform shows it (MODEL.md, AuditEvent). */
interface AuditEvent {
  readonly resourceName: string;
  readonly resourceID: string;
  readonly message: string;
  readonly who: string;
  readonly date: string;
}

export interface AuditFilter {
  readonly resourceID?: string;
  readonly resourceName?: string;
  readonly find?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly limit: number;
}

interface AuditResult {
  readonly events: readonly AuditEvent[];
  readonly statistics: {
    readonly recordsMatched: number;
    readonly recordsScanned: number;
    readonly bytesScanned: number;
  };
}

interface NewAuditEvent {
  readonly profile: string;
  readonly resourceName: string;
  readonly resourceID: string;
  readonly message: string;
  readonly who: string;
  /** Default: now. */
  readonly atMs?: number;
}

/** The log of changes of all profiles. */
export interface Audit {
  add(event: NewAuditEvent): void;
  /** Newest first. */
  search(profile: string, filter: AuditFilter): AuditResult;
  /** Keeps a search, so that it can be asked for by its id. */
  openQuery(profile: string, filter: AuditFilter): string;
  /** The search of `openQuery`; `undefined` when it is unknown or over. */
  query(profile: string, queryId: string): AuditFilter | undefined;
}

/** Events kept for a profile. */
const MAX_EVENTS = 20_000;
/** Events of a profile added between two looks for its oldest ones. */
const TRIM_EVERY = 100;
const QUERY_LIFETIME_MS = 60 * 60_000;

interface AuditRow {
  readonly resource_name: string;
  readonly resource_id: string;
  readonly message: string;
  readonly who: string;
  readonly date: number;
}

export function createAudit(db: SandboxDatabase, clock: Clock, ids: IdSource): Audit {
  const search: Audit["search"] = (profile, filter) => {
    const rows = db.all<AuditRow>(
      "SELECT * FROM audit_event WHERE profile = ? AND date BETWEEN ? AND ? ORDER BY date DESC, id DESC",
      profile,
      filter.startMs,
      filter.endMs,
    );
    const { find, resourceID, resourceName } = filter;
    const matched = rows.filter(
      (row) =>
        (resourceID === undefined || row.resource_id === resourceID) &&
        (resourceName === undefined || row.resource_name === resourceName) &&
        (find === undefined || fold(row.message).includes(fold(find))),
    );
    return {
      events: matched.slice(0, filter.limit).map((row) => ({
        resourceName: row.resource_name,
        resourceID: row.resource_id,
        message: row.message,
        who: row.who,
        date: new Date(row.date).toISOString(),
      })),
      statistics: {
        recordsMatched: matched.length,
        recordsScanned: rows.length,
        bytesScanned: rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0),
      },
    };
  };

  /** Events added, by profile. */
  const counts = new Map<string, number>();
  const trim = (profile: string): void => {
    const count = counts.get(profile) ?? 0;
    counts.set(profile, count + 1);
    if (count % TRIM_EVERY !== 0) return;
    db.run(
      `DELETE FROM audit_event WHERE profile = ? AND id IN
         (SELECT id FROM audit_event WHERE profile = ? ORDER BY date DESC LIMIT -1 OFFSET ?)`,
      profile,
      profile,
      MAX_EVENTS,
    );
  };

  return {
    add: ({ profile, resourceName, resourceID, message, who, atMs = clock.now() }) => {
      db.run(
        "INSERT INTO audit_event (id, profile, resource_name, resource_id, message, who, date) VALUES (?, ?, ?, ?, ?, ?, ?)",
        ids.id(atMs),
        profile,
        resourceName,
        resourceID,
        message,
        who,
        atMs,
      );
      trim(profile);
    },
    search,
    openQuery: (profile, filter) => {
      const nowMs = clock.now();
      const id = ids.uuid();
      db.run("DELETE FROM audit_query WHERE created_at < ?", nowMs - QUERY_LIFETIME_MS);
      db.run(
        "INSERT INTO audit_query (id, profile, created_at, filter) VALUES (?, ?, ?, ?)",
        id,
        profile,
        nowMs,
        JSON.stringify(filter),
      );
      return id;
    },
    query: (profile, queryId) => {
      const row = db.get<{ filter: string }>(
        "SELECT filter FROM audit_query WHERE id = ? AND profile = ? AND created_at >= ?",
        queryId,
        profile,
        clock.now() - QUERY_LIFETIME_MS,
      );
      // Only `openQuery` writes the column.
      return row === undefined ? undefined : (JSON.parse(row.filter) as AuditFilter);
    },
  };
}

const VERBS: Readonly<Record<ResourceEvent, string>> = { create: "created", edit: "updated", delete: "deleted" };

/** Tokens count for their profile: their text must not get into the log. */
function resourceIdOf(
  kind: string,
  profile: string,
  document: { readonly id: string; readonly [key: string]: unknown },
) {
  if (kind === "token") return profile;
  return kind === "widget" ? String(document["dashboard"]) : document.id;
}

interface Changes {
  readonly signals: Signals;
  readonly audit: Audit;
  readonly kinds: Kinds;
}

/** Writes the log from what the parts of the sandbox tell each other. What nobody asked for is not logged. */
export function auditChanges(app: Owners & Changes): void {
  app.signals.on("resourceChanged", ({ profile, kind, event, document, principal }) => {
    const known = app.kinds.get(kind)?.audit;
    if (known === undefined || principal === undefined) return;
    const [resourceName, label] = known;
    const name = document["name"] ?? document["label"];
    const shown = typeof name === "string" && name !== "" ? `${label} ${name}` : label;
    app.audit.add({
      profile,
      resourceName,
      resourceID: resourceIdOf(kind, profile, document),
      message: `${shown} was ${VERBS[event]}`,
      who: actorOf(app, principal),
    });
  });
}
