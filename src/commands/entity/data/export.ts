import type { EntityInfo } from "../../../lib/resources/entities.ts";
import { countOf } from "../../../text/count.ts";
import { readingClient } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import { type Command, defineCommand } from "../../kit/command/define.ts";
import { rows } from "../../kit/command/result.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { confirmOutFile, shownPath } from "../../kit/files/out-file.ts";
import { exportFormat, exportOptions, outFile, writeRows } from "../../kit/rows/exporter.ts";
import { rowFormats } from "../../kit/rows/reader.ts";
import { rowText } from "../../kit/rows/row-text.ts";
import { ownFields } from "../fields.ts";
import { entityOf, firstArgument } from "../place.ts";
import { allRows, rowSelection, selectionOptions } from "../query.ts";

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
  summary: "Export rows of an entity to a file, oldest first",
  details:
    "Exports all rows, or those that match the filters, in constant memory. The file ends in .part until it is complete. Without " +
    "--out the rows go to stdout. --fields chooses the columns. In CSV, JSON values are JSON strings. The file can be read by " +
    '"iot entity data import". If an index ends with created_at and the filters name the fields before it, rows are read by ' +
    "time, so changes during the export do not shift pages.",
  args: [firstArgument],
  options: [...exportOptions(rowFormats), ...selectionOptions],
  groups: ["confirm"],
  result: rows(columns),
  examples: [
    'iot entity data export "name:sites" --out sites.csv',
    'iot entity data export "name:sites" --filter city=Oslo --format ndjson --fields id,name,area',
  ],
  related: ["iot entity data import", "iot entity data list"],
  async run(ctx, input) {
    const out = outFile(ctx, input);
    const format = exportFormat(ctx, input, out, rowFormats);
    if (out !== undefined) await confirmOutFile(ctx, out);
    const entity = await entityOf(ctx, input.args.id);
    const selection = rowSelection(ctx, input.options, entity, "asc");
    const text = await rowText(format, { ...ctx.flags, columns: fieldsOf(ctx, entity), isFilled: true });
    const client = await readingClient(ctx);
    const hasFilters = Object.keys(selection.filter).length > 0;
    const total = out === undefined || hasFilters ? {} : { total: await client.entities.amount(entity.id) };
    const source = allRows(client, entity, selection);
    const { count, bytes } = await writeRows(ctx, { out, format, text, rows: source, unit: "rows", ...total });
    if (out === undefined) {
      if (count === 0) ctx.say.info(`No rows of "${entity.name}" match.`);
      return;
    }
    await ctx.out.list([{ file: shownPath(ctx, out), rows: count, bytes }], {
      columns,
      empty: "Nothing was written.",
      idKey: "file",
    });
    ctx.say.info(`Exported ${countOf(count, "row")} of entity "${entity.name}".`);
  },
});

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
