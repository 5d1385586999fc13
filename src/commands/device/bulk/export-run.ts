import { stat } from "node:fs/promises";
import type { CommandContext } from "../../kit/context.ts";
import { stoppedError } from "../../kit/failures/command-error.ts";
import { openPart, type PartFile, partName, settlePart } from "../../kit/rows/part-file.ts";
import type { RowText } from "../../kit/rows/row-text.ts";
import type { Progress } from "../../kit/say/progress.ts";
import type { DoneFile, ExportJournal, ExportPlace, JournalState } from "./export-journal.ts";
import { periodEnd, periodStart, type Split } from "./periods.ts";
import { type DataRecord, type RangeQuery, type RecordColumn, readWindows, type Window } from "./windows.ts";

/** Records of one device, and of one variable where variables were named. */
export interface Source {
  readonly toMs: number;
  read(query: RangeQuery): Promise<readonly DataRecord[]>;
}

/** Everything a run of an export needs. */
export interface ExportJob {
  /** Each group is one file, or one file per period. */
  readonly groups: readonly (readonly Source[])[];
  readonly fromMs: number | undefined;
  readonly split: Split | undefined;
  readonly text: RowText<RecordColumn>;
  /** Final name of the file of a group and period. */
  fileOf(group: number, periodMs: number | undefined): string;
  /** Most records in all. */
  readonly maxRecords: number;
  /** Makes the file of its part, where that is more than a new name. May be called again after a kill. */
  readonly settle?: (file: string) => Promise<void>;
  /** Called before a new file is begun. */
  begin?(file: string): Promise<void>;
  readonly journal: ExportJournal;
  readonly progress: Progress;
  /** Records the platform counted, for progress. */
  readonly total: number | undefined;
}

/** Writes the files of an export from where the journal stands. Resolves to all files of the export. */
export async function runExport(ctx: CommandContext, job: ExportJob, state: JournalState): Promise<DoneFile[]> {
  const run = new ExportRun(ctx, job, state);
  try {
    return await run.toEnd();
  } finally {
    await run.close();
  }
}

/** A note costs two writes to the disk; at most a tenth of the time goes into them. */
const NOTE_SHARE = 10;

class ExportRun {
  readonly #ctx: CommandContext;
  readonly #job: ExportJob;
  readonly #done: DoneFile[];
  #place: ExportPlace;
  #part: PartFile | undefined;
  /** The last place in the present file from which a run can go on. */
  #safe: ExportPlace | undefined;
  /** Records of files that are done. */
  #settled: number;
  #nextNoteMs = 0;

  constructor(ctx: CommandContext, job: ExportJob, state: JournalState) {
    this.#ctx = ctx;
    this.#job = job;
    this.#done = [...state.done];
    this.#place = state.place;
    this.#settled = this.#done.reduce((sum, { records }) => sum + records, 0);
  }

  async toEnd(): Promise<DoneFile[]> {
    const { groups, split } = this.#job;
    while (this.#place.group < groups.length) {
      if (this.#left() <= 0) break;
      const { group } = this.#place;
      if (split === undefined) await this.#writeFile(undefined);
      else await this.#writePeriods(split);
      this.#place = { group: group + 1, source: 0, offset: 0, records: 0 };
    }
    return this.#done;
  }

  /** Leaves the file where the next run can go on. */
  async close(): Promise<void> {
    if (this.#part === undefined) return;
    await this.#note(this.#part);
    await this.#part.close();
  }

  /** Files of one group, for each period that has records. */
  async #writePeriods(split: Split): Promise<void> {
    const sources = this.#job.groups[this.#place.group] ?? [];
    const next = new Map<Source, number>();
    while (this.#left() > 0) {
      // A run that goes on begins in the period it stopped in.
      if (this.#place.periodMs === undefined) {
        const { group, searchMs = this.#job.fromMs } = this.#place;
        const firstMs = await this.#firstMoment(sources, next, searchMs);
        if (firstMs === undefined) return;
        this.#place = { group, periodMs: periodStart(split, firstMs), source: 0, offset: 0, records: 0 };
      }
      const startMs = this.#place.periodMs ?? 0;
      const endMs = periodEnd(split, startMs);
      await this.#writeFile({ fromMs: Math.max(startMs, this.#job.fromMs ?? startMs), endMs });
    }
  }

  /** Moment of the next record of a group. What is known of a source is asked once. */
  async #firstMoment(
    sources: readonly Source[],
    next: Map<Source, number>,
    fromMs: number | undefined,
  ): Promise<number | undefined> {
    for (const source of sources) {
      const known = next.get(source);
      if (known !== undefined && (fromMs === undefined || known >= fromMs)) continue;
      this.#stopIfAsked();
      const isOver = fromMs !== undefined && fromMs > source.toMs;
      const [record] = isOver ? [] : await source.read({ fromMs, toMs: source.toMs, qty: 1, skip: 0 });
      next.set(source, record?.time.getTime() ?? Number.POSITIVE_INFINITY);
    }
    const first = Math.min(...sources.map((source) => next.get(source) ?? Number.POSITIVE_INFINITY));
    return Number.isFinite(first) ? first : undefined;
  }

  /** One file: all sources of the group, one after the other, within the period. */
  async #writeFile(period: { readonly fromMs: number; readonly endMs: number } | undefined): Promise<void> {
    const { text, groups, fileOf } = this.#job;
    const file = fileOf(this.#place.group, this.#place.periodMs);
    if (this.#place.isWhole !== true) {
      const isNew = this.#place.offset === 0;
      if (isNew) await this.#job.begin?.(file);
      this.#part = await openPart(file, this.#place.offset);
      this.#safe = undefined;
      if (isNew) await this.#part.write(text.head);
      const sources = groups[this.#place.group] ?? [];
      for (let i = this.#place.source; i < sources.length && this.#left() > 0; i += 1) {
        const source = sources[i];
        if (source === undefined) break;
        const fromMs = this.#place.source === i ? this.#place.atMs : undefined;
        await this.#writeSource(source, i, fromMs ?? period?.fromMs ?? this.#job.fromMs, period);
      }
      await this.#part.write(text.tail(this.#place.records === 0));
      await this.#part.sync();
      this.#place = { ...this.#place, source: sources.length, offset: this.#part.offset, isWhole: true };
      this.#job.journal.at(this.#place);
      await this.#part.close();
      this.#part = undefined;
    }
    await this.#settleFile(file);
  }

  /** The file is on the disk as a whole: it gets its form and its name. A run before may have come as far. */
  async #settleFile(file: string): Promise<void> {
    if (await exists(partName(file))) await (this.#job.settle ?? settlePart)(file);
    const { size: bytes } = await stat(file);
    const done = { file, records: this.#place.records, bytes };
    this.#done.push(done);
    this.#settled += done.records;
    const { group, periodMs } = this.#place;
    const { split, journal } = this.#job;
    const fresh = { source: 0, offset: 0, records: 0 };
    const isSplit = split !== undefined && periodMs !== undefined;
    this.#place = isSplit ? { ...fresh, group, searchMs: periodEnd(split, periodMs) } : { ...fresh, group: group + 1 };
    journal.done(done, this.#place);
  }

  async #writeSource(
    source: Source,
    number: number,
    fromMs: number | undefined,
    period: { readonly endMs: number } | undefined,
  ): Promise<void> {
    const toMs = Math.min(source.toMs, period === undefined ? source.toMs : period.endMs - 1);
    const windows = readWindows((query) => source.read(query), fromMs, toMs);
    this.#stopIfAsked();
    let running: Promise<IteratorResult<Window, void>> | undefined = windows.next();
    while (running !== undefined) {
      const found: IteratorResult<Window, void> = await running;
      if (found.done === true) break;
      const isEnough: boolean = found.value.records.length >= this.#left();
      const goesOn: boolean = !this.#ctx.signal.aborted && !isEnough;
      // The next answer is on its way while this one is written.
      running = goesOn ? windows.next() : undefined;
      running?.catch(() => undefined);
      await this.#write(found.value, number, isEnough);
      if (!goesOn && !isEnough) this.#stop();
    }
  }

  async #write({ records, nextMs }: Window, source: number, isEnough: boolean): Promise<void> {
    const part = this.#part;
    if (part === undefined) return;
    const taken = isEnough ? records.slice(0, this.#left()) : records;
    if (taken.length > 0) await part.write(this.#job.text.text(taken, this.#place.records === 0));
    this.#place = { ...this.#place, source, records: this.#place.records + taken.length };
    this.#job.progress.at(this.#settled + this.#place.records, this.#job.total);
    if (nextMs === undefined || isEnough) return;
    this.#safe = this.#place = { ...this.#place, atMs: nextMs, offset: part.offset };
    const startMs = performance.now();
    if (startMs < this.#nextNoteMs) return;
    await this.#note(part);
    const endMs = performance.now();
    this.#nextNoteMs = endMs + NOTE_SHARE * (endMs - startMs);
  }

  async #note(part: PartFile): Promise<void> {
    if (this.#safe === undefined) return;
    await part.sync();
    this.#job.journal.at(this.#safe);
  }

  #left(): number {
    return this.#job.maxRecords - this.#settled - this.#place.records;
  }

  #stopIfAsked(): void {
    if (this.#ctx.signal.aborted) this.#stop();
  }

  #stop(): never {
    throw stoppedError("Stopped.", "Interrupted by the user.");
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
