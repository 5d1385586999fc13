import { randomUUID } from "node:crypto";
import type { EntityDataEdit, EntityInfo } from "../../lib/resources/entities.ts";
import { countOf, countText } from "../../text/count.ts";
import { argumentList, keyValue, option, optionNumber } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand, type OptionSpec } from "../kit/command/define.ts";
import { deleted, rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, inputError, notFoundError, usageError } from "../kit/failures/command-error.ts";
import { guessRowFormat, type RowFormat, readRows, rowFormats } from "../kit/rows/row-reader.ts";
import { checkRow, readText } from "./fields.ts";
import { entityArgument, entityOf, firstArgument } from "./place.ts";
import { allRows, commonColumns, type Row, rowColumns, rowSelection, selectionOptions, someRows } from "./query.ts";

/** Rows of one request. */
export const ROWS_PER_REQUEST = 100;
const IDS_PER_REQUEST = 10;
const USUAL_LIMIT = 20;

const listRows = defineCommand({
  path: ["data", "list"],
  aliases: ["ls"],
  effect: "reads",
  summary: "List rows of an entity",
  details:
    "The newest rows come first, with --all the oldest. The platform reads by indexes: filters must be the first fields of " +
    'one and --sort its last; an index that fits is found by itself. "iot entity schema" shows them.',
  args: [entityArgument],
  options: [...selectionOptions, { name: "skip", value: "n", summary: "rows to leave out at the start" }],
  groups: ["list"],
  result: rows(commonColumns),
  examples: [
    'iot entity data list "name:sites" --limit 5',
    'iot entity data list "name:sites" --filter city=Bergen --filter state=open --sort opened:desc --fields name,opened',
    'iot entity data list "name:sites" --index city_state_opened_idx --skip 100 --limit 10 --json',
  ],
  related: ["iot entity schema", "iot entity count", "iot entity data export"],
  async run(ctx, input) {
    if (ctx.flags.tag.length > 0) throw usageError("Rows have no tags.", { next: "Use --filter field=value." });
    const { all, page = 1, limit = USUAL_LIMIT } = ctx.flags;
    const skip = (optionNumber(input, "skip") ?? 0) + (all ? 0 : (page - 1) * limit);
    const entity = await entityOf(ctx, input);
    const selection = rowSelection(ctx, input, entity, all ? "asc" : "desc");
    const client = await ctx.client();
    const listing =
      all && skip === 0
        ? { rows: allRows(ctx, client, entity, selection), more: () => false }
        : someRows(client, entity, selection, { skip, limit: all ? Number.POSITIVE_INFINITY : limit });
    await ctx.out.list(listing.rows, {
      columns: rowColumns(entity),
      empty: `No rows of "${entity.name}" match.`,
      more: listing.more,
    });
  },
});

const inputOptions: readonly OptionSpec[] = [
  { name: "input", value: "file", summary: "rows from a JSON, ndjson or CSV file; - is stdin" },
  {
    name: "input-format",
    value: "format",
    summary: "format of --input, when its name and content do not tell",
    choices: rowFormats,
  },
];

/** Values of `field=value` arguments, read as the schema says. */
function typedValues(entity: EntityInfo, texts: readonly string[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const text of texts) {
    const { key, value } = keyValue(text, "A value");
    const field = Object.hasOwn(entity.schema, key) ? entity.schema[key] : undefined;
    if (key === "id" || field === undefined) {
      row[key] = value;
      continue;
    }
    // Nothing behind the equals sign takes the value away.
    const read = value === "" ? { value: null } : readText(field, value);
    if ("problem" in read) {
      throw usageError(`${quote(value)} cannot be the value of ${key}: it ${read.problem}.`, {
        why: `The field is of type ${field.type}.`,
      });
    }
    row[key] = read.value;
  }
  return row;
}

/** The rows of arguments and `--input`, each checked before anything is sent. */
async function givenRows(
  ctx: CommandContext,
  input: CommandInput,
  entity: EntityInfo,
  isNew: boolean,
  typed: readonly Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  const found: { readonly value: unknown; readonly isText: boolean; readonly place: string }[] = typed.map((value) => ({
    value,
    isText: false,
    place: "the arguments",
  }));
  const file = option(input, "input");
  if (file !== undefined) {
    const text = await ctx.readInput(file, "--input");
    const asked = rowFormats.find((one) => one === option(input, "input-format"));
    const format: RowFormat = asked ?? guessRowFormat(file, text.slice(0, 1_000));
    for await (const { row, value } of readRows(once(text), format, file)) {
      found.push({ value, isText: format === "csv", place: `row ${row} of ${quote(file)}` });
    }
  }
  return found.map(({ value, isText, place }) => {
    const checked = checkRow(entity.schema, value, { isText, isNew });
    if ("row" in checked) return checked.row;
    throw inputError(`The row of ${place} cannot be sent.`, {
      why: `${checked.problems.join("; ")}.`,
      next: `"iot entity schema ${entity.id}" shows the fields; nothing was sent.`,
    });
  });
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

const addRows = defineCommand({
  path: ["data", "add"],
  effect: "changes",
  summary: "Add rows to an entity",
  details:
    "Values are read as the schema says: numbers, true and false, times, JSON. Rows get an id of their own unless they bring one; " +
    'a row whose id exists is changed instead. For files of any size: "iot entity data import".',
  args: [firstArgument, { name: "values", summary: "members of one row: name=Pier city=Oslo", variadic: true }],
  options: inputOptions,
  groups: ["dryRun"],
  result: rows(commonColumns),
  examples: [
    'iot entity data add "name:sites" name="Pier 9" city=Oslo state=open area=120.5',
    `echo '[{"name":"Dock 1","city":"Aarhus"}]' | iot entity data add "name:sites" --input -`,
  ],
  exitCodes: [3],
  related: ["iot entity data import", "iot entity schema"],
  async run(ctx, input) {
    const texts = argumentList(input, "values");
    if (texts.length === 0 && option(input, "input") === undefined) {
      throw usageError("No row was given.", { next: "Write field=value, or name a file with --input." });
    }
    const entity = await entityOf(ctx, input);
    const typed = texts.length === 0 ? [] : [typedValues(entity, texts)];
    const given = await givenRows(ctx, input, entity, true, typed);
    if (given.length === 0) throw inputError("The input holds no rows.", { next: "Nothing was sent." });
    for (const part of ctx.flags.dryRun ? inParts(given, ROWS_PER_REQUEST) : []) {
      await ctx.dryRun({ method: "POST", path: `/entity/${entity.id}/data`, body: part });
    }
    if (ctx.flags.dryRun) return;
    // With an id of ours the rows can be read back, and a request that is sent again adds nothing twice.
    const withIds = given.map((row) => ({ ...row, id: typeof row["id"] === "string" ? row["id"] : randomUUID() }));
    const { entities } = await ctx.client();
    await send(ctx, inParts(withIds, ROWS_PER_REQUEST), "added", (part) => entities.sendEntityData(entity.id, part));
    await printRows(ctx, entity, withIds);
    ctx.say.info(`Added ${amount(given.length)} to entity "${entity.name}" in ${(await ctx.connection()).label}.`);
  },
});

const updateRows = defineCommand({
  path: ["data", "update"],
  aliases: ["edit"],
  effect: "changes",
  summary: "Change rows of an entity, member by member",
  details: "Members that are not named stay as they are. Nothing behind the equals sign takes a value away.",
  args: [
    firstArgument,
    { name: "values", summary: "id of the row, then members: site-0001 state=closed", variadic: true },
  ],
  options: inputOptions,
  groups: ["dryRun"],
  result: rows(commonColumns),
  examples: [
    'iot entity data update "name:sites" site-0001 state=closed area=99',
    `echo '{"id":"site-0002","devices":12}' | iot entity data update "name:sites" --input - --dry-run`,
  ],
  exitCodes: [3, 8],
  related: ["iot entity data list", "iot entity data add"],
  async run(ctx, input) {
    const [rowId, ...texts] = argumentList(input, "values");
    if ((rowId === undefined || texts.length === 0) && option(input, "input") === undefined) {
      throw usageError("No change was given.", { next: "Write the id of the row, then field=value." });
    }
    if (rowId?.includes("=") === true) {
      throw usageError("The id of the row is missing.", { next: `Write it before ${quote(rowId)}.` });
    }
    const entity = await entityOf(ctx, input);
    const typed = rowId === undefined ? [] : [{ ...typedValues(entity, texts), id: rowId }];
    const changes = (await givenRows(ctx, input, entity, false, typed)).map(withId);
    for (const part of ctx.flags.dryRun ? inParts(changes, ROWS_PER_REQUEST) : []) {
      await ctx.dryRun({ method: "PUT", path: `/entity/${entity.id}/data`, body: part });
    }
    if (ctx.flags.dryRun) return;
    // The platform passes over ids it does not know without a word.
    await needRows(
      ctx,
      entity,
      changes.map(({ id }) => id),
    );
    const { entities } = await ctx.client();
    await send(ctx, inParts(changes, ROWS_PER_REQUEST), "changed", (part) => entities.editEntityData(entity.id, part));
    await printRows(ctx, entity, changes);
    ctx.say.info(`Changed ${amount(changes.length)} of entity "${entity.name}" in ${(await ctx.connection()).label}.`);
  },
});

function withId(row: Record<string, unknown>, index: number): EntityDataEdit {
  const { id } = row;
  if (typeof id === "string") return { ...row, id };
  throw inputError(`Row ${index + 1} has no id.`, {
    next: "Every row needs the id of the one it changes.",
    row: index + 1,
  });
}

const deleteRows = defineCommand({
  path: ["data", "delete"],
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete rows of an entity",
  args: [
    firstArgument,
    { name: "row", summary: "ids of the rows; - reads them from stdin, one per line", variadic: true },
  ],
  groups: ["confirm", "dryRun"],
  result: deleted,
  examples: [
    'iot entity data delete "name:sites" site-1999 --yes',
    'iot entity data delete "name:sites" site-0003 site-0004 --dry-run',
  ],
  exitCodes: [8],
  related: ["iot entity empty", "iot entity data list"],
  async run(ctx, input) {
    const given = argumentList(input, "row");
    const isPiped = given.length === 1 && given[0] === "-";
    const texts = isPiped ? (await ctx.readInput("-", "The ids")).split("\n") : given;
    const ids = [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ""))];
    if (ids.length === 0) throw usageError("No row was named.", { next: "Give the ids of the rows." });
    const entity = await entityOf(ctx, input);
    await needRows(ctx, entity, ids);
    for (const part of ctx.flags.dryRun ? inParts(ids, IDS_PER_REQUEST) : []) {
      await ctx.dryRun({ method: "DELETE", path: `/entity/${entity.id}/data`, body: { ids: part } });
    }
    if (ctx.flags.dryRun) return;
    const [first = ""] = ids;
    await ctx.confirm(
      ids.length === 1
        ? { level: 1, action: `Delete row "${first}" of entity "${entity.name}"`, name: first }
        : {
            level: 2,
            action: `Delete ${countOf(ids.length, "row")} of entity "${entity.name}"`,
            name: entity.name,
            items: ids,
          },
    );
    const { entities } = await ctx.client();
    const done = await send(ctx, inParts(ids, IDS_PER_REQUEST), "deleted", (part) =>
      entities.deleteEntityData(entity.id, { ids: part }),
    );
    await ctx.out.list(
      done.map((id) => ({ id, name: entity.name })),
      {
        columns: [
          { key: "id", kind: "id" },
          { key: "name", header: "entity" },
        ],
        empty: "Nothing was deleted.",
      },
    );
    ctx.say.info(`Deleted ${amount(done.length)} of entity "${entity.name}" in ${(await ctx.connection()).label}.`);
  },
});

const amount = (count: number): string => countOf(count, "row");

function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}

/** Sends part by part. A failure after the first one says how far it came. */
async function send<Item>(
  ctx: CommandContext,
  parts: readonly Item[][],
  done: string,
  call: (part: Item[]) => Promise<unknown>,
): Promise<readonly Item[]> {
  const sent: Item[] = [];
  for (const part of parts) {
    try {
      if (ctx.signal.aborted) break;
      await call(part);
    } catch (error) {
      if (sent.length === 0) throw error;
      const all = parts.reduce((sum, { length }) => sum + length, 0);
      throw new CommandError(`${sent.length} of ${countText(all)} rows were ${done}.`, {
        code: "batch.partial",
        exit: 8,
        why: error instanceof Error ? error.message : String(error),
        next: `The first ${sent.length} are ${done}; go on with the others.`,
        cause: error,
      });
    }
    sent.push(...part);
  }
  return sent;
}

/** Rows by their ids, as they are now; undefined for ids that no row has. */
async function rowsById(ctx: CommandContext, { id }: EntityInfo, ids: readonly string[]) {
  const { entities } = await ctx.client();
  const { mapLanes } = await import("../kit/lanes.ts");
  return mapLanes(ids, 8, async (rowId): Promise<Row | undefined> => {
    const query = { index: "id_created_at_idx", filter: { id: rowId }, amount: 1 };
    const [row] = await entities.getEntityData(id, query);
    return row;
  });
}

/** Each id is one request, so a long list is left to the platform. */
const MOST_LOOKED_UP = 100;

async function needRows(ctx: CommandContext, entity: EntityInfo, ids: readonly string[]): Promise<void> {
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

async function printRows(ctx: CommandContext, entity: EntityInfo, sent: readonly EntityDataEdit[]): Promise<void> {
  const columns = rowColumns(entity);
  const empty = "The rows cannot be read back.";
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

export const dataCommands: readonly Command[] = [listRows, addRows, updateRows, deleteRows];
