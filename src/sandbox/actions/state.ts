import type { SandboxDatabase } from "../store/types.ts";

/** State of actions and intervals, in the database: when a request is undone, so are its changes. */
export class RunStates {
  readonly #db: SandboxDatabase;

  constructor(db: SandboxDatabase) {
    this.#db = db;
  }

  isLocked(id: string): boolean {
    return this.#row(id)?.locked === 1;
  }

  setLocked(id: string, locked: boolean): void {
    this.#db.run(
      "INSERT INTO run_state (id, locked) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET locked = ?2",
      id,
      locked,
    );
  }

  lastDue(id: string): number | undefined {
    return this.#row(id)?.last_due ?? undefined;
  }

  setLastDue(id: string, dueMs: number): void {
    this.#db.run(
      "INSERT INTO run_state (id, last_due) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET last_due = ?2",
      id,
      dueMs,
    );
  }

  remove(id: string): void {
    this.#db.run("DELETE FROM run_state WHERE id = ?", id);
  }

  /** Changes whenever an action or analysis changes. */
  revision(): number {
    return this.#db.get<{ number: number }>("SELECT number FROM run_revision")?.number ?? Number.NaN;
  }

  #row(id: string): { locked: number; last_due: number | null } | undefined {
    return this.#db.get("SELECT locked, last_due FROM run_state WHERE id = ?", id);
  }
}
