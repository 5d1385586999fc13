import type { JobNotes } from "../../kit/jobs/job.ts";
import { type FileOptions, type FilePosition, type FileSize, fileStart, stopped, writeFile } from "./export-file.ts";
import { periodEnd, periodStart, type Split } from "./periods.ts";
import type { RecordSource, TimeRange } from "./sources.ts";

/** A file, or one for each period: the records of its sources one after the other. */
export interface FileGroup {
  readonly sources: readonly RecordSource[];
  /** @param periodMs start of the period, where there is a file for each */
  pathOf(periodMs: number | undefined): string;
}

export interface DoneFile extends FileSize {
  readonly file: string;
}

export interface FilesJob extends FileOptions {
  readonly groups: readonly FileGroup[];
  readonly fromMs: number | undefined;
  readonly split: Split | null;
  /** Most records in all. */
  readonly maxRecords?: number;
  /** What the next run continues from. Without it, that one writes all files again. */
  readonly notes?: JobNotes;
  /** Called before a new file is begun. */
  begin?(path: string): void;
  /** Called with the records of all files so far. */
  onRecords?(records: number): void;
}

/** The position of an export: in a file, or before the next one. */
interface Position {
  readonly group: number;
  /** Start of the period that is being written, or the time from which the next one is searched. */
  readonly periodMs?: number;
  readonly searchMs?: number;
  readonly file?: FilePosition;
}

/** What earlier runs have written. */
export interface FilesProgress {
  readonly done: readonly DoneFile[];
  readonly position: Position;
  readonly records: number;
}

/** Writes the files from the noted position on. Resolves to all of them. */
export const writeExportFiles = (job: FilesJob): Promise<readonly DoneFile[]> => new FilesWriter(job).toEnd();

const fileNote = (number: number): string => `file ${number}`;
/** The position is noted with the number of files before it: it is over when there is another one. */
const POSITION = "position";

export function progressIn({ of }: Pick<JobNotes, "of">): FilesProgress {
  const done: DoneFile[] = [];
  let position: Position = { group: 0 };
  for (let note = of(fileNote(0)); note !== undefined; note = of(fileNote(done.length))) {
    const { next, ...file }: DoneFile & { readonly next: Position } = JSON.parse(note);
    done.push(file);
    position = next;
  }
  const { after, ...noted }: Position & { readonly after?: number } = JSON.parse(of(POSITION) ?? "{}");
  if (after === done.length) position = noted;
  return { done, position, records: done.reduce((sum, { records }) => sum + records, position.file?.records ?? 0) };
}

/**
 * Finds the start of the period with the first record from a time on. A source is asked again only once its next known
 * record has been passed.
 */
function periodSearch(sources: readonly RecordSource[], split: Split, signal: AbortSignal | undefined) {
  const nextMs = new Map<RecordSource, number>();
  return async (fromMs = Number.NEGATIVE_INFINITY): Promise<number | undefined> => {
    for (const source of sources) {
      const knownMs = nextMs.get(source);
      if (knownMs !== undefined && knownMs >= fromMs) continue;
      if (signal?.aborted === true) throw stopped();
      const query = { fromMs: Number.isFinite(fromMs) ? fromMs : undefined, toMs: source.toMs, qty: 1, skip: 0 };
      const [record] = fromMs > source.toMs ? [] : await source.read(query);
      nextMs.set(source, record?.time.getTime() ?? Number.POSITIVE_INFINITY);
    }
    const firstMs = Math.min(...nextMs.values());
    return Number.isFinite(firstMs) ? periodStart(split, firstMs) : undefined;
  };
}

const nothingNoted: Pick<JobNotes, "of"> = { of: () => undefined };

class FilesWriter {
  readonly #job: FilesJob;
  readonly #done: DoneFile[];
  #position: Position;
  /** Records of the files that are done. */
  #records: number;

  constructor(job: FilesJob) {
    const { done, position, records } = progressIn(job.notes ?? nothingNoted);
    this.#job = job;
    this.#done = [...done];
    this.#position = position;
    this.#records = records - (position.file?.records ?? 0);
  }

  async toEnd(): Promise<readonly DoneFile[]> {
    const { groups, split, fromMs } = this.#job;
    for (const [number, group] of groups.entries()) {
      if (number < this.#position.group) continue;
      if (this.#left() <= 0) break;
      if (split !== null) await this.#writePeriods(group, split);
      else await this.#write(group, { fromMs, toMs: Number.POSITIVE_INFINITY }, { group: number + 1 });
      this.#position = { group: number + 1 };
    }
    return this.#done;
  }

  /** A file for each period that has records. */
  async #writePeriods(group: FileGroup, split: Split): Promise<void> {
    const { fromMs, signal } = this.#job;
    const search = periodSearch(group.sources, split, signal);
    const { group: number, searchMs } = this.#position;
    // A run that continues begins in the period where it stopped.
    let periodMs = this.#position.periodMs ?? (await search(searchMs ?? fromMs));
    while (periodMs !== undefined) {
      const endMs = periodEnd(split, periodMs);
      const range = { fromMs: Math.max(periodMs, fromMs ?? periodMs), toMs: endMs - 1 };
      if (this.#position.periodMs === undefined) this.#position = { group: number, periodMs };
      await this.#write(group, range, { group: number, searchMs: endMs });
      periodMs = this.#left() > 0 ? await search(endMs) : undefined;
    }
  }

  /** Writes the file of the position, or what is missing of it. */
  async #write({ sources, pathOf }: FileGroup, range: TimeRange, next: Position): Promise<void> {
    const { notes, begin, onRecords } = this.#job;
    const { file: start = fileStart, ...position } = this.#position;
    const path = pathOf(position.periodMs);
    const after = this.#done.length;
    if (start.offset === 0) begin?.(path);
    const job = {
      ...{ path, sources, range, maxRecords: this.#left() },
      note: notes && ((file: FilePosition) => notes.add(POSITION, JSON.stringify({ after, ...position, file }))),
      onRecords: (records: number) => onRecords?.(this.#records + records),
    };
    const size = await writeFile(job, this.#job, start);
    this.#position = next;
    if (size === undefined) return;
    this.#done.push({ file: path, ...size });
    this.#records += size.records;
    await notes?.add(fileNote(after), JSON.stringify({ file: path, ...size, next }));
  }

  #left(): number {
    const { maxRecords = Number.POSITIVE_INFINITY } = this.#job;
    return maxRecords - this.#records;
  }
}
