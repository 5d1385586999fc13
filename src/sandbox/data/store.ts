import type { Clock } from "../core/clock.ts";
import { IdSource } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { type Chunk, describeChunk, MUTABLE_SIDE } from "./chunks.ts";
import { dataGaps } from "./gaps.ts";
import { type Cell, type CellPage, DataReader } from "./reader.ts";
import { parseRows } from "./rows.ts";
import type { DataDevice, DataQuery, NewRow, RowFilter, WireRow } from "./types.ts";
import { DataWriter } from "./writer.ts";

/** Rows of a file in batches: all are added first, then all are stored. */
interface ImportPlan {
  /** Rows added so far. */
  readonly rows: number;
  /** Checks a batch, and that the device has space for it in addition to those before. */
  add(items: readonly unknown[]): void;
  store(items: readonly unknown[]): void;
}

export interface DataStoreOptions {
  readonly ids?: IdSource;
  /** Forbidden characters of variable names become `_` instead of an error. Default false. */
  readonly lenient?: boolean;
}

/**
 * The data of all devices (docs/internals/platform/queries.md, Storage types). Errors are `PlatformError` with the
 * platform's messages. Chunks past their retention are dropped on each access to the device's data.
 */
export class DataStore {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #options: DataStoreOptions;
  readonly #ids: IdSource;
  readonly #reader: DataReader;
  readonly #writer: DataWriter;

  constructor(db: SandboxDatabase, clock: Clock, options: DataStoreOptions = {}) {
    this.#db = db;
    this.#clock = clock;
    this.#options = options;
    this.#ids = options.ids ?? new IdSource(clock);
    this.#reader = new DataReader(db, clock);
    this.#writer = new DataWriter(db, clock, this.#ids);
  }

  /** Checks and stores the body of a POST, all rows or none; returns the stored rows. */
  write(device: DataDevice, body: unknown): WireRow[] {
    const rows = this.#checkRows()(body);
    this.#writer.expire(device);
    return this.#writer.insert(device, rows);
  }

  /** Stores generated rows, each as if sent at its own time. For the seed, which can specify ids. */
  writeHistory(device: DataDevice, rows: readonly NewRow[], rowIds?: IdSource): void {
    this.#writer.insertHistory(device, rows, rowIds);
  }

  /** The result of a query: a list of rows, or a number. */
  read(device: DataDevice, query: DataQuery): unknown {
    return JSON.parse(this.readJson(device, query));
  }

  /** The same as JSON text, without building objects. */
  readJson(device: DataDevice, query: DataQuery): string {
    refuseIdsOnImmutable(device, query);
    this.#writer.expire(device);
    return this.#reader.read(device.id, query);
  }

  /** Applies the body of a PUT; returns the number of changed rows. Unknown ids are skipped. */
  edit(device: DataDevice, body: unknown): number {
    return this.#writer.edit(device, body);
  }

  /** Removes the rows a query returns; returns their number. Queries that do not return rows are rejected. */
  remove(device: DataDevice, query: DataQuery): number {
    if (device.type === "immutable") throw new PlatformError(400, "Data in immutable devices cannot be deleted");
    const tails = this.#reader.rowTails(device.id, query, true);
    if (tails === undefined) throw new PlatformError(400, "Invalid query").assumed(dataGaps.deletionWithoutRows);
    return this.#writer.removeRows(device, tails);
  }

  /** Removes all rows, or those of one side of a hybrid device. */
  empty(device: DataDevice, side?: "mutable" | "immutable"): void {
    this.#writer.clear(device.id, side);
  }

  /** Number of rows of the device after its retention was applied. */
  count(device: DataDevice): number {
    this.#writer.expire(device);
    return this.amount(device.id);
  }

  /** Chunks that contain rows, newest last. */
  chunks(device: DataDevice): Chunk[] {
    this.#writer.expire(device);
    const held = this.#db.all<{ chunk: number; amount: number }>(
      "SELECT chunk, amount FROM data_chunk WHERE device = ? AND chunk <> ? AND amount > 0 ORDER BY chunk",
      device.id,
      MUTABLE_SIDE,
    );
    return held.map((chunk) => describeChunk(device.chunkPeriod ?? "month", chunk.chunk, chunk.amount));
  }

  /** The chunk with this id; throws 404. */
  needChunk(device: DataDevice, chunkId: string): Chunk {
    const chunk = this.chunks(device).find(({ id }) => id === chunkId);
    if (chunk === undefined) throw new PlatformError(404, "Chunk Not Found").assumed(dataGaps.unknownChunk);
    return chunk;
  }

  removeChunk(device: DataDevice, chunkId: string): void {
    this.#writer.removeChunk(device.id, Date.parse(this.needChunk(device, chunkId).from));
  }

  /** Time of the first and the last row. */
  span(device: DataDevice): { readonly fromMs: number; readonly toMs: number } | undefined {
    this.#writer.expire(device);
    return this.#reader.span(device.id);
  }

  /** Rows of a chunk, or all of them, oldest first, read page by page on demand. */
  pages(device: DataDevice, chunk?: Chunk): Iterable<WireRow[]> {
    return this.#reader.pages(device.id, chunk);
  }

  /** Cells of rows, oldest first, page by page on demand. */
  cells(device: DataDevice, filter: RowFilter, cells: readonly Cell[]): Iterable<CellPage> {
    this.#db.transaction(() => this.#writer.expire(device));
    return this.#reader.cells(device.id, filter, cells);
  }

  /** Starts an import that stores nothing until all of it was checked. */
  planImport(device: DataDevice): ImportPlan {
    const check = this.#checkRows();
    const room = this.#writer.room(device);
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
        this.#writer.insert(device, check(items));
      },
    };
  }

  /** Drops all data of a deleted device. */
  removeDevice(deviceId: string): void {
    this.#writer.clear(deviceId);
  }

  /** Rows of a device, or of its mutable side. */
  amount(deviceId: string, side?: "mutable"): number {
    const condition = side === undefined ? "" : ` AND chunk = ${MUTABLE_SIDE}`;
    const sql = `SELECT sum(amount) AS rows FROM data_chunk WHERE device = ?${condition}`;
    return this.#db.get<{ rows: number | null }>(sql, deviceId)?.rows ?? 0;
  }

  /** True while the device has no data: some settings can only change then. */
  isEmpty(deviceId: string): boolean {
    return this.amount(deviceId) === 0;
  }

  /** Checks rows of one request or file: those without a group share a new one. */
  #checkRows(): (body: unknown) => NewRow[] {
    const nowMs = this.#clock.now();
    // Reversed, so that the group does not look like an id that starts with a time.
    let group: string | undefined;
    const newGroup = (): string => {
      group ??= [...this.#ids.id(nowMs)].reverse().join("");
      return group;
    };
    return (body) => parseRows(body, { nowMs, newGroup, lenient: this.#options.lenient ?? false });
  }
}

function refuseIdsOnImmutable(device: DataDevice, query: DataQuery): void {
  if (device.type !== "immutable" || query.filter.ids.length === 0) return;
  throw new PlatformError(400, "Filter using ID(s) is not supported on Immutable Storage Type");
}
