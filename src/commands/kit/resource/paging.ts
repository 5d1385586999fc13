import { ALL_ROWS_AMOUNT } from "../../../lib/core/limits.ts";
import type { Column } from "../command/columns.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";
import { asDate, toJson } from "../output/values.ts";
import { type ColumnKind, type Condition, fieldOf, meeting, type RowFilter, rowFilter, tagKey } from "./filter.ts";

/** A list query as the client takes it. */
export interface ListRequest {
  readonly page: number;
  readonly amount: number;
  readonly fields: string[];
  readonly filter: Record<string, unknown>;
  readonly orderBy?: [string, "asc" | "desc"];
}

/** Rows a list prints by default. */
const DEFAULT_LIMIT = 20;

/** What a list can be asked for. */
export interface ListFacts<Row> {
  /** What the rows are: `devices`. */
  readonly what: string;
  readonly columns: readonly Column<Row>[];
  /** Fields requested besides those of the flags. */
  readonly fields?: readonly string[];
  /** Fields the platform filters by, besides tags. It ignores all others, and returns every row. */
  readonly filterable?: readonly string[];
  /** Fields the platform sorts by. It ignores or rejects all others. */
  readonly sortable?: readonly string[];
}

/** Which rows are printed, in which order. */
export interface ListSelection<Row> {
  /** Tests that every printed row passes, those of the platform included. */
  readonly tests: readonly ((row: Row) => boolean)[];
  /** Order that the platform cannot make. */
  readonly order?: (a: Row, b: Row) => number;
}

/** A list query, and what of it is done here. */
export interface ListAsk<Row> extends ListSelection<Row> {
  readonly request: Omit<ListRequest, "page" | "amount">;
  /** The platform makes not all of the tests, or not the order: every row is read. */
  readonly isHere: boolean;
  /** Fields that the tests and the order need. */
  readonly compared: readonly string[];
}

const rootOf = (path: string): string => path.split(".", 1)[0] ?? path;

/** Fields, filters and order from the shared flags. What is wrong with them is found before anything is sent. */
export function listRequest<Row extends object>(ctx: CommandContext, facts: ListFacts<Row>): ListAsk<Row> {
  const { columns, fields = [], sortable = [] } = facts;
  const nowMs = ctx.clock.now();
  refuseTags(ctx, facts);
  const filters = ctx.flags.filter.map((text) => rowFilter(text, "--filter", columns));
  refuseSecrets(ctx, filters, columns);
  const sort = ctx.flags.sort === undefined ? undefined : parseSort(ctx.flags.sort, columns);
  const sent = filters.map(({ comparisons: [only, ...others] }) =>
    only === undefined || others.length > 0 ? undefined : platformFilter(only, facts),
  );
  const tags = [...ctx.flags.tag, ...sent.flatMap((each) => each?.tags ?? [])];
  const order = sort !== undefined && sortable.includes(sort.field) ? sort : undefined;
  const compared = [
    ...filters.flatMap(({ comparisons }) => comparisons.map(({ field }) => field)),
    ...(tags.length > 0 ? ["tags"] : []),
    ...(sort === undefined || order !== undefined ? [] : [sort.field]),
  ];
  return {
    request: {
      fields: [...new Set(["id", ...[...(ctx.flags.fields ?? []), ...compared].map(rootOf), ...fields])],
      filter: {
        ...Object.fromEntries(sent.flatMap((each) => Object.entries(each ?? {}))),
        ...(tags.length > 0 ? { tags } : {}),
      },
      ...(order === undefined ? {} : { orderBy: [order.field, order.direction] }),
    },
    tests: [
      meeting({ tags }),
      ...filters.map(
        ({ test }) =>
          (row: Row) =>
            test(row, nowMs),
      ),
    ],
    ...(sort === undefined || order !== undefined ? {} : { order: sort.compare }),
    isHere: sent.includes(undefined) || (sort !== undefined && order === undefined),
    compared,
  };
}

/** The query narrowed by flags of the command, as the platform would do it. */
export function narrowed<Row extends object>(
  ask: ListAsk<Row>,
  filter: Readonly<Record<string, unknown>>,
  filterable: readonly string[] = [],
): ListAsk<Row> {
  const names = Object.keys(filter);
  const sent = names.filter((name) => filterable.includes(name));
  const { request } = ask;
  return {
    ...ask,
    request: {
      ...request,
      fields: [...new Set([...request.fields, ...names])],
      filter: { ...request.filter, ...Object.fromEntries(sent.map((name) => [name, filter[name]])) },
    },
    tests: [...ask.tests, meeting(filter)],
    isHere: ask.isHere || sent.length < names.length,
    compared: [...ask.compared, ...names],
  };
}

/** The query with a test that the platform cannot make. */
export function keeping<Row, Ask extends Pick<ListAsk<Row>, "tests" | "isHere">>(
  ask: Ask,
  test: (row: Row) => boolean,
): Ask {
  return { ...ask, tests: [...ask.tests, test], isHere: true };
}

/** A comparison as the platform makes it; undefined for one that it does not make, or in another way. */
function platformFilter<Row>(
  { field, operator, value }: Condition,
  { columns, filterable = [] }: ListFacts<Row>,
): { readonly tags?: object[]; readonly [field: string]: unknown } | undefined {
  if (operator !== "=") return undefined;
  const key = tagKey(field);
  if (key !== undefined) return { tags: [{ key, value }] };
  if (!filterable.includes(field)) return undefined;
  switch (columns.find((column) => column.key === field)?.kind) {
    case "flag":
      return { [field]: value.toLowerCase() === "true" };
    case "id":
      // The platform compares ids exactly, where texts may have a star.
      return value.includes("*") ? undefined : { [field]: /^[0-9a-f]{24}$/i.test(value) ? value.toLowerCase() : value };
    default:
      return { [field]: value };
  }
}

/** A filter on a secret would reveal it, even if the rows do not show it. */
function refuseSecrets<Row>(ctx: CommandContext, filters: readonly RowFilter<Row>[], columns: readonly Column<Row>[]) {
  if (ctx.flags.reveal) return;
  const secrets = new Set(columns.flatMap(({ key, kind }) => (kind === "secret" ? [String(key)] : [])));
  const found = filters.flatMap(({ comparisons }) => comparisons).find(({ field }) => secrets.has(field));
  if (found === undefined) return;
  throw usageError(`--filter compares "${found.field}" only with --reveal.`, {
    why: "It is a secret, and shown by its ends.",
    next: "Add --reveal, or filter by another field.",
  });
}

/** Rejects `--tag` for things that have no tags: the platform would ignore it and return all of them. */
function refuseTags<Row>(ctx: CommandContext, { what, columns }: Pick<ListFacts<Row>, "what" | "columns">): void {
  if (ctx.flags.tag.length === 0 || columns.some(({ kind }) => kind === "tags")) return;
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

const passes = <Row>({ tests }: ListSelection<Row>, row: Row): boolean => tests.every((test) => test(row));

function limits({ flags: { all, page = 1, limit = DEFAULT_LIMIT } }: CommandContext) {
  return all ? { page: 1, limit: Number.POSITIVE_INFINITY } : { page, limit };
}

/** The rows of all that `--limit`, `--page` and `--all` ask for. */
export function selected<Row>(
  ctx: CommandContext,
  all: AsyncIterable<Row>,
  selection: ListSelection<Row>,
): Listing<Row> {
  const { page, limit } = limits(ctx);
  const start = page === 1 ? 0 : (page - 1) * limit;
  let more = false;
  async function* matching(): AsyncGenerator<Row> {
    for await (const row of all) if (passes(selection, row)) yield row;
  }
  async function* rows(): AsyncGenerator<Row> {
    let index = 0;
    for await (const row of selection.order === undefined ? matching() : sorted(matching(), selection.order)) {
      if (index >= start + limit) {
        more = true;
        return;
      }
      if (index >= start) yield row;
      index += 1;
    }
  }
  return { rows: rows(), more: () => more };
}

async function* sorted<Row>(all: AsyncIterable<Row>, order: (a: Row, b: Row) => number): AsyncGenerator<Row> {
  const found: Row[] = [];
  for await (const row of all) found.push(row);
  yield* found.sort(order);
}

type ReadPage<Row> = (page: number, amount: number) => Promise<readonly Row[]>;

async function* everyRow<Row>(read: ReadPage<Row>): AsyncGenerator<Row> {
  for (let page = 1; ; page += 1) {
    const rows = await read(page, ALL_ROWS_AMOUNT);
    yield* rows;
    if (rows.length < ALL_ROWS_AMOUNT) return;
  }
}

/**
 * Reads the rows `--limit`, `--page` and `--all` ask for, holding one page at a time. One row more than wanted is
 * asked for where that costs no further request, so that "there are more" is a fact.
 */
export function paged<Row>(ctx: CommandContext, read: ReadPage<Row>, ask: ListAsk<Row>): Listing<Row> {
  const { page, limit } = limits(ctx);
  const isFiltered = Object.keys(ask.request.filter).length > 0;
  const every = selected(ctx, everyRow(read), ask);
  // Pages of a filtered list are counted here: those of a platform that ignored the filter would be others.
  if (ask.isHere || limit >= ALL_ROWS_AMOUNT || (page > 1 && isFiltered)) return every;
  let more = false;
  async function* onePage(): AsyncGenerator<Row> {
    const found = await read(page, page === 1 ? limit + 1 : limit);
    if (!found.every((row) => passes(ask, row))) {
      // The platform ignored a filter.
      yield* every.rows;
      return;
    }
    more = found.length > limit || (page > 1 && found.length === limit);
    yield* found.slice(0, limit);
  }
  return { rows: onePage(), more: () => more || every.more() };
}

interface Sort<Row> {
  readonly field: string;
  readonly direction: "asc" | "desc";
  readonly compare: (a: Row, b: Row) => number;
}

function parseSort<Row>(text: string, columns: readonly Column<Row>[]): Sort<Row> {
  const [, field = "", direction = "asc"] = /^(.+?)(?::(asc|desc))?$/s.exec(text) ?? [];
  if (field === "" || (field.includes(":") && tagKey(field) === undefined)) {
    throw usageError(`Invalid sort order ${quote(text)}.`, {
      next: "Use field or field:desc, for example --sort last_input:desc.",
    });
  }
  const { kind, read } = fieldOf(field, columns, "--sort");
  const sign = direction === "desc" ? -1 : 1;
  const sortValue = (row: Row): string | number | undefined => orderValue(read(row)[0], kind);
  const compare = (a: Row, b: Row): number => {
    const [left, right] = [sortValue(a), sortValue(b)];
    // As on the platform, rows without a value come last in both directions.
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    if (typeof left === "number" && typeof right === "number") return sign * (left - right);
    return sign * String(left).localeCompare(String(right), "en", { sensitivity: "base" });
  };
  return { field, direction: direction === "desc" ? "desc" : "asc", compare };
}

function orderValue(value: unknown, kind: ColumnKind): string | number | undefined {
  if (value === undefined || value === null) return undefined;
  if (kind === "time") return asDate(value)?.getTime();
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  return typeof value === "string" ? value : toJson(value);
}
