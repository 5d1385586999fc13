import { atPath } from "../output/values.ts";
import { matches } from "./filter.ts";
import type { ListRequest } from "./paging.ts";

function hasTags(row: object, wanted: readonly { readonly key: string; readonly value?: string }[]): boolean {
  const tags: unknown = atPath(row, "tags");
  const known = Array.isArray(tags) ? tags : [];
  return wanted.every(({ key, value }) =>
    known.some(
      (tag: unknown) => atPath(tag, "key") === key && (value === undefined || matches(atPath(tag, "value"), value)),
    ),
  );
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const text = (value: unknown): string =>
    value instanceof Date ? value.toISOString() : value === undefined || value === null ? "" : String(value);
  return text(a).localeCompare(text(b), "en", { sensitivity: "base", numeric: false });
}

/** The page of rows that a list query asks for, of a resource whose route answers all rows and takes no query. */
export function localPage<Row extends object>(
  all: readonly Row[],
  { page, amount, filter, orderBy }: Omit<ListRequest, "fields">,
): Row[] {
  const { tags, ...members } = filter;
  const kept = all.filter(
    (row) =>
      Object.entries(members).every(([path, wanted]) => matches(atPath(row, path), wanted)) &&
      (!Array.isArray(tags) || hasTags(row, tags as readonly { key: string; value?: string }[])),
  );
  if (orderBy !== undefined) {
    const [path, direction] = orderBy;
    const sign = direction === "desc" ? -1 : 1;
    kept.sort((a, b) => sign * compare(atPath(a, path), atPath(b, path)));
  }
  return kept.slice((page - 1) * amount, page * amount);
}
