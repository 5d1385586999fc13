import type { DataStore } from "../data/store.ts";
import type { SandboxApp } from "../types.ts";
import { SEED_PROFILES, SEED_TOKENS, seedAccounts, seedTokens } from "./accounts.ts";
import { seedAnalysis, seedCatalogue } from "./catalogue.ts";
import { seedDashboards } from "./dashboards.ts";
import { seedDevices } from "./devices.ts";
import { SEED_DEVICE_TOKENS, SEED_DEVICES } from "./names.ts";

export { SEED_ACCOUNTS, SEED_PROFILES, SEED_TOKENS } from "./accounts.ts";
export * from "./names.ts";

export interface SeedOptions {
  /** Chooses the noise in the generated history. The same number gives the same values. Default 1. */
  readonly seed?: number;
}

/** What to tell somebody who has just started a sandbox. */
export interface SeedSummary {
  readonly profile: string;
  readonly profileToken: string;
  readonly analysisToken: string;
  readonly device: string;
  readonly deviceToken: string;
}

/**
 * Fills an empty sandbox with a small believable account, all or nothing. History is generated up to the present
 * time of the sandbox's clock, so that "1 day" always has data.
 */
export function seedSandbox(app: SandboxApp<DataStore>, options: SeedOptions = {}): SeedSummary {
  app.db.transaction(() => {
    seedAccounts(app.accounts);
    seedCatalogue(app);
    seedAnalysis(app);
    seedTokens(app);
    seedDevices(app, options.seed ?? 1);
    seedDashboards(app);
  });
  return {
    profile: SEED_PROFILES.demoPlant,
    profileToken: SEED_TOKENS.full,
    analysisToken: SEED_TOKENS.analysis,
    device: SEED_DEVICES.freezer,
    deviceToken: SEED_DEVICE_TOKENS.freezer,
  };
}
