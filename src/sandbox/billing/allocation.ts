import type { ProfileDocument } from "../accounts/profiles.ts";
import type { Gap } from "../core/gap.ts";
import { readSetting, writeSetting } from "../store/settings.ts";
import type { SandboxDatabase } from "../store/types.ts";

/** The platform enforces purchased limits. */
export const allocationGap: Gap = {
  subject: "Allocation and add-ons",
  choice: "stored and echoed; only the number of portal users is enforced",
};

/** What a profile can use on any plan. */
export const DEFAULT_ALLOCATION = {
  input: 50_000_000,
  output: 100_000_000,
  sms: 1_000,
  email: 50_000,
  analysis: 100_000,
  data_records: 100_000_000,
  run_users: 1_000,
  push_notification: 50_000,
  file_storage: 100_000,
} as const;

const DEFAULT_TCORES = 10;

const NO_ADDONS = { custom_dns: false, mobile: false, control_tower: false } as const;

export type AddonFlags = { readonly [name in keyof typeof NO_ADDONS]: boolean };

/** Names of the add-ons a profile can have. */
export const ADDON_NAMES = Object.keys(NO_ADDONS);

/** Limits of a profile: those that were set, else those of the plan. */
export function allocationOf(db: SandboxDatabase, profile: string): Record<string, unknown> {
  const { updated_at: _, ...set } = readSetting(db, "profile", profile, "allocation") ?? {};
  return { ...DEFAULT_ALLOCATION, tcore: DEFAULT_TCORES, ...set };
}

/** Changes limits of a profile; omitted ones stay. */
export function setAllocation(
  db: SandboxDatabase,
  profile: string,
  limits: Readonly<Record<string, number>>,
  nowMs: number,
): void {
  const before = readSetting(db, "profile", profile, "allocation") ?? {};
  const updated_at = new Date(nowMs).toISOString();
  writeSetting(db, "profile", profile, "allocation", { ...before, ...limits, updated_at });
}

export function addonsOf(db: SandboxDatabase, profile: string): AddonFlags {
  const set = readSetting(db, "profile", profile, "addons") ?? {};
  return { ...NO_ADDONS, ...Object.fromEntries(ADDON_NAMES.map((name) => [name, set[name] === true])) };
}

/** Add-ons in the format of responses: with their profile and the time of their last change. */
export function presentAddons(db: SandboxDatabase, { id, created_at }: ProfileDocument): Record<string, unknown> {
  const { updated_at = created_at } = readSetting(db, "profile", id, "addons") ?? {};
  return { ...addonsOf(db, id), profile: id, updated_at };
}

/** Turns add-ons of a profile on or off; omitted ones stay. */
export function setAddons(
  db: SandboxDatabase,
  profile: string,
  flags: Readonly<Record<string, boolean>>,
  nowMs: number,
): void {
  const updated_at = new Date(nowMs).toISOString();
  writeSetting(db, "profile", profile, "addons", { ...addonsOf(db, profile), ...flags, updated_at });
}
