import { RequestError } from "../../../../lib/core/errors.ts";
import { batchClient } from "../../client/batch-client.ts";
import type { CommandContext } from "../../context.ts";
import { removeDashboard } from "../../dashboards/remove.ts";
import { isStop } from "../../failures/command-error.ts";
import { replaceIds } from "../../folders/replace-ids.ts";
import { runItems } from "../../jobs/run-items.ts";
import { messageOf } from "../../resource/batch.ts";
import { createProgress } from "../../say/progress.ts";
import type { Journal } from "../../state/journal.ts";
import type { ResourceKind } from "../kind.ts";
import { kinds } from "../kinds.ts";
import { type Making, makingIn } from "../notes.ts";
import { LANES } from "../read-platform.ts";
import type { ApplyPlan, ApplyRow, Item } from "./plan.ts";
import {
  type ApplyTools,
  documentDigest,
  makeResource,
  removeResource,
  stoppedRun,
  syncResource,
  toolsOf,
} from "./steps.ts";

/** What became of one resource. */
type Outcome = Pick<ApplyRow, "result" | "why" | "id">;

/** Everything the work on one plan needs. */
interface Work extends ApplyTools {
  readonly plan: ApplyPlan;
  readonly notes: Making;
}

/** What became of a run. */
export interface RunResult {
  readonly rows: readonly ApplyRow[];
  /** What ended it before its end: Ctrl-C, or a platform out of reach. */
  readonly ended?: Error;
}

/** Items that do not depend on each other, and what is done with each. */
interface Wave {
  readonly verb: "create" | "sync" | "delete";
  readonly items: readonly Item[];
  work(work: Work, item: Item): Promise<Outcome>;
}

/** Out of reach, or stopped: nothing else would do better. */
const endsAll = (error: unknown): boolean => error instanceof RequestError || isStop(error);

/**
 * Carries out a plan, wave by wave, with `--concurrency` items of a wave at a time. One that fails does not stop the
 * others. Each resource is compared once more right before it is written, so no result is noted: a run that was killed
 * makes its plan again, and writes what is left.
 *
 * @param isFatal whether a failure ends the run
 */
export async function carryOut(
  ctx: CommandContext,
  plan: ApplyPlan,
  journal: Journal,
  isFatal: (error: unknown) => boolean = endsAll,
): Promise<RunResult> {
  const work: Work = { ...(await toolsOf(ctx, await batchClient(ctx))), plan, notes: makingIn(journal) };
  noteFound(plan, work.notes);
  const outcomes = new Map<Item, Outcome>();
  const waves = wavesOf(plan);
  const total = waves.reduce((sum, { items }) => sum + items.length, 0);
  const progress = createProgress(ctx, ["Applying", "steps"]);
  let done = 0;
  const { stop } = await runItems<{ readonly item: Item; readonly wave: Wave }, Outcome>(ctx, journal, {
    *phases() {
      for (const wave of waves) {
        const items = wave.items.filter((item) => outcomes.get(item)?.result !== "failed");
        yield items.map((item) => ({ id: `${wave.verb}-${item.row.file_id ?? item.row.id}`, args: { item, wave } }));
      }
    },
    run: ({ args: { item, wave } }) => wave.work(work, item),
    ended({ args: { item } }, result) {
      const failed = (cause: unknown): Outcome => ({ result: "failed", why: messageOf(cause), id: item.row.id });
      outcomes.set(item, "row" in result ? result.row : failed(result.cause));
      done += 1;
      progress.at(done, total);
    },
    lanes: ctx.flags.concurrency ?? LANES,
    isWhole: () => false,
    isFatal,
  });
  progress.end();
  const ended = stop === undefined ? undefined : (stop.cause ?? stoppedRun());
  return resultOf(plan, outcomes, ended);
}

/** Notes what an earlier run made without living to note the response: the plan found it. */
function noteFound({ items, ids }: ApplyPlan, notes: Making): void {
  for (const { entry: { id } = { id: "" } } of items) {
    const found = ids.get(id);
    if (found !== undefined && notes.isBegun(id) && notes.made(id) === undefined) notes.make(id, found);
  }
}

/**
 * 1. What is missing is created, kind by kind, as each refers to those before it. 2. Resources become what their files
 * say; those that may name new widgets follow the dashboards. 3. Deletions, kind by kind.
 */
function wavesOf({ items }: ApplyPlan): Wave[] {
  const doing = (...actions: ApplyRow["action"][]): Item[] => items.filter(({ row }) => actions.includes(row.action));
  const dashboards = kinds.findIndex(({ name }) => name === "dashboard");
  const mayNameWidgets = ({ kind }: Item): boolean => kinds.indexOf(kind) > dashboards;
  const synced = doing("create", "update");
  return [
    ...byKind(doing("create")).map((each) => ({ verb: "create" as const, items: each, work: create })),
    { verb: "sync", items: synced.filter((item) => !mayNameWidgets(item)), work: sync },
    { verb: "sync", items: synced.filter(mayNameWidgets), work: sync },
    ...byKind(doing("delete")).map((each) => ({ verb: "delete" as const, items: each, work: remove })),
  ];
}

/** Groups of one kind, in the order of the items. */
function byKind(items: readonly Item[]): Item[][] {
  const groups = new Map<ResourceKind, Item[]>();
  for (const item of items) groups.set(item.kind, [...(groups.get(item.kind) ?? []), item]);
  return [...groups.values()];
}

/** The rows of a plan with what became of them. */
function resultOf(plan: ApplyPlan, outcomes: ReadonlyMap<Item, Outcome>, ended: Error | undefined): RunResult {
  const rows = plan.items.map((item) => ({ ...item.row, ...(outcomes.get(item) ?? untouched(item)) }));
  return ended === undefined ? { rows } : { rows, ended };
}

/** The rows of a plan with nothing to do. */
export const untouchedRows = ({ items }: ApplyPlan): readonly ApplyRow[] =>
  items.map((item) => ({ ...item.row, ...untouched(item) }));

function untouched({ row }: Item): Pick<ApplyRow, "result"> {
  if (row.action === "leave") return { result: "unchanged" };
  if (row.action === "skip") return { result: "skipped" };
  return { result: row.action === "conflict" ? "failed" : "waiting" };
}

async function create(work: Work, { kind, entry, key, replaces }: Item): Promise<Outcome> {
  const { client, plan, notes } = work;
  if (entry === undefined) throw new Error("a creation needs a file");
  if (replaces !== undefined) await removeDashboard(client, replaces);
  const document = replaceIds(entry.document, plan.ids);
  notes.begin(entry.id);
  const id = await makeResource(work, kind, document, key);
  notes.make(entry.id, id);
  plan.ids.set(entry.id, id);
  return { result: "waiting", why: null, id };
}

async function sync(work: Work, { kind, entry, key, current, row }: Item): Promise<Outcome> {
  const { plan, notes } = work;
  const { ids, prune } = plan;
  const id = entry === undefined ? undefined : ids.get(entry.id);
  if (entry === undefined || id === undefined) throw new Error("it was not created");
  const wanted = { kind, id, key, document: entry.document, ids, prune, mark: current && documentDigest(current) };
  await syncResource(work, wanted, {
    made: notes.made,
    begin: notes.begin,
    make(widget, newId) {
      notes.make(widget, newId);
      ids.set(widget, newId);
    },
  });
  // Existing resources are not compared, so only this note shows that this one is complete.
  if (plan.onlyCreates && notes.isBegun(entry.id)) notes.end(entry.id);
  return { result: isNew(row, notes, entry.id) ? "created" : "updated", why: null, id };
}

/** Whether a resource is of this run. */
const isNew = ({ action }: ApplyRow, notes: Making, id: string): boolean => action === "create" || notes.isBegun(id);

async function remove(work: Work, { kind, current, row: { id } }: Item): Promise<Outcome> {
  if (id !== null) await removeResource(work, kind, id, current && documentDigest(current));
  return { result: "deleted", why: null, id };
}
