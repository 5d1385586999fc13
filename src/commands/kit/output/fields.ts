import type { Column } from "../command/columns.ts";
import { usageError } from "../failures/command-error.ts";
import { didYouMean } from "../failures/unknown-word.ts";
import { headerOf } from "./people.ts";
import type { OutputSetup } from "./setup.ts";
import { parseTemplate, pathsIn } from "./template.ts";
import { atPath } from "./values.ts";

export const wantsHelp = ({ fields }: Pick<OutputSetup, "fields">): boolean =>
  fields?.length === 1 && fields[0] === "help";

interface FieldRow {
  readonly field: string;
  /** The header, where it is another word. */
  readonly header: string | undefined;
  readonly shown: boolean;
}

export const fieldColumns: readonly Column<FieldRow>[] = [
  { key: "field" },
  { key: "header" },
  { key: "shown", header: "shown_by_default", kind: "flag" },
];

/** What `--fields help` lists. */
export function fieldRows<Row>(columns: readonly Column<Row>[]): readonly FieldRow[] {
  return columns.map((column) => {
    const header = headerOf(column);
    return {
      field: column.key,
      header: header === column.key ? undefined : header,
      shown: column.hidden !== true,
    };
  });
}

const rootOf = (path: string): string => path.split(".", 1)[0] ?? path;

/** Fields that were asked for, and the flag that names each. */
function askedFields({ fields = [], template }: OutputSetup): ReadonlyMap<string, string> {
  const inTemplate = template === undefined ? [] : pathsIn(parseTemplate(template));
  return new Map([
    ...inTemplate.map((field) => [field, "--template"] as const),
    ...fields.map((field) => [field, "--fields"] as const),
  ]);
}

/** Asked fields that are no columns, with their flags: whether rows have them shows only when they arrive. */
function fieldsNotOf<Row>(setup: OutputSetup, columns: readonly Column<Row>[]): ReadonlyMap<string, string> {
  const known = new Set(columns.flatMap(({ key }) => [key, rootOf(key)]));
  const open = new Set(columns.flatMap(({ key, kind }) => (kind === "tags" || kind === "json" ? [key] : [])));
  return new Map([...askedFields(setup)].filter(([field]) => !known.has(field) && !open.has(rootOf(field))));
}

/** Whether there can be something at a path: a text, a number or a time has no fields of its own. */
function mayHold(row: object, path: string): boolean {
  const value = atPath(row, rootOf(path));
  return value === undefined || value === null || (typeof value === "object" && !(value instanceof Date));
}

/** A field that no column offers and no row has is a typing mistake. A change that was made is not a failure for it. */
function checkFields<Row extends object>(
  setup: OutputSetup,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): void {
  if (rows.length === 0) return;
  const known = new Set([...columns.map(({ key }) => key as string), ...rows.flatMap((row) => Object.keys(row))]);
  for (const [field, flag] of fieldsNotOf(setup, columns)) {
    if (known.has(field) || (known.has(rootOf(field)) && rows.some((row) => mayHold(row, field)))) continue;
    if (setup.isOfChange === true) {
      setup.say.warning(`Unknown field "${field}" in ${flag}: it is empty.`);
      continue;
    }
    throw usageError(`Unknown field "${field}" in ${flag}.`, {
      code: "usage.unknown_field",
      why: `The fields are ${[...known].join(", ")}.`,
      ...didYouMean(field, known, 'Run the command with "--fields help".'),
    });
  }
}

/** Rows that are looked at before a field counts as unknown. */
const MOST_ROWS = 1_000;

/**
 * Rejects unknown fields before anything is printed. For a stream the rows that arrive with the first one decide, such
 * as those of a page: later ones are not waited for. Returns the rows, all of them.
 */
export async function withKnownFields<Row extends object>(
  setup: OutputSetup,
  rows: readonly Row[] | AsyncIterable<Row>,
  columns: readonly Column<Row>[],
): Promise<readonly Row[] | AsyncIterable<Row>> {
  if (fieldsNotOf(setup, columns).size === 0) return rows;
  if (!(Symbol.asyncIterator in rows)) {
    checkFields(setup, rows, columns);
    return rows;
  }
  const source = rows[Symbol.asyncIterator]();
  const first: Row[] = [];
  let next = source.next();
  let found = await next;
  while (found.done !== true) {
    first.push(found.value);
    next = source.next();
    const turn = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
    // A failure is met again below, by whoever reads on.
    const result = await Promise.race([next.catch(() => undefined), turn]);
    if (result === undefined || first.length === MOST_ROWS) break;
    found = result;
  }
  checkFields(setup, first, columns);
  async function* all(): AsyncGenerator<Row> {
    try {
      yield* first;
      for (let result = await next; result.done !== true; result = await source.next()) yield result.value;
    } finally {
      // Not waited for: a source ends only after the row it is waiting for.
      source.return?.().catch(() => undefined);
    }
  }
  return all();
}
