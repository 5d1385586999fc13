import { countOf } from "../../../text/count.ts";
import type { Column } from "../command/columns.ts";
import type { OptionSpec } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { isStop, stoppedError } from "../failures/command-error.ts";
import { listOf } from "../folders/documents.ts";
import { partialError } from "../jobs/ending.ts";
import { expectTexts } from "../resource/reply.ts";
import { unfinishedRun, withRun } from "../state/journal.ts";
import { type ApplyPlan, type Item, planApply } from "./apply/plan.ts";
import { requestsOf } from "./apply/requests.ts";
import { carryOut } from "./apply/run.ts";
import type { Entry } from "./kind.ts";
import { kinds } from "./kinds.ts";
import { type Made, madeIn, requireNoOldNotes } from "./notes.ts";

/** What is done with one entry, or was. */
interface CreateRow {
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

export const previewOption = {
  name: "preview",
  formerly: ["plan"],
  summary: "show what would be created, exists or is skipped; send nothing",
} as const satisfies OptionSpec;

/** Where entries come from and who must agree. */
export interface ImportedEntries {
  readonly entries: readonly Entry[];
  /** What makes two runs the same import: a folder, the id of a backup. */
  readonly source: string;
  /** Id of the profile of the files: addresses of its files become those of this profile. Absent where nobody knows it. */
  readonly from?: string;
  /** Nothing is created. */
  readonly isPreview: boolean;
  /** Asked once the plan is known and before anything is sent. */
  confirm(missing: readonly string[], profile: string): Promise<void>;
}

/** Applies files to a profile, but only creates what it does not have yet: nothing is changed or deleted. */
export async function importEntries(ctx: CommandContext, creation: ImportedEntries): Promise<void> {
  const { info } = await (await ctx.client()).profiles.info("current");
  expectTexts([info], ["id", "name"], "with the profile");
  const { api, label } = await ctx.connection();
  const place = [api, info.id, creation.source];
  requireNoOldNotes(ctx.env, "imports", place, {
    what: "import",
    next: (path) => `Finish it with that version, or check what it has created and delete ${path}.`,
  });
  const entries = creation.entries.map((entry) => withoutHiddenWidgets(ctx, entry));
  const plan = (notes: Made): Promise<ApplyPlan> => planCreation(ctx, entries, notes, [creation.from ?? "", info.id]);
  const key = ["profile import", ...place];
  if (ctx.flags.dryRun || creation.isPreview) {
    return show(ctx, await plan(madeIn(unfinishedRun(ctx.env, key))), label);
  }
  const run = { key, content: undefined, what: `import to profile "${info.name}"`, isResumed: true, isBegun: true };
  await withRun(ctx, run, false, async (journal) => {
    const creating = await plan(madeIn(journal));
    const missing = creating.items.filter(isWritten).map(({ row }) => `${row.kind} ${row.name}`);
    if (missing.length > 0) await creation.confirm(missing, info.name);
    // A lost response is about one resource: the others may still be created.
    const { rows: results } = await carryOut(ctx, creating, journal, isStop);
    const rows = creating.items.map((item, i) => createRow({ ...item, row: results[i] ?? item.row }));
    await ctx.out.list(rows, { columns: createColumns, empty });
    if (rows.every(({ result }) => result !== "failed" && result !== "create")) journal.finish();
    sumUp(ctx, rows, `profile "${info.name}" (${label})`);
    sayWhatIsLeft(ctx, entries, rows);
  });
}

const empty = "The files contain no resources.";

function planCreation(
  ctx: CommandContext,
  entries: readonly Entry[],
  notes: Made,
  profiles: readonly [string, string],
): Promise<ApplyPlan> {
  const wanted = new Set(entries.map(({ kind }) => kind));
  return planApply(ctx, {
    entries,
    chosen: kinds.filter(({ name }) => wanted.has(name)),
    prune: false,
    isRemoved: () => false,
    profiles,
    notes,
    onlyCreates: true,
  });
}

/** Whether requests are sent for it: what is updated is what an earlier run has left half made. */
const isWritten = ({ row: { action } }: Item): boolean => action === "create" || action === "update";

/** A widget outside the arrangement would be invisible, and nobody would find it again. */
function withoutHiddenWidgets(ctx: CommandContext, entry: Entry): Entry {
  const { kind, name, document } = entry;
  if (kind !== "dashboard") return entry;
  const placed = new Set(listOf(document["arrangement"]).map((place) => place["widget_id"]));
  const [widgets, all] = [listOf(document["widgets"]).filter(({ id }) => placed.has(id)), listOf(document["widgets"])];
  if (widgets.length === all.length) return entry;
  const hidden = countOf(all.length - widgets.length, "widget");
  ctx.say.warning(`dashboard "${name}": ${hidden} without a position in the arrangement will not be created.`);
  return { ...entry, document: { ...document, widgets } };
}

/** Shows a plan that is not carried out. */
async function show(ctx: CommandContext, plan: ApplyPlan, label: string): Promise<void> {
  const count = plan.items.filter(isWritten).length;
  if (ctx.flags.dryRun) {
    for (const request of requestsOf(plan)) await ctx.dryRun(request);
    if (count === 0) ctx.say.info("Nothing to create; no requests would be sent.");
    return;
  }
  await ctx.out.list(plan.items.map(createRow), { columns: createColumns, empty });
  ctx.say.info(`${count} of ${countOf(plan.items.length, "resource")} would be created in ${label}.`);
}

/** A row of an apply in the words of an import. */
function createRow({ row, kind }: Item): CreateRow {
  const { name, action, result, why, id, file_id } = row;
  const about = { kind: kind.name, name, id: file_id ?? "", new_id: id };
  if (action === "skip") return { ...about, result: "skipped", why: kind.skipped ?? why };
  if (action === "conflict" || result === "failed") return { ...about, result: "failed", why };
  if (action === "leave") return { ...about, result: "exists", why: id === file_id ? null : "has the same name" };
  const isDone = result === "created" || result === "updated";
  return { ...about, result: isDone ? "created" : "create", why: isDone ? null : why };
}

/** Says on stderr what was done; fails with 8 when some failed, with the first failure when all did. */
function sumUp(ctx: CommandContext, rows: readonly CreateRow[], place: string): void {
  const having = (result: CreateRow["result"]): readonly CreateRow[] => rows.filter((row) => row.result === result);
  const [created, failed, waiting] = [having("created").length, having("failed"), having("create").length];
  for (const { kind, name, why } of failed) ctx.say.warning(`${kind} "${name}": ${why ?? "failed"}`);
  for (const { kind, name, why } of having("skipped"))
    ctx.say.warning(`${kind} "${name}" was not created: ${why ?? "skipped"}.`);
  ctx.say.info(
    `Created ${countOf(created, "resource")} in ${place}; ${having("exists").length} already existed, ${having("skipped").length} skipped.`,
  );
  if (waiting > 0) {
    ctx.say.warning(`Stopped with ${waiting} left; run the command again to continue.`);
    throw stoppedError();
  }
  const [first] = failed;
  if (first === undefined) return;
  throw partialError(`${failed.length} of ${countOf(created + failed.length, "resource")} could not be created.`, {
    ...(created === 0 ? { exit: 1 } : {}),
    why: first.why ?? "The platform rejected them.",
    next: "See the warnings above; fix the files and run the command again.",
  });
}

/** What files cannot hold, and somebody has to add. */
function sayWhatIsLeft(ctx: CommandContext, entries: readonly Entry[], rows: readonly CreateRow[]): void {
  const made = new Set(rows.filter(({ result }) => result === "created").map(({ id }) => id));
  const created = entries.filter(({ id }) => made.has(id));
  const withVariables = created.filter(({ document }) => listOf(document["variables"]).length > 0);
  if (withVariables.length > 0) {
    const names = withVariables.map(({ name }) => name).join(", ");
    ctx.say.hint(`The files contain no variable values. Set them with "iot analysis env set": ${names}.`);
  }
  if (created.some(({ kind }) => kind === "run-user")) {
    ctx.say.hint("New portal users have a random password; they can reset it in the portal.");
  }
}
