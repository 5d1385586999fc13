import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { EntityInfo } from "../../../lib/resources/entities.ts";
import { cleanText, escapeJson } from "../../../text/clean.ts";
import { countOf } from "../../../text/count.ts";
import { openPart, partName, settlePart } from "../../device/bulk/part-file.ts";
import { option } from "../../kit/command/arguments.ts";
import type { Column } from "../../kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand } from "../../kit/command/define.ts";
import { rows } from "../../kit/command/result.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { stoppedError, usageError } from "../../kit/failures/command-error.ts";
import { confirmOutFile, formatOfEnding, shownPath } from "../../kit/files/out-file.ts";
import { createProgress } from "../../kit/say/progress.ts";
import { ownFields } from "../fields.ts";
import { entityOf, firstArgument } from "../place.ts";
import { allRows, type Row, rowSelection, selectionOptions } from "../query.ts";
import { type ExportFormat, exportFormats, type RowText, rowText } from "../row-text.ts";

interface ExportedFile {
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
}

const columns: readonly Column<ExportedFile>[] = [
  { key: "file" },
  { key: "rows", kind: "number" },
  { key: "bytes", kind: "number" },
];

export const exportRows: Command = defineCommand({
  path: ["data", "export"],
  effect: "local",
  summary: "Write rows of an entity to a file, oldest first",
  details:
    "All rows, or those of the filters, in constant memory. The file has the ending .part until it is whole. Without --out the " +
    "rows go to stdout. --fields chooses the columns. JSON values are JSON text in CSV. What is written can be read by " +
    '"iot entity data import". Where an index ends with created_at and the filters name the fields before it, rows are read by ' +
    "time, so that changes meanwhile move nothing.",
  args: [firstArgument],
  options: [
    { name: "out", value: "file", summary: "file to write; - is stdout" },
    {
      name: "format",
      value: "format",
      summary: "format; the ending of --out decides otherwise",
      choices: exportFormats,
    },
    ...selectionOptions,
  ],
  groups: ["confirm"],
  result: rows(columns),
  examples: [
    'iot entity data export "name:sites" --out sites.csv',
    'iot entity data export "name:sites" --filter city=Oslo --format ndjson --fields id,name,area',
  ],
  related: ["iot entity data import", "iot entity data list"],
  async run(ctx, input) {
    const given = option(input, "out");
    const out = given === undefined || given === "-" ? undefined : resolve(ctx.cwd, given);
    const format = formatOf(ctx, input, out);
    if (out !== undefined) await confirmOutFile(ctx, out);
    const entity = await entityOf(ctx, input);
    const selection = rowSelection(ctx, input, entity, "asc");
    const text = rowText(format, { ...ctx.flags, fields: fieldsOf(ctx, entity) });
    const client = await ctx.client();
    const source = allRows(ctx, client, entity, selection);
    if (out === undefined) {
      const count = await write(ctx, source, text, undefined, (part) => ctx.io.write(forTerminal(ctx, format, part)));
      if (count === 0) ctx.say.info(`No rows of "${entity.name}" match.`);
      return;
    }
    const hasFilters = Object.keys(selection.filter).length > 0;
    const total = hasFilters ? undefined : await client.entities.amount(entity.id);
    await toFile(ctx, entity, { out, source, text, total });
  },
});

const endings = { csv: "csv", ndjson: "ndjson", jsonl: "ndjson", json: "json" } as const;

function formatOf(ctx: CommandContext, input: CommandInput, out: string | undefined): ExportFormat {
  const named = exportFormats.find((one) => one === option(input, "format"));
  if (named !== undefined) return named;
  if (out !== undefined) return formatOfEnding(out, endings) ?? "csv";
  // Without a file, what -o asks for is meant of the rows.
  return exportFormats.find((one) => one === ctx.out.format) ?? "csv";
}

function fieldsOf(ctx: CommandContext, { schema, name }: EntityInfo): readonly string[] {
  const known = [
    "id",
    ...Object.keys(schema).filter((field) => !ownFields.includes(field)),
    "created_at",
    "updated_at",
  ];
  const unknown = ctx.flags.fields?.find((field) => !known.includes(field));
  if (unknown === undefined) return ctx.flags.fields ?? known;
  throw usageError(`The entity "${name}" has no field ${quote(unknown)}.`, { why: `It has ${known.join(", ")}.` });
}

/** A terminal obeys what it is sent; elsewhere the text is exact. */
function forTerminal(ctx: CommandContext, format: ExportFormat, text: string): string {
  if (!ctx.io.stdoutIsTerminal) return text;
  return format === "csv" ? cleanText(text, Number.MAX_SAFE_INTEGER) : escapeJson(text);
}

const FULL_CHARS = 256 * 1024;

/** Writes every row, in pieces of some size. */
async function write(
  ctx: CommandContext,
  source: AsyncIterable<Row>,
  text: RowText,
  onCount: ((count: number) => void) | undefined,
  push: (part: string) => Promise<void>,
): Promise<number> {
  let waiting = text.head;
  let count = 0;
  for await (const row of source) {
    waiting += text.text(row, count === 0);
    count += 1;
    if (waiting.length < FULL_CHARS) continue;
    await push(waiting);
    waiting = "";
    onCount?.(count);
    if (ctx.signal.aborted) throw stoppedError("Stopped.");
  }
  await push(waiting + text.tail(count === 0));
  return count;
}

interface FileJob {
  readonly out: string;
  readonly source: AsyncIterable<Row>;
  readonly text: RowText;
  readonly total: number | undefined;
}

async function toFile(ctx: CommandContext, entity: EntityInfo, { out, source, text, total }: FileJob): Promise<void> {
  const progress = createProgress(ctx, ["Exporting", "rows"]);
  const part = await openPart(out, 0);
  let count = 0;
  try {
    count = await write(
      ctx,
      source,
      text,
      (done) => progress.at(done, total),
      (piece) => part.write(piece),
    );
    await part.sync();
  } catch (error) {
    await part.close();
    rmSync(partName(out), { force: true });
    throw error;
  } finally {
    progress.end();
  }
  const bytes = part.offset;
  await part.close();
  await settlePart(out);
  await ctx.out.list([{ file: shownPath(ctx, out), rows: count, bytes }], {
    columns,
    empty: "Nothing was written.",
    idKey: "file",
  });
  ctx.say.info(`Exported ${countOf(count, "row")} of entity "${entity.name}".`);
}
