import type { Resources } from "../../../index.ts";
import type { Entry, Kind, ListedRow } from "./kinds.ts";
import { listAll } from "./read-platform.ts";

/** What a profile has of each kind. */
export type Present = ReadonlyMap<string, readonly ListedRow[]>;

/** Lists what there is of these kinds. */
export async function presentOf(client: Resources, wanted: readonly Kind[]): Promise<Present> {
  const found = new Map<string, readonly ListedRow[]>();
  for (const kind of wanted) found.set(kind.name, await listAll(client, kind));
  return found;
}

/**
 * Which resource of the profile each entry stands for: the one with its id, else one of its kind with its name. Several
 * of one name are taken in the order they were made in. Entries without a counterpart are not in the map.
 */
export function counterparts(entries: readonly Entry[], present: Present): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id, kind } of entries) {
    const isThere = present.get(kind)?.some((row) => row.id === id) === true;
    if (!isThere) continue;
    ids.set(id, id);
    taken.add(id);
  }
  for (const { id, kind, name } of entries) {
    if (ids.has(id)) continue;
    // Every profile has exactly one portal, whatever it is called.
    const isSingle = kind === "portal";
    const row = present.get(kind)?.find((each) => !taken.has(each.id) && (isSingle || each.name === name));
    if (row === undefined) continue;
    ids.set(id, row.id);
    taken.add(row.id);
  }
  return ids;
}
