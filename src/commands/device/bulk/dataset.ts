import { defined } from "../../../lib/core/defined.ts";
import { countOf } from "../../../text/count.ts";
import type { Column } from "../../kit/command/columns.ts";
import type { TypedTexts } from "../../kit/command/options.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { conflictError, usageError } from "../../kit/failures/command-error.ts";
import type { JobPlan } from "../../kit/jobs/job.ts";
import { partialJob, runJob } from "../../kit/jobs/run-job.ts";
import type { FileFormat } from "../../kit/rows/reader.ts";
import { exportDiffers } from "./count-file.ts";
import { datasetKind } from "./dataset-kind.ts";
import { MANIFEST, type Manifest, readManifest } from "./dataset-manifest.ts";
import { bucketsFor } from "./dataset-parts.ts";
import { announce, itemsOf } from "./dataset-plan.ts";
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
  const format = formatOf(input.options.format);
  if (out === undefined) throw usageError("A dataset needs a folder.", { next: "Add --out data/." });
  const store = storeOf(ctx, out);
  await store.check();
  const outcome = await runJob(ctx, input, planOf(ctx, input.texts ?? {}, { ...choice, out, store }, format));
  const { isEnded, done, failed } = outcome;
  const summary = outcome.summary as DatasetSummary | undefined;
  if (summary === undefined && isEnded) return 0;
  await ctx.out.item({ ...defined({ job: outcome.id }), ...summary }, { columns: datasetColumns });
  if (summary === undefined) return 0;
  if (failed > 0) throw partialJob(outcome);
  const what = `${countOf(summary.records, "record")} of ${countOf(done, "item")}`;
  if (outcome.isBefore !== true) ctx.say.info(`Exported ${what} to ${store.shown}.`, store.shown);
  if (summary.different === 0) return 0;
  throw exportDiffers(
    `${countOf(summary.different, "item")} differ from the platform.`,
    "The report (--report) shows both counts; export again with --again when the devices send nothing.",
  );
}

function formatOf(asked: FileFormat = "parquet"): DatasetShared["format"] {
  if (asked !== "json") return asked;
  throw usageError(`A dataset cannot have the format ${asked}.`, { next: "Use parquet, ndjson or csv." });
}

interface DatasetChoice extends FileChoice {
  readonly store: DatasetStore;
}

function planOf(
  ctx: CommandContext,
  given: TypedTexts,
  choice: DatasetChoice,
  format: DatasetShared["format"],
): JobPlan<DatasetShared, DatasetArgs, DatasetRow> {
  const { out, store, split = null, parts = null, columns, selection, isVerified, isTable } = choice;
  const { variables, groups, ids } = selection;
  const { header, csvSafe, csvBom } = ctx.flags;
  const texts = ["from", "to", "last"].map((name) => given[name] ?? null);
  const devices = [choice.named, given["tag"] ?? []];
  const csv = { header, csvSafe, csvBom };
  const records = [devices, texts, { variables, groups, ids }];
  return {
    kind: datasetKind,
    key: [out, ...records, format, split, parts, columns, csv, isVerified, isTable],
    what: `export to ${quote(store.shown)}`,
    folder: out,
    begin: () => sharedOf(ctx, choice, { format, csv }),
    items: (shared) => itemsOf(ctx, choice, shared),
  };
}

/** Asks what is to be asked, and fixes what all items share. */
async function sharedOf(
  ctx: CommandContext,
  choice: DatasetChoice,
  { format, csv }: Pick<DatasetShared, "format" | "csv">,
): Promise<DatasetShared> {
  const { store, split = null, parts, columns, isVerified, isTable } = choice;
  const before = await readManifest(store);
  if (before !== undefined) {
    checkParts(store, before, parts);
    const action = `Overwrite the dataset in ${store.shown}`;
    await ctx.confirm({ level: 1, action, name: store.shown, where: "on this machine" });
  }
  const { start_date: start, end_date: end, ...selection } = choice.selection;
  const fromMs = start === undefined ? null : Date.parse(start);
  const toMs = end === undefined ? ctx.clock.now() : Date.parse(end);
  const tags = [...new Set(choice.tags.map(({ key }) => key))];
  if (isTable) checkTableFlags(format, { split, fromMs, tags });
  const size = await announce(ctx, choice, { fromMs, toMs });
  await store.prepare();
  const tableBefore = isTable ? await readTable(store) : undefined;
  const known = before ?? (tableBefore && formIn(tableBefore));
  const buckets = known?.parts === undefined ? (parts ?? bucketsFor(size, format)) : known.parts;
  // In a bucket nothing else says which device a record is of, nor in a table; that is looked through by time.
  const needed: typeof columns = isTable ? ["device", "time"] : buckets === null ? [] : ["device"];
  const all = [...needed.filter((column) => !columns.includes(column)), ...columns];
  const form = { columns: all, tags, split, parts: buckets, selection, fromMs: split === null ? fromMs : null };
  const table = isTable ? newTable(store, form) : null;
  if (table !== null) checkTable(store, tableBefore, table);
  const manifest = (await store.versionOf(MANIFEST)) ?? null;
  return {
    ...{ format, split, parts: buckets, columns: all, csv, isVerified },
    selection,
    fromMs,
    toMs,
    table,
    manifest,
  };
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
