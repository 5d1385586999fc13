import { InputError } from "../core/errors.ts";

/**
 * An id that goes into a query or a body, where a missing one would silently change what is asked for.
 *
 * @throws InputError unless it is a text that is not empty
 */
export function needId(id: string, name: string): string {
  if (typeof id === "string" && id !== "") return id;
  throw new InputError(`Invalid ${name}: it must be a text that is not empty`, name);
}

/**
 * The ids of what is to be deleted, as a list. On the way, an empty list and empty ids would vanish, and other things
 * would be deleted.
 *
 * @throws InputError for an empty list and for items that are no ids
 */
export function idsToDelete(ids: string | readonly string[], name = "ids"): readonly string[] {
  const list: readonly unknown[] = Array.isArray(ids) ? ids : ids === undefined || ids === null ? [] : [ids];
  if (list.length === 0) throw new InputError("Nothing to delete: the list of ids is empty", name);
  if (list.every((id): id is string => typeof id === "string" && id !== "")) return list;
  throw new InputError(`Invalid ${name}: each must be a text that is not empty`, name);
}
