import { conflictError } from "../failures/command-error.ts";

/** What a plan or a snapshot is about, or what a command works on. */
export interface MadeFor {
  /** Name of the environment or the region. */
  readonly label: string;
  readonly api: string;
  readonly profile?: { readonly id: string; readonly name: string };
}

/**
 * Rejects something that is used on another platform or profile than the one it was made for.
 *
 * @param what as a sentence starts with it: `The plan`
 */
export function requireSameTarget(
  { what, code, next }: { readonly what: string; readonly code: string; readonly next: string },
  from: MadeFor,
  now: MadeFor,
): void {
  const isSameApi = from.api === now.api;
  if (isSameApi && from.profile?.id === now.profile?.id) return;
  throw conflictError(`${what} was made for ${titleOf(from)}, not for ${titleOf(now)}.`, {
    code,
    ...(isSameApi ? {} : { why: `Its API URL is ${from.api}; the current environment uses ${now.api}.` }),
    next,
  });
}

const titleOf = ({ label, profile }: MadeFor): string =>
  profile === undefined ? label : `${label}, profile "${profile.name}"`;

/** Of a plan file. */
export const planTarget = {
  what: "The plan",
  code: "plan.other_target",
  next: "Choose the environment with --env, or create a plan for this one.",
} as const;

/** Of a snapshot. */
export const snapshotTarget = (id: string) =>
  ({
    what: `Snapshot ${id}`,
    code: "snapshot.other_target",
    next: "Choose the environment with --env, or the profile with --profile.",
  }) as const;
