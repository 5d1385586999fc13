import type { FaultRule } from "../core/fault-rules.ts";
import type { SandboxDatabase } from "../store/types.ts";
import type { SeedFacts } from "./published.ts";

/** The seed of a database, unless it was the demo account or the empty one. */
export interface StoredSeed extends SeedFacts {
  /** Name of the scenario, or path of the folder. */
  readonly source: string;
  readonly faults: readonly FaultRule[];
}

const SETTING = "seed";

/** Stores the seed of a database: the next start needs its tokens, and a reset its source. */
export function storeSeed(db: SandboxDatabase, { source, profile, tokens, published, faults }: StoredSeed): void {
  const text = JSON.stringify({ source, profile, tokens, published, faults });
  db.run("INSERT INTO setting (key, value) VALUES (?, ?)", SETTING, text);
}

/** The stored seed. */
export function storedSeed(db: SandboxDatabase): StoredSeed | undefined {
  const row = db.get<{ value: string }>("SELECT value FROM setting WHERE key = ?", SETTING);
  // Only this file writes it.
  return row === undefined ? undefined : (JSON.parse(row.value) as StoredSeed);
}
