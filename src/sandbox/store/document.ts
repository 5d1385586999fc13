import type { ListDefaults } from "../../lib/api/route.ts";
import type { QueryObject } from "../core/query.ts";

/** A stored record: JSON values only. `id`, `profile`, `created_at` and `updated_at` (ISO texts) are always there. */
export type EntityDocument = { readonly id: string; readonly profile: string } & { readonly [key: string]: unknown };

/** What a list route adds to the query of its caller. */
export interface ListScope {
  /** Only these records. */
  readonly ids?: readonly string[];
  /** Defaults of this route instead of the collection's. */
  readonly defaults?: ListDefaults;
  /** Members to return besides the fields asked for. */
  readonly always?: readonly string[];
  /** Changes a record before its fields are picked. */
  readonly present?: (document: EntityDocument) => Readonly<Record<string, unknown>>;
}

export interface Collection {
  /** Name in errors: `Device` gives `Device Not Found` and `Invalid Device ID`. */
  readonly thing: string;
  get(id: string): EntityDocument | undefined;
  /** The record of this profile; throws `Invalid {Thing} ID` (400) or `{Thing} Not Found` (404). */
  need(id: string, profile: string): EntityDocument;
  /** `id`, `created_at` and `updated_at` may be given (seed); else they are made. */
  insert(profile: string, document: Readonly<Record<string, unknown>>): EntityDocument;
  /** Members sent replace, `undefined` ones are skipped, updated_at moves. */
  update(id: string, changes: Readonly<Record<string, unknown>>): EntityDocument;
  /** Sets members without moving updated_at: last_input and the like. A hot path, one statement. */
  touch(id: string, changes: Readonly<Record<string, string | number | boolean | null>>): void;
  remove(id: string): void;
  /** Answers a list query (docs/internals/platform/queries.md, Lists). */
  list(profile: string, query: QueryObject, scope?: ListScope): Record<string, unknown>[];
  /** Records that belong to another one: the widgets of a dashboard. */
  children(parent: string): EntityDocument[];
  /** Every record of the profile, oldest first. */
  all(profile: string): EntityDocument[];
  count(profile: string): number;
}

/** Where the records of each kind are. */
export interface Collections {
  /** @throws Error when no resource declares this kind of record */
  collection(kind: string): Collection;
}
