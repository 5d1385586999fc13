import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { type OutgoingRecord, typedValue } from "../../kit/devices/record-checks.ts";
import { inputError, usageError } from "../../kit/failures/command-error.ts";
import { objectOf } from "../../kit/files/files.ts";
import { inputRows } from "../../kit/rows/reader.ts";
import { readRecords } from "../records.ts";
import type { Form } from "./forms.ts";

/** What a file of records becomes for one device: the records due up to a time, with their own times. */
export type FileReplay = (timeMs: number) => OutgoingRecord[];

interface Timed {
  readonly offsetMs: number;
  readonly record: OutgoingRecord;
}

const replayed = ["variable", "value", "unit", "location", "metadata"] as const;
/** More would not fit into one request. */
const MOST_AT_ONCE = 1_000;

/** `file:records.csv`: records at the distances they have in the file, from the start on and again from its end on. */
export async function readReplay(ctx: CommandContext, place: string, stepMs: number): Promise<() => FileReplay> {
  const records = await readRecords(ctx, place, undefined, true);
  const times = records.map(({ time }, at) => timeOf(time, at + 1, place));
  const firstMs = times.reduce((first, ms) => Math.min(first, ms), Number.POSITIVE_INFINITY);
  const timed: Timed[] = records
    .map((record, at) => ({ offsetMs: (times[at] ?? firstMs) - firstMs, record: membersOf(record) }))
    .sort((a, b) => a.offsetMs - b.offsetMs);
  const lengthMs = timed.at(-1)?.offsetMs ?? 0;
  // The file starts again one usual distance after its end.
  const loopMs = lengthMs === 0 ? stepMs : lengthMs + Math.max(1, Math.round(lengthMs / (timed.length - 1)));
  if (timed.length === 0) throw inputError(`${quote(place)} contains no records.`);
  if ((timed.length / loopMs) * stepMs > MOST_AT_ONCE) {
    throw usageError(`${quote(place)} has too many records for this --rate.`, {
      why: `Up to ${MOST_AT_ONCE} records can be sent at a time.`,
      next: "Use a higher --rate, such as 1/s.",
    });
  }
  return () => replayOf(timed, loopMs);
}

function replayOf(timed: readonly Timed[], loopMs: number): FileReplay {
  let startMs: number | undefined;
  let next = 0;
  return (timeMs) => {
    startMs ??= timeMs;
    const due: OutgoingRecord[] = [];
    for (;;) {
      const { offsetMs, record } = timed[next % timed.length] as Timed;
      const dueMs = startMs + Math.floor(next / timed.length) * loopMs + offsetMs;
      if (dueMs > timeMs) return due;
      due.push({ ...record, time: new Date(dueMs).toISOString() });
      next += 1;
    }
  };
}

const membersOf = (record: OutgoingRecord): OutgoingRecord =>
  Object.fromEntries(replayed.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])));

function timeOf(time: unknown, row: number, place: string): number {
  const ms = typeof time === "string" || typeof time === "number" ? new Date(time).getTime() : Number.NaN;
  if (Number.isFinite(ms)) return ms;
  throw inputError(`Record ${row} of ${quote(place)} has no valid time.`, {
    row,
    next: "Add the column time, or replay the values of one column: temperature=file:day.csv.",
  });
}

/** `temperature=file:day.csv`: the values of the column, or of the records of this variable, one per sample. */
export async function readValues(ctx: CommandContext, place: string, variable: string): Promise<Form> {
  const { rows } = await inputRows(ctx, place, undefined);
  const values = rows.flatMap(({ value }) => {
    const row = objectOf(value);
    const cell = row[variable] ?? (row["variable"] === variable ? row["value"] : undefined);
    if (typeof cell === "string") return cell.trim() === "" ? [] : [typedValue(cell.trim())];
    return typeof cell === "number" || typeof cell === "boolean" ? [cell] : [];
  });
  if (values.length === 0) {
    throw inputError(`${quote(place)} has no values for ${quote(variable)}.`, {
      next: "Name a column of the file, or a variable of its records.",
    });
  }
  return () => {
    let next = 0;
    return () => {
      const value = values[next % values.length] ?? 0;
      next += 1;
      return value;
    };
  };
}
