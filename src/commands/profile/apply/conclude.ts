import { countOf } from "../../../text/count.ts";
import type { Column } from "../../kit/command/columns.ts";
import type { CommandContext } from "../../kit/context.ts";
import { partialError } from "../../kit/jobs/ending.ts";
import { type ApplyPlan, type ApplyRow, planColumns } from "../../kit/profiles/apply/plan.ts";
import { carryOut, untouchedRows } from "../../kit/profiles/apply/run.ts";
import { CHANGED } from "../../kit/profiles/apply/steps.ts";
import { madeIn } from "../../kit/profiles/notes.ts";
import { openReport } from "../../kit/rows/report.ts";
import { type Journal, withRun } from "../../kit/state/journal.ts";
import {
  journalKey,
  openProfileSnapshots,
  type Planned,
  type ProfileSnapshot,
  type RunPlace,
  resourcesMade,
} from "./store.ts";

export const resultColumns: readonly Column<ApplyRow>[] = [
  ...planColumns.slice(0, 3),
  { key: "result", rank: 1 },
  ...planColumns.slice(3),
];

/** What a run is, beside its plan. */
export interface RunSpec {
  readonly plan: ApplyPlan;
  readonly reason: ProfileSnapshot["reason"];
  readonly place: RunPlace;
  readonly env: string;
  /** The run that is continued. */
  readonly open: ProfileSnapshot | undefined;
  readonly report: string | undefined;
  /** The command that continues it, or does what failed: `the command`. */
  readonly again: string;
}

/**
 * Takes the snapshot, carries out the plan, prints what became of it, and says what to do about the rest. Resolves to
 * the rows when none failed.
 */
export async function runPlan(ctx: CommandContext, spec: RunSpec): Promise<readonly ApplyRow[]> {
  const snapshot = takeSnapshot(ctx, spec);
  const { rows, ended } =
    snapshot === undefined
      ? { rows: untouchedRows(spec.plan) }
      : await inJournal(ctx, snapshot, async (journal) => {
          const result = await carryOut(ctx, spec.plan, journal);
          if (result.ended === undefined) close(ctx, snapshot, journal, stateOf(result.rows));
          return result;
        });
  await ctx.out.list(rows, { columns: resultColumns, empty: "The files contain no resources." });
  const report = await openReport<ApplyRow>(ctx, spec.report, ["kind", "name", "action", "result", "id", "why"]);
  for (const row of rows) report.add(row);
  report.close();
  if (ended !== undefined) {
    const orResumed = spec.reason === "profile apply" ? ", or with --resume," : "";
    ctx.say.hint(`Run ${spec.again} again${orResumed} to continue. "${undoOf(snapshot)}" undoes what was done.`);
    throw ended;
  }
  sumUp(ctx, rows, spec, undoOf(snapshot));
  return rows;
}

const undoOf = (snapshot: ProfileSnapshot | undefined): string => `iot profile rollback ${snapshot?.id ?? ""}`;

/** Opens the journal of a snapshot's run, with what is in it already. */
function inJournal<T>(
  ctx: CommandContext,
  snapshot: ProfileSnapshot,
  work: (journal: Journal) => Promise<T>,
): Promise<T> {
  const what = `${snapshot.reason} of ${snapshot.created_at.slice(0, 19)}Z`;
  const run = { key: journalKey(snapshot), content: undefined, what, isResumed: true, isBegun: true };
  return withRun(ctx, run, false, work);
}

/** What a run has made belongs to its snapshot, and its notes go. */
function close(
  ctx: CommandContext,
  snapshot: ProfileSnapshot,
  journal: Journal,
  state: ProfileSnapshot["state"],
): void {
  const created = resourcesMade(snapshot, madeIn(journal));
  openProfileSnapshots(ctx).change(snapshot.id, { created, state });
  journal.finish();
}

const stateOf = (rows: readonly ApplyRow[]): ProfileSnapshot["state"] =>
  rows.some(({ result }) => result === "failed") ? "partial" : "done";

/** The run of a snapshot is over, although it did not come to its end. */
export const closeRun = (ctx: CommandContext, snapshot: ProfileSnapshot): Promise<void> =>
  inJournal(ctx, snapshot, async (journal) => close(ctx, snapshot, journal, "done"));

/** Everything that is about to be changed or deleted is on the disk before the first request that does so. */
function takeSnapshot(ctx: CommandContext, spec: RunSpec): ProfileSnapshot | undefined {
  const { plan, reason, place, env, open } = spec;
  const snapshots = openProfileSnapshots(ctx);
  const creating = plan.items.flatMap(({ row, entry, key }): Planned[] =>
    row.action === "create" && entry !== undefined ? [{ kind: row.kind, name: row.name, file_id: entry.id, key }] : [],
  );
  const made = new Set(open?.created.flatMap(({ file_id }) => file_id));
  const known = new Set(open?.entries.map(({ id }) => id));
  const entries = plan.items.flatMap(({ row, entry, current }) => {
    const isOurs = entry !== undefined && made.has(entry.id);
    const isWritten = row.action === "update" || row.action === "delete";
    if (row.id === null || current === undefined || !isWritten || isOurs || known.has(row.id)) return [];
    return [{ kind: row.kind, id: row.id, name: row.name, document: { ...current, id: row.id } }];
  });
  if (open === undefined) {
    if (entries.length + creating.length === 0) return undefined;
    return snapshots.save({ reason, env, ...place, state: "open", entries, created: creating });
  }
  const more = {
    entries: [...open.entries, ...entries],
    created: [...open.created, ...creating.filter(({ file_id }) => !made.has(file_id))],
  };
  snapshots.change(open.id, more);
  return { ...open, ...more };
}

function sumUp(ctx: CommandContext, rows: readonly ApplyRow[], { place, env, again }: RunSpec, undo: string): void {
  const count = (result: ApplyRow["result"]): number => rows.filter((row) => row.result === result).length;
  const failed = rows.filter(({ result }) => result === "failed");
  for (const { kind, name, why } of failed) ctx.say.warning(`${kind} "${name}": ${why ?? "failed"}`);
  const [created, updated, deleted, skipped] = [count("created"), count("updated"), count("deleted"), count("skipped")];
  const left = skipped === 0 ? "" : `, ${skipped} skipped`;
  ctx.say.info(
    `Profile "${place.profile.name}" (${env}): ${created} created, ${updated} updated, ${deleted} deleted, ${count("unchanged")} unchanged${left}.`,
  );
  const done = created + updated + deleted;
  if (done > 0) ctx.say.info(`"${undo}" undoes it.`);
  if (failed.length === 0) return;
  const isChanged = done === 0 && failed.every(({ why, action }) => why === CHANGED || action === "conflict");
  throw partialError(`${failed.length} of ${countOf(failed.length + done, "resource")} could not be written.`, {
    ...(isChanged ? { code: "profile.conflict", exit: 7 } : done === 0 ? { exit: 1 } : {}),
    why: failed[0]?.why ?? "The platform rejected them.",
    next: `See the warnings above, fix what they name, then run ${again} again.`,
  });
}
