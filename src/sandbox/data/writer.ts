import { MUTABLE_RECORDS } from "../../lib/core/limits.ts";
import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { SandboxDatabase, SqlInput } from "../store/types.ts";
import { immutableEnd, MUTABLE_SIDE, periodStart, retentionStart } from "./chunks.ts";
import { dataGaps } from "./gaps.ts";
import { parseEdits, type RowEdit, toWire, toWireText } from "./rows.ts";
import { bindable, type Tail } from "./select.ts";
import type { DataDevice, NewRow, WireRow } from "./types.ts";
import { variablePattern } from "./variable-pattern.ts";

const CHUNK_ROWS = 1_000_000;
const IMMUTABLE_ROWS = 36_000_000;
/** Rows per INSERT: more make it no faster. */
const BATCH = 50;

const COLUMNS = "device, variable, time, created_at, id, grp, number, text, located, chunk, wire";
const insertSql = (rows: number): string =>
  `INSERT INTO device_data (${COLUMNS}) VALUES ${Array(rows).fill("(?,?,?,?,?,?,?,?,?,?,?)").join(",")}`;

const INSERT_BATCH = insertSql(BATCH);
const INSERT_ROW = insertSql(1);

/** Writes, changes and removes rows within the limits of their device. */
export class DataWriter {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #ids: IdSource;

  constructor(db: SandboxDatabase, clock: Clock, ids: IdSource) {
    this.#db = db;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Stores checked rows, all or none; returns them as stored. */
  insert(device: DataDevice, rows: readonly NewRow[]): WireRow[] {
    const nowMs = this.#clock.now();
    refuseOutsideRange(device, rows, nowMs);
    const made = this.#db.transaction(() => this.#store(device, rows, () => nowMs, this.#ids));
    return rows.map((row, index) => toWire(device, made[index] ?? "", row));
  }

  /** Stores generated rows as if each had been sent at its own time. The limits apply, the time range does not. */
  insertHistory(device: DataDevice, rows: readonly NewRow[], rowIds: IdSource = this.#ids): void {
    const nowMs = this.#clock.now();
    this.#db.transaction(() => this.#store(device, rows, (row) => Math.min(row.timeMs, nowMs), rowIds));
  }

  /** Applies the body of a PUT; returns the number of rows found and changed. */
  edit(device: DataDevice, body: unknown): number {
    if (device.type === "immutable") throw new PlatformError(400, "You cannot edit data on immutable device");
    const edits = parseEdits(body);
    return this.#db.transaction(() => edits.filter((edit) => this.#applyEdit(device, edit)).length);
  }

  /** Removes the rows of the given SELECTs; returns their number. */
  removeRows(device: DataDevice, tails: readonly Tail[]): number {
    return this.#db.transaction(() => {
      const rows = tails.flatMap((tail) =>
        this.#db.all<{ seq: number; chunk: number }>(`SELECT seq, chunk ${tail.sql}`, ...tail.values),
      );
      const seqs = JSON.stringify(rows.map((row) => row.seq));
      this.#db.run("DELETE FROM device_data WHERE seq IN (SELECT value FROM json_each(?))", seqs);
      this.#addAmounts(
        device.id,
        rows.map((row) => row.chunk),
        -1,
      );
      return rows.length;
    });
  }

  /** Removes a whole side, or everything. */
  clear(deviceId: string, side?: "mutable" | "immutable"): void {
    const condition = side === undefined ? "" : ` AND chunk ${side === "mutable" ? "=" : "<>"} ${MUTABLE_SIDE}`;
    this.#db.transaction(() => {
      this.#db.run(`DELETE FROM device_data WHERE device = ?${condition}`, deviceId);
      this.#db.run(`DELETE FROM data_chunk WHERE device = ?${condition}`, deviceId);
    });
  }

  removeChunk(deviceId: string, startMs: number): boolean {
    return this.#db.transaction(() => {
      const held = this.#db.run("DELETE FROM data_chunk WHERE device = ? AND chunk = ?", deviceId, startMs).changes > 0;
      if (held)
        this.#db.run("DELETE FROM device_data WHERE device = ?1 AND time >= ?2 AND chunk = ?2", deviceId, startMs);
      return held;
    });
  }

  /** Remaining capacity of the device. `take` rejects rows outside its time range and above its limits. */
  room(device: DataDevice): { take(rows: readonly NewRow[]): void } {
    const amounts = this.#amountsOf(device.id);
    return {
      take: (rows) => {
        refuseOutsideRange(device, rows, this.#clock.now());
        const added = countEach(chunksOf(device, rows));
        refuseAboveLimits(amounts, added);
        for (const [chunk, amount] of added) amounts.set(chunk, (amounts.get(chunk) ?? 0) + amount);
      },
    };
  }

  /** Removes the chunks past their retention. */
  expire(device: DataDevice): void {
    if (device.type !== "immutable" && device.type !== "hybrid") return;
    const start = retentionStart(device, this.#clock.now());
    const old = "device = ?1 AND chunk < ?2 AND chunk <> ?3";
    const due = this.#db.get(`SELECT 1 FROM data_chunk WHERE ${old} LIMIT 1`, device.id, start, MUTABLE_SIDE);
    if (due === undefined) return;
    this.#db.transaction(() => {
      this.#db.run(`DELETE FROM device_data WHERE ${old} AND time < ?2`, device.id, start, MUTABLE_SIDE);
      this.#db.run(`DELETE FROM data_chunk WHERE ${old}`, device.id, start, MUTABLE_SIDE);
    });
  }

  #amountsOf(deviceId: string): Map<number, number> {
    const rows = this.#db.all<{ chunk: number; amount: number }>(
      "SELECT chunk, amount FROM data_chunk WHERE device = ?",
      deviceId,
    );
    return new Map(rows.map(({ chunk, amount }) => [chunk, amount]));
  }

  #addAmounts(deviceId: string, chunks: readonly number[], sign: 1 | -1): void {
    for (const [chunk, amount] of countEach(chunks)) {
      this.#db.run(
        `INSERT INTO data_chunk (device, chunk, amount) VALUES (?1, ?2, ?3)
         ON CONFLICT (device, chunk) DO UPDATE SET amount = amount + ?3`,
        deviceId,
        chunk,
        sign * amount,
      );
    }
  }

  /** Returns the ids of the rows. */
  #store(device: DataDevice, rows: readonly NewRow[], createdMs: (row: NewRow) => number, rowIds: IdSource): string[] {
    const chunks = chunksOf(device, rows);
    refuseAboveLimits(this.#amountsOf(device.id), countEach(chunks));
    const made: string[] = [];
    const columns = (row: NewRow, index: number): readonly SqlInput[] => {
      const createdAt = createdMs(row);
      const id = rowIds.id(createdAt);
      made.push(id);
      const [time, group, number, text, located, wire] = contentOf(device.id, id, row);
      const chunk = chunks[index] ?? MUTABLE_SIDE;
      return [device.id, row.variable, time, createdAt, id, group, number, text, located, chunk, wire];
    };
    const whole = rows.length - (rows.length % BATCH);
    for (let start = 0; start < whole; start += BATCH) {
      const batch = rows.slice(start, start + BATCH);
      this.#db.run(INSERT_BATCH, ...batch.flatMap((row, index) => columns(row, start + index)));
    }
    rows.slice(whole).forEach((row, index) => {
      this.#db.run(INSERT_ROW, ...columns(row, whole + index));
    });
    this.#addAmounts(device.id, chunks, 1);
    return made;
  }

  #applyEdit(device: DataDevice, edit: RowEdit): boolean {
    const found = this.#db.get<{ seq: number; wire: string }>(
      "SELECT seq, wire FROM device_data WHERE device = ? AND id = ? AND chunk = ?",
      device.id,
      bindable(edit.id),
      MUTABLE_SIDE,
    );
    if (found === undefined) return false;
    const old: WireRow = JSON.parse(found.wire);
    this.#db.run(
      "UPDATE device_data SET time = ?, grp = ?, number = ?, text = ?, located = ?, wire = ? WHERE seq = ?",
      ...contentOf(device.id, old.id, merge(old, edit)),
      found.seq,
    );
    return true;
  }
}

/** Columns an edit can change: time, grp, number, text, located, wire. */
function contentOf(
  deviceId: string,
  id: string,
  row: NewRow,
): readonly [number, string, number | null, string | null, number, string] {
  const number = typeof row.value === "number" ? row.value : null;
  const text = row.value === undefined ? null : bindable(String(row.value));
  return [row.timeMs, row.group, number, text, row.location === undefined ? 0 : 1, toWireText(deviceId, id, row)];
}

function merge(old: WireRow, edit: RowEdit): NewRow {
  const value = edit.value === undefined ? old.value : edit.value;
  const unit = edit.unit === undefined ? old.unit : edit.unit;
  const location = edit.location === undefined ? old.location : edit.location;
  const metadata = edit.metadata === undefined ? old.metadata : edit.metadata;
  return {
    variable: old.variable,
    ...(isThere(value) && { value }),
    ...(isThere(unit) && { unit }),
    group: edit.group ?? old.group,
    ...(isThere(location) && { location }),
    ...(isThere(metadata) && { metadata }),
    timeMs: edit.timeMs ?? Date.parse(old.time),
  };
}

function isThere<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function countEach(chunks: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const chunk of chunks) counts.set(chunk, (counts.get(chunk) ?? 0) + 1);
  return counts;
}

/** The chunk of each row. */
function chunksOf(device: DataDevice, rows: readonly NewRow[]): number[] {
  const sideOf = chooseSide(device);
  const period = device.chunkPeriod ?? "month";
  return rows.map((row) => (sideOf(row.variable) === "mutable" ? MUTABLE_SIDE : periodStart(period, row.timeMs)));
}

/** The side of a variable. On a hybrid device the pattern determines it; an invalid pattern matches nothing. */
function chooseSide(device: DataDevice): (variable: string) => "mutable" | "immutable" {
  if (device.type === "immutable") return () => "immutable";
  if (device.type !== "hybrid") return () => "mutable";
  const pattern = variablePattern(device.mutableVariableRegex);
  return (variable) => (pattern?.test(variable) === true ? "mutable" : "immutable");
}

function refuseOutsideRange(device: DataDevice, rows: readonly NewRow[], nowMs: number): void {
  const sideOf = chooseSide(device);
  const first = retentionStart(device, nowMs);
  const last = immutableEnd(nowMs);
  const isOutside = (row: NewRow): boolean => row.timeMs < first || row.timeMs > last;
  if (!rows.some((row) => isOutside(row) && sideOf(row.variable) === "immutable")) return;
  const [from, to] = [new Date(first).toISOString(), new Date(last).toISOString()];
  throw new PlatformError(400, `Time must be between ${from} and ${to}`);
}

function refuseAboveLimits(amounts: ReadonlyMap<number, number>, added: ReadonlyMap<number, number>): void {
  let total = 0;
  for (const [chunk, amount] of amounts) if (chunk !== MUTABLE_SIDE) total += amount;
  for (const [chunk, amount] of added) {
    const sum = (amounts.get(chunk) ?? 0) + amount;
    const limit = chunk === MUTABLE_SIDE ? MUTABLE_RECORDS : CHUNK_ROWS;
    if (chunk !== MUTABLE_SIDE) total += amount;
    if (sum > limit) refuseFull(chunk === MUTABLE_SIDE ? "device" : "chunk", limit);
  }
  if (total > IMMUTABLE_ROWS) refuseFull("device", IMMUTABLE_ROWS);
}

function refuseFull(what: "device" | "chunk", limit: number): never {
  const error = new PlatformError(400, `The ${what} has reached the limit of ${limit} data registers`);
  throw what === "chunk" ? error.assumed(dataGaps.fullChunk) : error;
}
