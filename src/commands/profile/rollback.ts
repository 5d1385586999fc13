import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { notFoundError } from "../kit/failures/command-error.ts";
import { partialError } from "../kit/jobs/ending.ts";
import { type ApplyRow, PROTECTED, PROTECTING_TAG, planApply } from "../kit/profiles/apply/plan.ts";
import { requestsOf } from "../kit/profiles/apply/requests.ts";
import type { ListedRow, ResourceKind } from "../kit/profiles/kind.ts";
import { kinds } from "../kit/profiles/kinds.ts";
import { expectTexts } from "../kit/resource/reply.ts";
import { lockOrRefuse } from "../kit/state/lock.ts";
import { statePath } from "../kit/state/notes.ts";
import { requireSameTarget, snapshotTarget } from "../kit/state/same-target.ts";
import { snapshotArgument } from "../kit/state/snapshot-commands.ts";
import { askToApply, isWritten } from "./apply/ask.ts";
import { closeRun, resultColumns, runPlan } from "./apply/conclude.ts";
import {
  applyNotes,
  interruptedRun,
  openProfileSnapshots,
  type Planned,
  type ProfileSnapshot,
  type RunPlace,
  resourcesMade,
  rollbackSource,
} from "./apply/store.ts";
import { related } from "./snapshot.ts";

const args = [
  { ...snapshotArgument, summary: 'snapshot id, the start of one, or "last" for the newest of the profile' },
] as const;

const rollbackProfile = defineCommand({
  path: ["rollback"],
  result: rows(resultColumns),
  effect: "deletes",
  summary: "Undo an apply with its snapshot",
  details:
    "Changed resources become what they were, deleted ones are created again, and created ones are deleted. Resources that are " +
    "created again have new ids and tokens, and no data; portal users have a new password, and variables no values. Fields " +
    "that were added to an entity stay. The current state is saved as a snapshot first, so you can undo a rollback too. " +
    "A resource that is left, for example because a tag protects it from deletion, is named, and the exit code is 8.",
  args,
  groups: ["confirm", "dryRun"],
  examples: ['iot profile rollback last --confirm "Demo Plant"', "iot profile rollback last --dry-run"],
  exitCodes: [1, 3, 6, 7, 8],
  related,
  run: rollback,
});

async function rollback(ctx: CommandContext, { args: { snapshot: text } }: Input<typeof args, []>): Promise<void> {
  // Without a token nothing below can be done, however good the snapshot.
  await ctx.connection();
  const target = await ctx.target();
  const latest = text === "last" ? lastOf(ctx, target.api) : undefined;
  const first = latest ?? openProfileSnapshots(ctx).need(text);
  // Another platform is rejected without a request to it.
  requireSameTarget(snapshotTarget(first.id), { label: first.env, api: first.api }, target);
  const { info } = await (await ctx.client()).profiles.info("current");
  expectTexts([info], ["id", "name"], "with the profile");
  const snapshot = text === "last" ? lastOf(ctx, target.api, info.id) : first;
  if (snapshot === undefined) throw noneOf(info.name);
  const from = { label: snapshot.env, api: snapshot.api, profile: snapshot.profile };
  requireSameTarget(snapshotTarget(snapshot.id), from, { ...target, profile: info });
  if (ctx.flags.dryRun) return restore(ctx, snapshot, target.label);
  const key = [target.api, info.id];
  const lock = lockOrRefuse(statePath(ctx.env, "profile-applies", key), `profile "${info.name}"`);
  try {
    await restore(ctx, snapshot, target.label);
  } finally {
    lock.release();
  }
}

/**
 * The newest snapshot of a platform, or of a profile: those of others are no concern of this one. After a rollback that
 * did not do all, it is the one that was rolled back: the same command again does the rest, and does not undo the rollback.
 */
function lastOf(ctx: CommandContext, api: string, profile?: string): ProfileSnapshot | undefined {
  const { snapshots } = openProfileSnapshots(ctx).list();
  const last = snapshots.find((each) => each.api === api && (profile === undefined || each.profile.id === profile));
  if (last?.reason !== "profile rollback" || last.state === "done") return last;
  return snapshots.find(({ id }) => last.source === rollbackSource(id)) ?? last;
}

const noneOf = (profile: string): Error =>
  notFoundError(`No snapshots of profile ${quote(profile)} yet.`, {
    code: "snapshot.not_found",
    next: 'Run "iot profile snapshot list".',
  });

async function restore(ctx: CommandContext, snapshot: ProfileSnapshot, env: string): Promise<void> {
  const { entries, api, profile } = snapshot;
  const made = resourcesMade(snapshot, applyNotes(ctx, snapshot));
  const place = { api, profile, source: rollbackSource(snapshot.id) };
  const open = interruptedRun(ctx, place);
  const notes = open === undefined ? undefined : applyNotes(ctx, open);
  const before = createdAgain(ctx, place);
  const concerned = new Set([...entries, ...made].map(({ kind }) => kind));
  const plan = await planApply(ctx, {
    entries,
    chosen: kinds.filter(({ name }) => concerned.has(name)),
    prune: true,
    isRemoved: (kind, row) => made.some((each) => isMade(each, kind, row)),
    // Another resource may have taken the name of one that was deleted.
    hasName: ({ id }) => notes?.isBegun(id) === true || before.has(id),
    profiles: ["", ""],
    ...(notes === undefined ? {} : { notes }),
  });
  for (const { row } of plan.items)
    if (row.action === "skip") ctx.say.warning(`${row.kind} "${row.name}" will be left: ${row.why}.`);
  if (ctx.flags.dryRun) {
    for (const request of requestsOf(plan)) await ctx.dryRun(request);
    return;
  }
  const todo = plan.items.map(({ row }) => row).filter(isWritten);
  if (todo.length > 0)
    await askToApply(ctx, `the snapshot of ${snapshot.created_at.slice(0, 16).replace("T", " ")}`, place, todo);
  const again = `"iot profile rollback ${snapshot.id}"`;
  const rows = await runPlan(ctx, { plan, reason: "profile rollback", place, env, open, report: undefined, again });
  // What it had left to do is not wanted any more.
  if (snapshot.state === "open") await closeRun(ctx, snapshot);
  const left = rows.filter(({ result }) => result === "skipped");
  if (left.length > 0) throw leftError(left, snapshot);
}

/** Entries that an earlier rollback of the same snapshot has created again: they are there under another id. */
function createdAgain(ctx: CommandContext, { api, source, profile }: RunPlace): ReadonlySet<string> {
  const runs = openProfileSnapshots(ctx)
    .list()
    .snapshots.filter((each) => each.api === api && each.source === source && each.profile.id === profile.id);
  return new Set(runs.flatMap(({ created }) => created.map(({ file_id }) => file_id)));
}

const SHOWN_LEFT = 5;

function leftError(left: readonly ApplyRow[], { id }: ProfileSnapshot): Error {
  const shown = left.slice(0, SHOWN_LEFT).map(({ kind, name, why }) => `${kind} "${name}" (${why ?? "skipped"})`);
  const more = left.length > SHOWN_LEFT ? ` and ${left.length - SHOWN_LEFT} more` : "";
  const isProtected = left.some(({ why }) => why === PROTECTED);
  return partialError(`${left.length} left: ${shown.join(", ")}${more}.`, {
    why: "Everything else is as it was before the apply.",
    next: isProtected
      ? `Remove the tag ${PROTECTING_TAG} and run "iot profile rollback ${id}" again, or keep them.`
      : "Create them by hand.",
  });
}

/** Whether a run created this resource. If the response was lost, its key shows it, or its name if there is no key. */
function isMade(each: Planned, kind: ResourceKind, row: ListedRow): boolean {
  if (each.kind !== kind.name) return false;
  if (each.id !== undefined) return each.id === row.id;
  return row.key === undefined ? kind.isTagged !== true && row.name === each.name : row.key === each.key;
}

export const commands: readonly Command[] = [rollbackProfile];
