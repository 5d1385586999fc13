import { partOf } from "../../../text/count.ts";
import { CommandError, conflictError, inputError } from "../../kit/failures/command-error.ts";
import { isObject, parseObject } from "../../kit/files/files.ts";
import type { ItemResult, JobWork } from "../../kit/jobs/job.ts";
import { isCovered } from "./dataset-parts.ts";
import { type DatasetStore, storeOf } from "./dataset-store.ts";
import type { DatasetFile, DatasetRow, DatasetShared, DatasetSummary } from "./dataset-types.ts";
import { commitTable } from "./iceberg/table.ts";

/** Says that a dataset is complete, and what it has. */
export const MANIFEST = "_manifest.json";

/** The files of a result, which comes from the queue as anybody may have changed it. */
function filesOf({ files }: DatasetRow): readonly DatasetFile[] {
  const isFile = (one: unknown): boolean =>
    isObject(one) &&
    typeof one["file"] === "string" &&
    isObject(one["devices"]) &&
    [one["records"], one["bytes"], ...Object.values(one["devices"])].every(Number.isSafeInteger);
  if (Array.isArray(files) && files.every(isFile)) return files;
  throw inputError("The result of an item does not name its files.", {
    code: "job.bad_result",
    why: "It was changed in the queue, or by another version of iot.",
    next: "Run the command again with --again.",
  });
}

/** What the manifest of a dataset says. */
export interface Manifest {
  readonly parts: number | null;
}

/** The manifest of a complete dataset. */
export async function readManifest(store: DatasetStore): Promise<Manifest | undefined> {
  const text = await store.readText(MANIFEST);
  if (text === undefined) return undefined;
  const { parts } = parseObject(text, `${store.shown}/${MANIFEST}`);
  return { parts: typeof parts === "number" ? parts : null };
}

const isDifferent = ({ counted, there, differing }: DatasetRow): boolean =>
  counted !== there || differing !== undefined;

/** The manifest says that all of the dataset is there, so it is written last; without it there is a part of one. */
export async function finishDataset(
  { ctx, folder }: JobWork,
  shared: DatasetShared,
  results: AsyncIterable<ItemResult<DatasetRow>>,
): Promise<DatasetSummary> {
  const store = storeOf(ctx, folder);
  const files: DatasetFile[] = [];
  const covers = new Set<string>();
  let different = 0;
  let failed = 0;
  for await (const result of results) {
    if (!("row" in result)) failed += 1;
    else {
      files.push(...filesOf(result.row));
      if (typeof result.row.covers === "string") covers.add(result.row.covers);
      if (isDifferent(result.row)) different += 1;
    }
  }
  files.sort((one, other) => (one.file < other.file ? -1 : 1));
  await checkThere(store, folder, files);
  const sum = (member: "records" | "bytes"): number => files.reduce((all, file) => all + file[member], 0);
  const totals = { records: sum("records"), bytes: sum("bytes") };
  await store.removeUnfinished();
  if (failed > 0) await store.remove(MANIFEST);
  else {
    const { format, split, parts, columns, selection, fromMs, toMs, table } = shared;
    // First: with a manifest the job is done.
    if (table !== null) await commitTable(ctx, store, { ...table, files, covers: (part) => isCovered(part, covers) });
    const range = { from: fromMs === null ? null : new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
    const head = JSON.stringify({ version: 2, format, split, parts, columns, selection, ...range, ...totals });
    const lines = files.map(({ bounds: _, ...file }) => `    ${JSON.stringify(file)}`).join(",\n");
    const text = `${head.slice(0, -1)},\n  "files": [${lines === "" ? "" : `\n${lines}\n  `}]}\n`;
    // One that was killed right after this writes the same text again.
    const isWritten = await store.replaceText(MANIFEST, text, shared.manifest);
    if (!isWritten && (await store.readText(MANIFEST)) !== text) throw replacedMeanwhile(store);
  }
  return { files: files.length, ...totals, different };
}

const replacedMeanwhile = ({ shown }: DatasetStore): Error =>
  conflictError(`Another export has written the dataset in ${shown} meanwhile.`, {
    code: "dataset.changed",
    why: "Its manifest is not the one that was there at the start; it lists other files.",
    next: "Export to a path of its own, or run the command with --again once the other one has ended.",
  });

/** The files are looked for by one process of all: where the folder is not shared, some are missing. */
async function checkThere(store: DatasetStore, folder: string, files: readonly DatasetFile[]): Promise<void> {
  let missing = 0;
  for (const { file, bytes } of files) if ((await store.sizeOf(file)) !== bytes) missing += 1;
  if (missing === 0) return;
  throw new CommandError(
    `${partOf(missing, files.length, "file")} ${missing === 1 ? "is" : "are"} not in ${folder}, or not as written.`,
    {
      code: "dataset.files_missing",
      exit: 1,
      why: "All workers must write to the same folder; this one seems not to be shared, or was changed.",
      next: "Mount the folder on every machine (iot worker --folder), then export again with --again.",
    },
  );
}
