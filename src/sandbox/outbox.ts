import type { Clock, IdSource, Outbox, OutboxFilter, OutboxMessage, SandboxDatabase } from "./types.ts";

/** Messages kept; the oldest leave first. */
const MAX_MESSAGES = 10_000;

function fits(message: OutboxMessage, { since, ...members }: OutboxFilter): boolean {
  if (since !== undefined && message.created_at < since) return false;
  return Object.entries(members).every(([name, value]) => value === undefined || message[name] === value);
}

/** Everything that would have left the machine: mail, texts, push. Kept in the database. `added` hears of each. */
export function createOutbox(
  db: SandboxDatabase,
  clock: Clock,
  ids: IdSource,
  added: (entry: OutboxMessage) => void = () => {},
): Outbox {
  return {
    add: (kind, message) => {
      const entry: OutboxMessage = { ...message, id: ids.id(), kind, created_at: new Date(clock.now()).toISOString() };
      db.run("INSERT INTO outbox (id, doc) VALUES (?, ?)", entry.id, JSON.stringify(entry));
      db.run("DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id DESC LIMIT -1 OFFSET ?)", MAX_MESSAGES);
      added(entry);
      return entry;
    },
    list: (filter = {}) =>
      // Only `add` writes the column.
      db
        .all<{ doc: string }>("SELECT doc FROM outbox ORDER BY id")
        .map((row) => JSON.parse(row.doc) as OutboxMessage)
        .filter((message) => fits(message, filter)),
    clear: () => {
      db.run("DELETE FROM outbox");
    },
  };
}
