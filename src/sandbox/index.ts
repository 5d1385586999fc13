import { dataMigrations } from "./data/migrations.ts";
import type { Sandbox, SandboxOptions } from "./options.ts";
import type { PublishedLogin, PublishedSecrets } from "./published-secrets.ts";
import { startSandbox } from "./sandbox.ts";
import { SEED_ACCOUNTS, SEED_PROFILES, SEED_TOKENS, seedAccounts, seedTokens } from "./seed/accounts.ts";
import { SEED_ANALYSIS_TOKENS, SEED_GATEWAY_TOKEN } from "./seed/automation.ts";
import { seedAnalysis, seedCatalogue } from "./seed/catalogue.ts";
import { seedSandbox } from "./seed/index.ts";
import { SEED_DEVICE_TOKENS } from "./seed/names.ts";
import { SEED_RUN_TOKENS, SEED_RUN_USERS } from "./seed/portal.ts";
import { SEED_SERVICE_TOKEN } from "./seed/resources.ts";
import { openStopped, type StoppedSandbox } from "./snapshots/stopped.ts";

export type { Clock } from "./core/clock.ts";
export { type ClockOption, type ManualClock, manualClock } from "./core/clock.ts";
export type { FaultRule } from "./core/fault-rules.ts";
export type { Gap } from "./core/gap.ts";
export type { Plan } from "./core/plans.ts";
export { gaps, type ListedGap, listedGaps } from "./gaps.ts";
export type { Faults } from "./http/faults.ts";
export type { ServedRoute } from "./http/handler.ts";
export type { LimitSettings, Limits, LimitUse } from "./http/limits.ts";
export type { RequestLogEntry } from "./http/request-log.ts";
export type {
  AnalysisOptions,
  Sandbox,
  SandboxCertificate,
  SandboxLogin,
  SandboxOptions,
  SandboxTokens,
} from "./options.ts";
export { SnapshotError } from "./snapshots/content.ts";
export type { SnapshotInfo, Snapshots, StoredState } from "./snapshots/snapshots.ts";
export type { StoppedSandbox } from "./snapshots/stopped.ts";
export { MigrationError } from "./store/migrations.ts";
export { DataDirectoryError } from "./store/open.ts";
export type { OutboxFilter, OutboxMessage } from "./store/outbox.ts";

/**
 * Opens the data directory of a sandbox that does not run, for its snapshots, to export and to import. With `create` a
 * directory without a sandbox is taken too, and left as it was unless something is imported into it.
 *
 * @throws DataDirectoryError when a sandbox runs on it, or there is none in it
 */
export function openStoppedSandbox(
  dataDir: string,
  options: { readonly create: boolean } = { create: false },
): StoppedSandbox {
  return openStopped(dataDir, dataMigrations, options);
}

const LOGINS: readonly PublishedLogin[] = [
  ...Object.values(SEED_ACCOUNTS).map(({ id, email, password }) => ({ kind: "account", id, email, password }) as const),
  ...(["operator", "driver", "manager"] as const).map(
    (name) => ({ kind: "portal_user", ...SEED_RUN_USERS[name], token: SEED_RUN_TOKENS[name] }) as const,
  ),
  { kind: "portal_user", ...SEED_RUN_USERS.inactive },
];

/** What is printed in documents. */
const PUBLISHED: PublishedSecrets = {
  tokens: [
    ...Object.values(SEED_TOKENS),
    ...Object.values(SEED_RUN_TOKENS),
    SEED_SERVICE_TOKEN,
    ...Object.values(SEED_ANALYSIS_TOKENS),
    SEED_GATEWAY_TOKEN,
  ],
  deviceTokens: Object.values(SEED_DEVICE_TOKENS),
  logins: LOGINS,
};

/**
 * Starts a local platform: an HTTP server with an event stream over one SQLite file, with a small believable account.
 * Nothing leaves the machine. Everything acknowledged is on disk, unless it is ephemeral. Its tokens are the published
 * demo tokens unless `tokens` is `random`: any program on this machine that knows the port can use them, which is meant
 * for tests. Where other machines reach it they are always random.
 *
 * @throws DataDirectoryError when the data directory is in use, cannot be written or holds something else
 * @throws MigrationError when its database was written by a newer version
 */
export function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startSandbox(options, {
    fill: (app, { content, seed }) => {
      if (content === "demo") {
        seedSandbox(app, { seed });
        return;
      }
      seedAccounts(app.accounts);
      seedCatalogue(app);
      seedAnalysis(app);
      seedTokens(app);
    },
    tokens: {
      profile: SEED_TOKENS.full,
      read: SEED_TOKENS.read,
      write: SEED_TOKENS.write,
      expired: SEED_TOKENS.expired,
      analysis: SEED_TOKENS.analysis,
      device: SEED_DEVICE_TOKENS.freezer,
    },
    profileId: SEED_PROFILES.demoPlant,
    published: PUBLISHED,
  });
}
