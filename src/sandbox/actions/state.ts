import type { SandboxDatabase } from "../store/types.ts";

/** What actions and intervals remember, in the database: a request that is undone takes its changes back. */
export interface RunStates {
  isLocked(id: string): boolean;
  setLocked(id: string, locked: boolean): void;
  lastDue(id: string): number | undefined;
  setLastDue(id: string, dueMs: number): void;
  remove(id: string): void;
  /** Changes whenever an action or analysis changes. */
  revision(): number;
}

export function createRunStates(db: SandboxDatabase): RunStates {
  const row = (id: string): { locked: number; last_due: number | null } | undefined =>
    db.get("SELECT locked, last_due FROM run_state WHERE id = ?", id);

  return {
    isLocked: (id) => row(id)?.locked === 1,
    setLocked: (id, locked) => {
      db.run(
        "INSERT INTO run_state (id, locked) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET locked = ?2",
        id,
        locked,
      );
    },
    lastDue: (id) => row(id)?.last_due ?? undefined,
    setLastDue: (id, dueMs) => {
      db.run(
        "INSERT INTO run_state (id, last_due) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET last_due = ?2",
        id,
        dueMs,
      );
    },
    remove: (id) => {
      db.run("DELETE FROM run_state WHERE id = ?", id);
    },
    revision: () => db.get<{ number: number }>("SELECT number FROM run_revision")?.number ?? Number.NaN,
  };
}
