import type { Resources } from "../../../../index.ts";
import type { Column } from "../../command/columns.ts";
import type { CommandContext } from "../../context.ts";
import type { JsonObject } from "../../files/files.ts";
import { listOf } from "../../folders/documents.ts";
import { replaceIds } from "../../folders/replace-ids.ts";
import { mapLanes } from "../../lanes.ts";
import type { Entry, ListedRow, ResourceKind } from "../kind.ts";
import { kinds } from "../kinds.ts";
import { counterparts, type Present, presentOf, resourceKeys } from "../match.ts";
import type { Made } from "../notes.ts";
import { fetchIfThere, LANES } from "../read-platform.ts";
import { type Changes, compareWithProfile } from "./compare.ts";
import { rulesOf } from "./rules.ts";
import { deletionOf } from "./steps.ts";
import { fetchAll, halfDashboards, kindOf, pairAllWidgets } from "./targets.ts";

/** What is to be done with one resource. */
export interface ApplyRow {
  readonly kind: string;
  readonly name: string;
  readonly action: "create" | "update" | "leave" | "delete" | "skip" | "conflict";
  /** Absent in a plan. */
  readonly result?: "created" | "updated" | "deleted" | "unchanged" | "skipped" | "failed" | "waiting";
  /** Where it differs from its file. */
  readonly paths: readonly string[];
  readonly why: string | null;
  /** Id in the profile; null while there is none. */
  readonly id: string | null;
  /** Id in the files; null for a deletion. */
  readonly file_id: string | null;
}

export const planColumns: readonly Column<ApplyRow>[] = [
  { key: "kind" },
  { key: "name", rank: 1 },
  { key: "action", rank: 1 },
  {
    key: "paths",
    rank: 3,
    schema: { type: "array", items: { type: "string" } },
    value: ({ paths }) => paths.join(", "),
  },
  { key: "why" },
  { key: "id", kind: "id", rank: 3 },
  { key: "file_id", kind: "id", hidden: true },
];

/** One resource of a plan. */
export interface Item {
  readonly kind: ResourceKind;
  readonly row: ApplyRow;
  /** The file; absent for a deletion. */
  readonly entry?: Entry;
  readonly key: string;
  /** As the profile has it, in the words of a file; absent for a creation. */
  readonly current?: JsonObject;
  /** Half of a dashboard that an interrupted run has left, which goes. */
  readonly replaces?: string;
  /** Requests, as far as they are known before the new ids are. */
  readonly steps: Changes["steps"];
}

export interface ApplyPlan {
  /** In the order of doing it; deletions last. */
  readonly items: readonly Item[];
  /** Ids in the files, and those they have in the profile. */
  readonly ids: Map<string, string>;
  readonly prune: boolean;
  readonly onlyCreates: boolean;
}

/** What a plan is made from. */
export interface PlanSource {
  /** All entries, also those of kinds that are not written: others refer to them. */
  readonly entries: readonly Entry[];
  readonly chosen: readonly ResourceKind[];
  /** Whether parts of resources that the files do not have go. */
  readonly prune: boolean;
  /** Which resources go, of those that the files do not have. */
  isRemoved(kind: ResourceKind, row: ListedRow): boolean;
  /** Whether an entry may be found by its name. */
  hasName?(entry: Entry): boolean;
  /** Profile of the files, and the one that is written. */
  readonly profiles: readonly [string, string];
  /** What the interrupted run to continue has created. */
  readonly notes?: Made;
  /** Whether nothing but creations is wanted: what is there already is not even read. */
  readonly onlyCreates?: boolean;
}

/** Compares files with a profile. */
export async function planApply(ctx: CommandContext, source: PlanSource): Promise<ApplyPlan> {
  const { entries, chosen, prune, onlyCreates = false } = source;
  const client = await ctx.client();
  const used = new Set(entries.map(({ kind }) => kind));
  const present = await presentOf(
    client,
    kinds.filter((kind) => used.has(kind.name) || chosen.includes(kind)),
  );
  const ids = counterparts(entries, present, source.hasName);
  const notes = source.notes && foundAgain(source.notes, ids);
  const keys = resourceKeys(entries);
  const written = entries.filter((entry) => chosen.some(({ name }) => name === entry.kind));
  const removed = removedRows(source, present, new Set(ids.values()));
  const replaced = notes === undefined ? new Map<string, string>() : halfDashboards(written, ids, notes);
  for (const id of replaced.keys()) ids.delete(id);
  const isLeft = ({ id }: Entry): boolean => onlyCreates && notes?.made(id) !== ids.get(id);
  const compared = written.filter((entry) => !isLeft(entry));
  const found = await fetchAll(ctx, client, compared, ids, notes);
  pairAllWidgets(compared, found, ids, notes);
  const [from, to] = source.profiles;
  if (from !== "") ids.set(from, to);
  const isMissing = ({ id, kind }: Entry): boolean => !ids.has(id) && kindOf(kind).create !== undefined;
  // Placeholders for ids that are not known yet.
  const ahead = new Map([
    ...ids,
    ...written.filter(isMissing).map(({ id, kind, name }) => [id, `{${kind} ${name}}`] as const),
  ]);
  const items = written.map((entry): Item => {
    const kind = kindOf(entry.kind);
    const key = keys.get(entry) ?? entry.id;
    const about = { kind, entry, key };
    const id = ids.get(entry.id);
    const document = found.get(entry.id);
    const row = { kind: kind.name, name: entry.name, id: id ?? null, file_id: entry.id, paths: [], why: null };
    const wanted = replaceIds(entry.document, ahead);
    if (id !== undefined && isLeft(entry)) return { ...about, row: { ...row, action: "leave" }, steps: [] };
    if (id === undefined || document === undefined) {
      const old = replaced.get(entry.id);
      return { ...missing(about, row, wanted), ...(old === undefined ? {} : { replaces: old }) };
    }
    if (kind.create === undefined) return { ...about, row: { ...row, action: "leave" }, steps: [] };
    const { paths, conflict, steps } = compareWithProfile(kind, { id, found: document, wanted, prune }, key);
    const current = kind.clean(document);
    if (conflict !== undefined)
      return { ...about, current, steps, row: { ...row, action: "conflict", paths, why: conflict } };
    const isOurs = notes?.made(entry.id) === id;
    const isHalf = isOurs && (paths.length > 0 || (onlyCreates && notes?.isDone(entry.id) === false));
    const why = isHalf ? "continues an earlier run" : null;
    return {
      ...about,
      current,
      steps,
      row: { ...row, action: paths.length === 0 && !isHalf ? "leave" : "update", paths, why },
    };
  });
  return { items: [...items, ...(await deletions(ctx, client, removed))], ids, prune, onlyCreates };
}

/** A resource that is to go. */
interface Removed {
  readonly kind: ResourceKind;
  readonly row: ListedRow;
}

/** What the profile has, the files do not, and is to go. */
function removedRows(source: PlanSource, present: Present, met: ReadonlySet<string>): readonly Removed[] {
  return source.chosen.flatMap((kind) =>
    (present.get(kind.name) ?? [])
      .filter((row) => !met.has(row.id) && source.isRemoved(kind, row))
      .map((row) => ({ kind, row })),
  );
}

/** Adds what was created by a request whose response was lost with the program, and was found again. */
function foundAgain(notes: Made, ids: ReadonlyMap<string, string>): Made {
  const found = new Map([...ids].filter(([id]) => notes.isBegun(id) && notes.made(id) === undefined));
  return { ...notes, made: (id) => notes.made(id) ?? found.get(id) };
}

/** The platform does not delete what has this tag. */
export const PROTECTING_TAG = "_delete_protection_";
/** Why a deletion is skipped. */
export const PROTECTED = "delete protection";

function missing(about: Pick<Item, "kind" | "key" | "entry">, row: Omit<ApplyRow, "action">, wanted: JsonObject): Item {
  const { kind } = about;
  const refused = (action: "skip" | "conflict", why: string): Item => ({
    ...about,
    steps: [],
    row: { ...row, action, why },
  });
  if (kind.create === undefined) return refused("skip", kind.name === "secret" ? "value needed" : (kind.skipped ?? ""));
  const why = rulesOf[kind.name]?.conflict?.({ id: "", found: {}, current: {}, wanted, prune: false });
  return why === undefined ? { ...about, steps: [], row: { ...row, action: "create" } } : refused("conflict", why);
}

/** The last made go first: they refer to the others. */
async function deletions(ctx: CommandContext, client: Resources, removed: readonly Removed[]): Promise<Item[]> {
  const items = await mapLanes([...removed].reverse(), ctx.flags.concurrency ?? LANES, async ({ kind, row }) => {
    const { id, name } = row;
    const found = await fetchIfThere(ctx, client, kind, id);
    if (found === undefined) return undefined;
    const isProtected = listOf(found["tags"]).some((tag) => tag["key"] === PROTECTING_TAG);
    const about = { kind: kind.name, name, id, file_id: null, paths: [] };
    const end = isProtected
      ? ({ action: "skip", why: PROTECTED } as const)
      : ({ action: "delete", why: null } as const);
    const steps = [deletionOf(kind, id)];
    return { kind, key: row.key ?? id, current: kind.clean(found), steps, row: { ...about, ...end } };
  });
  return items.filter((item) => item !== undefined);
}
