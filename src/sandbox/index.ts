import { startActions } from "./actions/index.ts";
import { dataMigrations } from "./data/migrations.ts";
import { createDataStore } from "./data/store.ts";
import { registerActionRoutes } from "./handlers/actions.ts";
import { registerDataRoutes } from "./handlers/data.ts";
import { registerDataFileRoutes } from "./handlers/data-files.ts";
import { registerNetworkDataRoutes } from "./handlers/network-data.ts";
import { registerNotificationRoutes } from "./handlers/notifications.ts";
import { registerWidgetDataRoutes } from "./handlers/widget-data.ts";
import { openStopped, type StoppedSandbox } from "./images/offline.ts";
import type { Sandbox, SandboxOptions } from "./public.ts";
import { startSandbox } from "./sandbox.ts";
import { fillSandbox } from "./seeds/index.ts";

export { type ClockOption, type ManualClock, manualClock } from "./clock.ts";
export { MigrationError } from "./db/migrations.ts";
export { DataDirectoryError } from "./db/open.ts";
export type { FaultRule, Faults } from "./faults.ts";
export type { Gap } from "./gap.ts";
export { gaps } from "./gaps.ts";
export { ImageError } from "./images/image.ts";
export type { Images, SnapshotInfo, Snapshots } from "./images/images.ts";
export type { StoppedSandbox } from "./images/offline.ts";
export type { LimitSettings, Limits, LimitUse } from "./limits/limits.ts";
export type { Plan } from "./limits/tables.ts";
export type {
  AnalysisOptions,
  Sandbox,
  SandboxCertificate,
  SandboxLogin,
  SandboxOptions,
  SandboxTokens,
} from "./public.ts";
export type { RequestLogEntry } from "./request-log.ts";
export { SeedError } from "./seeds/seed-error.ts";
export type { Clock, OutboxFilter, OutboxMessage, ServedRoute } from "./types.ts";

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

/**
 * Starts a local platform: an HTTP server with an event stream over one SQLite file, with a small believable account.
 * Nothing leaves the machine. Everything acknowledged is on disk, unless it is ephemeral. Its tokens are the published
 * demo tokens unless `tokens` is `random`: any program on this machine that knows the port can use them, which is meant
 * for tests. Where other machines reach it they are always random.
 *
 * @throws DataDirectoryError when the data directory is in use, cannot be written or holds something else
 * @throws MigrationError when its database was written by a newer version
 * @throws SeedError when `seed` names no scenario or folder, or a file of it is wrong; nothing is started then
 */
export function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startSandbox(options, {
    dataMigrations,
    createData: createDataStore,
    registerDataRoutes: (app) => {
      registerDataRoutes(app);
      registerDataFileRoutes(app);
      registerNetworkDataRoutes(app);
      registerWidgetDataRoutes(app);
      registerActionRoutes(app);
      registerNotificationRoutes(app);
      startActions(app);
    },
    fill: fillSandbox,
  });
}
