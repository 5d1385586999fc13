import { batchClient } from "../client/batch-client.ts";
import type { CommandInput } from "../command/define.ts";
import type { CommandContext } from "../context.ts";
import { stoppedError } from "../failures/command-error.ts";
import { eachInLanes } from "../lanes.ts";
import { createProgress } from "../say/progress.ts";
import { digest } from "../state/digest.ts";
import { type Journal, withJournal } from "../state/journal.ts";
import { failureOf, reasonOf } from "./failure.ts";
import type { ItemResult, JobItem, JobNotes, JobOutcome, JobPlan, JobWork } from "./job.ts";
import { writeReport } from "./report.ts";

/** The journal's name for what all items share; no item may have it. */
const SHARED = ":shared";

/** Does a job in this process. The journal notes every item that is done. */
export function runLocally(
  ctx: CommandContext,
  input: CommandInput,
  plan: JobPlan,
  report: string | undefined,
): Promise<JobOutcome> {
  const { kind, key, what } = plan;
  const run = { key: [kind.name, ...key.map((part) => JSON.stringify(part))], content: digest(key), what };
  return withJournal(ctx, input, run, async (journal) => {
    if (journal.isDone) return { isEnded: true, done: 0, failed: 0 };
    const results = await runItems(ctx, plan, journal);
    await writeReport(ctx, report, kind, values(results));
    const failed = [...results.values()].filter((result) => "reason" in result).length;
    const work = await localWork(ctx, plan.folder);
    const summary = await kind.finish?.(work, sharedIn(journal), values(results));
    if (failed === 0) journal.finish();
    return { isEnded: true, done: results.size - failed, failed, ...(summary === undefined ? {} : { summary }) };
  });
}

async function localWork(ctx: CommandContext, folder: string): Promise<JobWork> {
  return { ctx, client: await batchClient(ctx), folder };
}

const sharedIn = (journal: Journal): object => JSON.parse(journal.mark(SHARED) ?? "{}");

async function runItems(ctx: CommandContext, plan: JobPlan, journal: Journal): Promise<Map<string, ItemResult>> {
  if (journal.mark(SHARED) === undefined) journal.add(SHARED, JSON.stringify(await plan.begin(false)));
  const shared = sharedIn(journal);
  const work = await localWork(ctx, plan.folder);
  const progress = createProgress(ctx, ["Working on", "items"]);
  const results = new Map<string, ItemResult>();
  const doItem = async (item: JobItem): Promise<void> => {
    results.set(
      item.id,
      await resultOf(journal, item, () => plan.kind.run(work, shared, item, notesOf(journal, item))),
    );
    progress.at(results.size);
  };
  try {
    await eachInLanes(plan.items(shared), ctx.flags.concurrency ?? 4, doItem, ctx.signal);
  } catch (error) {
    ctx.say.warning(`Interrupted after ${results.size} items; run the same command with --resume to continue.`);
    throw ctx.signal.aborted ? stoppedError("Stopped.") : error;
  } finally {
    progress.end();
  }
  return results;
}

/** The result of an item, done now or before. A failure that the next item would meet as well is thrown. */
async function resultOf(journal: Journal, { id }: JobItem, run: () => Promise<object>): Promise<ItemResult> {
  const noted = journal.mark(id);
  if (noted !== undefined) return { id, row: JSON.parse(noted) };
  try {
    const row = await run();
    journal.add(id, JSON.stringify(row));
    return { id, row };
  } catch (error) {
    if (failureOf(error) !== "item") throw error;
    return { id, reason: reasonOf(error) };
  }
}

const notesOf = (journal: Journal, { id }: JobItem): JobNotes => ({
  of: (name) => journal.mark(`${id} ${name}`),
  add: async (name, note) => journal.add(`${id} ${name}`, note),
});

async function* values(results: ReadonlyMap<string, ItemResult>): AsyncGenerator<ItemResult> {
  yield* results.values();
}
