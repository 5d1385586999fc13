import type { CommandInput } from "../../kit/command/define.ts";
import type { CommandContext } from "../../kit/context.ts";
import { conflictError } from "../../kit/failures/command-error.ts";
import { idOf, listOf } from "../../kit/folders/documents.ts";
import { replaceIds } from "../../kit/folders/replace-ids.ts";
import type { ItemResult, JobItem, JobPlan } from "../../kit/jobs/job.ts";
import { queueLabel, withQueues } from "../../kit/jobs/queue/connect.ts";
import { runInQueue } from "../../kit/jobs/run-job.ts";
import { steadyClient } from "../../kit/steady-client.ts";
import { isKeyed } from "../content/key.ts";
import type { Entry } from "../content/kind.ts";
import { kinds } from "../content/kinds.ts";
import type { Notes } from "../content/notes.ts";
import { listAll } from "../content/read-platform.ts";
import type { ApplyPlan, Item } from "./plan.ts";
import { type ApplyArgs, type ApplyResult, type ApplyShared, applyKind, widgetIds } from "./queue-kind.ts";
import { attempt, create, isNew, type Outcome, type RunResult, resultOf } from "./run.ts";
import { markOf, requireGoOn, toolsOf } from "./steps.ts";
import { notesOf, type ProfileSnapshot } from "./store.ts";

/** Carries out plans by the workers of a queue. */
export interface ApplyWorkers {
  /** Address of the queue, as people write it. */
  readonly queue: string;
  carryOut(plan: ApplyPlan, snapshot: ProfileSnapshot): Promise<RunResult>;
}

/** Items that may be done at the same time, by as many workers as there are. */
interface Wave {
  readonly name: string;
  readonly do: ApplyArgs["do"];
  readonly items: readonly Item[];
}

export function applyWorkers(ctx: CommandContext, input: CommandInput, url: string): ApplyWorkers {
  return {
    queue: queueLabel(url),
    carryOut: (plan, snapshot) => new QueuedRun(ctx, input, url, plan, snapshot).carryOut(),
  };
}

/** Fails when the queue cannot be used, before a snapshot says that its workers do the run. */
export async function checkQueue(ctx: CommandContext, url: string): Promise<void> {
  await withQueues(ctx, url, async () => undefined);
}

/**
 * Waits for the workers of an interrupted run and notes the widgets they created.
 *
 * @throws CommandError (exit 7) without the queue of that run: its workers may still be writing
 */
export async function settleWorkers(
  ctx: CommandContext,
  open: ProfileSnapshot,
  url: string | undefined,
  entries: readonly Entry[],
): Promise<void> {
  if (open.queue === undefined) return;
  if (url === undefined || queueLabel(url) !== open.queue) {
    throw conflictError(`Workers of the queue ${open.queue} may still be working on this apply.`, {
      code: "profile.in_queue",
      why: "It was started with that queue and has not finished.",
      next: `Add --queue ${open.queue} to continue it. If that queue no longer exists, undo it with "iot profile rollback ${open.id}".`,
    });
  }
  const { settledResults } = await import("../../kit/jobs/queue/settle.ts");
  const isOurs = (shared: object): boolean => "run" in shared && shared.run === open.id;
  const notes = notesOf(ctx, open);
  const results = await settledResults(ctx, url, ({ kind, shared }) => kind === applyKind.name && isOurs(shared));
  // Created resources are found by their keys.
  const documents = entries.map(({ document }) => document);
  for (const result of results)
    if ("row" in result) noteWidgets(notes, widgetIds(documents, (result.row as ApplyResult).widgets));
}

/** An item is named after what is done and the id in the files, or in the profile for a deletion. */
const itemId = (wave: Wave, { entry, row }: Item): string => `${wave.do}-${entry?.id ?? row.id}`;

function noteWidgets(notes: Notes, made: ReadonlyMap<string, string>): void {
  for (const [widget, id] of made) if (notes.made(widget) !== id) notes.make(widget, id);
}

class QueuedRun {
  readonly #ctx: CommandContext;
  readonly #input: CommandInput;
  readonly #url: string;
  readonly #plan: ApplyPlan;
  readonly #run: string;
  readonly #notes: Notes;
  readonly #outcomes = new Map<Item, Outcome>();

  constructor(ctx: CommandContext, input: CommandInput, url: string, plan: ApplyPlan, snapshot: ProfileSnapshot) {
    this.#ctx = ctx;
    this.#input = input;
    this.#url = url;
    this.#plan = plan;
    this.#run = snapshot.id;
    this.#notes = notesOf(ctx, snapshot);
  }

  async carryOut(): Promise<RunResult> {
    try {
      for (const wave of wavesOf(this.#plan)) {
        requireGoOn(this.#ctx);
        await this.#doWave(wave);
      }
    } catch (error) {
      return resultOf(this.#plan, this.#outcomes, error);
    }
    return resultOf(this.#plan, this.#outcomes, undefined);
  }

  async #doWave(wave: Wave): Promise<void> {
    const isMade = ({ entry }: Item): boolean => wave.do !== "update" || this.#plan.ids.has(entry?.id ?? "");
    const left = wave.items.filter((item) => this.#outcomes.get(item)?.result !== "failed" && isMade(item));
    const own = left.filter((item) => wave.do === "create" && !canBeFound(item));
    await this.#makeHere(own);
    const spread = left.filter((item) => !own.includes(item));
    if (spread.length === 0) return;
    const items = spread.map((item) => ({ id: itemId(wave, item), args: this.#argsOf(wave, item) }));
    const results = await this.#doItems(wave, items);
    const created = wave.do === "create" ? await this.#listed(wave) : undefined;
    for (const item of spread) this.#settle(wave, item, results.get(itemId(wave, item)), created?.get(item.key));
  }

  /** Ids of resources by their keys, from the platform: anyone who can write to the queue can change results. */
  async #listed({ items: [first] }: Wave): Promise<ReadonlyMap<string, string>> {
    const rows = first === undefined ? [] : await listAll(await steadyClient(this.#ctx), first.kind);
    return new Map(rows.flatMap(({ id, key }) => (key === undefined ? [] : [[key, id] as const])));
  }

  /** Without a key, a worker could not find what a killed one created. This process has notes. */
  async #makeHere(items: readonly Item[]): Promise<void> {
    if (items.length === 0) return;
    const tools = await toolsOf(this.#ctx, await steadyClient(this.#ctx));
    const work = { ...tools, plan: this.#plan, notes: this.#notes };
    for (const item of items) {
      requireGoOn(this.#ctx);
      const outcome = await attempt(item, () => create(work, item));
      if (outcome !== undefined) this.#outcomes.set(item, outcome);
    }
  }

  async #doItems(
    wave: Wave,
    items: readonly JobItem<ApplyArgs>[],
  ): Promise<ReadonlyMap<string, ItemResult<ApplyResult>>> {
    const results = new Map<string, ItemResult<ApplyResult>>();
    const shared: ApplyShared = { run: this.#run, prune: this.#plan.prune };
    const plan: JobPlan<ApplyShared, ApplyArgs, ApplyResult> = {
      kind: applyKind,
      key: [this.#run, wave.name],
      renews: true,
      what: `apply of a profile: ${wave.name}`,
      folder: "",
      begin: async () => shared,
      async *items() {
        yield* items;
      },
      async report(all) {
        for await (const result of all) results.set(result.id, result);
      },
    };
    await runInQueue(this.#ctx, this.#input, plan, this.#url);
    return results;
  }

  #argsOf(wave: Wave, { kind, entry, row, key, current }: Item): ApplyArgs {
    const { ids } = this.#plan;
    const about = { kind: kind.name, name: row.name };
    const mark = current === undefined ? {} : { mark: markOf(current) };
    if (wave.do === "delete") return { ...about, do: "delete", id: row.id ?? "", ...mark };
    const document = replaceIds(entry?.document ?? {}, ids);
    if (wave.do === "create") {
      this.#notes.begin(entry?.id ?? "");
      return { ...about, do: "create", key, document };
    }
    for (const widget of listOf(entry?.document["widgets"]))
      if (!ids.has(idOf(widget))) this.#notes.begin(idOf(widget));
    return { ...about, do: "update", id: ids.get(entry?.id ?? "") ?? "", key, document, ...mark };
  }

  #settle(wave: Wave, item: Item, result: ItemResult<ApplyResult> | undefined, createdId: string | undefined): void {
    const { entry, row: planned } = item;
    const fileId = entry?.id ?? "";
    const why = failureIn(result);
    const row = result !== undefined && "row" in result ? result.row : undefined;
    if (row === undefined || why !== undefined) {
      this.#outcomes.set(item, { result: "failed", why: why ?? null, id: planned.id });
    } else if (wave.do !== "create") {
      const widgets = widgetIds(entry === undefined ? [] : [entry.document], row.widgets);
      noteWidgets(this.#notes, widgets);
      for (const [widget, made] of widgets) this.#plan.ids.set(widget, made);
      const word = isNew(planned, this.#notes, fileId) ? "created" : "updated";
      const id = planned.id ?? this.#plan.ids.get(fileId) ?? null;
      this.#outcomes.set(item, { result: wave.do === "delete" ? "deleted" : word, why: null, id });
    } else if (createdId === undefined) {
      this.#outcomes.set(item, { result: "failed", why: "the platform does not list it after its creation", id: null });
    } else {
      this.#notes.make(fileId, createdId);
      this.#plan.ids.set(fileId, createdId);
    }
  }
}

/** Why an item failed; undefined when it did not. */
function failureIn(result: ItemResult<ApplyResult> | undefined): string | undefined {
  if (result === undefined) return "the job has no result of it";
  if ("reason" in result) return result.reason;
  return result.row.result === "failed" ? (result.row.why ?? "it failed") : undefined;
}

const canBeFound = ({ kind, entry, replaces }: Item): boolean =>
  replaces === undefined && isKeyed(kind, entry?.document ?? {});

/**
 * All that is missing, kind by kind, as each refers to those before it; then what is to become what its file says, those
 * that may name new widgets after the dashboards; then the deletions, kind by kind.
 */
function wavesOf({ items }: ApplyPlan): Wave[] {
  const doing = (...actions: Item["row"]["action"][]): Item[] =>
    items.filter(({ row }) => actions.includes(row.action));
  const lastFirst = kinds.findIndex(({ name }) => name === "dashboard");
  const isFirst = ({ kind }: Item): boolean => kinds.indexOf(kind) <= lastFirst;
  const brought = doing("create", "update");
  const waves: Wave[] = [
    ...byKind("create", doing("create")),
    { name: "update up to dashboards", do: "update", items: brought.filter(isFirst) },
    { name: "update the rest", do: "update", items: brought.filter((item) => !isFirst(item)) },
    ...byKind("delete", doing("delete")),
  ];
  return waves.filter((wave) => wave.items.length > 0);
}

/** In the order of the items. */
function byKind(what: "create" | "delete", items: readonly Item[]): Wave[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(item.kind.plural, [...(groups.get(item.kind.plural) ?? []), item]);
  return [...groups].map(([plural, each]) => ({ name: `${what} ${plural}`, do: what, items: each }));
}
