import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import type { SandboxDatabase } from "./types.ts";

/** A message that would have left the machine; more members depend on `kind`. */
export interface OutboxMessage {
  /** Made by the sandbox. */
  readonly id: string;
  /** `email`, `sms`, `push`, `mqtt`, `http`, `queue-sqs` and so on. */
  readonly kind: string;
  /** When it was to be sent, ISO text. */
  readonly created_at: string;
  readonly [key: string]: unknown;
}

/** Which messages to list: those that have all the members named. */
export interface OutboxFilter {
  /** `email`, `sms`, `push`, `mqtt`, `http`, `queue-sqs` and so on. */
  readonly kind?: string;
  /** Address or number it goes to. */
  readonly to?: string;
  /** Id of the profile, action or analysis that sent it. */
  readonly profile?: string;
  /** Id of the action that sent it. */
  readonly action?: string;
  /** Id of the analysis that sent it. */
  readonly analysis?: string;
  /** ISO text: messages at or after that moment. */
  readonly since?: string;
}

/** Messages kept; the oldest leave first. */
const MAX_MESSAGES = 10_000;

/** Messages added between two looks for the oldest, which walk over all of them. */
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

/** Everything that would have left the machine: mail, texts, push. Kept in the database. `added` hears of each. */
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
