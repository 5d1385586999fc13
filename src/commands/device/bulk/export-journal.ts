import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { isObject, readTextIfThere, writeWhole } from "../../kit/files/files.ts";

/** What an export is about; fixed when it starts, so that a resumed run writes the same. */
export interface ExportPlan {
  /** The flags that decide what is written, to tell another export from a resumed one. */
  readonly asked: string;
  /** Devices in the order they are written, each with the last moment that is exported. */
  readonly devices: readonly { readonly id: string; readonly name?: string; readonly toMs: number }[];
  readonly fromMs?: number;
}

/** A file that is done. */
export interface DoneFile {
  readonly file: string;
  readonly records: number;
  readonly bytes: number;
}

/** A safe place to go on from: everything before it is on the disk. */
export interface ExportPlace {
  /** Which group of devices is being written. */
  readonly group: number;
  /** Where files are split: the period that is being written, or the moment from which the next one is looked for. */
  readonly periodMs?: number;
  readonly searchMs?: number;
  /** Which device and variable of the group, and where to go on in time. */
  readonly source: number;
  readonly atMs?: number;
  /** Bytes and records of the file that is being written. */
  readonly offset: number;
  readonly records: number;
  /** The whole file is on the disk, and only its name is left to change. */
  readonly isWhole?: boolean;
}

export interface JournalState {
  readonly plan: ExportPlan;
  readonly done: readonly DoneFile[];
  readonly place: ExportPlace;
}

const start: ExportPlace = { group: 0, source: 0, offset: 0, records: 0 };

/** Where an export stands, beside the file it writes. Each line is on the disk before the next step is taken. */
export interface ExportJournal {
  at(place: ExportPlace): void;
  done(file: DoneFile, place: ExportPlace): void;
  close(): void;
  /** Everything is written. */
  remove(): void;
}

/** What a run before noted, or nothing. A last line that was cut off does not count. */
export function readExportJournal(path: string): JournalState | undefined {
  let plan: ExportPlan | undefined;
  let place = start;
  const done: DoneFile[] = [];
  for (const line of (readTextIfThere(path) ?? "").split("\n").slice(0, -1)) {
    const entry = entryOf(line);
    if (entry === undefined) break;
    if (isObject(entry["plan"])) plan = entry["plan"] as unknown as ExportPlan;
    if (isObject(entry["done"])) done.push(entry["done"] as unknown as DoneFile);
    if (isObject(entry["place"])) place = entry["place"] as unknown as ExportPlace;
  }
  return plan === undefined || !isPlan(plan) ? undefined : { plan, done, place };
}

function isPlan(plan: ExportPlan): boolean {
  return typeof plan.asked === "string" && Array.isArray(plan.devices);
}

function entryOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Opens the journal: a new one with a plan, or the one to continue. */
export function openExportJournal(path: string, state: JournalState): ExportJournal {
  const entries = [{ plan: state.plan }, ...state.done.map((done) => ({ done })), { place: state.place }];
  // Written again when a run continues, so that a line that was cut off does not stay in the middle.
  writeWhole(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), { file: 0o600, folder: 0o777 });
  const file = openSync(path, "a");
  const put = (entry: object): void => {
    writeSync(file, `${JSON.stringify(entry)}\n`);
    fdatasyncSync(file);
  };
  return {
    at: (place) => put({ place }),
    done: (done, place) => put({ done, place }),
    close: () => closeSync(file),
    remove() {
      closeSync(file);
      rmSync(path, { force: true });
    },
  };
}
