import { argument } from "../kit/command/arguments.ts";
import { type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError } from "../kit/failures/command-error.ts";
import { expectTexts } from "../kit/resource/reply.ts";
import { lockOrRefuse } from "../kit/state/lock.ts";
import { statePath } from "../kit/state/notes.ts";
import { snapshotArgument } from "../kit/state/snapshot-commands.ts";
import { requireSameTarget } from "../kit/state/snapshots.ts";
import { ask, isWritten, requestsOf } from "./apply/ask.ts";
import { closeRun, resultColumns, runPlan } from "./apply/conclude.ts";
import { planApply } from "./apply/plan.ts";
import {
  interruptedRun,
  madeIn,
  notesOf,
  openProfileSnapshots,
  type Planned,
  type ProfileSnapshot,
} from "./apply/store.ts";
import type { Kind, ListedRow } from "./content/kind.ts";
import { kinds } from "./content/kinds.ts";
import { related } from "./snapshot.ts";

const rollbackProfile = defineCommand({
  path: ["rollback"],
  result: rows(resultColumns),
  effect: "deletes",
  summary: "Undo an apply with its snapshot",
  details:
    "Changed resources become what they were, deleted ones are created again, and created ones are deleted. Resources that are " +
    "created again have new ids and tokens, and no data; portal users have a new password, and variables no values. Fields " +
    "that were added to an entity stay. The current state is saved as a snapshot first, so you can undo a rollback too.",
  args: [snapshotArgument],
  groups: ["confirm", "dryRun"],
  examples: ['iot profile rollback last --confirm "Demo Plant"', "iot profile rollback last --dry-run"],
  exitCodes: [1, 3, 6, 7, 8],
  related,
  run: rollback,
});

async function rollback(ctx: CommandContext, input: CommandInput): Promise<void> {
  // Without a token nothing below can be done, however good the snapshot.
  await ctx.connection();
  const snapshot = openProfileSnapshots(ctx).need(argument(input, "snapshot") ?? "");
  const target = await ctx.target();
  requireSameTarget(snapshot, target);
  const { info } = await (await ctx.client()).profiles.info("current");
  expectTexts([info], ["id", "name"], "with the profile");
  if (info.id !== snapshot.profile.id) throw otherProfile(snapshot, info.name);
  if (ctx.flags.dryRun) return restore(ctx, snapshot, target.label);
  const key = [target.api, info.id];
  const lock = lockOrRefuse(statePath(ctx.env, "profile-applies", key), `profile "${info.name}"`);
  try {
    await restore(ctx, snapshot, target.label);
  } finally {
    lock.release();
  }
}

async function restore(ctx: CommandContext, snapshot: ProfileSnapshot, env: string): Promise<void> {
  const { entries, api, profile } = snapshot;
  const made = madeIn(snapshot, notesOf(ctx, snapshot));
  const place = { api, profile, source: `snapshot ${snapshot.id}` };
  const open = interruptedRun(ctx, place);
  const notes = open === undefined ? undefined : notesOf(ctx, open);
  const concerned = new Set([...entries, ...made].map(({ kind }) => kind));
  const plan = await planApply(ctx, {
    entries,
    chosen: kinds.filter(({ name }) => concerned.has(name)),
    prune: true,
    isRemoved: (kind, row) => made.some((each) => isMade(each, kind, row)),
    // Another resource may have taken the name of one that was deleted.
    hasName: ({ id }) => notes?.isBegun(id) === true,
    profiles: ["", ""],
    ...(notes === undefined ? {} : { notes }),
  });
  if (ctx.flags.dryRun) {
    for (const request of requestsOf(plan)) await ctx.dryRun(request);
    return;
  }
  const todo = plan.items.map(({ row }) => row).filter(isWritten);
  if (todo.length > 0)
    await ask(ctx, `the snapshot of ${snapshot.created_at.slice(0, 16).replace("T", " ")}`, place, todo);
  await runPlan(ctx, { plan, reason: "profile rollback", place, env, open, report: undefined });
  // What it had left to do is not wanted any more.
  if (snapshot.state === "open") closeRun(ctx, snapshot);
}

/** Whether a run has made this resource. Where the answer was lost, its key tells, and its name where there is no key. */
function isMade(each: Planned, kind: Kind, row: ListedRow): boolean {
  if (each.kind !== kind.name) return false;
  if (each.id !== undefined) return each.id === row.id;
  return row.key === undefined ? kind.isTagged !== true && row.name === each.name : row.key === each.key;
}

function otherProfile({ id, profile }: ProfileSnapshot, name: string): Error {
  return conflictError(`Snapshot ${id} is of profile "${profile.name}", not of "${name}".`, {
    code: "snapshot.other_target",
    next: "Choose the environment with --env or the profile with --profile.",
  });
}

export const commands: readonly Command[] = [rollbackProfile];
