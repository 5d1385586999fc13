import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import { isId } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { QueryObject } from "../core/query.ts";
import type { Collection, EntityDocument, ListScope } from "./document.ts";
import { fold, type KeyKind, type ListRules, planList } from "./list-query.ts";
import type { SandboxDatabase, SqlInput, SqlStatement } from "./types.ts";

/** Owner of the public connectors and networks, which every profile can see. */
export const PUBLIC_PROFILE = "public";

/** Differences between kinds of record. */
export interface CollectionSpec extends ListRules {
  readonly kind: string;
  /** Name in messages. */
  readonly thing: string;
  /** Fields for filters and order. `created_at` and `updated_at` are always included. */
  readonly keys: Readonly<Record<string, KeyKind>>;
  /** Fields of list rows besides those requested. */
  readonly always?: readonly string[];
  /** The error for an unknown id. Default: 404 `{Thing} Not Found`. */
  readonly missing?: readonly [status: number, message: string];
  /** Field with the id of the parent record; this record is removed with it. */
  readonly parent?: string;
  /** Public records are listed beside the profile's own, unless the filter contains `public` or `profile`. */
  readonly catalogue?: boolean;
}

/** Called with every record that is created, changed or removed; a removed one in its last state. */
export type Changed = (event: "create" | "edit" | "delete", document: EntityDocument) => void;

/** Ids that can be listed; `undefined` for all. */
export type Visible = (kind: string, profile: string) => readonly string[] | undefined;

interface EntityRow {
  readonly id: string;
  readonly profile: string;
  readonly doc: string;
}

export const COMMON_KEYS = { created_at: "date", updated_at: "date" } as const satisfies Record<string, KeyKind>;

/** `insert` and `update` wrote the stored documents, so they are JSON objects with an id and a profile. */
const parseDocument = (text: string): EntityDocument => JSON.parse(text) as EntityDocument;

function keyValue(kind: KeyKind, value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  if (kind === "boolean") return value === true ? 1 : 0;
  if (kind === "number") return typeof value === "number" ? value : null;
  if (typeof value !== "string") return null;
  if (kind === "text") return fold(value);
  if (kind === "exact") return value;
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? null : moment;
}

interface StoredTag {
  readonly key: string;
  readonly value: string;
}

function tagsOf(document: Readonly<Record<string, unknown>>): readonly StoredTag[] {
  const tags = document["tags"];
  if (!Array.isArray(tags)) return [];
  return tags.filter(
    (tag: unknown): tag is StoredTag =>
      typeof tag === "object" &&
      tag !== null &&
      "key" in tag &&
      typeof tag.key === "string" &&
      "value" in tag &&
      typeof tag.value === "string",
  );
}

/** Picks fields of a document; `id` and `tags` are always included. */
export function project(
  document: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  always: readonly string[] = [],
): Record<string, unknown> {
  if (fields.length === 0) return { ...document };
  const picked: Record<string, unknown> = { id: document["id"] };
  for (const field of [...fields, ...always]) {
    if (Object.hasOwn(document, field)) picked[field] = document[field];
  }
  picked["tags"] = document["tags"] ?? [];
  return picked;
}

/** Without the internal fields. */
export function withoutHidden(document: EntityDocument, hidden: readonly string[] = []): EntityDocument {
  if (hidden.length === 0) return document;
  // The id and the profile are never hidden.
  return Object.fromEntries(Object.entries(document).filter(([name]) => !hidden.includes(name))) as EntityDocument;
}

function defined(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** The records of one kind, in the one table of records. */
export class StoredCollection implements Collection {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #spec: CollectionSpec;
  readonly #visible: Visible;
  readonly #changed: Changed;
  readonly #keys: Readonly<Record<string, KeyKind>>;
  readonly #byId: SqlStatement<EntityRow>;
  readonly thing: string;

  constructor(
    db: SandboxDatabase,
    clock: Clock,
    ids: IdSource,
    spec: CollectionSpec,
    visible: Visible = () => undefined,
    changed: Changed = () => undefined,
  ) {
    this.#db = db;
    this.#clock = clock;
    this.#ids = ids;
    this.#spec = spec;
    this.#visible = visible;
    this.#changed = changed;
    this.#keys = { ...COMMON_KEYS, ...spec.keys };
    this.#byId = db.prepare<EntityRow>("SELECT id, profile, doc FROM entity WHERE id = ? AND kind = ?");
    this.thing = spec.thing;
  }

  get(id: string): EntityDocument | undefined {
    const row = this.#byId.get(id, this.#spec.kind);
    return row === undefined ? undefined : parseDocument(row.doc);
  }

  need(id: string, profile: string): EntityDocument {
    if (!isId(id)) throw new PlatformError(400, `Invalid ${this.#spec.thing} ID`);
    const document = this.get(id);
    if (document === undefined || !this.#isVisible(document.profile, profile)) throw this.#missing();
    return document;
  }

  insert(profile: string, given: Readonly<Record<string, unknown>>): EntityDocument {
    const nowText = new Date(this.#clock.now()).toISOString();
    const givenAt = typeof given["created_at"] === "string" ? given["created_at"] : undefined;
    const createdAt = givenAt ?? nowText;
    const updatedAt = typeof given["updated_at"] === "string" ? given["updated_at"] : createdAt;
    const id = isId(given["id"]) ? given["id"] : this.#ids.id(givenAt === undefined ? undefined : Date.parse(givenAt));
    const document: EntityDocument = { ...defined(given), id, profile, created_at: createdAt, updated_at: updatedAt };
    const parent = this.#spec.parent === undefined ? undefined : document[this.#spec.parent];
    this.#db.transaction(() => {
      this.#db.run(
        "INSERT INTO entity (id, kind, profile, parent, created_at, updated_at, keys, doc) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        id,
        this.#spec.kind,
        profile,
        typeof parent === "string" ? parent : null,
        Date.parse(createdAt),
        Date.parse(updatedAt),
        this.#keysText(document),
        JSON.stringify(document),
      );
      this.#writeTags(document);
    });
    this.#changed("create", document);
    return document;
  }

  update(id: string, changes: Readonly<Record<string, unknown>>): EntityDocument {
    const before = this.get(id);
    if (before === undefined) throw this.#missing();
    const nowMs = this.#clock.now();
    const document: EntityDocument = {
      ...before,
      ...defined(changes),
      id,
      profile: before.profile,
      updated_at: new Date(nowMs).toISOString(),
    };
    this.#db.transaction(() => {
      this.#db.run(
        "UPDATE entity SET updated_at = ?, keys = ?, doc = ? WHERE id = ?",
        nowMs,
        this.#keysText(document),
        JSON.stringify(document),
        id,
      );
      if (changes["tags"] !== undefined) this.#writeTags(document);
    });
    this.#changed("edit", document);
    return document;
  }

  touch(id: string, changes: Readonly<Record<string, string | number | boolean | null>>): void {
    const names = Object.keys(changes);
    const keyNames = names.filter((name) => Object.hasOwn(this.#keys, name));
    const setter = (column: string, members: readonly string[]): string =>
      members.length === 0
        ? ""
        : `${column} = json_set(${column}, ${members.map((name) => `'$.${name}', json(?)`).join(", ")})`;
    const sets = [setter("keys", keyNames), setter("doc", names)].filter((text) => text !== "").join(", ");
    if (sets === "") return;
    this.#db.run(
      `UPDATE entity SET ${sets} WHERE id = ? AND kind = ?`,
      ...keyNames.map((name) => JSON.stringify(keyValue(this.#keys[name] ?? "exact", changes[name]))),
      ...names.map((name) => JSON.stringify(changes[name] ?? null)),
      id,
      this.#spec.kind,
    );
  }

  list(profile: string, query: QueryObject, scope: ListScope = {}): Record<string, unknown>[] {
    const plan = planList(
      query,
      this.#keys,
      { ...this.#spec, defaults: scope.defaults ?? this.#spec.defaults },
      this.#clock.now(),
    );
    const [owner, owners] = this.#ownerTest(profile, query);
    const where = ["kind = ?", owner, ...plan.where];
    const values: SqlInput[] = [this.#spec.kind, ...owners, ...plan.values];
    for (const only of [scope.ids, this.#visible(this.#spec.kind, profile)]) {
      if (only === undefined) continue;
      where.push("id IN (SELECT value FROM json_each(?))");
      values.push(JSON.stringify(only));
    }
    const rows = this.#db.all<{ doc: string }>(
      `SELECT doc FROM entity WHERE ${where.join(" AND ")} ORDER BY ${plan.orderBy} LIMIT ? OFFSET ?`,
      ...values,
      plan.limit,
      plan.offset,
    );
    return rows.map((row) => {
      const document = parseDocument(row.doc);
      return project(scope.present?.(document) ?? document, plan.fields, scope.always ?? this.#spec.always);
    });
  }

  remove(id: string): void {
    const before = this.get(id);
    if (before === undefined) return;
    this.#db.run("DELETE FROM entity WHERE id = ? AND kind = ?", id, this.#spec.kind);
    this.#changed("delete", before);
  }

  children(parent: string): EntityDocument[] {
    return this.#db
      .all<{ doc: string }>("SELECT doc FROM entity WHERE parent = ? AND kind = ? ORDER BY id", parent, this.#spec.kind)
      .map((row) => parseDocument(row.doc));
  }

  all(profile: string): EntityDocument[] {
    return this.#db
      .all<{ doc: string }>(
        "SELECT doc FROM entity WHERE kind = ? AND profile = ? ORDER BY id",
        this.#spec.kind,
        profile,
      )
      .map((row) => parseDocument(row.doc));
  }

  count(profile: string): number {
    return (
      this.#db.get<{ n: number }>(
        "SELECT count(*) AS n FROM entity WHERE kind = ? AND profile = ?",
        this.#spec.kind,
        profile,
      )?.n ?? 0
    );
  }

  #keysText(document: Readonly<Record<string, unknown>>): string {
    return JSON.stringify(
      Object.fromEntries(Object.entries(this.#keys).map(([name, kind]) => [name, keyValue(kind, document[name])])),
    );
  }

  #writeTags(document: EntityDocument): void {
    this.#db.run("DELETE FROM entity_tag WHERE owner = ?", document.id);
    for (const [position, tag] of tagsOf(document).entries()) {
      this.#db.run(
        "INSERT INTO entity_tag (owner, position, key, key_folded, value_folded) VALUES (?, ?, ?, ?, ?)",
        document.id,
        position,
        tag.key,
        fold(tag.key),
        fold(tag.value),
      );
    }
  }

  #missing(): PlatformError {
    return new PlatformError(...(this.#spec.missing ?? [404, `${this.#spec.thing} Not Found`]));
  }

  #isVisible(owner: string, profile: string): boolean {
    return owner === profile || (this.#spec.catalogue === true && owner === PUBLIC_PROFILE);
  }

  #ownerTest(profile: string, query: QueryObject): readonly [string, SqlInput[]] {
    const filter = query["filter"];
    const names = typeof filter === "object" && !Array.isArray(filter) ? Object.keys(filter) : [];
    const hidesPublic = names.includes("public") || names.includes("profile");
    if (this.#spec.catalogue !== true || hidesPublic) return ["profile = ?", [profile]];
    return ["profile IN (?, ?)", [profile, PUBLIC_PROFILE]];
  }
}

/** Distinct tag keys of one kind of record, sorted. */
export function tagKeys(db: SandboxDatabase, kind: string, profile: string): string[] {
  return db
    .all<{ key: string }>(
      `SELECT DISTINCT t.key AS key FROM entity_tag t JOIN entity e ON e.id = t.owner
       WHERE e.kind = ? AND e.profile = ? ORDER BY t.key`,
      kind,
      profile,
    )
    .map((row) => row.key);
}
