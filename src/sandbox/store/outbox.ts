import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import type { SandboxDatabase } from "./types.ts";

/** A message that would have left the machine; more fields depend on `kind`. */
export interface OutboxMessage {
  /** Created by the sandbox. */
  readonly id: string;
  /** `email`, `sms`, `push`, `mqtt`, `http`, `queue-sqs` and so on. */
  readonly kind: string;
  /** Time of sending, ISO 8601. */
  readonly created_at: string;
  readonly [key: string]: unknown;
}

/** Filter of messages: those with all the specified fields. */
export interface OutboxFilter {
  /** `email`, `sms`, `push`, `mqtt`, `http`, `queue-sqs` and so on. */
  readonly kind?: string;
  /** Recipient address or number. */
  readonly to?: string;
  /** Id of the profile, action or analysis that sent it. */
  readonly profile?: string;
  /** Id of the action that sent it. */
  readonly action?: string;
  /** Id of the analysis that sent it. */
  readonly analysis?: string;
  /** ISO 8601: messages at or after that time. */
  readonly since?: string;
}

/** Messages stored; the oldest are removed first. */
const MAX_MESSAGES = 10_000;

/** Messages added between two searches for the oldest, which read all of them. */
const TRIM_EVERY = 100;
const TRIM = "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id DESC LIMIT -1 OFFSET ?)";

const CONDITIONS = [
  ["kind", "doc ->> '$.kind' = ?"],
  ["to", "doc ->> '$.to' = ?"],
  ["profile", "doc ->> '$.profile' = ?"],
  ["action", "doc ->> '$.action' = ?"],
  ["analysis", "doc ->> '$.analysis' = ?"],
  ["since", "doc ->> '$.created_at' >= ?"],
] as const satisfies readonly (readonly [keyof OutboxFilter, string])[];

/**
 * All messages that would have left the machine: email, SMS, push. Stored in the database. `added` is called with each.
 */
export class Outbox {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #added: (entry: OutboxMessage) => void;
  #count = 0;

  constructor(db: SandboxDatabase, clock: Clock, ids: IdSource, added: (entry: OutboxMessage) => void = () => {}) {
    this.#db = db;
    this.#clock = clock;
    this.#ids = ids;
    this.#added = added;
  }

  add(kind: string, message: Readonly<Record<string, unknown>>): OutboxMessage {
    const entry: OutboxMessage = {
      ...message,
      id: this.#ids.id(),
      kind,
      created_at: new Date(this.#clock.now()).toISOString(),
    };
    this.#db.run("INSERT INTO outbox (id, doc) VALUES (?, ?)", entry.id, JSON.stringify(entry));
    if (this.#count % TRIM_EVERY === 0) this.#db.run(TRIM, MAX_MESSAGES);
    this.#count += 1;
    this.#added(entry);
    return entry;
  }

  /** Oldest first. */
  list(filter: OutboxFilter = {}): OutboxMessage[] {
    const asked = CONDITIONS.filter(([name]) => filter[name] !== undefined);
    const where = asked.length === 0 ? "" : `WHERE ${asked.map(([, condition]) => condition).join(" AND ")}`;
    const values = asked.map(([name]) => filter[name]);
    const rows = this.#db.all<{ doc: string }>(`SELECT doc FROM outbox ${where} ORDER BY id`, ...values);
    // Only `add` writes the column.
    return rows.map(({ doc }) => JSON.parse(doc) as OutboxMessage);
  }

  clear(): void {
    this.#db.run("DELETE FROM outbox");
  }
}
