import type { Resources } from "../../../index.ts";
import { resourceKey } from "./key.ts";
import type { Entry, ListedRow, ResourceKind } from "./kind.ts";
import { listAll } from "./read-platform.ts";

/** What a profile has of each kind. */
export type Present = ReadonlyMap<string, readonly ListedRow[]>;

/** Lists what there is of these kinds. */
export async function presentOf(client: Resources, wanted: readonly ResourceKind[]): Promise<Present> {
  const found = new Map<string, readonly ListedRow[]>();
  for (const kind of wanted) found.set(kind.name, await listAll(client, kind));
  return found;
}

/**
 * Which resource of the profile each entry stands for: the one with its key, else the one with its id, else one of its
 * kind with its name. Several of one name are taken in the order they were made in. Entries without a counterpart are
 * not in the map.
 *
 * @param hasName whether the name of an entry counts
 */
export function counterparts(
  entries: readonly Entry[],
  present: Present,
  hasName: (entry: Entry) => boolean = () => true,
): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (isSame: (entry: Entry) => (row: ListedRow) => boolean): void => {
    for (const entry of entries) {
      if (ids.has(entry.id)) continue;
      const fits = isSame(entry);
      const row = present.get(entry.kind)?.find((each) => !taken.has(each.id) && fits(each));
      if (row === undefined) continue;
      ids.set(entry.id, row.id);
      taken.add(row.id);
    }
  };
  const keys = resourceKeys(entries);
  pair((entry) => {
    const key = keys.get(entry);
    return (row) => key === (row.key ?? row.id);
  });
  pair((entry) => (row) => row.id === entry.id);
  pair((entry) => {
    // Every profile has exactly one portal, whatever it is called.
    const isSingle = entry.kind === "portal";
    return (row) => hasName(entry) && (isSingle || row.name === entry.name);
  });
  return ids;
}

/** The key of each entry. A copy that was made of a resource has its tags too, and keeps its own id as its key. */
export function resourceKeys(entries: readonly Entry[]): ReadonlyMap<Entry, string> {
  const taken = new Set<string>();
  return new Map(
    entries.map((entry) => {
      const wanted = resourceKey(entry.kind, entry.document);
      const key = taken.has(`${entry.kind} ${wanted}`) ? entry.id : wanted;
      taken.add(`${entry.kind} ${key}`);
      return [entry, key];
    }),
  );
}
