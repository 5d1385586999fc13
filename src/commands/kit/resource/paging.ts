import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";
import { nearest } from "../failures/nearest.ts";

/** A list query as the client takes it. */
export interface ListRequest {
  readonly page: number;
  readonly amount: number;
  readonly fields: string[];
  readonly filter: Record<string, unknown>;
  readonly orderBy?: [string, "asc" | "desc"];
}

/** Rows a list prints unless told otherwise. */
const DEFAULT_LIMIT = 20;
/** Rows asked for at a time when more are wanted. */
const PAGE_ROWS = 1_000;

/** Fields, filter and order from the shared flags. The order is by one of the columns. */
export function listRequest(
  ctx: CommandContext,
  fields: readonly string[],
  columns: readonly { readonly key: string }[],
): Omit<ListRequest, "page" | "amount"> {
  const asked = ctx.flags.fields?.map((path) => path.split(".", 1)[0] ?? path);
  const filter: Record<string, unknown> = Object.fromEntries(ctx.flags.filter.map(parseFilter));
  if (ctx.flags.tag.length > 0) filter["tags"] = ctx.flags.tag.map((tag) => ({ ...tag }));
  const request = { fields: [...new Set(["id", ...(asked ?? []), ...fields])], filter };
  return ctx.flags.sort === undefined ? request : { ...request, orderBy: parseSort(ctx.flags.sort, columns) };
}

/** Refuses `--tag` for things that have no tags: the platform would leave the condition out and show too much. */
export function refuseTags(ctx: CommandContext, what: string): void {
  if (ctx.flags.tag.length === 0) return;
  throw usageError(`--tag does not apply to ${what}.`, {
    why: `The platform stores no tags for ${what}.`,
    next: "Use --filter, or a flag of the command.",
  });
}

/** What a list command reads, and whether there was more. */
export interface Listing<Row> {
  readonly rows: AsyncIterable<Row>;
  more(): boolean;
}

/**
 * Reads the rows `--limit`, `--page` and `--all` ask for, holding one page at a time. One row more than wanted is
 * asked for where that costs no further request, so that "there are more" is a fact.
 */
export function paged<Row>(
  ctx: CommandContext,
  read: (page: number, amount: number) => Promise<readonly Row[]>,
  keep?: (row: Row) => boolean,
): Listing<Row> {
  const { all, page = 1 } = ctx.flags;
  const limit = all ? Number.POSITIVE_INFINITY : (ctx.flags.limit ?? DEFAULT_LIMIT);
  let more = false;

  async function* onePage(): AsyncGenerator<Row> {
    const amount = page === 1 ? limit + 1 : limit;
    const rows = await read(page, amount);
    more = rows.length > limit || (page > 1 && rows.length === limit);
    yield* rows.slice(0, limit);
  }

  async function* manyPages(): AsyncGenerator<Row> {
    let given = 0;
    for (let number = 1; ; number += 1) {
      const rows = await read(number, PAGE_ROWS);
      for (const row of rows) {
        if (keep !== undefined && !keep(row)) continue;
        if (given === limit) {
          more = true;
          return;
        }
        given += 1;
        yield row;
      }
      if (rows.length < PAGE_ROWS) return;
    }
  }

  const single = keep === undefined && limit < PAGE_ROWS;
  if (!single && page > 1) {
    throw usageError("--page needs a --limit below 1000 and only filters that the server applies.", {
      next: "Use --all instead.",
    });
  }
  return { rows: single ? onePage() : manyPages(), more: () => more };
}

/** `field=value`; several must all hold. The value may hold `*`; `true` and `false` are truth values to the platform. */
function parseFilter(expression: string): [string, unknown] {
  const match = /^([A-Za-z_][\w.]*)=(.*)$/s.exec(expression);
  const [, field, value] = match ?? [];
  if (field === undefined || value === undefined) {
    throw usageError(`Invalid filter "${expression}".`, {
      next: 'Use field=value, for example --filter "name=Pump*".',
    });
  }
  return [field, value];
}

function parseSort(text: string, columns: readonly { readonly key: string }[]): [string, "asc" | "desc"] {
  const [field = "", direction = "asc", ...rest] = text.split(":");
  if (field !== "" && rest.length === 0 && (direction === "asc" || direction === "desc")) {
    checkSortField(field, columns);
    return [field, direction];
  }
  throw usageError(`Invalid sort order "${text}".`, {
    next: "Use field or field:desc, for example --sort last_input:desc.",
  });
}

/** The platform ignores an order it does not know, and so the rows would seem to be sorted. */
export function checkSortField(field: string, columns: readonly { readonly key: string }[]): void {
  const known = columns.map(({ key }) => key);
  if (known.some((key) => key === field || key.startsWith(`${field}.`) || field.startsWith(`${key}.`))) return;
  const guess = nearest(field, known);
  throw usageError(`The rows cannot be sorted by ${quote(field)}.`, {
    code: "usage.unknown_field",
    why: `They have ${known.join(", ")}.`,
    next: guess === undefined ? "Use one of them." : `Did you mean "${guess}"?`,
  });
}
