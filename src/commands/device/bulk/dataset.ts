import { defined } from "../../../lib/core/defined.ts";
import { countOf } from "../../../text/count.ts";
import type { Column } from "../../kit/command/columns.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { conflictError, notFoundError, usageError } from "../../kit/failures/command-error.ts";
import type { JobPlan } from "../../kit/jobs/job.ts";
import { partialJob, runJob } from "../../kit/jobs/run-job.ts";
import type { FileFormat } from "../../kit/rows/reader.ts";
import { exportDiffers } from "./count-file.ts";
import { datasetKind } from "./dataset-kind.ts";
import { baseOf, keysIn, type Manifest, manifestVersion, readManifest } from "./dataset-manifest.ts";
import { bucketsFor } from "./dataset-parts.ts";
import { announce, itemsOf, partitionKeys } from "./dataset-plan.ts";
import { type DatasetStore, storeOf } from "./dataset-store.ts";
import type { DatasetArgs, DatasetRow, DatasetShared, DatasetSummary } from "./dataset-types.ts";
import type { ChoiceInput, ExportChoice, FileChoice } from "./export-choice.ts";
import { formIn, readTable } from "./iceberg/metadata.ts";
import { checkTable, checkTableFlags, newTable } from "./iceberg/plan.ts";

export const datasetColumns: readonly Column<Partial<DatasetSummary> & { readonly job?: string }>[] = [
  { key: "job", kind: "id" },
  { key: "files", kind: "number" },
  { key: "records", kind: "number" },
  { key: "bytes", kind: "number" },
  { key: "different", kind: "number", hidden: true },
];

/** Exports to a folder of parts, one for each device or bucket of them, and period, in this process or by workers. */
export async function exportDataset(ctx: CommandContext, input: ChoiceInput, choice: ExportChoice): Promise<number> {
  const { out } = choice;
  if (out === undefined) throw usageError("A dataset needs a folder.", { next: "Add --out data/." });
  const store = storeOf(ctx, out);
  await store.check();
  const asked = { ...choice, out, store };
  const isUpdate = input.options.sinceLast;
  const plan = isUpdate ? planUpdate(ctx, input, asked) : planNew(ctx, input, asked);
  const outcome = await runJob(ctx, input, plan);
  const { isEnded, done, failed } = outcome;
  const summary = outcome.summary as DatasetSummary | undefined;
  if (summary === undefined && isEnded) return 0;
  await ctx.out.item({ ...defined({ job: outcome.id }), ...summary }, { columns: datasetColumns });
  if (summary === undefined) return 0;
  if (failed > 0) throw partialJob(outcome);
  if (outcome.isBefore !== true) ctx.say.info(...saidOf(store, summary, done, isUpdate));
  if (summary.different === 0) return 0;
  throw exportDiffers(
    `${countOf(summary.different, "item")} differ from the platform.`,
    "The report (--report) shows both counts; export again with --again when the devices send nothing.",
  );
}

function saidOf({ shown }: DatasetStore, summary: DatasetSummary, items: number, isUpdate: boolean): [string, string] {
  const { files, records } = summary;
  if (!isUpdate) return [`Exported ${countOf(records, "record")} of ${countOf(items, "item")} to ${shown}.`, shown];
  if (files === 0) return [`Nothing is new: ${shown} was left as it is.`, shown];
  return [`Wrote ${countOf(files, "part")} with ${countOf(records, "record")} again in ${shown}.`, shown];
}

function formatOf(asked: FileFormat = "parquet"): DatasetShared["format"] {
  if (asked !== "json") return asked;
  throw usageError(`A dataset cannot have the format ${asked}.`, { next: "Use parquet, ndjson or csv." });
}

type Plan = JobPlan<DatasetShared, DatasetArgs, DatasetRow>;
type Asked = FileChoice & { readonly store: DatasetStore };

function planNew(ctx: CommandContext, input: ChoiceInput, choice: Asked): Plan {
  const { out, store, split = null, parts = null, columns, selection, isVerified, isTable } = choice;
  const { variables, groups, ids } = selection;
  const { header, csvSafe, csvBom } = ctx.flags;
  const given = input.texts ?? {};
  const format = formatOf(input.options.format);
  const texts = ["from", "to", "last"].map((name) => given[name] ?? null);
  const devices = [choice.named, given["tag"] ?? []];
  const csv = { header, csvSafe, csvBom };
  const records = [devices, texts, { variables, groups, ids }];
  return {
    kind: datasetKind,
    key: [out, ...records, format, split, parts, columns, csv, isVerified, isTable],
    what: `export to ${quote(store.shown)}`,
    folder: out,
    begin: () => beginNew(ctx, choice, { format, csv }),
    items: (shared) => itemsOf(ctx, choice, shared),
  };
}

/** Asks what is to be asked, and fixes what all items share. */
async function beginNew(
  ctx: CommandContext,
  choice: Asked,
  { format, csv }: Pick<DatasetShared, "format" | "csv">,
): Promise<DatasetShared> {
  const { store, split = null, parts, columns, isVerified, isTable } = choice;
  const before = (await readManifest(store))?.manifest;
  if (before !== undefined) await confirmOverwrite(ctx, choice, before);
  const { start_date: start, end_date: end, ...selection } = choice.selection;
  const fromMs = start === undefined ? null : Date.parse(start);
  const toMs = end === undefined ? ctx.clock.now() : Date.parse(end);
  const tags = partitionKeys(choice);
  if (isTable) checkTableFlags(format, { split, fromMs, tags });
  const size = await announce(ctx, choice, { fromMs, toMs });
  await store.prepare();
  const tableBefore = isTable ? await readTable(store) : undefined;
  const known = before ?? (tableBefore && formIn(tableBefore));
  const buckets = known?.parts === undefined ? (parts ?? bucketsFor(size, format)) : known.parts;
  // In a bucket nothing else says which device a record is of, nor in a table; that is looked through by time.
  const needed: typeof columns = isTable ? ["device", "time"] : buckets === null ? [] : ["device"];
  const all = [...needed.filter((column) => !columns.includes(column)), ...columns];
  const settings = { format, split, parts: buckets, columns: all, selection, fromMs, csv };
  const table = isTable ? newTable(store, settings, tags) : null;
  if (table !== null) checkTable(store, tableBefore, table);
  return { ...settings, toMs, isVerified, table, before: await manifestVersion(store) };
}

async function confirmOverwrite(
  ctx: CommandContext,
  { store: { shown }, parts, isTable, store }: Asked,
  before: Manifest,
): Promise<void> {
  checkParts(store, before, parts);
  checkIsTable(store, before, isTable);
  const action = isTable ? `Replace parts of the table in ${shown}` : `Overwrite the dataset in ${shown}`;
  await ctx.confirm({ level: 1, action, name: shown, where: "on this machine" });
}

/** Files of a table never change, and those of other datasets do. */
function checkIsTable({ shown }: DatasetStore, manifest: Manifest, isTable: boolean): void {
  if (manifest.isTable === isTable) return;
  throw conflictError(`The dataset in ${shown} is ${isTable ? "not a table" : "a table"}.`, {
    code: "dataset.differs",
    next: isTable ? "Export the table to a path of its own." : "Add --table iceberg, or export to another path.",
  });
}

/** A device stays in its bucket for as long as there is a dataset. */
function checkParts({ shown }: DatasetStore, { parts }: Manifest, asked: number | undefined): void {
  if (asked === undefined || asked === parts) return;
  const has = parts === null ? "a part for each device" : `${countOf(parts, "part")} of each partition`;
  throw conflictError(`The dataset in ${shown} has ${has}.`, {
    code: "dataset.parts",
    why: `With --parts ${asked}, records would be there twice.`,
    next: "Leave out --parts, or use another folder.",
  });
}

/** Records often arrive some time after the time they have. */
const LOOKBACK_MS = 3_600_000;

function planUpdate(ctx: CommandContext, input: ChoiceInput, choice: Asked): Plan {
  const { out, store, isVerified, selection, parts, isTable } = choice;
  const { lookback: lookbackMs = LOOKBACK_MS } = input.options;
  const { texts: given = {} } = input;
  const devices = [choice.named, given["tag"] ?? []];
  return {
    kind: datasetKind,
    key: [out, devices, "since last", given["to"] ?? null, lookbackMs, isVerified],
    renews: true,
    what: `update of ${quote(store.shown)}`,
    folder: out,
    async begin() {
      const before = await readManifest(store);
      if (before === undefined) throw noDataset(store);
      const { manifest, mark } = before;
      checkParts(store, manifest, parts);
      checkSame(input, choice, manifest);
      if (isTable) checkIsTable(store, manifest, isTable);
      const { end_date: end } = selection;
      const toMs = Math.max(manifest.toMs, end === undefined ? ctx.clock.now() : Date.parse(end));
      const startMs = Math.max(manifest.toMs - lookbackMs, manifest.fromMs ?? 0);
      const fresh = { ...manifest.selection, start_date: new Date(startMs).toISOString() };
      await announce(ctx, { ...choice, split: undefined, selection: fresh }, { fromMs: startMs, toMs });
      const { files: _, until: __, isTable: isPartOfTable, ...settings } = manifest;
      const table = isPartOfTable ? newTable(store, settings, partitionKeys(choice)) : null;
      if (table !== null) checkTable(store, await readTable(store), table);
      return { ...settings, toMs, isVerified, table, since: { mark, lookbackMs } };
    },
    async *items(shared) {
      yield* itemsOf(ctx, choice, shared, await baseOf(store, shared.since?.mark ?? ""));
    },
  };
}

const noDataset = ({ shown }: DatasetStore): Error =>
  notFoundError(`There is no dataset in ${shown} that could be updated.`, {
    code: "dataset.not_found",
    why: "It has no manifest: an export has not ended, or was never there.",
    next: "Run the command without --since-last first, or again with --resume.",
  });

/** An update takes what a dataset is from its manifest. Flags may say the same, but nothing else. */
function checkSame(input: ChoiceInput, choice: Asked, manifest: Manifest): void {
  const { options, texts: given = {} } = input;
  const { selection, split, columns } = choice;
  const own = manifest.selection;
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  const fromMs = selection.start_date === undefined ? null : Date.parse(selection.start_date);
  const withDevice = [columns, ["device", ...columns]];
  const differences = [
    ["--format", options.format !== undefined && options.format !== manifest.format],
    ["--split", split !== undefined && split !== manifest.split],
    ["--fields", options.fields.length > 0 && !withDevice.some((some) => isSame(some, manifest.columns))],
    ["--from", given["from"] !== undefined && fromMs !== manifest.fromMs],
    ["--variable", selection.variables !== undefined && !isSame(selection.variables, own.variables)],
    ["--group", selection.groups !== undefined && !isSame(selection.groups, own.groups)],
    ["--id", selection.ids !== undefined && !isSame(selection.ids, own.ids)],
    ["--tag", !isSame(keysIn(manifest) ?? partitionKeys(choice), partitionKeys(choice))],
  ] as const;
  const different = differences.find(([, isDifferent]) => isDifferent)?.[0];
  const reject = (why: string, next: string): Error =>
    conflictError(`The dataset in ${choice.store.shown} cannot be updated so.`, { code: "dataset.differs", why, next });
  if (different !== undefined) {
    const way = different === "--tag" ? "Use the same --tag" : `Leave out ${different}`;
    throw reject(`The dataset was exported with another ${different}.`, `${way}, or export to another folder.`);
  }
  if (!manifest.columns.includes("time"))
    throw reject("Its records have no time.", "Export to another folder, with time among --fields.");
}
