import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import { createIds } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { type Chunk, describeChunk, MUTABLE_SIDE } from "./chunks.ts";
import { dataGaps } from "./gaps.ts";
import { createReader } from "./reader.ts";
import { parseRows } from "./rows.ts";
import type { DataDevice, DataQuery, NewRow, WireRow } from "./types.ts";
import { createWriter } from "./writer.ts";

/**
 * The data of all devices. Errors are `PlatformError` with the platform's texts (QUERY.md sections 3 to 5).
 * Chunks past their retention are dropped whenever the device's data is looked at.
 */
export interface DataStore {
  /** Forgets all data of a device that was deleted. */
  removeDevice(deviceId: string): void;
  /** Rows of a device, or of its mutable side. */
  amount(deviceId: string, side?: "mutable"): number;
  /** True while the device holds no data: some settings can only change then. */
  isEmpty(deviceId: string): boolean;
  /** Checks and stores the body of a POST, all rows or none; answers the rows as stored. */
  write(device: DataDevice, body: unknown): WireRow[];
  /** Stores generated rows, each as if sent at its own time. For the seed, which may bring ids of its own. */
  writeHistory(device: DataDevice, rows: readonly NewRow[], rowIds?: IdSource): void;
  /** The answer to a query: a list of rows, or a number. */
  read(device: DataDevice, query: DataQuery): unknown;
  /** The same as JSON text, without building objects. */
  readJson(device: DataDevice, query: DataQuery): string;
  /** Applies the body of a PUT; answers how many rows were changed. Unknown ids are skipped. */
  edit(device: DataDevice, body: unknown): number;
  /** Removes the rows a query answers; answers how many. Queries that do not answer rows are refused. */
  remove(device: DataDevice, query: DataQuery): number;
  /** Removes all rows, or those of one side of a hybrid device. */
  empty(device: DataDevice, side?: "mutable" | "immutable"): void;
  /** Rows of the device after its retention was applied. */
  count(device: DataDevice): number;
  /** Chunks that hold rows, newest last. */
  chunks(device: DataDevice): Chunk[];
  /** The chunk with this id; throws 404. */
  needChunk(device: DataDevice, chunkId: string): Chunk;
  removeChunk(device: DataDevice, chunkId: string): void;
  /** Time of the first and the last row. */
  span(device: DataDevice): { readonly fromMs: number; readonly toMs: number } | undefined;
  /** Rows of a chunk, or all of them, oldest first, read page by page as they are taken. */
  pages(device: DataDevice, chunk?: Chunk): Iterable<WireRow[]>;
  /** Starts an import that stores nothing before all of it was looked at. */
  planImport(device: DataDevice): ImportPlan;
}

/** Rows of a file on their way to a device, in batches: all are added first, then all are stored. */
interface ImportPlan {
  /** Rows added so far. */
  readonly rows: number;
  /** Checks a batch, and that the device has room for it beside those before. */
  add(items: readonly unknown[]): void;
  store(items: readonly unknown[]): void;
}

export interface DataStoreOptions {
  readonly ids?: IdSource;
  /** Forbidden characters of variable names become `_` instead of a refusal. Default false. */
  readonly lenient?: boolean;
}

export function createDataStore(db: SandboxDatabase, clock: Clock, options: DataStoreOptions = {}): DataStore {
  const ids = options.ids ?? createIds(clock);
  const reader = createReader(db, clock);
  const writer = createWriter(db, clock, ids);

  const readJson = (device: DataDevice, query: DataQuery): string => {
    refuseIdsOnImmutable(device, query);
    writer.expire(device);
    return reader.read(device.id, query);
  };

  const amount = (deviceId: string, side?: "mutable"): number => {
    const condition = side === undefined ? "" : ` AND chunk = ${MUTABLE_SIDE}`;
    const sql = `SELECT sum(amount) AS rows FROM data_chunk WHERE device = ?${condition}`;
    return db.get<{ rows: number | null }>(sql, deviceId)?.rows ?? 0;
  };

  const listChunks = (device: DataDevice): Chunk[] => {
    writer.expire(device);
    const held = db.all<{ chunk: number; amount: number }>(
      "SELECT chunk, amount FROM data_chunk WHERE device = ? AND chunk <> ? AND amount > 0 ORDER BY chunk",
      device.id,
      MUTABLE_SIDE,
    );
    return held.map((chunk) => describeChunk(device.chunkPeriod ?? "month", chunk.chunk, chunk.amount));
  };

  const needChunk = (device: DataDevice, chunkId: string): Chunk => {
    const chunk = listChunks(device).find(({ id }) => id === chunkId);
    if (chunk === undefined) throw new PlatformError(404, "Chunk Not Found").assumed(dataGaps.unknownChunk);
    return chunk;
  };

  /** Checks rows of one request or file: those without a group share a new one. */
  const checkRows = (): ((body: unknown) => NewRow[]) => {
    const nowMs = clock.now();
    // Read backwards, so that nobody takes the group for an id that starts with a time.
    let group: string | undefined;
    const newGroup = (): string => {
      group ??= [...ids.id(nowMs)].reverse().join("");
      return group;
    };
    return (body) => parseRows(body, { nowMs, newGroup, lenient: options.lenient ?? false });
  };

  const planImport = (device: DataDevice): ImportPlan => {
    const check = checkRows();
    const room = writer.room(device);
    let rows = 0;
    return {
      get rows() {
        return rows;
      },
      add: (items) => {
        room.take(check(items));
        rows += items.length;
      },
      store: (items) => {
        writer.insert(device, check(items));
      },
    };
  };

  return {
    write(device, body) {
      const rows = checkRows()(body);
      writer.expire(device);
      return writer.insert(device, rows);
    },
    writeHistory: writer.insertHistory,
    read: (device, query): unknown => JSON.parse(readJson(device, query)),
    readJson,
    edit: writer.edit,
    remove(device, query) {
      if (device.type === "immutable") throw new PlatformError(400, "Data in immutable devices cannot be deleted");
      const tails = reader.rowTails(device.id, query, true);
      if (tails === undefined) throw new PlatformError(400, "Invalid query").assumed(dataGaps.deletionWithoutRows);
      return writer.removeRows(device, tails);
    },
    empty: (device, side) => writer.clear(device.id, side),
    count(device) {
      writer.expire(device);
      return amount(device.id);
    },
    chunks: listChunks,
    needChunk,
    removeChunk: (device, chunkId) => {
      writer.removeChunk(device.id, Date.parse(needChunk(device, chunkId).from));
    },
    span: (device) => {
      writer.expire(device);
      return reader.span(device.id);
    },
    pages: (device, chunk) => reader.pages(device.id, chunk),
    planImport,
    removeDevice: (deviceId) => writer.clear(deviceId),
    amount,
    isEmpty: (deviceId) => amount(deviceId) === 0,
  };
}

function refuseIdsOnImmutable(device: DataDevice, query: DataQuery): void {
  if (device.type !== "immutable" || query.filter.ids.length === 0) return;
  throw new PlatformError(400, "Filter using ID(s) is not supported on Immutable Storage Type");
}
