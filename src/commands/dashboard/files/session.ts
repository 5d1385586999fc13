import { countOf, countText } from "../../../text/count.ts";
import type { Column } from "../../kit/command/columns.ts";
import type { OptionsOf } from "../../kit/command/options.ts";
import type { CommandContext } from "../../kit/context.ts";
import { dashboardContent } from "../../kit/dashboards/content.ts";
import { readDashboard } from "../../kit/dashboards/read.ts";
import { stoppedError } from "../../kit/failures/command-error.ts";
import { writeWhole } from "../../kit/files/files.ts";
import { partialError } from "../../kit/jobs/ending.ts";
import { doneRow } from "../../kit/jobs/run-items.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { createProgress } from "../../kit/say/progress.ts";
import { choiceForInterrupted, type interruptedOptions, runTime } from "../../kit/state/interrupted.ts";
import { documentMark, openBases } from "./base.ts";
import { type WriteJob, type WriteRun, writeRuns, writesIn } from "./job.ts";
import type { Loaded } from "./load.ts";
import { mapsOfFile, mapText } from "./maps.ts";
import { takeBackRun } from "./take-back.ts";
import { applyWrites, NotRestored, type WriteResult } from "./write.ts";

export const resultColumns: readonly Column<WriteResult>[] = [
  { key: "id", kind: "id" },
  { key: "label", rank: 1 },
  { key: "outcome", rank: 1 },
  { key: "created", kind: "number" },
  { key: "updated", kind: "number" },
  { key: "deleted", kind: "number" },
  { key: "snapshot" },
  { key: "folder", hidden: true },
];

const verbs = { import: "Imported", apply: "Applied", copy: "Copied" } as const;

/** A job from plans. */
export async function jobOf(
  to: CommandContext,
  mapFile: string | undefined,
  verb: WriteJob["verb"],
  loaded: readonly Loaded[],
): Promise<WriteJob> {
  const { label, api } = await to.target();
  return {
    verb,
    createdAt: new Date(to.clock.now()).toISOString(),
    target: { label, api },
    ...(mapFile === undefined ? {} : { mapFile: to.path(mapFile) }),
    dashboards: loaded.map(({ plan, files }) => ({
      ...plan,
      key: plan.ref === "" ? plan.folder : plan.ref,
      filesMark: documentMark(files),
      hasFiles: verb !== "copy",
    })),
  };
}

/** Writes a job, notes what was made, and prints what became of each dashboard. */
export async function writeJob(ctx: CommandContext, to: CommandContext, job: WriteJob): Promise<void> {
  await conclude(ctx, to, job, await writeRuns.begin(to, job, (run) => carryOut(to, run)));
}

/**
 * Finishes or undoes what an earlier command has left, as the user chooses.
 *
 * @returns true when that was all the user asked for
 */
export async function settleInterrupted(
  ctx: CommandContext,
  to: CommandContext,
  flags: OptionsOf<typeof interruptedOptions>,
): Promise<boolean> {
  const run = await writeRuns.interrupted(to);
  const choice = await choiceForInterrupted(to, flags, run, "write");
  if (run === undefined || choice === undefined) return false;
  const what = `${run.job.verb} of ${runTime(run)}`;
  if (choice === "undo") {
    const count = await writeRuns.resume(to, run, (resumed) => takeBackRun(to, resumed));
    to.say.info(`Undid the ${what}: restored ${countOf(count, "dashboard")}.`);
    if (flags.undo) await printResults(ctx, []);
  } else {
    to.say.info(`Finishing the ${what}.`);
    await conclude(ctx, to, run.job, await writeRuns.resume(to, run, (resumed) => carryOut(to, resumed)));
  }
  return flags.undo || flags.resume;
}

async function carryOut(to: CommandContext, run: WriteRun): Promise<readonly WriteResult[]> {
  const total = run.job.dashboards.reduce((sum, each) => sum + stepsIn(each), 0);
  const progress = createProgress(to, ["Writing", "parts"]);
  let done = 0;
  const { results, stop } = await applyWrites(to, run, () => {
    done += 1;
    progress.at(done, total);
  }).finally(() => progress.end());
  if (stop !== undefined) {
    to.say.hint(`"iot dashboard ${run.job.verb} --resume" resumes this run; --undo reverts it.`);
    throw endingOf(stop.cause ?? stoppedError("Stopped before completion."), run);
  }
  run.journal.finish();
  await noteResults(to, run.job, results);
  return results;
}

function stepsIn({ widgets, removals }: WriteJob["dashboards"][number]): number {
  return widgets.filter(({ action }) => action !== "keep").length + removals.length + 2;
}

/** What ended a run: the user and the network say it themselves, the rest is partly done. */
function endingOf(cause: unknown, run: WriteRun): unknown {
  if (!(cause instanceof NotRestored)) return cause;
  const left = writesIn(run).filter(({ id }) => doneRow(run.journal, id) === undefined);
  return partialError("The dashboards are partly written and could not be restored.", {
    why: `Incomplete: ${left.map(({ args: { label, id } }) => `${label}${id === undefined ? "" : ` (${id})`}`).join(", ")}. ${messageOf(cause.cause)}`,
    next: `Run "iot dashboard ${run.job.verb} --undo" or --resume when the platform is available again.`,
    cause: cause.cause,
  });
}

/** Remembers what files and platform say now, and notes new ids in the map file. */
async function noteResults(to: CommandContext, job: WriteJob, results: readonly WriteResult[]): Promise<void> {
  const client = await to.client();
  const bases = openBases(to, job.target);
  for (const [i, { id, outcome }] of results.entries()) {
    const write = job.dashboards[i];
    const isSame = outcome === "created" || outcome === "updated" || outcome === "unchanged";
    if (write === undefined || id === undefined || !isSame || !write.hasFiles) continue;
    const platform = documentMark(dashboardContent(await readDashboard(client, id)));
    bases.keep(write.folder, id, { files: write.filesMark, platform });
  }
  if (job.mapFile !== undefined) await noteIds(to, job.mapFile, job, results);
}

async function noteIds(
  to: CommandContext,
  file: string,
  job: WriteJob,
  results: readonly WriteResult[],
): Promise<void> {
  const maps = await mapsOfFile(to, file);
  for (const [i, { ids }] of results.entries()) {
    const ref = job.dashboards[i]?.ref;
    for (const [old, now] of ids) {
      // A widget without an id in the files is found by its label.
      if (old !== now && !old.startsWith("new:")) (old === ref ? maps.dashboards : maps.widgets).set(old, now);
    }
  }
  writeWhole(file, mapText(maps), { file: 0o644, folder: 0o755 });
}

async function printResults(ctx: CommandContext, results: readonly WriteResult[]): Promise<void> {
  const rows = results.map(({ ids: _, failure, ...row }) =>
    failure === undefined ? row : { ...row, error: messageOf(failure) },
  );
  await ctx.out.list(rows, { columns: resultColumns as readonly Column<object>[], empty: "No dashboards written." });
}

async function conclude(
  ctx: CommandContext,
  to: CommandContext,
  { verb }: WriteJob,
  results: readonly WriteResult[],
): Promise<void> {
  await printResults(ctx, results);
  const good = results.filter(({ failure }) => failure === undefined);
  if (good.length > 0) to.say.info(`${verbs[verb]} ${accountOf(good)} in ${await to.label()}.`);
  const { envName } = await to.target();
  const flag = to === ctx ? "" : ` --env ${envName}`;
  for (const { snapshot } of good) {
    if (snapshot !== undefined)
      to.say.info(`Before: snapshot ${snapshot}; iot dashboard rollback ${snapshot}${flag} restores it.`);
  }
  const bad = results.filter(({ failure }) => failure !== undefined);
  const [only, ...others] = bad;
  if (only === undefined) return;
  if (only.outcome === "undone") to.say.info(`Dashboard "${only.label}" was restored to its previous state.`);
  if (others.length === 0 && good.length === 0) throw only.failure;
  const isConflict = bad.every(({ outcome }) => outcome === "conflict") && good.length === 0;
  throw partialError(`${bad.length} of ${countText(results.length)} dashboards were not written.`, {
    ...(isConflict ? { exit: 7 } : {}),
    why: bad.map((each) => `${each.label}: ${messageOf(each.failure)}`).join("; "),
    next: "Failed dashboards were restored. Run the command again for them.",
  });
}

function accountOf(results: readonly WriteResult[]): string {
  const sum = (key: "created" | "updated" | "deleted"): number => results.reduce((all, each) => all + each[key], 0);
  const [one] = results;
  const what =
    results.length === 1 && one !== undefined ? `dashboard "${one.label}"` : countOf(results.length, "dashboard");
  if (results.every(({ outcome }) => outcome === "unchanged")) return `${what}: no changes`;
  return `${what}: ${countOf(sum("created"), "widget")} created, ${sum("updated")} changed, ${sum("deleted")} deleted,`.replace(
    /,$/,
    "",
  );
}
