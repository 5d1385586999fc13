import { ApiError } from "../../../lib/core/errors.ts";
import { countOf } from "../../../text/count.ts";
import { quote } from "../command/values.ts";
import { type CommandError, inputError } from "../failures/command-error.ts";
import { objectOf } from "../files/files.ts";
import { messageOf } from "../resource/batch.ts";
import type { Numbered } from "./import-job.ts";

/** What the platform says of one field of a body. */
interface FieldProblem {
  /** Index in the list that was sent, from 0; absent if the body was no list. */
  readonly index?: number;
  readonly field: string;
  readonly text: string;
}

/** What the platform says of single fields: `{"2.time": ["time must be …"]}`. */
function problemsIn(error: unknown): FieldProblem[] {
  if (!(error instanceof ApiError)) return [];
  return Object.entries(objectOf(objectOf(error.data)["field_errors"])).map(([key, texts]) => {
    const [, index, field = key] = /^(?:(\d+)\.)?(.*)$/.exec(key) ?? [];
    const text = [texts].flat().map(String).join(", ").replace(/\.$/, "");
    return { ...(index === undefined ? {} : { index: Number(index) }), field, text };
  });
}

/** The column of a field of a body, as the file names it. */
export type ColumnOf = (field: string) => string;

const says = ({ field, text }: FieldProblem, columnOf: ColumnOf): string => `column ${quote(columnOf(field))}: ${text}`;

/** Why the platform rejects a row that was sent alone. */
export function refusedReason(error: unknown, columnOf: ColumnOf = String): string {
  const problems = problemsIn(error).map((problem) => says(problem, columnOf));
  return problems.length === 0 ? messageOf(error) : problems.join("; ");
}

/** What was sent, as messages name it. */
export interface SentRows {
  readonly columnOf: ColumnOf;
  /** The file. */
  readonly place?: string;
  /** One of them: `row`. */
  readonly unit?: string;
}

const SHOWN = 5;

/**
 * Converts the platform's error response to the words of the file: an index in the list becomes the row.
 *
 * @returns undefined if it does not name a row
 */
export function refusedRows(
  error: unknown,
  rows: readonly Numbered[],
  { place, columnOf, unit = "row" }: SentRows,
): CommandError | undefined {
  const found = problemsIn(error).flatMap((problem) => {
    const row = problem.index === undefined && rows.length > 1 ? undefined : rows[problem.index ?? 0]?.row;
    return row === undefined ? [] : [{ row, column: columnOf(problem.field), text: says(problem, columnOf) }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const texts = found.slice(0, SHOWN).map(({ row, text }) => `${unit} ${row}, ${text}`);
  const count = new Set(found.map(({ row }) => row)).size;
  const whose = count === 1 ? `${unit} ${first.row}` : countOf(count, unit);
  return inputError(`The platform rejected ${whose}${place === undefined ? "" : ` of ${quote(place)}`}.`, {
    row: first.row,
    column: first.column,
    why: `${texts.join("; ")}${found.length > SHOWN ? "; and more" : ""}.`,
    next: unit === "row" ? "Fix the file, or skip bad rows with --skip-invalid." : "Fix it and run the command again.",
    cause: error,
  });
}
