import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";
import { didYouMean } from "../failures/unknown-word.ts";
import { type Filter, parseFilter, passes, platformFilter } from "./filter.ts";

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
  const compared = filtersHere(ctx).flatMap((filter) => filter.map(({ field }) => field));
  for (const field of compared) checkField(field, columns, "filtered");
  const asked = [...(ctx.flags.fields ?? []), ...compared].map((path) => path.split(".", 1)[0] ?? path);
  const filter: Record<string, unknown> = Object.fromEntries(
    ctx.flags.filter.flatMap((text) => {
      const member = platformFilter(parseFilter(text));
      return member === undefined ? [] : [member];
    }),
  );
  if (ctx.flags.tag.length > 0) filter["tags"] = ctx.flags.tag.map((tag) => ({ ...tag }));
  const request = { fields: [...new Set(["id", ...asked, ...fields])], filter };
  return ctx.flags.sort === undefined ? request : { ...request, orderBy: parseSort(ctx.flags.sort, columns) };
}

/** The filters that the platform cannot check. */
function filtersHere(ctx: CommandContext): readonly Filter[] {
  return ctx.flags.filter.map((text) => parseFilter(text)).filter((filter) => platformFilter(filter) === undefined);
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
export function paged<Row extends object>(
  ctx: CommandContext,
  read: (page: number, amount: number) => Promise<readonly Row[]>,
  keep?: (row: Row) => boolean,
): Listing<Row> {
  const { all, page = 1 } = ctx.flags;
  const limit = all ? Number.POSITIVE_INFINITY : (ctx.flags.limit ?? DEFAULT_LIMIT);
  const filters = filtersHere(ctx);
  const nowMs = ctx.clock.now();
  const isKept = (row: Row): boolean => (keep?.(row) ?? true) && passes(row, filters, nowMs);
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
        if (!isKept(row)) continue;
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

  const single = keep === undefined && filters.length === 0 && limit < PAGE_ROWS;
  if (!single && page > 1) {
    throw usageError("--page needs a --limit below 1000 and only filters that the server applies.", {
      next: "Use --all instead.",
    });
  }
  return { rows: single ? onePage() : manyPages(), more: () => more };
}

function parseSort(text: string, columns: readonly { readonly key: string }[]): [string, "asc" | "desc"] {
  const [field = "", direction = "asc", ...rest] = text.split(":");
  if (field !== "" && rest.length === 0 && (direction === "asc" || direction === "desc")) {
    checkField(field, columns, "sorted");
    return [field, direction];
  }
  throw usageError(`Invalid sort order "${text}".`, {
    next: "Use field or field:desc, for example --sort last_input:desc.",
  });
}

/** The platform ignores an order it does not know, and so the rows would seem to be sorted. */
export function checkField(
  field: string,
  columns: readonly { readonly key: string }[],
  what: "sorted" | "filtered",
): void {
  const known = columns.map(({ key }) => key);
  if (known.some((key) => key === field || key.startsWith(`${field}.`) || field.startsWith(`${key}.`))) return;
  throw usageError(`The rows cannot be ${what} by ${quote(field)}.`, {
    code: "usage.unknown_field",
    why: `They have ${known.join(", ")}.`,
    ...didYouMean(field, known, "Use one of them."),
  });
}
