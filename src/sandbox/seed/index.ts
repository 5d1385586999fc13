import type { App } from "../app.ts";
import { createIds } from "../core/ids.ts";
import { SEED_PROFILES, SEED_TOKENS, seedAccounts, seedTokens } from "./accounts.ts";
import { seedAutomation } from "./automation.ts";
import { seedAnalysis, seedCatalogue } from "./catalogue.ts";
import { seedDashboards } from "./dashboards.ts";
import { seedDevices } from "./devices.ts";
import { seedBackup, seedLedger } from "./ledger.ts";
import { SEED_DEVICE_TOKENS, SEED_DEVICES } from "./names.ts";
import { seedPortal } from "./portal.ts";
import { seedResources } from "./resources.ts";

export { SEED_ACCOUNTS, SEED_PROFILES, SEED_TOKENS } from "./accounts.ts";
export { SEED_ACTIONS, SEED_ANALYSES, SEED_ANALYSIS_TOKENS, SEED_GATEWAY_TOKEN } from "./automation.ts";
export * from "./names.ts";
export { SEED_RUN_TOKENS, SEED_RUN_USERS } from "./portal.ts";
export { SEED_DICTIONARY, SEED_ENTITIES, SEED_SECRETS, SEED_SERVICE_TOKEN, SEED_TCORES } from "./resources.ts";

export interface SeedOptions {
  /** Chooses the values and ids of the generated history. Default 1. */
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

const DEFAULT_SEED = 1;
/** Keeps the ids of history apart from those a sandbox with the same seed hands out later. */
const HISTORY_STREAM = 0x5eed;

/**
 * Fills an empty sandbox with a small believable account, all or nothing. History is generated up to the present
 * time of the sandbox's clock, so that "1 day" always has data; its values and ids follow from the seed.
 */
export function seedSandbox(app: App, options: SeedOptions = {}): SeedSummary {
  const seed = options.seed ?? DEFAULT_SEED;
  app.db.transaction(() => {
    seedAccounts(app.accounts);
    seedCatalogue(app);
    seedAnalysis(app);
    seedTokens(app);
    seedDevices(app, seed, createIds(app.clock, seed ^ HISTORY_STREAM));
    seedDashboards(app);
    seedPortal(app);
    seedLedger(app, seed);
    seedResources(app, seed);
    seedAutomation(app);
    seedBackup(app);
  });
  return {
    profile: SEED_PROFILES.demoPlant,
    profileToken: SEED_TOKENS.full,
    analysisToken: SEED_TOKENS.analysis,
    device: SEED_DEVICES.freezer,
    deviceToken: SEED_DEVICE_TOKENS.freezer,
  };
}
