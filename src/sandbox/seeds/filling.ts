import type { SectionName } from "../../schema/seed/records.ts";
import type { Audit } from "../accounts/audit.ts";
import type { Usage } from "../accounts/usage.ts";
import type { ContentParts } from "../backups/backup-content.ts";
import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import type { DataStore } from "../data/store.ts";
import type { EntityRows } from "../entities/rows.ts";
import type { FileStore } from "../files/store.ts";
import type { NotifyParts } from "../notifications/notify.ts";
import type { RunUsers } from "../portal/run-users.ts";
import type { Checked, Layer } from "./content.ts";
import { SeedError } from "./seed-error.ts";

/** Stores for the records of a seed. */
export interface SeededParts extends ContentParts, NotifyParts {
  readonly audit: Audit;
  readonly clock: Clock;
  readonly data: DataStore;
  readonly entityRows: EntityRows;
  readonly files: FileStore;
  readonly ids: IdSource;
  readonly runUsers: RunUsers;
  readonly usage: Usage;
}

/** A layer that is being stored in a sandbox. */
export interface Filling {
  readonly app: SeededParts;
  readonly layer: Layer;
  /** The profile of all records. */
  readonly profile: string;
  /** Seed of generated history. */
  readonly seed: number;
  /** Ids of rows. */
  readonly rowIds: IdSource;
}

/** Stores the records of a section in order; an error names the location of the record. */
export function fillEach<Name extends SectionName>(
  { layer }: Filling,
  name: Name,
  store: (record: Checked<Name>["record"], at: string) => void,
): void {
  for (const { at, record } of layer.of(name)) {
    try {
      store(record, at);
    } catch (error) {
      if (error instanceof SeedError) throw error;
      const fields = error instanceof Error && "fieldErrors" in error ? ` ${JSON.stringify(error.fieldErrors)}` : "";
      const reason = error instanceof Error ? error.message : String(error);
      throw new SeedError(`${at} cannot be stored: ${reason}${fields}`, undefined, { cause: error });
    }
  }
}

export const timesOf = ({ layer: { created } }: Filling): { created_at: string; updated_at: string } => ({
  created_at: created,
  updated_at: created,
});

/** The time this many milliseconds from now, ISO 8601. */
export const momentAt = ({ app }: Filling, offsetMs: number): string =>
  new Date(app.clock.now() + offsetMs).toISOString();

/** The account a profile belongs to. */
export function ownerOf({ app, profile }: Filling): string {
  return app.db.get<{ account: string }>("SELECT account FROM profile WHERE id = ?", profile)?.account ?? "";
}
