import type { Resources } from "../../../index.ts";
import { RequestError } from "../../../lib/core/errors.ts";
import { removeDashboard } from "../../dashboard/migrate/copy.ts";
import { isUnknownId } from "../../dashboard/migrate/scan.ts";
import type { CommandContext } from "../../kit/context.ts";
import { CommandError, stoppedError } from "../../kit/failures/command-error.ts";
import { isObject } from "../../kit/files/files.ts";
import { replaceIds } from "../../kit/folders/replace-ids.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { createProgress } from "../../kit/say/progress.ts";
import { withinLimits } from "../../kit/say/rate-limit.ts";
import { canonicalText } from "../../kit/state/snapshots.ts";
import { steadyClient, steadySender } from "../../kit/steady-client.ts";
import { withKey } from "../content/key.ts";
import type { Entry } from "../content/kind.ts";
import type { Notes } from "../content/notes.ts";
import { compare } from "./compare.ts";
import type { ApplyPlan, ApplyRow, Item } from "./plan.ts";
import { fetchTarget } from "./targets.ts";
import type { Step } from "./types.ts";

type Outcome = Pick<ApplyRow, "result" | "why" | "id">;

/** Everything the work on one plan needs. */
interface Work {
  readonly ctx: CommandContext;
  readonly client: Resources;
  readonly send: (step: Step) => Promise<unknown>;
  readonly plan: ApplyPlan;
  readonly notes: Notes;
}

/** What differs from the plan is left alone. */
class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
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
  const sender = await steadySender(ctx);
  const send = (step: Step): Promise<unknown> => withinLimits(ctx, () => sender(step));
  const work: Work = { ctx, client: await steadyClient(ctx), send, plan, notes };
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
  const rows = plan.items.map((item) => ({ ...item.row, ...(outcomes.get(item) ?? untouched(item)) }));
  return ended === undefined ? { rows } : { rows, ended };
}

function requireGoOn({ signal }: CommandContext): void {
  if (signal.aborted) throw stoppedError("Stopped before the profile was as the files say.");
}

async function attempt(item: Item, work: () => Promise<Outcome | undefined>): Promise<Outcome | undefined> {
  try {
    return await work();
  } catch (error) {
    // Out of reach, or stopped: nothing else would do better.
    if (error instanceof RequestError || (error instanceof CommandError && error.exit === 130)) throw error;
    const id = item.row.id;
    return { result: "failed", why: error instanceof ChangedMeanwhile ? CHANGED : messageOf(error), id };
  }
}

export const CHANGED = "it changed since the plan was made";

/** The rows of a plan with nothing to do. */
export const untouchedRows = ({ items }: ApplyPlan): readonly ApplyRow[] =>
  items.map((item) => ({ ...item.row, ...untouched(item) }));

function untouched({ row }: Item): Pick<ApplyRow, "result"> {
  if (row.action === "leave") return { result: "unchanged" };
  if (row.action === "skip") return { result: "skipped" };
  return { result: row.action === "conflict" ? "failed" : "waiting" };
}

async function create({ ctx, client, plan, notes }: Work, { kind, entry, key, replaces }: Item): Promise<undefined> {
  const make = kind.create;
  if (entry === undefined || make === undefined) return undefined;
  if (replaces !== undefined) await removeDashboard(client, replaces);
  const document = replaceIds(entry.document, plan.ids);
  notes.begin(entry.id);
  const body = kind.isTagged === true ? withKey(document, key) : document;
  const id = await withinLimits(ctx, () => make(client, body));
  notes.make(entry.id, id);
  plan.ids.set(entry.id, id);
  return undefined;
}

/** Makes a resource what its file says. */
async function bring(work: Work, { kind, entry, key, current, row }: Item): Promise<Outcome | undefined> {
  const { ctx, client, plan, notes } = work;
  const id = entry === undefined ? undefined : plan.ids.get(entry.id);
  if (entry === undefined || id === undefined) return undefined;
  const found = await withinLimits(ctx, () => fetchTarget(ctx, client, entry, id, notes));
  if (found === undefined) throw new Error("it was deleted in the meantime");
  requireSame(current, kind.clean(found));
  const wanted = replaceIds(entry.document, plan.ids);
  const { conflict, steps } = compare(kind, { id, found, wanted, prune: plan.prune }, key);
  if (conflict !== undefined) throw new Error(conflict);
  await sendAll(work, steps);
  const isNew = row.action === "create" || notes.isBegun(entry.id);
  return { result: isNew ? "created" : "updated", why: null, id };
}

function requireSame(planned: Entry["document"] | undefined, now: Entry["document"]): void {
  if (planned !== undefined && canonicalText(planned) !== canonicalText(now)) throw new ChangedMeanwhile();
}

async function sendAll({ ctx, send, plan, notes }: Work, steps: readonly Step[]): Promise<void> {
  const made = new Map<string, string>();
  for (const { makes, ...step } of steps) {
    requireGoOn(ctx);
    if (makes !== undefined) notes.begin(makes);
    const reply = await send({ ...step, path: replaceIds(step.path, made), body: replaceIds(step.body, made) });
    if (makes === undefined) continue;
    const id = isObject(reply) ? reply["widget"] : undefined;
    if (typeof id !== "string") throw new Error("the platform returned no id for a new widget");
    notes.make(makes, id);
    made.set(makes, id);
    plan.ids.set(makes, id);
  }
}

async function remove({ ctx, client, send }: Work, { kind, current, row, steps }: Item): Promise<Outcome> {
  const { id } = row;
  const now = id === null ? undefined : await kind.fetch(ctx, client, id).catch(ifThere);
  if (now !== undefined) {
    requireSame(current, kind.clean(now));
    for (const step of steps) await send(step);
  }
  return { result: "deleted", why: null, id };
}

function ifThere(error: unknown): undefined {
  if (!isUnknownId(error)) throw error;
}
