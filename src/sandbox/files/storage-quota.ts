import type { Accounts } from "../accounts/accounts.ts";
import type { Limits } from "../core/limit-settings.ts";
import { PlatformError } from "../core/platform-error.ts";

import { fileGaps } from "./gaps.ts";
import type { FileStore } from "./store.ts";

interface QuotaParts {
  readonly accounts: Accounts;
  readonly files: FileStore;
  readonly limits: Limits;
}

export const BYTES_PER_MB = 1024 * 1024;

/** Storage of a profile in MB, by the plan of its account (the platform documents the first only). */
const STORAGE_MB: Readonly<Record<string, number>> = { free: 200, starter: 10_000, scale: 100_000 };

export function storageMb(app: Omit<QuotaParts, "files">, profile: string): number {
  const plan = app.accounts.get(app.accounts.profile(profile)?.account ?? "")?.plan ?? "scale";
  return STORAGE_MB[app.limits.settings.plan ?? plan] ?? 0;
}

/** Rejects content the plan has no space for; with this message, uploads stop retrying. */
export function needRoom(app: QuotaParts, profile: string, bytes: number): void {
  const limit = storageMb(app, profile);
  if (app.files.usage(profile) + bytes <= limit * BYTES_PER_MB) return;
  throw new PlatformError(400, `You have exceeded the maximum limit of File Storage (${limit} MB)`).assumed(
    fileGaps.storage,
  );
}
