import { InputError } from "../core/errors.ts";

/** @throws InputError unless the argument is an object */
export function assertObject(value: unknown, name: string): void {
  if (typeof value !== "object" || value === null) throw new InputError(`Invalid ${name}: it must be an object`, name);
}

/**
 * Checks an id that goes into a query or a body, where a missing one would silently change what is asked for.
 *
 * @throws InputError unless it is a non-empty string
 */
export function assertId(id: string, name: string): string {
  if (typeof id === "string" && id !== "") return id;
  throw new InputError(`Invalid ${name}: must be a non-empty string`, name);
}

/**
 * The ids to delete, as a list. An empty list and empty ids would vanish from the request, and other things would be
 * deleted.
 *
 * @throws InputError for an empty list and for items that are no ids
 */
export function idsToDelete(ids: string | readonly string[], name = "ids"): readonly string[] {
  const list: readonly unknown[] = Array.isArray(ids) ? ids : ids === undefined || ids === null ? [] : [ids];
  if (list.length === 0) throw new InputError("Nothing to delete: the list of ids is empty", name);
  if (list.every((id): id is string => typeof id === "string" && id !== "")) return list;
  throw new InputError(`Invalid ${name}: each must be a non-empty string`, name);
}
