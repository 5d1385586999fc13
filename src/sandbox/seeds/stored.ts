import type { FaultRule } from "../core/fault-rules.ts";
import type { SandboxDatabase } from "../store/types.ts";
import type { SeedFacts } from "./published.ts";

/** What a database was filled with, when that was not the demo account or the empty one. */
export interface StoredSeed extends SeedFacts {
  /** Name of the scenario, or path of the folder. */
  readonly source: string;
  readonly faults: readonly FaultRule[];
}

const SETTING = "seed";

/** Notes what a database is filled with: the next start knows its tokens, and a reset where it came from. */
export function storeSeed(db: SandboxDatabase, { source, profile, tokens, published, faults }: StoredSeed): void {
  const text = JSON.stringify({ source, profile, tokens, published, faults });
  db.run("INSERT INTO setting (key, value) VALUES (?, ?)", SETTING, text);
}

/** What was noted. */
export function storedSeed(db: SandboxDatabase): StoredSeed | undefined {
  const row = db.get<{ value: string }>("SELECT value FROM setting WHERE key = ?", SETTING);
  // Only this file writes it.
  return row === undefined ? undefined : (JSON.parse(row.value) as StoredSeed);
}
