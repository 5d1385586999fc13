import { createHash } from "node:crypto";
import type { Resources } from "../../../index.ts";
import { MAX_ENTITY_ROWS } from "../../../lib/core/limits.ts";
import type { EntityInfo } from "../../../lib/resources/entities.ts";
import { countOf } from "../../../text/count.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import { type Command, defineCommand } from "../../kit/command/define.ts";
import { either, one } from "../../kit/command/result.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { inputError } from "../../kit/failures/command-error.ts";
import { isObject } from "../../kit/files/files.ts";
import { jobOptions } from "../../kit/jobs/run-job.ts";
import { columnMap, columnOf, importOptions, type MapInput, mapped, withRowFile } from "../../kit/rows/import-flags.ts";
import type { ImportJob, RowBatch } from "../../kit/rows/import-job.ts";
import { importRows } from "../../kit/rows/importer.ts";
import type { RowFile } from "../../kit/rows/reader.ts";
import { rowsKind } from "../../kit/rows/rows-kind.ts";
import type { RowsSender } from "../../kit/rows/send-rows.ts";
import { queuedColumns } from "../../kit/rows/spread.ts";
import { digest } from "../../kit/state/digest.ts";
import { checkRow } from "../fields.ts";
import { entityOf, firstArgument } from "../place.ts";

/** What became of the rows of a file. */
interface ImportResult {
  readonly file: string;
  readonly rows: number;
  readonly sent: number;
  /** Sent by an earlier run. */
  readonly resumed: number;
  readonly failed: number;
  /** Not sent, because they do not fit the schema. */
  readonly invalid: number;
}

const columns: readonly Column<ImportResult>[] = [
  { key: "file" },
  { key: "rows", kind: "number" },
  { key: "sent", kind: "number" },
  { key: "resumed", kind: "number" },
  { key: "failed", kind: "number" },
  { key: "invalid", kind: "number" },
];

/** A row on its way, and its number in the file. */
interface ImportRow {
  readonly row: number;
  readonly value: Record<string, unknown>;
}

interface ReportRow {
  readonly row: number;
  readonly result: string;
  readonly reason: string;
}

export const importData: Command = defineCommand({
  path: ["data", "import"],
  effect: "changes",
  summary: "Import rows from a file into an entity",
  details:
    "Reads CSV with a header row, ndjson, JSON or Parquet of any size, twice and in constant memory: the whole file is checked " +
    "against the schema before anything is sent. A row without an id gets one derived from its number and content, so " +
    "importing it again creates no duplicate; a row with an existing id is updated. --resume skips the rows that an " +
    "interrupted import has sent. With --queue, iot worker processes send them (docs/scale.md). --report lists every row with its result and reason.",
  args: [firstArgument, { name: "file", file: "in", summary: "the file, instead of --input" }],
  options: [...importOptions("map a column to a field; column= skips the column"), ...jobOptions],
  result: either(one(columns), one(queuedColumns)),
  examples: [
    'iot entity data import "name:sites" examples/sites.csv --report sites-report.csv',
    'iot entity data export "name:sites" --format ndjson | iot entity data import "name:sites" - --dry-run',
  ],
  exitCodes: [1, 3, 7, 8, 9, 130],
  related: ["iot entity data export", "iot entity data add", "iot entity schema"],
  async run(ctx, input) {
    const entity = await entityOf(ctx, input.args.id);
    return withRowFile(ctx, input, input.args.file, async (file) =>
      importRows(ctx, input, await entityImport(ctx, input, file, entity)),
    );
  },
});

/** Requests at a time, unless `--concurrency` says otherwise. */
const LANES = 2;

async function entityImport(
  ctx: CommandContext,
  input: MapInput,
  file: RowFile,
  entity: EntityInfo,
): Promise<ImportJob<ImportRow, RowBatch<ImportRow>, ReportRow>> {
  const map = columnMap(input, () => true, "");
  const { api } = await ctx.connection();
  const { entities } = await batchClient(ctx);
  const isText = file.format === "csv";
  return {
    file,
    unit: ["row", "rows"],
    key: ["entity data import", api, entity.id, file.isCopy ? "stdin" : file.path],
    flags: [file.format, [...map], entity.schema],
    before: "sent before",
    lanes: ctx.flags.concurrency ?? LANES,
    read({ row, value }) {
      const members = isObject(value) ? Object.fromEntries(mapped(value, map)) : value;
      const checked = checkRow(entity.schema, members, { isText, isNew: true });
      if ("row" in checked) return { row, value: withId(entity.id, row, checked.row) };
      throw inputError(`Row ${row} of ${quote(file.place)} does not match the schema.`, {
        code: "entity.invalid_rows",
        why: `${checked.problems.join("; ")}.`,
        next: "Fix the file, rename columns with --map, or skip invalid rows with --skip-invalid. Nothing was sent.",
        row,
        ...(checked.field === undefined ? {} : { column: columnOf(map, checked.field) }),
      });
    },
    columnOf: (field) => columnOf(map, field),
    batches,
    spread: { kind: importKind, shared: { entity: entity.id } },
    ...sender(entities, entity.id),
    requests: ({ rows }) => [
      { method: "POST", path: `/entity/${entity.id}/data`, body: rows.map(({ value }) => value) },
    ],
    report: ["row", "result", "reason"],
    tell: (row, { result, reason = "" }) => ({ row, result, reason }),
    print: (tally) => {
      const [sent, resumed] = [tally.of("sent"), tally.of("sent before")];
      const result = { file: file.place, rows: tally.total, sent, resumed };
      const bad = { failed: tally.of("failed"), invalid: tally.of("invalid") };
      return ctx.out.item({ ...result, ...bad }, { columns, idKey: "file" });
    },
    said: (tally) => `Imported ${countOf(tally.of("sent", "sent before"), "row")} into entity "${entity.name}"`,
  };
}

/** Rows have ids, so a batch that is sent again changes nothing. */
const sender = (entities: Resources["entities"], id: string): RowsSender<ImportRow, RowBatch<ImportRow>> => ({
  split: ({ rows }) => {
    const middle = Math.ceil(rows.length / 2);
    return [batchOf(rows.slice(0, middle)), batchOf(rows.slice(middle))];
  },
  prepare:
    async ({ rows }) =>
    async () => {
      const values = rows.map(({ value }) => value);
      await entities.sendEntityData(id, values);
      return { result: "sent" };
    },
});

/** `entity data import` by workers. */
export const importKind = rowsKind<{ readonly entity: string }, ImportRow, RowBatch<ImportRow>>(
  "entity data import",
  async (_, { entities }, { entity }) => sender(entities, entity),
);

async function* batches(rows: AsyncIterable<ImportRow>): AsyncGenerator<RowBatch<ImportRow>, void, undefined> {
  let waiting: ImportRow[] = [];
  for await (const row of rows) {
    waiting.push(row);
    if (waiting.length < MAX_ENTITY_ROWS) continue;
    yield batchOf(waiting);
    waiting = [];
  }
  if (waiting.length > 0) yield batchOf(waiting);
}

const batchOf = (rows: readonly ImportRow[]): RowBatch<ImportRow> => ({
  item: `${rows[0]?.row ?? 0}-${rows.at(-1)?.row ?? 0}`,
  mark: digest(rows.map(({ value }) => value)),
  rows,
});

/** The same row of the same file always gets the same id. */
function withId(entity: string, number: number, row: Record<string, unknown>): Record<string, unknown> {
  if (typeof row["id"] === "string") return row;
  const hex = createHash("sha256")
    .update(JSON.stringify([entity, number, row]))
    .digest("hex");
  // The form of a UUID of version 8, which is free to say how it was made.
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return { id, ...row };
}
