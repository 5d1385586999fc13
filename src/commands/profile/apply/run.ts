import { RequestError } from "../../../lib/core/errors.ts";
import { removeDashboard } from "../../dashboard/migrate/copy.ts";
import type { CommandContext } from "../../kit/context.ts";
import { CommandError } from "../../kit/failures/command-error.ts";
import { replaceIds } from "../../kit/folders/replace-ids.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { createProgress } from "../../kit/say/progress.ts";
import { steadyClient } from "../../kit/steady-client.ts";
import type { Notes } from "../content/notes.ts";
import type { ApplyPlan, ApplyRow, Item } from "./plan.ts";
import { bringResource, makeResource, markOf, removeResource, requireGoOn, type Tools, toolsOf } from "./steps.ts";

/** What became of one resource. */
export type Outcome = Pick<ApplyRow, "result" | "why" | "id">;

/** Everything the work on one plan needs. */
export interface Work extends Tools {
  readonly plan: ApplyPlan;
  readonly notes: Notes;
}

/** What became of a run. */
export interface RunResult {
  readonly rows: readonly ApplyRow[];
  /** What ended it before its end: Ctrl-C, or a platform out of reach. */
  readonly ended?: unknown;
}

/**
 * Carries out a plan. First all that is missing is made, so that every id is known; then each resource becomes what its
 * file says; last, what is to go is deleted. One that fails does not stop the others. Each resource is compared once more
 * right before it is written, so a run that was killed can be repeated: it writes what is left.
 */
export async function carryOut(ctx: CommandContext, plan: ApplyPlan, notes: Notes): Promise<RunResult> {
  const work: Work = { ...(await toolsOf(ctx, await steadyClient(ctx))), plan, notes };
  const outcomes = new Map<Item, Outcome>();
  const doing = (...actions: ApplyRow["action"][]): Item[] =>
    plan.items.filter(({ row }) => actions.includes(row.action));
  const phases: readonly (readonly [readonly Item[], (work: Work, item: Item) => Promise<Outcome | undefined>])[] = [
    [doing("create"), create],
    [doing("create", "update"), bring],
    [doing("delete"), remove],
  ];
  const total = phases.reduce((sum, [items]) => sum + items.length, 0);
  const progress = createProgress(ctx, ["Applying", "steps"]);
  let done = 0;
  let ended: unknown;
  try {
    for (const [items, doIt] of phases) {
      for (const item of items) {
        if (outcomes.get(item)?.result === "failed") continue;
        requireGoOn(ctx);
        const outcome = await attempt(item, () => doIt(work, item));
        if (outcome !== undefined) outcomes.set(item, outcome);
        done += 1;
        progress.at(done, total);
      }
    }
  } catch (error) {
    ended = error;
  } finally {
    progress.end();
  }
  return resultOf(plan, outcomes, ended);
}

/** The rows of a plan with what became of them. */
export function resultOf(plan: ApplyPlan, outcomes: ReadonlyMap<Item, Outcome>, ended: unknown): RunResult {
  const rows = plan.items.map((item) => ({ ...item.row, ...(outcomes.get(item) ?? untouched(item)) }));
  return ended === undefined ? { rows } : { rows, ended };
}

export async function attempt(item: Item, work: () => Promise<Outcome | undefined>): Promise<Outcome | undefined> {
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

export async function create(work: Work, { kind, entry, key, replaces }: Item): Promise<undefined> {
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

async function bring(work: Work, { kind, entry, key, current, row }: Item): Promise<Outcome | undefined> {
  const { plan, notes } = work;
  const { ids, prune } = plan;
  const id = entry === undefined ? undefined : ids.get(entry.id);
  if (entry === undefined || id === undefined) return undefined;
  const wanted = { kind, id, key, document: entry.document, ids, prune, mark: current && markOf(current) };
  await bringResource(work, wanted, {
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
export const isNew = ({ action }: ApplyRow, notes: Notes, id: string): boolean =>
  action === "create" || notes.isBegun(id);

async function remove(work: Work, { kind, current, row: { id } }: Item): Promise<Outcome> {
  if (id !== null) await removeResource(work, kind, id, current && markOf(current));
  return { result: "deleted", why: null, id };
}
