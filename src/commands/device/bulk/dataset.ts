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
import { type Manifest, readManifest } from "./dataset-manifest.ts";
import { bucketsFor } from "./dataset-parts.ts";
import { announce, itemsOf } from "./dataset-plan.ts";
import { type DatasetStore, storeOf } from "./dataset-store.ts";
import type { DatasetArgs, DatasetRow, DatasetShared, DatasetSummary } from "./dataset-types.ts";
import type { ChoiceInput, ExportChoice, FileChoice } from "./export-choice.ts";

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

function planOf(
  ctx: CommandContext,
  given: TypedTexts,
  choice: FileChoice & { readonly store: DatasetStore },
  format: DatasetShared["format"],
): JobPlan<DatasetShared, DatasetArgs, DatasetRow> {
  const { out, store, split = null, parts, columns, selection, isVerified } = choice;
  const { variables, groups, ids } = selection;
  const { header, csvSafe, csvBom } = ctx.flags;
  const texts = ["from", "to", "last"].map((name) => given[name] ?? null);
  const devices = [choice.named, given["tag"] ?? []];
  const csv = { header, csvSafe, csvBom };
  return {
    kind: datasetKind,
    key: [out, devices, texts, { variables, groups, ids }, format, split, parts ?? null, columns, csv, isVerified],
    what: `export to ${quote(store.shown)}`,
    folder: out,
    async begin() {
      const before = await readManifest(store);
      if (before !== undefined) {
        checkParts(store, before, parts);
        const action = `Overwrite the dataset in ${store.shown}`;
        await ctx.confirm({ level: 1, action, name: store.shown, where: "on this machine" });
      }
      const { start_date: start, end_date: end, ...rest } = selection;
      const fromMs = start === undefined ? null : Date.parse(start);
      const toMs = end === undefined ? ctx.clock.now() : Date.parse(end);
      const size = await announce(ctx, choice, { fromMs, toMs });
      await store.prepare();
      const buckets = before === undefined ? (parts ?? bucketsFor(size, format)) : before.parts;
      // In a bucket nothing else says which device a record is of.
      const needsDevice = buckets !== null && !columns.includes("device");
      const all: typeof columns = needsDevice ? ["device", ...columns] : columns;
      return { format, split, parts: buckets, columns: all, selection: rest, fromMs, toMs, csv, isVerified };
    },
    items: (shared) => itemsOf(ctx, choice, shared),
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
