import type { EntityDataEdit, EntityInfo } from "../../lib/resources/entities.ts";
import { countOf, countText, partOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Options, OptionsOf } from "../kit/command/options.ts";
import { keyValue, quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, inputError, notFoundError, usageError } from "../kit/failures/command-error.ts";
import { partialError } from "../kit/jobs/ending.ts";
import { inputRows, rowFormats } from "../kit/rows/reader.ts";
import { checkRow, readText } from "./fields.ts";
import { type EntityRow, rowColumns } from "./query.ts";

export const IDS_PER_REQUEST = 10;

export const inputOptions = [
  { name: "input", file: "in", value: "file", summary: "rows from a JSON, ndjson or CSV file; - is stdin" },
  {
    name: "format",
    formerly: ["input-format"],
    value: "format",
    summary: "format of --input, if it cannot be detected",
    choices: rowFormats,
  },
] as const satisfies Options;

/** Values of `field=value` arguments, read as the schema says. */
export function typedValues(entity: EntityInfo, texts: readonly string[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const text of texts) {
    const { key, value } = keyValue(text, "A value", "--input");
    const field = Object.hasOwn(entity.schema, key) ? entity.schema[key] : undefined;
    if (key === "id" || field === undefined) {
      row[key] = value;
      continue;
    }
    // Nothing behind the equals sign takes the value away.
    const read = value === "" ? { value: null } : readText(field, value);
    if ("problem" in read) {
      throw usageError(`Invalid value ${quote(value)} for ${key}: it ${read.problem}.`, {
        why: `The field has type ${field.type}.`,
      });
    }
    row[key] = read.value;
  }
  return row;
}

/** The rows of arguments and `--input`, each checked before anything is sent. */
export async function givenRows(
  ctx: CommandContext,
  { input: file, format }: OptionsOf<typeof inputOptions>,
  entity: EntityInfo,
  isNew: boolean,
  typed: readonly Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  const found: { readonly value: unknown; readonly isText: boolean; readonly place: string }[] = typed.map((value) => ({
    value,
    isText: false,
    place: "the arguments",
  }));
  if (file !== undefined) {
    const { isText, rows } = await inputRows(ctx, file, format);
    found.push(...rows.map(({ row, value }) => ({ value, isText, place: `row ${row} of ${quote(file)}` })));
  }
  return found.map(({ value, isText, place }) => {
    const checked = checkRow(entity.schema, value, { isText, isNew });
    if ("row" in checked) return checked.row;
    throw inputError(`Invalid entity row in ${place}.`, {
      why: `${checked.problems.join("; ")}.`,
      next: `"iot entity schema ${entity.id}" shows the fields; nothing was sent.`,
    });
  });
}

export const amount = (count: number): string => countOf(count, "row");

/** Sends part by part. A failure after the first one says how far it came. */
export async function send<Item>(
  ctx: CommandContext,
  parts: readonly Item[][],
  done: string,
  call: (part: Item[]) => Promise<unknown>,
): Promise<void> {
  let sent = 0;
  const all = parts.reduce((sum, { length }) => sum + length, 0);
  const message = (): string => `${partOf(sent, all, "row")} ${all === 1 ? "was" : "were"} ${done}.`;
  const next = (): string => `The first ${countText(sent)} rows were ${done}; continue with the rest.`;
  for (const part of parts) {
    if (ctx.signal.aborted)
      throw new CommandError(message(), { code: "stopped", exit: 130, why: "Stopped by the user.", next: next() });
    try {
      await call(part);
    } catch (cause) {
      if (sent === 0) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw partialError(message(), { why, next: next(), cause });
    }
    sent += part.length;
  }
}

/** Rows by their ids, as they are now; undefined for ids that no row has. */
async function rowsById(ctx: CommandContext, { id }: EntityInfo, ids: readonly string[]) {
  const { entities } = await ctx.client();
  const { mapLanes } = await import("../kit/lanes.ts");
  return mapLanes(ids, ctx.flags.concurrency ?? 8, async (rowId): Promise<EntityRow | undefined> => {
    const query = { index: "id_created_at_idx", filter: { id: rowId }, amount: 1 };
    const [row] = await entities.getEntityData(id, query);
    return row;
  });
}

/** Each id is one request, so a long list is left to the platform. */
const MOST_LOOKED_UP = 100;

export async function needRows(ctx: CommandContext, entity: EntityInfo, ids: readonly string[]): Promise<void> {
  if (ids.length > MOST_LOOKED_UP) return;
  const found = await rowsById(ctx, entity, ids);
  const missing = ids.filter((_, index) => found[index] === undefined);
  if (missing.length === 0) return;
  throw notFoundError(`The entity "${entity.name}" has no row ${missing.slice(0, 5).map(quote).join(", ")}.`, {
    code: "entity.no_row",
    why: missing.length > 5 ? `${missing.length} of the ids are unknown.` : "No row has this id.",
    next: `Run "iot entity data list ${entity.id} --fields id"; nothing was changed.`,
  });
}

/** Most rows that are read back to be printed; of more, what was sent is printed. */
const MOST_READ_BACK = 20;

export async function printRows(
  ctx: CommandContext,
  entity: EntityInfo,
  sent: readonly EntityDataEdit[],
): Promise<void> {
  const columns = rowColumns(entity);
  const empty = "The rows could not be read back.";
  if (sent.length > MOST_READ_BACK)
    await ctx.out.list(sent, { columns: columns as readonly Column<EntityDataEdit>[], empty });
  else {
    const found = await rowsById(
      ctx,
      entity,
      sent.map(({ id }) => id),
    );
    await ctx.out.list(
      found.filter((row) => row !== undefined),
      { columns, empty },
    );
  }
}
