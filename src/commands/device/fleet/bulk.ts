import { countOf } from "../../../text/count.ts";
import type { Column } from "../../kit/command/columns.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext, PlannedRequest } from "../../kit/context.ts";
import type { FleetDevice } from "../../kit/devices/fleet.ts";
import { partialError } from "../../kit/jobs/ending.ts";
import type { JobInput, JobItem, JobKind } from "../../kit/jobs/job.ts";
import { doneRow } from "../../kit/jobs/run-items.ts";
import { partialJob } from "../../kit/jobs/run-job.ts";
import type { OutcomeCounts, RowBatch, RowOutcome, RowsJob, RowsResult } from "../../kit/rows/import-job.ts";
import { rowsKind } from "../../kit/rows/rows-kind.ts";
import { planRows, type RowsRun, runRows } from "../../kit/rows/rows-run.ts";
import { spread, tellResults } from "../../kit/rows/spread.ts";
import { digest } from "../../kit/state/digest.ts";
import { aboutRun, type Journal, withJournal } from "../../kit/state/journal.ts";
import { type FieldChange, readsChanges, showChanges } from "./changes.ts";
import { type DeviceSelectionInput, selectionOf } from "./selection.ts";

/** What is done to each device. Nothing here depends on the other devices or on the order. */
export interface BulkAction {
  /** What decides what is done, besides the devices. */
  readonly key: readonly unknown[];
  /** What a worker makes the same action from. JSON without secrets. */
  readonly shared?: object;
  /** `Update`, `Updating`, `Updated`. */
  readonly verbs: readonly [now: string, going: string, done: string];
  /** Between the verb and the devices: `interval of`. */
  readonly what?: string;
  /** The question, as for `ctx.confirm`. */
  readonly level: 1 | 2;
  /** The result of a device that was changed: `updated`. */
  readonly result: string;
  /** Called once before anything is sent, with the devices an earlier run has changed. */
  begin?(changed: readonly FleetDevice[]): Promise<void>;
  /** What the requests change of a device, where `--dry-run` can show it. */
  changes?(device: FleetDevice): Promise<readonly FieldChange[]>;
  /** The requests of a device, for `--dry-run`. */
  requests(device: FleetDevice): Promise<readonly PlannedRequest[]> | readonly PlannedRequest[];
  /**
   * Checks a device, and returns what is left to send, or the outcome if nothing is. An outcome with an id is about a
   * change.
   *
   * @param isBegun an earlier run was about to send it, and it is not known whether it arrived
   */
  prepare(device: FleetDevice, isBegun: boolean): Promise<RowOutcome | (() => Promise<RowOutcome>)>;
  /** Called with what was done, also when the run was interrupted. */
  end?(): Promise<void>;
}

/** The flags of the bulk form of any command. */
export type BulkInput = JobInput & DeviceSelectionInput;

/** What became of a device. */
export interface BulkResult {
  readonly id: string;
  readonly name: string;
  readonly result: string;
  readonly reason: string;
}

export const bulkColumns: readonly Column<BulkResult>[] = [
  { key: "id", kind: "id", rank: 2 },
  { key: "name", rank: 1 },
  { key: "result", rank: 1 },
  { key: "reason" },
];

type PlanRow = FleetDevice & { readonly row: number };
/** Requests at a time, unless `--concurrency` says otherwise. */
const LANES = 4;
const PLAN = aboutRun("plan");

/**
 * Does something to each device the flags select. The devices are shown and asked about, and noted in the journal, so
 * that `--resume` continues with the same ones although they may not match any more.
 */
export async function runBulk(
  ctx: CommandContext,
  input: BulkInput,
  name: string,
  actionOf: () => Promise<BulkAction>,
  kind?: BulkKind,
): Promise<number> {
  const { queue: url, resume } = input.options;
  const selection = await selectionOf(ctx, input);
  const action = await actionOf();
  const { api } = await ctx.connection();
  const ask = (devices: readonly FleetDevice[]) => (ctx.flags.dryRun ? undefined : askAbout(ctx, action, devices));
  const key = [name, api, ctx.flags.profile ?? "", JSON.stringify([selection.key, action.key])];
  if (url !== undefined && kind !== undefined && !ctx.flags.dryRun)
    return changeByWorkers(ctx, input, url, {
      action,
      kind,
      key,
      what: `bulk ${name}`,
      devices: await selection.read(),
    });
  const run = { key, content: digest(key), what: `bulk ${name}` };
  // Asked before the journal of an interrupted run goes away.
  const fresh = resume ? undefined : await selection.read();
  if (fresh?.length === 0) return nothing(ctx);
  if (fresh !== undefined) await ask(fresh);
  return withJournal(ctx, input, run, async (journal) => {
    if (journal.isDone) return nothing(ctx, "Nothing was changed.");
    const devices = fresh ?? plannedIn(journal) ?? (await selection.read());
    if (fresh === undefined && devices.length > 0) await ask(devices);
    if (journal.mark(PLAN) === undefined)
      journal.add(PLAN, JSON.stringify(devices.map(({ id, name: of }) => [id, of])));
    if (devices.length > 0) return change(ctx, input, action, devices, journal);
    journal.finish();
    return nothing(ctx);
  });
}

async function nothing(ctx: CommandContext, empty = "No devices match."): Promise<number> {
  await ctx.out.list([], { columns: bulkColumns, empty });
  return 0;
}

async function askAbout(ctx: CommandContext, action: BulkAction, devices: readonly FleetDevice[]): Promise<void> {
  const { envName } = await ctx.connection();
  await ctx.confirm({
    level: action.level,
    action: sentence(action.verbs[0], action, devices.length),
    name: envName || "devices",
    items: devices.map(({ id, name }) => `${id} ${name}`),
  });
}

const sentence = (verb: string, { what }: BulkAction, count: number): string =>
  [verb, ...(what === undefined ? [] : [what]), countOf(count, "device")].join(" ");

/** The devices of the interrupted run. */
function plannedIn(journal: Journal): FleetDevice[] | undefined {
  const noted = journal.mark(PLAN);
  const list: unknown = noted === undefined ? undefined : JSON.parse(noted);
  if (!Array.isArray(list)) return undefined;
  return list.map((pair: unknown) => {
    const [id, name] = Array.isArray(pair) ? (pair as unknown[]) : [];
    return { id: String(id), name: String(name) };
  });
}

async function change(
  ctx: CommandContext,
  input: BulkInput,
  action: BulkAction,
  devices: readonly FleetDevice[],
  journal: Journal,
): Promise<number> {
  const { job, run, plan } = bulkJob(ctx, input, action, devices);
  if (ctx.flags.dryRun && action.changes !== undefined && readsChanges(ctx)) {
    const left = plan.filter(({ id }) => doneRow(journal, id) === undefined);
    return showChanges(ctx, left, (device) => action.changes?.(device) ?? []);
  }
  if (ctx.flags.dryRun) return planRows(ctx, job, run, journal);
  await action.begin?.(plan.filter(({ id }) => doneRow<RowsResult>(journal, id)?.outcomes[0]?.id !== undefined));
  return runRows(ctx, job, run, journal);
}

interface BulkJob {
  readonly plan: readonly PlanRow[];
  readonly job: RowsJob<PlanRow, RowBatch<PlanRow>, BulkResult>;
  readonly run: RowsRun<PlanRow>;
}

function bulkJob(ctx: CommandContext, input: BulkInput, action: BulkAction, devices: readonly FleetDevice[]): BulkJob {
  const results: BulkResult[] = [];
  const plan: PlanRow[] = devices.map((device, at) => ({ row: at + 1, ...device }));
  async function* rows(): AsyncGenerator<PlanRow> {
    yield* plan;
  }
  const job: BulkJob["job"] = {
    unit: ["device", "devices"],
    before: "done before",
    lanes: ctx.flags.concurrency ?? LANES,
    batches: byDevice,
    requests: ({ rows: [row] }) => (row === undefined ? [] : action.requests(row)),
    prepare: preparing(action),
    report: ["id", "name", "result", "reason"],
    tell(_row, { result, reason = "" }, read) {
      const told = { id: read?.id ?? "", name: read?.name ?? "", result, reason };
      results.push(told);
      return told;
    },
    async print() {
      await action.end?.();
      await ctx.out.list(results, { columns: bulkColumns, empty: "Nothing was changed." });
    },
    said: (tally) => said(action, tally),
  };
  const run: BulkJob["run"] = {
    total: plan.length,
    rows,
    isTolerant: true,
    canResume: true,
    report: input.options.report,
    doing: action.verbs[1],
    title: (_row, read) => `Device ${quote(read?.name ?? "")}`,
    partial: (tally) => partlyDone(tally, results),
  };
  return { job, run, plan };
}

async function* byDevice(rows: AsyncIterable<PlanRow>): AsyncGenerator<RowBatch<PlanRow>> {
  for await (const row of rows) yield { item: row.id, mark: "", rows: [row] };
}

const preparing =
  (action: BulkAction): BulkJob["job"]["prepare"] =>
  async ({ rows: [row] }, isBegun) =>
    row === undefined ? { result: "unchanged" } : action.prepare(row, isBegun);

export type BulkKind = JobKind<object, object, RowsResult>;

/** A bulk command by workers. */
export const bulkKind = <Shared extends object>(
  name: string,
  actionOf: (ctx: CommandContext, shared: Shared) => Promise<BulkAction>,
): JobKind<Shared, object, RowsResult> =>
  rowsKind<Shared, PlanRow, RowBatch<PlanRow>>(name, async (ctx, _client, shared) => ({
    prepare: preparing(await actionOf(ctx, shared)),
  }));

interface SpreadChange {
  readonly action: BulkAction;
  readonly kind: BulkKind;
  readonly key: readonly unknown[];
  readonly what: string;
  readonly devices: readonly FleetDevice[];
}

/** Has workers do it; an item is a device. */
async function changeByWorkers(
  ctx: CommandContext,
  input: BulkInput,
  url: string,
  { action, kind, key, what, devices }: SpreadChange,
): Promise<number> {
  if (devices.length === 0) return nothing(ctx);
  async function* items(): AsyncGenerator<JobItem> {
    for (const [at, device] of devices.entries())
      yield { id: device.id, args: { item: device.id, mark: "", rows: [{ row: at + 1, ...device }] } };
  }
  const ended = await spread(ctx, input, url, {
    kind,
    key,
    renews: true,
    what,
    folder: "",
    async begin() {
      await askAbout(ctx, action, devices);
      return action.shared ?? {};
    },
    items,
  });
  if (ended === undefined) return 0;
  // Devices of an earlier run of the command may not match any more.
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  const all = [...ended.results.keys()].map((id) => ({ id, name: names.get(id) ?? "" }));
  const { job, run } = bulkJob(ctx, input, action, all);
  const partial = (tally: OutcomeCounts): Error => {
    const failed = tally.of("failed");
    return partialJob({ id: ended.id, isEnded: true, done: tally.total - failed, failed });
  };
  return tellResults(ctx, job, { ...run, partial }, ended);
}

function said(action: BulkAction, tally: OutcomeCounts): string {
  const rest = tally.of("unchanged", "skipped", "done before");
  const done = sentence(action.verbs[2], action, tally.of(action.result));
  return rest === 0 ? done : `${done}, left ${rest} unchanged`;
}

function partlyDone(tally: OutcomeCounts, results: readonly BulkResult[]): Error {
  return partialError(`${tally.of("failed")} of ${countOf(tally.total, "device")} failed.`, {
    why: results.find(({ result }) => result === "failed")?.reason ?? "",
    next: "Run the same command with --resume to try these again; --report FILE lists each with its reason.",
  });
}
