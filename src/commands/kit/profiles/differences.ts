import { pairWidgets } from "../dashboards/plan.ts";
import { differences } from "../folders/differences.ts";
import { idOf, listOf } from "../folders/documents.ts";
import { replaceIds } from "../folders/replace-ids.ts";
import { resourceKey, withoutKey } from "./key.ts";
import type { Entry, ListedRow } from "./kind.ts";
import { counterparts, type Present } from "./match.ts";

export interface ResourceDifference {
  readonly kind: string;
  readonly name: string;
  /** Id in the profile; of the files where the profile lacks it. */
  readonly id: string;
  readonly change: "added" | "removed" | "changed";
  readonly path: string | null;
  /** In the exported folder; null for what is only on the platform. */
  readonly file: string | null;
  /** On the platform. */
  readonly old: unknown;
  /** In the files. */
  readonly new: unknown;
}

/** What differs between files and a profile, kind by kind. */
export function findDifferences(
  files: readonly Entry[],
  platform: readonly Entry[],
  sourceProfile: string,
): ResourceDifference[] {
  const present: Present = grouped(platform);
  const ids = counterparts(files, present);
  const there = new Map(platform.map((entry) => [entry.id, entry]));
  for (const entry of files) {
    const other = there.get(ids.get(entry.id) ?? "");
    if (entry.kind !== "dashboard" || other === undefined) continue;
    const pairs = pairWidgets(listOf(entry.document["widgets"]), listOf(other.document["widgets"]), ids);
    for (const [widget, pair] of pairs) ids.set(idOf(widget), idOf(pair));
  }
  const portal = platform.find(({ kind }) => kind === "portal");
  if (portal !== undefined && sourceProfile !== "") ids.set(sourceProfile, portal.id);
  const met = new Set(ids.values());
  const inFiles = files.flatMap((entry): ResourceDifference[] => {
    const { kind, name, file = null } = entry;
    const other = there.get(ids.get(entry.id) ?? "");
    if (other === undefined) {
      return [{ kind, name, id: entry.id, change: "added", path: null, file, old: null, new: null }];
    }
    const found = differences(withoutKey(other.document), replaceIds(withoutKey(entry.document), ids));
    return found.map(({ path, old, new: now }) => ({
      kind,
      name,
      id: other.id,
      change: "changed",
      path,
      file,
      old: old ?? null,
      new: now ?? null,
    }));
  });
  const onlyThere = platform
    .filter(({ id }) => !met.has(id))
    .map(({ kind, name, id }): ResourceDifference => {
      return { kind, name, id, change: "removed", path: null, file: null, old: null, new: null };
    });
  return [...inFiles, ...onlyThere];
}

function grouped(entries: readonly Entry[]): Present {
  const found = new Map<string, ListedRow[]>();
  for (const entry of entries) {
    const row = { id: entry.id, name: entry.name, key: resourceKey(entry.kind, entry.document) };
    found.set(entry.kind, [...(found.get(entry.kind) ?? []), row]);
  }
  return found;
}
