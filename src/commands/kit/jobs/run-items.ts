import type { CommandContext } from "../context.ts";
import { conflictError } from "../failures/command-error.ts";
import { eachInLanes } from "../lanes.ts";
import type { Journal } from "../state/journal.ts";
import { failureOf, failureReason } from "./failure.ts";
import type { ItemResult, JobItem, JobNotes } from "./job.ts";

/** Items that may be done side by side. */
type Items<Args extends object> = Iterable<JobItem<Args>> | AsyncIterable<JobItem<Args>>;

/** What is done in this process, item by item. */
export interface ItemRun<Args extends object = object, Row extends object = object> {
  /** The items. Those of a phase are asked for when all items of the phases before have ended. */
  phases(): Iterable<Items<Args>>;
  /** Does an item. A second run must leave the same as one: the process may die after the work and before its result. */
  run(item: JobItem<Args>, notes: JobNotes): Promise<Row>;
  /** Called as each item ends. @param isBefore an earlier run has done it */
  ended?(item: JobItem<Args>, result: ItemResult<Row>, isBefore: boolean): void;
  /** Items at a time; `--concurrency` or 4 unless given. */
  readonly lanes?: number;
  /** Whether a failure ends the run; unless given, one that is not about the item alone. */
  isFatal?(error: unknown): boolean;
  /** As of a kind of job. */
  isWhole?(row: Row): boolean;
  /** The failure where an item is not what it was in the interrupted run. */
  changed?(item: JobItem<Args>): Error;
}

/** How a run ended. */
export interface RunEnd<Row extends object = object> {
  /** Of all items that have ended, in this run or before, in the order in which they did. */
  readonly results: ReadonlyMap<string, ItemResult<Row>>;
  readonly failed: number;
  /** Why the remaining items did not start: Ctrl-C, or a failure that is not about one item. */
  readonly stop?: { readonly cause?: Error };
}

/** Items at a time, unless `--concurrency` says otherwise. */
const LANES = 4;

/**
 * Does items in this process, several at a time. The journal has a note of each before and after it is done, so a run
 * that was killed can be resumed: what is done is not done again, and what was begun learns it from its notes. An item
 * that fails does not stop the others. After Ctrl-C, the items that are under way are finished. Never rejects for what
 * an item throws: the caller shows what was done, and throws what ended the run.
 */
export async function runItems<Args extends object, Row extends object>(
  ctx: CommandContext,
  journal: Journal,
  run: ItemRun<Args, Row>,
): Promise<RunEnd<Row>> {
  const results = new Map<string, ItemResult<Row>>();
  let failed = 0;
  const end = async (item: JobItem<Args>): Promise<void> => {
    const before = doneBefore(journal, run, item);
    const result = before ?? (await resultOf(journal, run, item));
    results.set(item.id, result);
    if ("reason" in result) failed += 1;
    run.ended?.(item, result, before !== undefined);
  };
  try {
    for (const items of run.phases()) {
      const isOver = await eachInLanes(items, run.lanes ?? ctx.flags.concurrency ?? LANES, end, ctx.signal);
      if (!isOver) return { results, failed, stop: {} };
    }
    return { results, failed };
  } catch (cause) {
    return { results, failed, stop: { cause: cause instanceof Error ? cause : new Error(String(cause)) } };
  }
}

/** What the journal says of an item: `mark`, `+` for its result or `?` for a note, and that. */
const entryIn = (noted: string | undefined): { readonly mark: string; readonly text: string } | undefined => {
  const [, mark = "", text] = /^(\w*)[+?](.*)$/s.exec(noted ?? "") ?? [];
  return text === undefined ? undefined : { mark, text };
};

/** Whether an earlier run has begun an item, or has done it. */
export const isBegun = (journal: Journal, id: string, name: string): boolean =>
  (entryIn(journal.mark(id)) ?? entryIn(journal.mark(`${id} ${name}`))) !== undefined;

/** The row of an item that an earlier run has done. */
export function doneRow<Row extends object>(journal: Journal, id: string): Row | undefined {
  const entry = entryIn(journal.mark(id));
  return entry === undefined ? undefined : (JSON.parse(entry.text) as Row);
}

function doneBefore<Args extends object, Row extends object>(
  journal: Journal,
  run: ItemRun<Args, Row>,
  item: JobItem<Args>,
): ItemResult<Row> | undefined {
  const text = textIn(journal.mark(item.id), run, item);
  return text === undefined ? undefined : { id: item.id, row: JSON.parse(text) as Row };
}

/** @throws the failure of a run whose item was another one */
function textIn<Args extends object, Row extends object>(
  noted: string | undefined,
  { changed = changedItem }: ItemRun<Args, Row>,
  item: JobItem<Args>,
): string | undefined {
  const entry = entryIn(noted);
  if (entry !== undefined && entry.mark !== (item.mark ?? "")) throw changed(item);
  return entry?.text;
}

async function resultOf<Args extends object, Row extends object>(
  journal: Journal,
  run: ItemRun<Args, Row>,
  item: JobItem<Args>,
): Promise<ItemResult<Row>> {
  const { id, mark = "" } = item;
  const { isFatal = (error) => failureOf(error) !== "item", isWhole = () => true } = run;
  try {
    const row = await run.run(item, notesOf(journal, run, item));
    if (isWhole(row)) journal.add(id, `${mark}+${JSON.stringify(row)}`);
    return { id, row };
  } catch (cause) {
    if (isFatal(cause)) throw cause;
    return { id, reason: failureReason(cause), cause };
  }
}

const notesOf = <Args extends object, Row extends object>(
  journal: Journal,
  run: ItemRun<Args, Row>,
  item: JobItem<Args>,
): JobNotes => ({
  of: (name) => textIn(journal.mark(`${item.id} ${name}`), run, item),
  add: async (name, note) => journal.add(`${item.id} ${name}`, `${item.mark ?? ""}?${note}`),
  forget: async (name) => journal.add(`${item.id} ${name}`, ""),
});

/** What an unfinished run noted of an item, with whatever mark. */
export const notesIn = (run: Pick<Journal, "mark"> | undefined, id: string): Pick<JobNotes, "of"> => ({
  of: (name) => entryIn(run?.mark(`${id} ${name}`))?.text,
});

const changedItem = ({ id }: JobItem): Error =>
  conflictError("The work is not that of the interrupted run.", {
    code: "input.changed",
    why: `It differs at ${id}.`,
    next: "Restore what it was made from, or start again with --again once you know what was done.",
  });
