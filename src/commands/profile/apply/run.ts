import { RequestError } from "../../../lib/core/errors.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import { removeDashboard } from "../../kit/dashboards/remove.ts";
import { CommandError } from "../../kit/failures/command-error.ts";
import { replaceIds } from "../../kit/folders/replace-ids.ts";
import { mapLanes } from "../../kit/lanes.ts";
import type { Kind } from "../../kit/profiles/kind.ts";
import { kinds } from "../../kit/profiles/kinds.ts";
import type { Notes } from "../../kit/profiles/notes.ts";
import { LANES } from "../../kit/profiles/read-platform.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { createProgress } from "../../kit/say/progress.ts";
import type { ApplyPlan, ApplyRow, Item } from "./plan.ts";
import { makeResource, markOf, removeResource, requireGoOn, syncResource, type Tools, toolsOf } from "./steps.ts";

/** What became of one resource. */
type Outcome = Pick<ApplyRow, "result" | "why" | "id">;

/** Everything the work on one plan needs. */
interface Work extends Tools {
  readonly plan: ApplyPlan;
  readonly notes: Notes;
}

/** What became of a run. */
export interface RunResult {
  readonly rows: readonly ApplyRow[];
  /** What ended it before its end: Ctrl-C, or a platform out of reach. */
  readonly ended?: unknown;
}

/** Items that do not depend on each other, and what is done with each. */
interface Wave {
  readonly items: readonly Item[];
  work(work: Work, item: Item): Promise<Outcome | undefined>;
}

/**
 * Carries out a plan, wave by wave, with `--concurrency` items of a wave at a time. One that fails does not stop the
 * others. Each resource is compared once more right before it is written, so a run that was killed can be repeated: it
 * writes what is left.
 */
export async function carryOut(ctx: CommandContext, plan: ApplyPlan, notes: Notes): Promise<RunResult> {
  const work: Work = { ...(await toolsOf(ctx, await batchClient(ctx))), plan, notes };
  const outcomes = new Map<Item, Outcome>();
  const waves = wavesOf(plan);
  const total = waves.reduce((sum, { items }) => sum + items.length, 0);
  const progress = createProgress(ctx, ["Applying", "steps"]);
  let done = 0;
  let ended: unknown;
  try {
    for (const wave of waves) {
      await mapLanes(wave.items, ctx.flags.concurrency ?? LANES, async (item) => {
        if (outcomes.get(item)?.result === "failed") return;
        requireGoOn(ctx);
        const outcome = await attempt(item, () => wave.work(work, item));
        if (outcome !== undefined) outcomes.set(item, outcome);
        done += 1;
        progress.at(done, total);
      });
    }
  } catch (error) {
    ended = error;
  } finally {
    progress.end();
  }
  return resultOf(plan, outcomes, ended);
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
    ...byKind(doing("create")).map((each) => ({ items: each, work: create })),
    { items: synced.filter((item) => !mayNameWidgets(item)), work: sync },
    { items: synced.filter(mayNameWidgets), work: sync },
    ...byKind(doing("delete")).map((each) => ({ items: each, work: remove })),
  ];
}

/** Groups of one kind, in the order of the items. */
function byKind(items: readonly Item[]): Item[][] {
  const groups = new Map<Kind, Item[]>();
  for (const item of items) groups.set(item.kind, [...(groups.get(item.kind) ?? []), item]);
  return [...groups.values()];
}

/** The rows of a plan with what became of them. */
function resultOf(plan: ApplyPlan, outcomes: ReadonlyMap<Item, Outcome>, ended: unknown): RunResult {
  const rows = plan.items.map((item) => ({ ...item.row, ...(outcomes.get(item) ?? untouched(item)) }));
  return ended === undefined ? { rows } : { rows, ended };
}

async function attempt(item: Item, work: () => Promise<Outcome | undefined>): Promise<Outcome | undefined> {
  try {
    return await work();
  } catch (error) {
    // Out of reach, or stopped: nothing else would do better.
    if (error instanceof RequestError || (error instanceof CommandError && error.exit === 130)) throw error;
    const id = item.row.id;
    return { result: "failed", why: messageOf(error), id };
  }
}

/** The rows of a plan with nothing to do. */
export const untouchedRows = ({ items }: ApplyPlan): readonly ApplyRow[] =>
  items.map((item) => ({ ...item.row, ...untouched(item) }));

function untouched({ row }: Item): Pick<ApplyRow, "result"> {
  if (row.action === "leave") return { result: "unchanged" };
  if (row.action === "skip") return { result: "skipped" };
  return { result: row.action === "conflict" ? "failed" : "waiting" };
}

async function create(work: Work, { kind, entry, key, replaces }: Item): Promise<undefined> {
  const { client, plan, notes } = work;
  if (entry === undefined) return undefined;
  if (replaces !== undefined) await removeDashboard(client, replaces);
  const document = replaceIds(entry.document, plan.ids);
  notes.begin(entry.id);
  const id = await makeResource(work, kind, document, key);
  notes.make(entry.id, id);
  plan.ids.set(entry.id, id);
  return undefined;
}

async function sync(work: Work, { kind, entry, key, current, row }: Item): Promise<Outcome | undefined> {
  const { plan, notes } = work;
  const { ids, prune } = plan;
  const id = entry === undefined ? undefined : ids.get(entry.id);
  if (entry === undefined || id === undefined) return undefined;
  const wanted = { kind, id, key, document: entry.document, ids, prune, mark: current && markOf(current) };
  await syncResource(work, wanted, {
    made: notes.made,
    begin: notes.begin,
    make(widget, newId) {
      notes.make(widget, newId);
      ids.set(widget, newId);
    },
  });
  return { result: isNew(row, notes, entry.id) ? "created" : "updated", why: null, id };
}

/** Whether a resource is of this run. */
const isNew = ({ action }: ApplyRow, notes: Notes, id: string): boolean => action === "create" || notes.isBegun(id);

async function remove(work: Work, { kind, current, row: { id } }: Item): Promise<Outcome> {
  if (id !== null) await removeResource(work, kind, id, current && markOf(current));
  return { result: "deleted", why: null, id };
}
