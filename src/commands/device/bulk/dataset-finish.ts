import { partOf as amountOf } from "../../../text/count.ts";
import type { CommandContext } from "../../kit/context.ts";
import { CommandError, inputError } from "../../kit/failures/command-error.ts";
import type { ItemResult, JobWork } from "../../kit/jobs/job.ts";
import {
  checkManifest,
  hasManifest,
  isFile,
  type Manifest,
  manifestVersion,
  placeKey,
  readManifest,
  removeManifest,
  writeManifest,
} from "./dataset-manifest.ts";
import { isCovered, partOf, placeOf } from "./dataset-parts.ts";
import { type DatasetStore, storeOf } from "./dataset-store.ts";
import type { DatasetFile, DatasetRow, DatasetShared, DatasetSummary } from "./dataset-types.ts";
import { commitTable } from "./iceberg/table.ts";

/** What the items of a job have done. */
interface Done {
  readonly files: DatasetFile[];
  readonly removed: Set<string>;
  /** Of a table: parts that were read again, with `*` for all periods. */
  readonly covers: Set<string>;
  /** What an update was about, by `placeKey`, and the devices there that it was not about. */
  readonly places: Map<string, readonly string[]>;
  different: number;
  failed: number;
}

/** All items have a result. The manifest says that all of the dataset is there, so it is written last. */
export async function finishDataset(
  { ctx, folder }: JobWork,
  shared: DatasetShared,
  results: AsyncIterable<ItemResult<DatasetRow>>,
): Promise<DatasetSummary> {
  const store = storeOf(ctx, folder);
  const done: Done = { files: [], removed: new Set(), covers: new Set(), places: new Map(), different: 0, failed: 0 };
  for await (const result of results) {
    if ("row" in result) add(done, result.row);
    else done.failed += 1;
  }
  const isUpdate = shared.since !== undefined;
  // Uploads of killed workers are ended, however the job ends.
  await store.removeUnfinished();
  if (done.failed === 0) await (isUpdate ? finishUpdate : finishNew)({ ctx, store, folder }, shared, done);
  else {
    await checkThere(store, folder, done.files);
    // An update that is continued needs what it began with.
    if (!isUpdate) await removeManifest(store);
  }
  const sum = (of: "records" | "bytes"): number => done.files.reduce((all, file) => all + file[of], 0);
  const { files, different } = done;
  return { files: files.length, records: sum("records"), bytes: sum("bytes"), different };
}

function add(done: Done, row: DatasetRow): void {
  const { files, removed = [], covers, place, others = [] } = row;
  const isWhole = Array.isArray(files) && files.every(isFile) && [removed, others].every(Array.isArray);
  if (!isWhole) throw badRow();
  done.files.push(...files);
  for (const file of removed) done.removed.add(String(file));
  for (const path of [...removed.map(partOf), ...(covers === undefined ? [] : [covers])]) done.covers.add(String(path));
  if (place !== undefined) done.places.set(place, others);
  if (row.counted !== row.there || row.differing !== undefined) done.different += 1;
}

/** The result comes from the queue, where anybody who can write to it may have changed it. */
const badRow = (): Error =>
  inputError("The result of an item does not name its files.", {
    code: "job.bad_result",
    why: "It was changed in the queue, or by another version of iot.",
    next: "Run the command again with --again.",
  });

interface Place {
  readonly ctx: CommandContext;
  readonly store: DatasetStore;
  readonly folder: string;
}

async function finishNew(place: Place, shared: DatasetShared, done: Done): Promise<void> {
  const { store, folder } = place;
  await checkThere(store, folder, done.files);
  const manifest = { ...shared, isTable: shared.table !== null, until: new Map(), files: done.files };
  const { before = null } = shared;
  await checkManifest(store, manifest, before);
  await addToTable(place, shared, done);
  await writeManifest(store, manifest, before);
}

/** First: with its manifest the dataset is complete. */
async function addToTable({ ctx, store }: Place, { table }: DatasetShared, { files, covers }: Done): Promise<void> {
  if (table !== null) await commitTable(ctx, store, { ...table, files, covers: (part) => isCovered(part, covers) });
}

/** The parts that were replaced, and those of before. May be called again after a kill. */
async function finishUpdate(place: Place, shared: DatasetShared, done: Done): Promise<void> {
  const { store, folder } = place;
  const isNothing = done.files.length === 0 && done.removed.size === 0;
  if (isNothing && (await hasManifest(store))) return;
  const version = await manifestVersion(store);
  const before = await readManifest(store);
  if (before === undefined) throw badRow();
  const { manifest } = before;
  const files = new Map(manifest.files.map((file) => [file.file, file]));
  for (const name of done.removed) files.delete(name);
  for (const file of done.files) files.set(file.file, file);
  await checkThere(store, folder, [...files.values()]);
  await addToTable(place, shared, done);
  const until = olderDevices(manifest, done, shared.toMs);
  await writeManifest(store, { ...manifest, toMs: shared.toMs, until, files: [...files.values()] }, version);
}

/** Devices the update was not about are complete until the time they were before. */
function olderDevices(manifest: Manifest, { places }: Done, toMs: number): Map<string, number> {
  const older = new Map<string, number>();
  const note = (device: string): void => {
    const ms = manifest.until.get(device) ?? manifest.toMs;
    if (ms < toMs) older.set(device, ms);
  };
  for (const { file, devices } of manifest.files) {
    if (!places.has(placeKey(placeOf(file, manifest).place))) for (const device of Object.keys(devices)) note(device);
  }
  for (const device of [...places.values()].flat()) note(device);
  return older;
}

/** The files are looked for by one process of all: where the folder is not shared, some are missing. */
async function checkThere(store: DatasetStore, folder: string, files: readonly DatasetFile[]): Promise<void> {
  const sizes = await store.sizesOf(files.map(({ file }) => file));
  const missing = files.filter(({ bytes }, at) => sizes[at] !== bytes).length;
  if (missing === 0) return;
  throw new CommandError(
    `${amountOf(missing, files.length, "file")} ${missing === 1 ? "is" : "are"} not in ${folder}, or not as written.`,
    {
      code: "dataset.files_missing",
      exit: 1,
      why: "All workers must write to the same folder; this one seems not to be shared, or was changed.",
      next: "Mount the folder on every machine (iot worker --folder), then export again with --again.",
    },
  );
}
