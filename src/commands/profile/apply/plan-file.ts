import { conflictError } from "../../kit/failures/command-error.ts";
import { isObject } from "../../kit/files/files.ts";
import type { ApplyPlan, ApplyRow } from "../../kit/profiles/apply/plan.ts";
import { documentDigest } from "../../kit/profiles/apply/steps.ts";
import type { Entry } from "../../kit/profiles/kind.ts";
import { digest } from "../../kit/state/digest.ts";
import type { PlanForm } from "../../kit/state/plan-file.ts";
import { canonicalText } from "../../kit/state/snapshots.ts";

/** A plan as a file: what would be done, and how to check later that it still holds. */
export interface PlanFile {
  readonly api: string;
  readonly env: string;
  readonly profile: { readonly id: string; readonly name: string };
  readonly prune: boolean;
  readonly kinds: readonly string[];
  /** Of all the files. */
  readonly files: string;
  /** With a mark of what the profile has, for all that would be changed or deleted. */
  readonly rows: readonly (ApplyRow & { readonly mark?: string })[];
}

/** How a plan is saved. */
export const profilePlans: PlanForm = {
  format: "iotdeck/profile-plan",
  what: "a plan for a profile",
  create: "iot profile apply <folder> --save-plan file",
  isWhole: ({ api, env, profile, files, prune, kinds, rows }) =>
    [api, env, files].every((each) => typeof each === "string") &&
    isObject(profile) &&
    typeof prune === "boolean" &&
    Array.isArray(kinds) &&
    Array.isArray(rows),
};

/** Digest of all files. */
export const filesDigest = (entries: readonly Entry[]): string => digest(canonicalText(entries));

export function planFileOf(
  plan: ApplyPlan,
  about: Omit<PlanFile, "rows" | "prune"> & Partial<Pick<PlanFile, "prune">>,
): PlanFile {
  const rows = plan.items.map(({ row, current }) => {
    const isWritten = row.action === "update" || row.action === "delete";
    return isWritten && current !== undefined ? { ...row, mark: documentDigest(current) } : row;
  });
  return { ...about, prune: plan.prune, rows };
}

/**
 * Rejects a plan when the files or the profile are not what they were.
 *
 * @param isRest whether an interrupted run has done a part of it
 */
export function requireUnchanged(saved: PlanFile, now: PlanFile, isRest: boolean): void {
  const isSameFiles = saved.files === now.files;
  if (isSameFiles && (isRest || canonicalText(saved.rows) === canonicalText(now.rows))) return;
  throw conflictError(`The ${isSameFiles ? "profile" : "files"} changed since the plan was made.`, {
    code: "plan.changed",
    why: "What would be done now is not what the plan says; nothing was written.",
    next: "Create the plan again with --save-plan.",
  });
}
