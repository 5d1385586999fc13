import type { Resources } from "../../../index.ts";
import { countOf } from "../../../text/count.ts";
import type { Column } from "../command/columns.ts";
import type { CommandContext } from "../context.ts";
import { CommandError } from "../failures/command-error.ts";
import { stoppedError } from "../failures/command-error.ts";
import type { JsonObject } from "../files/files.ts";
import { idOf } from "../folders/documents.ts";
import { listOf } from "../folders/documents.ts";
import { textOf } from "../folders/documents.ts";
import { replaceIds } from "../folders/replace-ids.ts";
import { messageOf } from "../resource/batch.ts";
import { createProgress } from "../say/progress.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { Entry, Kind } from "./kind.ts";
import { kinds } from "./kinds.ts";
import { counterparts, type Present } from "./match.ts";
import type { Notes } from "./notes.ts";

/** What is done with one entry, or was. */
export interface CreateRow {
  readonly kind: string;
  readonly name: string;
  /** Id in the files. */
  readonly id: string;
  /** Id in the profile; null while there is none. */
  readonly new_id: string | null;
  readonly result: "create" | "created" | "exists" | "skipped" | "failed";
  readonly why: string | null;
}

export const createColumns: readonly Column<CreateRow>[] = [
  { key: "kind" },
  { key: "name", rank: 1 },
  { key: "result", rank: 1 },
  { key: "new_id", kind: "id", rank: 3 },
  { key: "why" },
  { key: "id", kind: "id", hidden: true },
];

/** What an import is about to do, in the order of doing it. */
export interface CreatePlan {
  readonly rows: readonly CreateRow[];
  /** Entries to make, and those that were made and not finished by an earlier run. */
  readonly todo: readonly { readonly entry: Entry; readonly kind: Kind }[];
  /** Ids in the files, and the ids they have in the profile. */
  readonly ids: Map<string, string>;
}

/** Sorts entries into those that are there, those that are missing, and those that cannot be made. */
export function planCreation(entries: readonly Entry[], present: Present, notes: Notes): CreatePlan {
  const known = new Set([...present.values()].flat().map(({ id }) => id));
  const isOurs = (id: string): boolean => known.has(notes.made(id) ?? "");
  const ids = counterparts(
    entries.filter(({ id }) => !isOurs(id)),
    withoutThose(present, new Set(entries.map(({ id }) => notes.made(id) ?? ""))),
  );
  for (const { id } of entries) {
    if (isOurs(id)) ids.set(id, notes.made(id) ?? id);
    const found = ids.get(id);
    // The program was killed after the request and before it could note the answer.
    const isLost = found !== undefined && found !== id && notes.isBegun(id) && notes.made(id) === undefined;
    if (isLost) {
      notes.make(id, found);
      known.add(found);
    }
  }
  const todo: { readonly entry: Entry; readonly kind: Kind }[] = [];
  const rows = entries.map((entry): CreateRow => {
    const { id, name } = entry;
    const kind = kinds.find((each) => each.name === entry.kind);
    const newId = ids.get(id);
    const row = { kind: entry.kind, name, id, new_id: newId ?? null, why: null };
    const isHalf = newId !== undefined && isOurs(id) && !notes.isDone(id);
    if (kind?.create === undefined && newId === undefined) {
      return { ...row, result: "skipped", why: kind?.skipped ?? "unknown kind" };
    }
    if (kind !== undefined && (newId === undefined || isHalf)) {
      todo.push({ entry, kind });
      return { ...row, result: "create", why: isHalf ? "continues an earlier run" : null };
    }
    return { ...row, result: "exists", why: newId === id ? null : "has the same name" };
  });
  return { rows, todo, ids };
}

function withoutThose(present: Present, ids: ReadonlySet<string>): Present {
  return new Map([...present].map(([kind, rows]) => [kind, rows.filter(({ id }) => !ids.has(id))]));
}

/** The requests an import would send first for each entry; later ones need the ids that these give. */
export function requestsOf({ todo, ids }: CreatePlan): { method: string; path: string; body: unknown }[] {
  return todo.map(({ entry, kind }) => {
    const { id: _, script, ...body } = replaceIds(entry.document, ids);
    return { method: "POST", path: kind.route, body: script === undefined ? body : { ...body, script: "…" } };
  });
}

/** Makes what is missing, one after the other. One that fails does not stop the others; the rows say what became of each. */
export async function createMissing(ctx: CommandContext, plan: CreatePlan, notes: Notes): Promise<CreateRow[]> {
  const client = await batchClient(ctx);
  const results = new Map<string, Pick<CreateRow, "result" | "new_id" | "why">>();
  const progress = createProgress(ctx, ["Creating", "resources"]);
  let done = 0;
  /** Every dashboard is there before the first widget, because widgets lead to other dashboards. */
  const later: (() => Promise<void>)[] = [];
  const attempt = async (id: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      results.set(id, { result: "failed", new_id: notes.made(id) ?? null, why: messageOf(error) });
    }
  };
  try {
    for (const [index, { entry, kind }] of plan.todo.entries()) {
      if (ctx.signal.aborted) break;
      const isLast = plan.todo[index + 1]?.kind !== kind;
      await attempt(entry.id, async () => {
        const newId = await made(client, kind, entry, plan.ids, notes);
        results.set(entry.id, { result: "created", new_id: newId, why: null });
        const finish = (): Promise<void> => finishEntry(client, kind, entry, newId, plan.ids, notes);
        if (entry.kind === "dashboard") later.push(() => attempt(entry.id, finish));
        else await finish();
      });
      done += 1;
      progress.at(done, plan.todo.length);
      if (isLast) for (const work of later.splice(0)) if (!ctx.signal.aborted) await work();
    }
  } finally {
    progress.end();
  }
  return plan.rows.map((row) => ({ ...row, ...results.get(row.id) }));
}

async function made(
  client: Resources,
  kind: Kind,
  { id, document }: Entry,
  ids: Map<string, string>,
  notes: Notes,
): Promise<string> {
  const before = notes.made(id);
  if (before !== undefined && ids.get(id) === before) return before;
  if (kind.create === undefined) throw new Error(`${kind.name} cannot be created`);
  notes.begin(id);
  const newId = await kind.create(client, replaceIds(document, ids));
  notes.make(id, newId);
  ids.set(id, newId);
  return newId;
}

async function finishEntry(
  client: Resources,
  kind: Kind,
  entry: Entry,
  newId: string,
  ids: Map<string, string>,
  notes: Notes,
): Promise<void> {
  if (kind.name === "dashboard") await fillDashboard(client, entry.document, newId, ids, notes);
  await kind.finish?.(client, newId, replaceIds(entry.document, ids));
  notes.done(entry.id);
}

/** Widgets first, then the arrangement that names them. */
async function fillDashboard(
  { dashboards }: Resources,
  document: JsonObject,
  newId: string,
  ids: Map<string, string>,
  notes: Notes,
): Promise<void> {
  for (const widget of listOf(document["widgets"])) {
    const before = notes.made(idOf(widget));
    if (before !== undefined) {
      ids.set(idOf(widget), before);
      continue;
    }
    const { id: _, ...body } = replaceIds(widget, ids);
    type Body = Parameters<typeof dashboards.widgets.create>[1];
    const created = await dashboards.widgets.create(newId, body as unknown as Body);
    notes.make(idOf(widget), created.widget);
    ids.set(idOf(widget), created.widget);
  }
  const arrangement = listOf(document["arrangement"]).map((place) => replaceIds(place, ids));
  const known = arrangement.filter((place) => textOf(place, "widget_id") !== "");
  type Edit = Parameters<typeof dashboards.edit>[1];
  if (known.length > 0) await dashboards.edit(newId, { arrangement: known } as unknown as Edit);
}

/** Says on stderr what was done; fails with 8 when some failed, with the first failure when all did. */
export function sumUp(ctx: CommandContext, rows: readonly CreateRow[], place: string): void {
  const count = (result: CreateRow["result"]): number => rows.filter((row) => row.result === result).length;
  const [created, failed, waiting] = [count("created"), count("failed"), count("create")];
  for (const row of rows.filter(({ result }) => result === "failed")) {
    ctx.say.warning(`${row.kind} "${row.name}": ${row.why ?? "failed"}`);
  }
  for (const row of rows.filter(({ result }) => result === "skipped"))
    ctx.say.warning(`${row.kind} "${row.name}" was not created: ${row.why ?? "skipped"}.`);
  ctx.say.info(
    `Created ${countOf(created, "resource")} in ${place}; ${count("exists")} already existed, ${count("skipped")} skipped.`,
  );
  if (waiting > 0) {
    ctx.say.warning(`Stopped with ${waiting} left; run the command again to continue.`);
    throw stoppedError();
  }
  if (failed === 0) return;
  throw new CommandError(`${failed} of ${countOf(created + failed, "resource")} could not be created.`, {
    code: "batch.partial",
    exit: created === 0 ? 1 : 8,
    why: rows.find(({ result }) => result === "failed")?.why ?? "The platform rejected them.",
    next: "See the warnings above; fix the files and run the command again.",
  });
}
