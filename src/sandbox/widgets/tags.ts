import { isRecord } from "../../lib/core/json.ts";
import type { EntityDocument } from "../store/document.ts";
import { matchesWildcard } from "../store/list-records.ts";

/** The list in a field of a record, empty when there is none. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The id of a device in a widget: a string, or an object that contains it. */
export function idOf(origin: unknown): string {
  const id = isRecord(origin) ? origin["id"] : origin;
  return typeof id === "string" ? id : "";
}

export function tagOf(document: EntityDocument, key: string): unknown {
  return recordsOf(document["tags"]).find((tag) => tag["key"] === key)?.["value"];
}

/** True when every wanted `{key, value}` matches one tag of the record; `*` matches anything. */
export function carries(document: EntityDocument, wanted: readonly Record<string, unknown>[]): boolean {
  const tags = recordsOf(document["tags"]);
  return wanted.every(({ key, value }) =>
    tags.some(
      (tag) =>
        (key === undefined || matchesWildcard(String(tag["key"]), String(key))) &&
        (value === undefined || matchesWildcard(String(tag["value"]), String(value))),
    ),
  );
}
