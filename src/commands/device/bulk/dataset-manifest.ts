import { conflictError, inputError } from "../../kit/failures/command-error.ts";
import { isObject, objectOf, parseObject } from "../../kit/files/files.ts";
import { textDigest } from "../../kit/state/digest.ts";
import { type PartPlace, partPath, placeOf } from "./dataset-parts.ts";
import type { DatasetStore } from "./dataset-store.ts";
import type { DatasetFile, DatasetShared } from "./dataset-types.ts";

/** Says that a dataset is complete, and what it has. */
const MANIFEST = "_manifest.json";
/** The manifest of before, while parts are replaced. */
const PREVIOUS = "_manifest.previous.json";
/** What the manifest of a table says it is. */
const TABLE = "iceberg";

/** What the manifest of a dataset says. */
export interface Manifest extends Pick<DatasetShared, "format" | "split" | "parts" | "columns" | "selection" | "csv"> {
  /** Whether the files are those of a table. */
  readonly isTable: boolean;
  readonly fromMs: number | null;
  /** Every device is complete until then, but those of `until`. */
  readonly toMs: number;
  /** Devices that were not there later, or not asked for, by their id. */
  readonly until: ReadonlyMap<string, number>;
  readonly files: readonly DatasetFile[];
}

/** Whether a dataset is there, complete or not. */
export async function hasManifest(store: DatasetStore): Promise<boolean> {
  return (await store.sizeOf(MANIFEST)) !== undefined;
}

/** The manifest of a complete dataset, or of one that is being updated, and what it is known by. */
export async function readManifest(
  store: DatasetStore,
): Promise<{ readonly manifest: Manifest; readonly mark: string } | undefined> {
  const text = (await store.readText(MANIFEST)) ?? (await store.readText(PREVIOUS));
  return text === undefined ? undefined : { manifest: parseManifest(text, store), mark: textDigest(text) };
}

const formats = ["parquet", "ndjson", "csv"] as const;
const splits = ["day", "month"] as const;

function parseManifest(text: string, { shown }: DatasetStore): Manifest {
  const found = parseObject(text, `${shown}/${MANIFEST}`);
  const format = formats.find((one) => one === found["format"]);
  const toMs = Date.parse(String(found["to"]));
  const { files, columns } = found;
  if (format === undefined || Number.isNaN(toMs) || !Array.isArray(files) || !files.every(isFile)) throw broken(shown);
  return {
    format,
    split: splits.find((one) => one === found["split"]) ?? null,
    parts: typeof found["parts"] === "number" ? found["parts"] : null,
    isTable: found["table"] === TABLE,
    columns: (Array.isArray(columns) ? columns : []) as Manifest["columns"],
    selection: objectOf(found["selection"]),
    csv: { header: true, csvSafe: false, csvBom: false, ...objectOf(found["csv"]) },
    fromMs: typeof found["from"] === "string" ? Date.parse(found["from"]) : null,
    toMs,
    until: new Map(Object.entries(objectOf(found["until"])).map(([id, time]) => [id, Date.parse(String(time))])),
    files,
  };
}

const broken = (shown: string): Error =>
  inputError(`${MANIFEST} in ${shown} is not the manifest of a dataset.`, {
    code: "dataset.bad_manifest",
    why: "It was changed, or another version of iot wrote it.",
    next: "Export the dataset to another folder.",
  });

/** Whether a value names a part. What comes from a queue or a folder may have been changed by anybody. */
export function isFile(value: unknown): value is DatasetFile {
  if (!isObject(value) || typeof value["file"] !== "string" || !isObject(value["devices"])) return false;
  return [value["records"], value["bytes"], ...Object.values(value["devices"])].every(Number.isSafeInteger);
}

function manifestText({ fromMs, toMs, until, files: unsorted, format, csv, isTable, ...rest }: Manifest): string {
  const files = [...unsorted].sort((one, other) => (one.file < other.file ? -1 : 1));
  const { split, parts, columns, selection } = rest;
  const range = { from: fromMs === null ? null : new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
  const sum = (of: "records" | "bytes"): number => files.reduce((all, file) => all + file[of], 0);
  const totals = { records: sum("records"), bytes: sum("bytes") };
  const cells = { ...(format === "csv" ? { csv } : {}), ...(isTable ? { table: TABLE } : {}) };
  const settings = { version: 2, format, split, parts, columns, selection, ...cells, ...range, ...totals };
  const older = Object.fromEntries([...until].sort().map(([id, ms]) => [id, new Date(ms).toISOString()]));
  const lines = files.map(({ bounds: _, ...file }) => `    ${JSON.stringify(file)}`).join(",\n");
  const head = JSON.stringify(settings).slice(0, -1);
  return `${head},\n  "until": ${JSON.stringify(older)},\n  "files": [${lines === "" ? "" : `\n${lines}\n  `}]}\n`;
}

/** Changes with the manifest; null where there is none. */
export const manifestVersion = async (store: DatasetStore): Promise<string | null> =>
  (await store.versionOf(MANIFEST)) ?? null;

/** Rejects a manifest that is neither of a version nor this one, which a run that was killed may have written. */
export async function checkManifest(store: DatasetStore, manifest: Manifest, version: string | null): Promise<void> {
  const found = await store.versionOf(MANIFEST);
  if (found === undefined || found === version) return;
  if ((await store.readText(MANIFEST)) !== manifestText(manifest)) throw changed(store);
}

/**
 * Writes the manifest of a dataset whose parts are all there.
 *
 * @param version of the manifest it replaces; null where there was none
 */
export async function writeManifest(store: DatasetStore, manifest: Manifest, version: string | null): Promise<void> {
  const isWritten = await store.replaceText(MANIFEST, manifestText(manifest), version);
  if (!isWritten) await checkManifest(store, manifest, version);
  await store.remove(PREVIOUS);
}

const changed = ({ shown }: DatasetStore): Error =>
  conflictError(`The dataset in ${shown} is not the one this job began with.`, {
    code: "dataset.changed",
    why: "Another job has written its manifest meanwhile.",
    next: "Run the command again with --again, or export to a path of its own.",
  });

/** Removes the manifest of a dataset that has become incomplete. */
export const removeManifest = (store: DatasetStore): Promise<void> => store.remove(MANIFEST);

/** The parts of a device or a bucket, by the start of their period. */
export type PlaceParts = ReadonlyMap<number | undefined, DatasetFile>;

/** A dataset as it was before an update. */
export interface Base {
  readonly manifest: Manifest;
  readonly mark: string;
  readonly text: string;
  /** By `placeKey`: the devices and buckets that have parts. */
  readonly places: ReadonlyMap<string, { readonly place: PartPlace; readonly parts: PlaceParts }>;
}

export const placeKey = (place: PartPlace): string => partPath(place, null, undefined);

/** The last one that was read: all items of an update are about the same. */
let lastRead: Base | undefined;

/** The manifest that an update began with. */
export async function baseOf(store: DatasetStore, mark: string): Promise<Base> {
  if (lastRead?.mark === mark) return lastRead;
  for (const name of [MANIFEST, PREVIOUS]) {
    const text = await store.readText(name);
    if (text === undefined || textDigest(text) !== mark) continue;
    const manifest = parseManifest(text, store);
    lastRead = { manifest, mark, text, places: placesOf(manifest) };
    return lastRead;
  }
  throw changed(store);
}

function placesOf(manifest: Manifest): Base["places"] {
  const places = new Map<string, { place: PartPlace; parts: Map<number | undefined, DatasetFile> }>();
  for (const file of manifest.files) {
    const { place, periodMs } = placeOf(file.file, manifest);
    const key = placeKey(place);
    const found = places.get(key) ?? { place, parts: new Map() };
    places.set(key, found);
    found.parts.set(periodMs, file);
  }
  return places;
}

/** Before the first part is replaced: from here on the dataset is not complete until the update has ended. */
export async function beginChange(store: DatasetStore, { mark, text }: Base): Promise<void> {
  const previous = await store.readText(PREVIOUS);
  if (previous === undefined || textDigest(previous) !== mark) await store.writeText(PREVIOUS, text);
  await store.remove(MANIFEST);
}

/** The tags that partition a dataset; undefined for one without parts. */
export function keysIn(manifest: Manifest): string[] | undefined {
  const [first] = manifest.files;
  if (first === undefined) return undefined;
  const names = placeOf(first.file, manifest)
    .place.folder.split("/")
    .filter((name) => name !== "");
  const keys = names.map((name) => decodeURIComponent(name.slice(0, name.indexOf("="))));
  return manifest.parts === null ? keys.slice(0, -1) : keys;
}
