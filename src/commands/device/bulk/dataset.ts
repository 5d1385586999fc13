import { defined } from "../../../lib/core/defined.ts";
import { countOf } from "../../../text/count.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import type { TypedTexts } from "../../kit/command/options.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { announceReading } from "../../kit/devices/cost.ts";
import { countRecords } from "../../kit/devices/data-read.ts";
import { devicePages, type FleetDevice, fleetOf } from "../../kit/devices/fleet.ts";
import { notFoundError, usageError } from "../../kit/failures/command-error.ts";
import { failureOf } from "../../kit/jobs/failure.ts";
import type { JobItem, JobPlan } from "../../kit/jobs/job.ts";
import { partialJob, runJob } from "../../kit/jobs/run-job.ts";
import { mapLanes } from "../../kit/lanes.ts";
import type { FileFormat } from "../../kit/rows/reader.ts";
import { exportDiffers } from "./count-file.ts";
import {
  type DatasetArgs,
  type DatasetRow,
  type DatasetShared,
  type DatasetSummary,
  datasetKind,
  MANIFEST,
} from "./dataset-kind.ts";
import { type DatasetStore, storeOf } from "./dataset-store.ts";
import type { ChoiceInput, ExportChoice, FileChoice } from "./export-choice.ts";
import { periodEnd, periodName, periodStart } from "./periods.ts";

export const datasetColumns: readonly Column<Partial<DatasetSummary> & { readonly job?: string }>[] = [
  { key: "job", kind: "id" },
  { key: "files", kind: "number" },
  { key: "records", kind: "number" },
  { key: "bytes", kind: "number" },
  { key: "different", kind: "number", hidden: true },
];

/** Exports to a folder of parts, one for each device and period, in this process or by workers. */
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
  const { out, store, split, columns, selection, isVerified } = choice;
  const { variables, groups, ids } = selection;
  const { header, csvSafe, csvBom } = ctx.flags;
  const texts = ["from", "to", "last"].map((name) => given[name] ?? null);
  const devices = [choice.named, given["tag"] ?? []];
  const csv = { header, csvSafe, csvBom };
  return {
    kind: datasetKind,
    key: [out, devices, texts, { variables, groups, ids }, format, split ?? null, columns, csv, isVerified],
    what: `export to ${quote(store.shown)}`,
    folder: out,
    async begin() {
      if ((await store.sizeOf(MANIFEST)) !== undefined) {
        const action = `Overwrite the dataset in ${store.shown}`;
        await ctx.confirm({ level: 1, action, name: store.shown, where: "on this machine" });
      }
      const { start_date: start, end_date: end, ...rest } = selection;
      const range = {
        fromMs: start === undefined ? null : Date.parse(start),
        toMs: end === undefined ? ctx.clock.now() : Date.parse(end),
      };
      await announce(ctx, choice);
      await store.prepare();
      const manifest = (await store.versionOf(MANIFEST)) ?? null;
      return { format, split: split ?? null, columns, selection: rest, ...range, csv, isVerified, manifest };
    },
    items: (shared) => itemsOf(ctx, choice, shared),
  };
}

interface DatasetDevice extends FleetDevice {
  readonly tags?: readonly { readonly key: string; readonly value: string }[];
}

/** The devices of the command line, a page at a time. */
async function* devicesOf(
  ctx: CommandContext,
  { named, tags }: ExportChoice,
): AsyncGenerator<readonly DatasetDevice[]> {
  if (tags.length === 0) yield await fleetOf(ctx, named, []);
  else yield* devicePages(await ctx.client(), { tags }, ["tags"]);
}

async function* itemsOf(
  ctx: CommandContext,
  choice: ExportChoice,
  { split, fromMs, toMs }: DatasetShared,
): AsyncGenerator<JobItem<DatasetArgs>> {
  const keys = choice.tags.map(({ key }) => key);
  for await (const page of devicesOf(ctx, choice)) {
    for (const device of page) {
      const args = { device: device.id, folder: folderOf(device, keys) };
      if (split === null || fromMs === null) yield { id: device.id, args };
      else
        for (let atMs = periodStart(split, fromMs); atMs <= toMs; atMs = periodEnd(split, atMs))
          yield { id: `${device.id}.${periodName(split, atMs)}`, args: { ...args, periodMs: atMs } };
    }
  }
}

/** `site=plant/device=5f…`: the tags asked for, in their order, and the device. */
function folderOf({ id, tags = [] }: DatasetDevice, keys: readonly string[]): string {
  const parts = [...new Set(keys)].map((key) => [key, tags.find((tag) => tag.key === key)?.value ?? ""]);
  return [...parts, ["device", id]].map((words) => words.map((word = "") => partitionText(word)).join("=")).join("/");
}

/** As Hive writes a value: what has a meaning in paths is escaped. */
const partitionText = (text: string): string =>
  text === "" ? "__HIVE_DEFAULT_PARTITION__" : encodeURIComponent(text).replace(/[*'()~!]/g, escaped);
const escaped = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/** Devices that are counted before a fleet is read; the others are taken to be like these. */
const MOST_COUNTED = 100;

/** A device that cannot be read fails as an item later; it does not keep the others from being exported. */
function uncounted(error: unknown): number {
  if (failureOf(error) === "item") return 0;
  throw error;
}

/** Says about how much will be read, and asks. */
async function announce(ctx: CommandContext, choice: ExportChoice): Promise<void> {
  const client = await batchClient(ctx);
  let devices = 0;
  const counted: number[] = [];
  for await (const page of devicesOf(ctx, choice)) {
    devices += page.length;
    const some = page.slice(0, MOST_COUNTED - counted.length);
    const counts = await mapLanes(some, ctx.flags.concurrency ?? 4, ({ id }) =>
      countRecords(client, id, choice.selection).catch(uncounted),
    );
    counted.push(...counts);
  }
  if (devices === 0)
    throw notFoundError("No device has this tag.", {
      code: "device.not_found",
      next: 'Run "iot device list --fields name,tags" to see the tags in use.',
    });
  const records = Math.round((counted.reduce((sum, count) => sum + count, 0) / counted.length) * devices);
  await announceReading(ctx, client, records, false);
}
