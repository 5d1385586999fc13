import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { RecordColumn, Window } from "../../kit/devices/windows.ts";
import { stoppedError } from "../../kit/failures/command-error.ts";
import type { ParquetTable } from "../../kit/rows/parquet-file.ts";
import { openPart, type PartFile, partName, settlePart } from "../../kit/rows/part-file.ts";
import type { FileFormat } from "../../kit/rows/reader.ts";
import { type RowText, rowText } from "../../kit/rows/row-text.ts";
import { type RecordSource, type TimeRange, windowsOf } from "./sources.ts";

/** How records become a file of a format. */
export interface ExportForm {
  readonly text: RowText<RecordColumn>;
  /** Makes the file of its part. May be called again after a kill. */
  settle(path: string): Promise<void>;
}

/** What the flags of CSV say. */
export interface CsvChoice {
  readonly header: boolean;
  readonly csvSafe: boolean;
  readonly csvBom: boolean;
}

export async function fileForm(
  format: FileFormat,
  columns: readonly RecordColumn[],
  { header, csvSafe, csvBom }: CsvChoice,
  table?: ParquetTable,
): Promise<ExportForm> {
  const isBinary = format === "parquet";
  const text = await rowText(isBinary ? "ndjson" : format, { header, csvSafe, csvBom, columns });
  if (!isBinary) return { text, settle: settlePart };
  const { settleParquet } = await import("../../kit/rows/parquet-file.ts");
  return { text, settle: (path) => settleParquet(path, columns, table) };
}

/** A position from which a file can be continued: everything before it is on the disk. */
export interface FilePosition {
  /** Which source is being read, and from which time on. */
  readonly source: number;
  readonly atMs?: number;
  /** Bytes and records so far. */
  readonly offset: number;
  readonly records: number;
  /** The whole file is on the disk, and only its name is left to change. */
  readonly isWhole?: boolean;
}

export const fileStart: FilePosition = { source: 0, offset: 0, records: 0 };

export interface FileSize {
  readonly records: number;
  readonly bytes: number;
}

/** How files are written. */
export interface FileOptions {
  readonly form: ExportForm;
  /** Whether a file without records is written as well. */
  readonly keepsEmpty: boolean;
  /** Stops at the next request. Without it, files are finished. */
  readonly signal?: AbortSignal;
}

/** What a file is written from. */
export interface FileJob {
  readonly path: string;
  /** Read one after the other. */
  readonly sources: readonly RecordSource[];
  /** What of their records belongs to the file. A source may end before. */
  readonly range: TimeRange;
  readonly maxRecords: number;
  /** Called with a position to continue from, once all before it is on the disk. */
  readonly note: ((position: FilePosition) => Promise<void>) | undefined;
  /** Called with the records of the file so far. */
  onRecords(records: number): void;
}

/** Writes a file from a position on; undefined if it has no records and empty files are not wanted. */
export async function writeFile(
  job: FileJob,
  options: FileOptions,
  start: FilePosition,
): Promise<FileSize | undefined> {
  const { path } = job;
  const { records } = start.isWhole === true ? start : await writePart(job, options, start);
  if (records === 0 && !options.keepsEmpty) {
    await rm(partName(path), { force: true });
    return undefined;
  }
  // A run that was killed may have come as far.
  if (existsSync(partName(path))) await options.form.settle(path);
  return { records, bytes: (await stat(path)).size };
}

async function writePart(job: FileJob, options: FileOptions, start: FilePosition): Promise<FilePosition> {
  const part = await openPart(job.path, start.offset);
  const writer = new PartWriter(job, options, part, start);
  try {
    return await writer.toEnd();
  } catch (error) {
    // Where the disk is full, the position that was noted before still holds.
    await writer.noteSafe().catch(() => undefined);
    throw error;
  } finally {
    await part.close();
  }
}

/** A note costs two writes to the disk; at most a tenth of the time goes into them. */
const NOTE_SHARE = 10;

class PartWriter {
  readonly #job: FileJob;
  readonly #text: RowText<RecordColumn>;
  readonly #signal: AbortSignal | undefined;
  readonly #part: PartFile;
  #position: FilePosition;
  /** The last position from which a run can continue. */
  #safe: FilePosition | undefined;
  #nextNoteMs = 0;

  constructor(job: FileJob, { form, signal }: FileOptions, part: PartFile, start: FilePosition) {
    this.#job = job;
    this.#text = form.text;
    this.#signal = signal;
    this.#part = part;
    this.#position = start;
  }

  async toEnd(): Promise<FilePosition> {
    const { sources, range } = this.#job;
    const start = this.#position;
    if (start.offset === 0) await this.#part.write(this.#text.head);
    for (const [number, source] of sources.entries()) {
      if (this.#left() <= 0) break;
      if (number === start.source) await this.#writeSource(source, number, start.atMs ?? range.fromMs);
      else if (number > start.source) await this.#writeSource(source, number, range.fromMs);
    }
    await this.#part.write(this.#text.tail(this.#position.records === 0));
    await this.#part.sync();
    const { offset } = this.#part;
    this.#safe = undefined;
    this.#position = { source: sources.length, offset, records: this.#position.records, isWhole: true };
    await this.#job.note?.(this.#position);
    return this.#position;
  }

  async noteSafe(): Promise<void> {
    if (this.#safe === undefined || this.#job.note === undefined) return;
    await this.#part.sync();
    await this.#job.note(this.#safe);
  }

  async #writeSource(source: RecordSource, number: number, fromMs: number | undefined): Promise<void> {
    const { range } = this.#job;
    const windows = windowsOf(source, fromMs, Math.min(source.toMs, range.toMs));
    if (this.#isStopped()) throw stopped();
    let running: Promise<IteratorResult<Window, void>> | undefined = windows.next();
    while (running !== undefined) {
      const found: IteratorResult<Window, void> = await running;
      if (found.done === true) break;
      const isEnough: boolean = found.value.records.length >= this.#left();
      const goesOn: boolean = !this.#isStopped() && !isEnough;
      // The next response is on its way while this one is written.
      running = goesOn ? windows.next() : undefined;
      running?.catch(() => undefined);
      await this.#write(found.value, number, isEnough);
      if (!goesOn && !isEnough) throw stopped();
    }
  }

  async #write({ records, nextMs }: Window, source: number, isEnough: boolean): Promise<void> {
    const taken = isEnough ? records.slice(0, this.#left()) : records;
    if (taken.length > 0) await this.#part.write(this.#text.text(taken, this.#position.records === 0));
    this.#position = { ...this.#position, source, records: this.#position.records + taken.length };
    this.#job.onRecords(this.#position.records);
    if (nextMs === undefined || isEnough) return;
    this.#safe = this.#position = { ...this.#position, atMs: nextMs, offset: this.#part.offset };
    const startMs = performance.now();
    if (startMs < this.#nextNoteMs) return;
    await this.noteSafe();
    const endMs = performance.now();
    this.#nextNoteMs = endMs + NOTE_SHARE * (endMs - startMs);
  }

  #isStopped(): boolean {
    return this.#signal?.aborted === true;
  }

  #left(): number {
    return this.#job.maxRecords - this.#position.records;
  }
}

export const stopped = (): Error => stoppedError("Stopped.");
