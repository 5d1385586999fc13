import type { ListDefaults } from "../../lib/api/route.ts";
import type { QueryObject } from "../core/query.ts";

/** A stored record: JSON values only. `id`, `profile`, `created_at` and `updated_at` (ISO 8601) are always present. */
export type EntityDocument = { readonly id: string; readonly profile: string } & { readonly [key: string]: unknown };

/** What a list route adds to the caller's query. */
export interface ListScope {
  /** Only these records. */
  readonly ids?: readonly string[];
  /** Defaults of this route instead of the collection's. */
  readonly defaults?: ListDefaults;
  /** Fields to return besides those requested. */
  readonly always?: readonly string[];
  /** Changes a record before its fields are picked. */
  readonly present?: (document: EntityDocument) => Readonly<Record<string, unknown>>;
}

export interface Collection {
  /** Name in errors: `Device` in `Device Not Found` and `Invalid Device ID`. */
  readonly thing: string;
  get(id: string): EntityDocument | undefined;
  /** The record of this profile; throws `Invalid {Thing} ID` (400) or `{Thing} Not Found` (404). */
  need(id: string, profile: string): EntityDocument;
  /** `id`, `created_at` and `updated_at` can be specified (seed); else they are generated. */
  insert(profile: string, document: Readonly<Record<string, unknown>>): EntityDocument;
  /** Replaces the fields sent, skips `undefined` ones, sets updated_at. */
  update(id: string, changes: Readonly<Record<string, unknown>>): EntityDocument;
  /** Sets fields such as last_input without changing updated_at. A hot path, one statement. */
  touch(id: string, changes: Readonly<Record<string, string | number | boolean | null>>): void;
  remove(id: string): void;
  /** Runs a list query (docs/internals/platform/queries.md, Lists). */
  list(profile: string, query: QueryObject, scope?: ListScope): Record<string, unknown>[];
  /** Records with this parent: the widgets of a dashboard. */
  children(parent: string): EntityDocument[];
  /** Every record of the profile, oldest first. */
  all(profile: string): EntityDocument[];
  count(profile: string): number;
}

/** The collections by kind of record. */
export interface Collections {
  /** @throws Error when no resource declares this kind of record */
  collection(kind: string): Collection;
}
