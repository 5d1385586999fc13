import { batchClient } from "../client/batch-client.ts";
import type { CommandContext } from "../context.ts";
import { createProgress } from "../say/progress.ts";
import { digest } from "../state/digest.ts";
import { aboutRun, type Journal, withJournal } from "../state/journal.ts";
import { throwInterrupted } from "./ending.ts";
import type { ItemResult, JobInput, JobOutcome, JobPlan, JobWork } from "./job.ts";
import { writeReport } from "./report.ts";
import { type RunEnd, runItems } from "./run-items.ts";

/** Does a job in this process. */
export function runLocally(
  ctx: CommandContext,
  input: JobInput,
  plan: JobPlan,
  report: string | undefined,
): Promise<JobOutcome> {
  const { kind, key, what } = plan;
  const run = { key: [kind.name, ...key.map((part) => JSON.stringify(part))], content: digest(key), what };
  return withJournal(ctx, input, run, async (journal) => {
    if (journal.isDone) return { isEnded: true, done: 0, failed: 0 };
    const shared = await sharedIn(journal, plan);
    const work: JobWork = { ctx, client: await batchClient(ctx), folder: plan.folder };
    const end = await runPlan(ctx, plan, { journal, shared, work });
    throwInterrupted(ctx, end, ["item", "items"]);
    const { results, failed } = end;
    await writeReport(ctx, report, kind, values(results));
    const summary = await kind.finish?.(work, shared, values(results));
    if (failed === 0) journal.finish();
    return { isEnded: true, done: results.size - failed, failed, ...(summary === undefined ? {} : { summary }) };
  });
}

/** The journal's name for what all items share. */
const SHARED = aboutRun("shared");

async function sharedIn(journal: Journal, plan: JobPlan): Promise<object> {
  const noted = journal.mark(SHARED);
  if (noted !== undefined) return JSON.parse(noted);
  const shared = await plan.begin(false);
  journal.add(SHARED, JSON.stringify(shared));
  return shared;
}

interface Surroundings {
  readonly journal: Journal;
  readonly shared: object;
  readonly work: JobWork;
}

async function runPlan(
  ctx: CommandContext,
  { kind, items }: JobPlan,
  { journal, shared, work }: Surroundings,
): Promise<RunEnd> {
  const progress = createProgress(ctx, ["Working on", "items"]);
  let count = 0;
  const end = await runItems(ctx, journal, {
    phases: () => [items(shared)],
    run: (item, notes) => kind.run(work, shared, item, notes),
    ended() {
      count += 1;
      progress.at(count);
    },
    ...(kind.isWhole === undefined ? {} : { isWhole: kind.isWhole }),
  });
  progress.end();
  return end;
}

async function* values(results: ReadonlyMap<string, ItemResult>): AsyncGenerator<ItemResult> {
  yield* results.values();
}
