/**
 * Starts a local sandbox from a program or a test (Node only).
 *
 * @module iotdeck/sandbox
 */

import { migrations } from "./migrations.ts";
import type { Sandbox, SandboxOptions } from "./options.ts";
import { startSandbox } from "./sandbox.ts";
import { openStopped } from "./snapshots/stopped.ts";
import type { StoppedSandbox } from "./snapshots/stored-state.ts";

export type { Clock } from "./core/clock.ts";
export { type ClockOption, type ManualClock, manualClock } from "./core/clock.ts";
export type { FaultRule, Faults } from "./core/fault-rules.ts";
export type { Gap } from "./core/gap.ts";
export type { LimitSettings, Limits, LimitUse } from "./core/limit-settings.ts";
export type { Plan } from "./core/plans.ts";
export type { ServedRoute } from "./core/served-route.ts";
export { gaps, type ListedGap, listedGaps } from "./gaps.ts";
export type { RequestLogEntry } from "./http/request-log.ts";
export type { SandboxCertificate } from "./http/tls.ts";
export type {
  AnalysisOptions,
  Sandbox,
  SandboxLogin,
  SandboxOptions,
  SandboxTip,
  SandboxTokens,
  TipOptions,
} from "./options.ts";
export { SeedError } from "./seeds/seed-error.ts";
export {
  SnapshotError,
  type SnapshotInfo,
  type Snapshots,
  type StoppedSandbox,
  type StoredState,
} from "./snapshots/stored-state.ts";
export type { OutboxFilter, OutboxMessage } from "./store/outbox.ts";
export { DataDirectoryError, MigrationError } from "./store/storage-errors.ts";

/**
 * Opens the data directory of a stopped sandbox, for its snapshots, to export and to import. With `create` a directory
 * without a sandbox is accepted too, and left unchanged unless something is imported.
 *
 * @throws DataDirectoryError when a sandbox runs on it, or there is none in it
 */
export function openStoppedSandbox(
  dataDir: string,
  options: { readonly create: boolean } = { create: false },
): StoppedSandbox {
  return openStopped(dataDir, migrations, options);
}

/**
 * Starts a local platform: an HTTP server with an event stream over one SQLite file, with a small realistic account.
 * Nothing leaves the machine. Everything acknowledged is on disk, unless it is ephemeral. Its tokens are the published
 * demo tokens unless `tokens` is `random`: any program on this machine that knows the port can use them, which is meant
 * for tests. Where other machines reach it they are always random.
 *
 * @throws DataDirectoryError when the data directory is in use, cannot be written or contains something else
 * @throws MigrationError when its database was written by a newer version
 * @throws SeedError when `seed` is not a scenario or folder, or one of its files is invalid; nothing is started then
 */
export function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startSandbox(options);
}
