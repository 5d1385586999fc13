import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import type { ResourceEvent, SignalMap, Signals } from "../signals.ts";
import type { Kinds } from "../store/kinds.ts";
import { fold } from "../store/list-query.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { actorOf, type Owners } from "./owner.ts";

/** A change, in the platform's format. */
interface AuditEvent {
  readonly resourceName: string;
  readonly resourceID: string;
  readonly message: string;
  /** Id of the account, analysis or portal user. */
  readonly who: string;
}

export interface AuditFilter extends Partial<Pick<AuditEvent, "resourceID" | "resourceName">> {
  /** Part of the message, case-insensitive. */
  readonly find?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly limit: number;
}

interface AuditResult {
  readonly events: readonly (AuditEvent & { readonly date: string })[];
  readonly statistics: Readonly<Record<"recordsMatched" | "recordsScanned" | "bytesScanned", number>>;
}

interface NewAuditEvent extends AuditEvent {
  readonly profile: string;
  /** Default: now. */
  readonly atMs?: number;
}

/** Events stored per profile. */
const MAX_EVENTS = 20_000;
/** Events of a profile added between two deletions of its oldest ones. */
const TRIM_EVERY = 100;
/** Searches stored; the oldest are dropped first. */
const MAX_QUERIES = 1_000;

/** The log of changes of all profiles. */
export class Audit {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  /** Number of events added, by profile. */
  readonly #counts = new Map<string, number>();
  readonly #queries = new Map<string, { readonly profile: string; readonly filter: AuditFilter }>();

  constructor(db: SandboxDatabase, clock: Clock, ids: IdSource) {
    this.#db = db;
    this.#clock = clock;
    this.#ids = ids;
  }

  add({ profile, resourceName, resourceID, message, who, atMs = this.#clock.now() }: NewAuditEvent): void {
    this.#db.run(
      "INSERT INTO audit_event (id, profile, resource_name, resource_id, message, who, date) VALUES (?, ?, ?, ?, ?, ?, ?)",
      this.#ids.id(atMs),
      profile,
      resourceName,
      resourceID,
      message,
      who,
      atMs,
    );
    this.#trim(profile);
  }

  /** Adds a change of the profile itself. */
  addToProfile(profile: string, message: string, who: string): void {
    this.add({ profile, resourceName: "profile", resourceID: profile, message, who });
  }

  /** Newest first. */
  search(profile: string, { startMs, endMs, limit, find = "", resourceID, resourceName }: AuditFilter): AuditResult {
    const rows = this.#db.all<AuditEvent & { readonly date: number }>(
      `SELECT resource_name AS resourceName, resource_id AS resourceID, message, who, date FROM audit_event
         WHERE profile = ? AND date BETWEEN ? AND ? ORDER BY date DESC, id DESC`,
      profile,
      startMs,
      endMs,
    );
    const matched = rows.filter(
      (row) =>
        row.resourceID === (resourceID ?? row.resourceID) &&
        row.resourceName === (resourceName ?? row.resourceName) &&
        fold(row.message).includes(fold(find)),
    );
    return {
      events: matched.slice(0, limit).map((row) => ({ ...row, date: new Date(row.date).toISOString() })),
      statistics: {
        recordsMatched: matched.length,
        recordsScanned: rows.length,
        bytesScanned: JSON.stringify(rows).length,
      },
    };
  }

  /** Stores a search; returns its id. */
  openQuery(profile: string, filter: AuditFilter): string {
    const id = this.#ids.uuid();
    this.#queries.set(id, { profile, filter });
    const [oldest] = this.#queries.keys();
    if (this.#queries.size > MAX_QUERIES && oldest !== undefined) this.#queries.delete(oldest);
    return id;
  }

  /** The search with an id from `openQuery`; `undefined` when it is unknown or was dropped. */
  query(profile: string, queryId: string): AuditFilter | undefined {
    const found = this.#queries.get(queryId);
    return found?.profile === profile ? found.filter : undefined;
  }

  #trim(profile: string): void {
    const count = this.#counts.get(profile) ?? 0;
    this.#counts.set(profile, count + 1);
    if (count % TRIM_EVERY !== 0) return;
    this.#db.run(
      `DELETE FROM audit_event WHERE profile = ?1 AND id IN
         (SELECT id FROM audit_event WHERE profile = ?1 ORDER BY date DESC LIMIT -1 OFFSET ?2)`,
      profile,
      MAX_EVENTS,
    );
  }
}

const VERBS: Readonly<Record<ResourceEvent, string>> = { create: "created", edit: "updated", delete: "deleted" };

/** Tokens are logged as their profile: the token string must not get into the log. */
function resourceIdOf({ kind, profile, document }: SignalMap["resourceChanged"]): string {
  if (kind === "token") return profile;
  return kind === "widget" ? String(document["dashboard"]) : document.id;
}

interface Changes {
  readonly signals: Signals;
  readonly audit: Audit;
  readonly kinds: Kinds;
}

/** Logs every change made with a token. */
export function auditChanges(app: Owners & Changes): void {
  app.signals.on("resourceChanged", (change) => {
    const { profile, kind, event, document, principal } = change;
    const known = app.kinds.get(kind)?.audit;
    if (known === undefined || principal === undefined) return;
    const [resourceName, label] = known;
    const name = document["name"] ?? document["label"];
    const shown = typeof name === "string" && name !== "" ? `${label} ${name}` : label;
    app.audit.add({
      profile,
      resourceName,
      resourceID: resourceIdOf(change),
      message: `${shown} was ${VERBS[event]}`,
      who: actorOf(app, principal),
    });
  });
}
