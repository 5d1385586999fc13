import type { Resources } from "../../../index.ts";
import { MAX_DATA_STREAM_QTY } from "../../../lib/core/limits.ts";
import { countText } from "../../../text/count.ts";
import type { Column } from "../command/columns.ts";
import type { CommandContext } from "../context.ts";
import { CommandError, usageError } from "../failures/command-error.ts";
import { announceReading, BILLING_NOTICE } from "./cost.ts";

/** A record as it is printed. */
export interface DataRow {
  readonly id?: string;
  readonly variable?: string;
  readonly value?: unknown;
  readonly time?: Date | string;
  readonly device?: string;
}

export const dataColumns: readonly Column<DataRow>[] = [
  { key: "time", kind: "time", exact: true },
  { key: "variable", rank: 1 },
  { key: "value", rank: 1, schema: {} },
  { key: "unit" },
  { key: "group", kind: "id", rank: 3 },
  { key: "id", kind: "id", rank: 3 },
  { key: "location", kind: "json", hidden: true },
  { key: "metadata", kind: "json", hidden: true },
  { key: "device", kind: "id", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
];

/** Which records of a device are meant. */
export interface DataSelection {
  readonly variables?: string[];
  readonly groups?: string[];
  readonly ids?: string[];
  readonly start_date?: string;
  readonly end_date?: string;
}

type Query = Parameters<Resources["devices"]["getDeviceData"]>[1];

/** The calls that read the data of a device. */
export interface DataReader {
  amount(id: string): Promise<number>;
  getDeviceData(id: string, query: Query): Promise<readonly DataRow[]>;
  getDeviceDataStreaming(
    id: string,
    query: Query,
    options: { readonly poolingRecordQty: number; readonly poolingTime: number },
  ): AsyncIterable<readonly DataRow[]>;
}

/** A client that reads data: that of a profile, or of a device (`selfCalls`). */
export interface DataClient {
  readonly devices: DataReader;
}

const DEFAULT_LIMIT = 20;

export interface ReadPlan {
  readonly rows: readonly DataRow[] | AsyncIterable<DataRow>;
  more(): boolean;
}

export const dataOrders = ["time", "time:asc", "time:desc"] as const;

/** What the flags of a list of records ask for. */
export interface ReadWish {
  /** The platform sorts records by time only. */
  readonly sort: (typeof dataOrders)[number] | undefined;
  readonly maxRecords: number;
}

/** Reads what `--limit`, `--page` and `--all` ask for besides. */
export async function planRead(
  ctx: CommandContext,
  { sort, maxRecords }: ReadWish,
  client: DataClient,
  id: string,
  query: Selected,
): Promise<ReadPlan> {
  const { all, limit = DEFAULT_LIMIT, page = 1 } = ctx.flags;
  const order = orderFrom(sort);
  const wanted = Math.min(all ? Number.POSITIVE_INFINITY : limit * page, maxRecords);
  if (wanted > BILLING_NOTICE) {
    const { details: _, ...selection } = query;
    const records = Math.min(await countRecords(client, id, selection), wanted);
    await announceReading(ctx, await ctx.client(), records, Number.isFinite(maxRecords));
  }
  if (wanted > MAX_DATA_STREAM_QTY / Math.max(1, query.variables?.length ?? 1)) {
    if (page > 1)
      throw usageError(`--page reaches only the first ${countText(MAX_DATA_STREAM_QTY)} records.`, {
        next: "Narrow the range with --from and --to.",
      });
    return streamed(client, id, query, order ?? "ascending", wanted);
  }
  return newest(client, id, query, { order: order ?? "descending", limit: Math.min(limit, maxRecords), page });
}

type Selected = DataSelection & { readonly details?: boolean };
type Order = "ascending" | "descending";

function orderFrom(sort: ReadWish["sort"]): Order | undefined {
  if (sort === undefined) return undefined;
  return sort === "time:desc" ? "descending" : "ascending";
}

/**
 * One request. With variables named the platform counts and skips per variable, one block after the other; here the
 * blocks become one list in the order of time, cut to the page.
 */
async function newest(
  client: DataClient,
  id: string,
  query: Selected,
  options: { order: Order; limit: number; page: number },
): Promise<ReadPlan> {
  const { order, limit, page } = options;
  const skip = (page - 1) * limit;
  const isBlocks = query.variables !== undefined && query.variables.length > 1;
  const qty = isBlocks ? skip + limit + 1 : limit + 1;
  const parameters = {
    ...query,
    ordination: order,
    qty: Math.min(qty, MAX_DATA_STREAM_QTY),
    skip: isBlocks ? 0 : skip,
  };
  const rows = await readData(client, id, parameters);
  const sorted = isBlocks ? [...rows].sort((a, b) => (order === "ascending" ? 1 : -1) * (timeOf(a) - timeOf(b))) : rows;
  const start = isBlocks ? skip : 0;
  return { rows: sorted.slice(start, start + limit), more: () => sorted.length > start + limit };
}

export async function readData(client: DataClient, id: string, parameters: object): Promise<readonly DataRow[]> {
  return client.devices.getDeviceData(id, parameters as Query);
}

/** All records, page by page, at most `wanted`. */
function streamed(client: DataClient, id: string, query: Selected, order: Order, wanted: number): ReadPlan {
  let more = false;
  async function* rows(): AsyncGenerator<DataRow> {
    let given = 0;
    const pages = order === "ascending" ? oldestFirst(client, id, query) : newestFirst(client, id, query);
    for await (const page of pages) {
      for (const row of page) {
        if (given === wanted) {
          more = true;
          return;
        }
        given += 1;
        yield row;
      }
    }
  }
  return { rows: rows(), more: () => more };
}

function oldestFirst(client: DataClient, id: string, query: Selected): AsyncIterable<readonly DataRow[]> {
  const options = { poolingRecordQty: MAX_DATA_STREAM_QTY, poolingTime: 0 };
  return client.devices.getDeviceDataStreaming(id, query as Query, options);
}

async function* newestFirst(client: DataClient, id: string, query: Selected): AsyncGenerator<readonly DataRow[]> {
  if (query.variables !== undefined && query.variables.length > 1) {
    throw usageError("Several variables can only be read oldest first when there are many records.", {
      next: "Use --sort time, or one variable at a time.",
    });
  }
  for (let skip = 0; ; skip += MAX_DATA_STREAM_QTY) {
    const rows = await readData(client, id, { ...query, ordination: "descending", qty: MAX_DATA_STREAM_QTY, skip });
    yield rows;
    if (rows.length < MAX_DATA_STREAM_QTY) return;
  }
}

function timeOf(row: DataRow): number {
  return row.time === undefined ? 0 : new Date(row.time).getTime();
}

/** Number of records that match. */
export async function countRecords(client: DataClient, id: string, selection: DataSelection): Promise<number> {
  if (Object.keys(selection).length === 0) return client.devices.amount(id);
  const [row] = await readData(client, id, { ...selection, query: "count" });
  const count = Number(row?.value);
  if (Number.isFinite(count)) return count;
  throw new CommandError("The platform did not return a number.", {
    code: "reply.unexpected",
    exit: 1,
    next: "Try again without filters.",
  });
}
