import type { OwnedAnalyses } from "./analyses/types.ts";
import { PlatformError } from "./core/platform-error.ts";
import type { SandboxLogin, SandboxTokens } from "./options.ts";
import { applySecrets, derivedFrom, loginsOf, published, type Replacements } from "./published-secrets.ts";
import type { SeededParts } from "./seeds/filling.ts";
import { type ChosenSeed, demoFacts, fillSandbox, type LoadedSeed, loadSeed } from "./seeds/index.ts";
import type { SeedFacts } from "./seeds/published.ts";
import { SeedError } from "./seeds/seed-error.ts";
import { scenarioNames } from "./seeds/shipped.ts";
import { storedSeed, storeSeed } from "./seeds/stored.ts";
import type { Signals } from "./signals.ts";
import type { SandboxDatabase } from "./store/types.ts";

export interface SeedParts {
  readonly app: SeededParts & { readonly analyses: OwnedAnalyses; readonly signals: Signals };
  readonly db: SandboxDatabase;
  readonly chosen: ChosenSeed;
  /** Whether the user selected it. Otherwise a reset applies the stored seed. */
  readonly isChosen: boolean;
  /** Already read; used for the first seeding only. */
  readonly loaded: LoadedSeed | undefined;
  /** Key from which tokens and passwords are derived; without it they are the published ones. */
  readonly key: Buffer | undefined;
  /** Whether other machines reach the sandbox. */
  readonly isRemote: boolean;
}

/** Empties all tables but the list of applied migrations. */
function emptyTables(db: SandboxDatabase): void {
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration'",
  );
  // Inside the transaction: children can be removed after their parents.
  db.run("DELETE FROM setting");
  db.get("PRAGMA defer_foreign_keys = ON");
  for (const { name } of tables) db.run(`DELETE FROM "${name}"`);
}

/** Initial content of a sandbox's database, and the tokens and passwords currently in it. */
export class Seed {
  #source: string;
  readonly #parts: SeedParts;
  #loaded: LoadedSeed | undefined;
  #facts: SeedFacts;
  #replacements: Replacements = published;
  #tokens: SandboxTokens;

  constructor(parts: SeedParts) {
    const { db, chosen, isChosen, loaded } = parts;
    const stored = storedSeed(db);
    this.#parts = parts;
    this.#loaded = loaded;
    this.#source = isChosen ? chosen.source : (stored?.source ?? chosen.source);
    this.#facts = stored ?? demoFacts();
    this.#tokens = this.#facts.tokens;
  }

  get source(): string {
    return this.#source;
  }

  get tokens(): SandboxTokens {
    return this.#tokens;
  }

  get logins(): readonly SandboxLogin[] {
    return loginsOf(this.#parts.db, this.#facts.published, this.#replacements);
  }

  get profileId(): string {
    return this.#facts.profile;
  }

  /** Seeds a database that was never completely seeded. */
  start(): void {
    this.#parts.db.transaction(() => {
      this.#fill();
      this.#applySecrets();
    });
  }

  /** Removes all data and applies the seed again. */
  reset(): void {
    const { app, db } = this.#parts;
    app.usage.clear();
    db.transaction(() => {
      emptyTables(db);
      this.#fill();
      this.onReplaced();
    });
  }

  /** A reset by request, to another scenario if one is named: an invalid file of a seed is the caller's mistake. */
  resetByHand(scenario?: string): void {
    try {
      if (scenario !== undefined) this.#change(scenario);
      this.reset();
    } catch (error) {
      if (error instanceof SeedError) throw new PlatformError(400, error.message);
      throw error;
    }
  }

  /** The next reset applies this scenario. */
  #change(scenario: string): void {
    if (!scenarioNames().includes(scenario))
      throw new PlatformError(400, `Scenario not found. There are ${scenarioNames().join(", ")}`);
    this.#loaded = loadSeed(scenario);
    this.#source = scenario;
  }

  /** Runs after all stored data was replaced, in the same transaction. */
  onReplaced(): void {
    const { app, db } = this.#parts;
    this.#applySecrets();
    app.analyses.stop();
    app.signals.emit("everythingReplaced", {});
    db.afterCommit(() => app.files.sweep());
  }

  #fill(): void {
    const { app, db, chosen } = this.#parts;
    if (db.get("SELECT value FROM setting WHERE key = 'seeded'") !== undefined) return;
    db.transaction(() => {
      const content = this.#loaded ?? loadSeed(this.source);
      this.#loaded = undefined;
      app.signals.quietly(() => fillSandbox(app, content, chosen.seed));
      if (!chosen.isBuiltIn || this.source !== chosen.source) storeSeed(db, { ...content, source: this.source });
      db.run("INSERT INTO setting (key, value) VALUES ('seeded', '1')");
    });
  }

  #applySecrets(): void {
    const { db, key, isRemote } = this.#parts;
    this.#facts = storedSeed(db) ?? demoFacts();
    this.#replacements = key === undefined ? published : derivedFrom(key, this.#facts.published, isRemote);
    applySecrets(db, this.#facts.published, this.#replacements);
    this.#tokens = this.#presentTokens();
  }

  /** The current tokens of the seed; a device that the user deleted has none. */
  #presentTokens(): SandboxTokens {
    const { tokens: known } = this.#facts;
    const { token } = this.#replacements;
    const device = known.device === "" ? undefined : this.#parts.app.tokens.find(token(known.device));
    return {
      profile: token(known.profile),
      read: token(known.read),
      write: token(known.write),
      expired: token(known.expired),
      analysis: token(known.analysis),
      device: device?.token ?? "",
    };
  }
}
