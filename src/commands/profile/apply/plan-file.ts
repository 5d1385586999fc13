import { quote } from "../../kit/command/values.ts";
import type { CommandContext, Target } from "../../kit/context.ts";
import { conflictError, inputError } from "../../kit/failures/command-error.ts";
import { parseObject, writePrivate } from "../../kit/files/files.ts";
import { bytesOf, openInput } from "../../kit/files/input-file.ts";
import type { ApplyPlan, ApplyRow } from "../../kit/profiles/apply/plan.ts";
import { documentDigest } from "../../kit/profiles/apply/steps.ts";
import type { Entry } from "../../kit/profiles/kind.ts";
import { digest } from "../../kit/state/digest.ts";
import { canonicalText } from "../../kit/state/snapshots.ts";

/** A plan as a file: what would be done, and how to tell later that it still holds. */
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

const FORMAT = "iotdeck/profile-plan";

/** One word for what all files say. */
export const filesMark = (entries: readonly Entry[]): string => digest(canonicalText(entries));

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

export function savePlan(path: string, file: PlanFile): void {
  writePrivate(path, `${JSON.stringify({ format: FORMAT, version: 1, ...file }, undefined, 2)}\n`);
}

/** Reads a plan file and checks that it is one. */
export async function loadPlan(ctx: CommandContext, place: string): Promise<PlanFile> {
  let text: string;
  try {
    text = String(await bytesOf(openInput(ctx.path(place), ctx.signal), "--apply"));
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    throw inputError(`The plan ${quote(place)} cannot be read.`, {
      code: "plan.unreadable",
      why: error instanceof Error ? error.message : String(error),
      next: "Check the path, or create a plan with --plan.",
      cause: error,
    });
  }
  const value = parseObject(text, place);
  const { api, files, prune, kinds, rows } = value;
  const isPlan =
    value["format"] === FORMAT &&
    [api, files].every((each) => typeof each === "string") &&
    typeof prune === "boolean" &&
    Array.isArray(kinds) &&
    Array.isArray(rows);
  if (isPlan) return value as unknown as PlanFile;
  throw inputError(`${quote(place)} is not a plan for a profile.`, {
    code: "plan.invalid",
    next: 'Create one with "iot profile apply <folder> --plan file".',
  });
}

/** Refuses a plan that was made for another profile. */
export function requirePlace(
  file: PlanFile,
  target: Pick<Target, "label" | "api">,
  profile: PlanFile["profile"],
): void {
  if (file.api === target.api && file.profile.id === profile.id) return;
  throw conflictError(`The plan was made for ${file.env}, profile "${file.profile.name}".`, {
    code: "plan.other_target",
    why: `The current target is ${target.label}, profile "${profile.name}".`,
    next: "Choose the environment with --env, or create a plan for this one.",
  });
}

/**
 * Refuses a plan when the files or the profile are not what they were.
 *
 * @param isRest whether an interrupted run has done a part of it
 */
export function requireUnchanged(saved: PlanFile, now: PlanFile, isRest: boolean): void {
  const isSameFiles = saved.files === now.files;
  if (isSameFiles && (isRest || canonicalText(saved.rows) === canonicalText(now.rows))) return;
  throw conflictError(`The ${isSameFiles ? "profile" : "files"} changed since the plan was made.`, {
    code: "plan.changed",
    why: "What would be done now is not what the plan says; nothing was written.",
    next: "Create the plan again with --plan.",
  });
}
