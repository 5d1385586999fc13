import type { Resources } from "../../../index.ts";
import type { CommandContext } from "../../kit/context.ts";
import { readWindows } from "../../kit/devices/windows.ts";
import { objectOf } from "../../kit/files/files.ts";
import type { JobNotes } from "../../kit/jobs/job.ts";
import { openRows } from "../../kit/rows/reader.ts";
import { createProgress } from "../../kit/say/progress.ts";
import { fileForm } from "../bulk/export-file.ts";
import { writeExportFiles } from "../bulk/export-files.ts";
import { lastTime } from "../bulk/export-plan.ts";
import type { ImportRecord } from "../bulk/import-records.ts";
import { countRange, deviceSources, type TimeRange } from "../bulk/sources.ts";
import { isWithin, type TimeSpan } from "./storage.ts";

/** All records of a device, in a file of this machine. */
export interface Stored {
  readonly records: number;
  /** The last timestamp that was read. */
  readonly toMs: number;
}

/** What of a record can be written again: its id and the time it was stored are the platform's. */
const columns = ["time", "variable", "value", "unit", "group", "location", "metadata"] as const;

/** Reads all records of a device into a file. A run that was interrupted continues where it stopped. */
export async function storeRecords(
  ctx: CommandContext,
  client: Resources,
  { id }: { readonly id: string },
  file: string,
  notes: JobNotes,
): Promise<Stored> {
  const toMs = Number(notes.of("to") ?? (await lastTime(ctx, client, {}, id)));
  await notes.add("to", String(toMs));
  const progress = createProgress(ctx, ["Reading", "records"]);
  try {
    const [done] = await writeExportFiles({
      groups: [{ sources: sourcesOf(client, id, toMs), pathOf: () => file }],
      ...{ fromMs: undefined, split: null, keepsEmpty: true, signal: ctx.signal, notes },
      form: await fileForm("ndjson", columns, { header: true, csvSafe: false, csvBom: false }),
      onRecords: (records) => progress.at(records),
    });
    return { records: done?.records ?? 0, toMs };
  } finally {
    progress.end();
  }
}

const sourcesOf = (client: Resources, id: string, toMs: number) =>
  deviceSources(client, { id, toMs }, { selection: {}, columns });

/** Records up to a timestamp, as the platform counts them. */
export const countUpTo = (client: Resources, id: string, span: TimeSpan): Promise<number> =>
  countRange(client, id, {}, timesOf(span));

/** The end of the years that every part of the platform can write. */
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

const timesOf = ({ fromMs, toMs }: TimeSpan): TimeRange => ({
  fromMs: Number.isFinite(fromMs) ? fromMs : undefined,
  toMs: Math.min(toMs, LAST_MS),
});

/** The records of a file that fit into a span, for another device. */
export async function* recordsIn(
  ctx: CommandContext,
  file: string,
  device: string,
): AsyncGenerator<ImportRecord, void, undefined> {
  const rows = await openRows(ctx, file, "ndjson");
  for await (const { row, value, problem } of rows.rows()) {
    if (problem !== undefined) throw problem;
    yield { row, device, records: [objectOf(value)] };
  }
}

export const recordTime = ({ records: [record] }: ImportRecord): number => Date.parse(String(record?.["time"]));

/** Sums up what records say, in any order: the same records have the same sum, on whichever device. */
export class ContentSum {
  #sum = 0n;
  records = 0;

  add(record: object): void {
    const values = objectOf(record);
    const text = JSON.stringify(columns.map((name) => sorted(name === "time" ? isoOf(values[name]) : values[name])));
    const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
    this.#sum = (this.#sum + BigInt(`0x${hash.slice(0, 32)}`)) % MODULUS;
    this.records += 1;
  }

  get text(): string {
    return `${this.records} ${this.#sum.toString(16)}`;
  }
}

const MODULUS = 2n ** 128n;
const isoOf = (time: unknown): unknown => (time instanceof Date ? time.toISOString() : time);

/** Independent of property order; undefined equals null. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value ?? null;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, each]) => [key, sorted(each)]);
}

/** The sum of the records in a file. */
export async function sumOfFile(ctx: CommandContext, file: string, span: TimeSpan): Promise<ContentSum> {
  const sum = new ContentSum();
  for await (const row of recordsIn(ctx, file, ""))
    if (isWithin(span, recordTime(row))) for (const record of row.records) sum.add(record);
  return sum;
}

/** The sum of the records of a device, read again. */
export async function sumOfDevice(
  ctx: CommandContext,
  client: Resources,
  id: string,
  span: TimeSpan,
): Promise<ContentSum> {
  const sum = new ContentSum();
  const progress = createProgress(ctx, ["Verifying", "records"]);
  const { fromMs, toMs } = timesOf(span);
  try {
    for (const source of sourcesOf(client, id, toMs)) {
      for await (const { records } of readWindows((query) => source.read(query), fromMs, source.toMs)) {
        for (const record of records) sum.add(record);
        progress.at(sum.records);
      }
    }
  } finally {
    progress.end();
  }
  return sum;
}
