import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import { invalidBody, PlatformError } from "../core/platform-error.ts";
import type { QueryObject } from "../core/query.ts";
import type { EntityDocument } from "../store/document.ts";
import type { SandboxDatabase, SqlStatement } from "../store/types.ts";
import { isOwnField, readValue, type Schema, schemaOf } from "./fields.ts";
import { entityGaps } from "./gaps.ts";
import { planRows } from "./query.ts";

/** Most rows in one request that adds some. */
const MAX_ADDED = 100;
const MAX_ROW_BYTES = 1024 * 1024;
const MAX_ID_CHARS = 100;

/** A row in the format of responses. */
export type ShownRow = Readonly<Record<string, unknown>>;

interface StoredRow {
  readonly id: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly doc: string;
}

type Values = Record<string, unknown>;

/** The value of a field, null when there is none. Names such as `constructor` are valid field names. */
const fieldOf = (values: Values, name: string): unknown =>
  Object.hasOwn(values, name) ? (values[name] ?? null) : null;

function show(schema: Schema, row: StoredRow): ShownRow {
  const values = JSON.parse(row.doc) as Values;
  const shown: Values = { id: row.id };
  for (const name of Object.keys(schema)) if (!isOwnField(name)) shown[name] = fieldOf(values, name);
  shown["created_at"] = new Date(row.created_at).toISOString();
  shown["updated_at"] = new Date(row.updated_at).toISOString();
  return shown;
}

function pick(row: ShownRow, fields: readonly string[]): ShownRow {
  if (fields.length === 0) return row;
  const names = fields.filter((name) => name !== "id" && Object.hasOwn(row, name));
  return { id: row["id"], ...Object.fromEntries(names.map((name) => [name, row[name]])) };
}

/** Collects the errors in a list of rows. */
class Problems {
  readonly #texts: Record<string, string[]> = {};

  add(row: number, field: string, text: string): void {
    const member = `${row}.${field.slice(0, 63)}`;
    this.#texts[member] = [...(this.#texts[member] ?? []), text];
  }

  check(): void {
    if (Object.keys(this.#texts).length === 0) return;
    throw invalidBody(this.#texts).assumed(entityGaps.badRow);
  }
}

function readRow(schema: Schema, row: Readonly<Record<string, unknown>>, at: number, problems: Problems): Values {
  const values: Values = {};
  for (const [name, given] of Object.entries(row)) {
    // The fields that the server sets are accepted and ignored, as in a row that was read before.
    if (isOwnField(name)) continue;
    const field = Object.hasOwn(schema, name) ? schema[name] : undefined;
    if (field === undefined) {
      problems.add(at, name, "There is no such field");
      continue;
    }
    const read = readValue(field, given);
    if ("problem" in read) problems.add(at, name, read.problem);
    values[name] = "problem" in read ? given : read.value;
  }
  return values;
}

function checkRequired(schema: Schema, values: Values, at: number, problems: Problems): void {
  for (const [name, field] of Object.entries(schema)) {
    if (field.required !== true || isOwnField(name)) continue;
    if (fieldOf(values, name) === null) problems.add(at, name, "Required");
  }
}

/** The platform accepts rows with `created_at` or `updated_at`, and discards every field of such a row. */
export const isDiscarded = (row: ShownRow): boolean =>
  Object.hasOwn(row, "created_at") || Object.hasOwn(row, "updated_at");

const COLUMNS = "id, created_at, updated_at, doc";

function idOf(row: Readonly<Record<string, unknown>>, at: number, problems: Problems): string | undefined {
  const { id } = row;
  if (id === undefined || id === null) return undefined;
  if (typeof id === "string" && id !== "" && id.length <= MAX_ID_CHARS) return id;
  problems.add(at, "id", `Must be a text of 1 to ${MAX_ID_CHARS} characters`);
  return undefined;
}

/** The rows of entities. Errors name the row and the field. */
export class EntityRows {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #byId: SqlStatement<StoredRow>;

  constructor(db: SandboxDatabase, clock: Clock, ids: IdSource) {
    this.#db = db;
    this.#clock = clock;
    this.#ids = ids;
    this.#byId = db.prepare<StoredRow>(`SELECT ${COLUMNS} FROM entity_row WHERE entity = ? AND id = ?`);
  }

  amount(entityId: string): number {
    return this.#db.get<{ n: number }>("SELECT count(*) AS n FROM entity_row WHERE entity = ?", entityId)?.n ?? 0;
  }

  /** Adds rows; one whose id exists is merged field by field. `atMs` is the creation time of each row, for the seed. */
  add(
    entity: EntityDocument,
    rows: readonly Readonly<Record<string, unknown>>[],
    atMs?: (index: number) => number,
  ): ShownRow[] {
    if (rows.length > MAX_ADDED) {
      const text = `You have exceeded the maximum number of ${MAX_ADDED} items in a single request`;
      throw new PlatformError(400, text).assumed(entityGaps.limits);
    }
    const schema = schemaOf(entity);
    const nowMs = this.#clock.now();
    const problems = new Problems();
    return this.#db.transaction(() => {
      const stored = rows.map((row, at) => {
        const timeMs = atMs?.(at) ?? nowMs;
        if (Buffer.byteLength(JSON.stringify(row)) > MAX_ROW_BYTES) problems.add(at, "row", "At most 1 MB");
        const id = idOf(row, at, problems);
        const old = id === undefined ? undefined : this.#byId.get(entity.id, id);
        const values = isDiscarded(row) ? {} : readRow(schema, row, at, problems);
        const whole = old === undefined ? values : { ...(JSON.parse(old.doc) as Values), ...values };
        if (!isDiscarded(row)) checkRequired(schema, whole, at, problems);
        return old === undefined
          ? this.#insert(entity.id, id ?? this.#ids.uuid(), values, timeMs)
          : this.#change(entity.id, old, values, timeMs);
      });
      problems.check();
      return stored.map((row) => show(schema, row));
    });
  }

  /** Changes rows; unknown ids are skipped. */
  edit(entity: EntityDocument, rows: readonly Readonly<Record<string, unknown>>[]): ShownRow[] {
    const schema = schemaOf(entity);
    const nowMs = this.#clock.now();
    const problems = new Problems();
    return this.#db.transaction(() => {
      const stored = rows.flatMap((row, at) => {
        const id = idOf(row, at, problems);
        if (row["id"] === undefined || row["id"] === null) problems.add(at, "id", "Required");
        const values = readRow(schema, row, at, problems);
        const old = id === undefined ? undefined : this.#byId.get(entity.id, id);
        if (old === undefined) return [];
        checkRequired(schema, { ...(JSON.parse(old.doc) as Values), ...values }, at, problems);
        return [this.#change(entity.id, old, values, nowMs)];
      });
      problems.check();
      return stored.map((row) => show(schema, row));
    });
  }

  list(entity: EntityDocument, query: QueryObject): ShownRow[] {
    const plan = planRows(entity, query);
    const schema = schemaOf(entity);
    const where = ["entity = ?", ...plan.where].join(" AND ");
    return this.#db
      .all<StoredRow>(
        `SELECT ${COLUMNS} FROM entity_row WHERE ${where} ORDER BY ${plan.orderBy} LIMIT ? OFFSET ?`,
        entity.id,
        ...plan.values,
        plan.limit,
        plan.offset,
      )
      .map((row) => pick(show(schema, row), plan.fields));
  }

  /** Every row, oldest first. */
  *all(entity: EntityDocument): Iterable<ShownRow> {
    const schema = schemaOf(entity);
    for (let seq = -1; ; ) {
      const rows = this.#db.all<StoredRow & { seq: number }>(
        `SELECT seq, ${COLUMNS} FROM entity_row WHERE entity = ? AND seq > ? ORDER BY seq LIMIT 1000`,
        entity.id,
        seq,
      );
      for (const row of rows) yield show(schema, row);
      const last = rows.at(-1);
      if (last === undefined) return;
      seq = last.seq;
    }
  }

  /** Returns the rows that existed. */
  remove(entity: EntityDocument, wanted: readonly string[]): ShownRow[] {
    const schema = schemaOf(entity);
    const found = [...new Set(wanted)].flatMap((id) => this.#byId.get(entity.id, id) ?? []);
    for (const { id } of found) this.#db.run("DELETE FROM entity_row WHERE entity = ? AND id = ?", entity.id, id);
    return found.map((row) => show(schema, row));
  }

  empty(entityId: string): number {
    return this.#db.run("DELETE FROM entity_row WHERE entity = ?", entityId).changes;
  }

  /** True when a row has no value in the field. */
  hasEmpty(entityId: string, field: string): boolean {
    return (
      this.#db.get(
        `SELECT 1 AS n FROM entity_row WHERE entity = ? AND json_extract(doc, '$.${field}') IS NULL LIMIT 1`,
        entityId,
      ) !== undefined
    );
  }

  renameField(entityId: string, field: string, next: string): void {
    this.#db.run(
      `UPDATE entity_row SET doc = json_remove(json_set(doc, '$.${next}', json(doc -> '$.${field}')), '$.${field}')
         WHERE entity = ? AND json_type(doc, '$.${field}') IS NOT NULL`,
      entityId,
    );
  }

  deleteField(entityId: string, field: string): void {
    this.#db.run(`UPDATE entity_row SET doc = json_remove(doc, '$.${field}') WHERE entity = ?`, entityId);
  }

  #insert(entityId: string, id: string, values: Values, nowMs: number): StoredRow {
    const doc = JSON.stringify(values);
    this.#db.run(
      "INSERT INTO entity_row (entity, id, created_at, updated_at, doc) VALUES (?, ?, ?, ?, ?)",
      entityId,
      id,
      nowMs,
      nowMs,
      doc,
    );
    return { id, created_at: nowMs, updated_at: nowMs, doc };
  }

  #change(entityId: string, old: StoredRow, values: Values, nowMs: number): StoredRow {
    const doc = JSON.stringify({ ...(JSON.parse(old.doc) as Values), ...values });
    this.#db.run(
      "UPDATE entity_row SET updated_at = ?, doc = ? WHERE entity = ? AND id = ?",
      nowMs,
      doc,
      entityId,
      old.id,
    );
    return { ...old, updated_at: nowMs, doc };
  }
}
