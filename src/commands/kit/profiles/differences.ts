import type { CommandContext } from "../context.ts";
import { pairWidgets } from "../dashboards/plan.ts";
import { differences } from "../folders/differences.ts";
import { idOf, listOf } from "../folders/documents.ts";
import { replaceIds } from "../folders/replace-ids.ts";
import { expectTexts } from "../resource/reply.ts";
import { readFolder } from "./folder.ts";
import { resourceKey, withoutKey } from "./key.ts";
import type { Entry, ListedRow, ResourceKind } from "./kind.ts";
import { kinds } from "./kinds.ts";
import { counterparts } from "./match.ts";
import { listAll, readPlatform } from "./read-platform.ts";

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

/** What differs between an exported folder and the profile in use. */
export async function compareFolder(
  ctx: CommandContext,
  folder: string,
  chosen: readonly ResourceKind[],
): Promise<ResourceDifference[]> {
  const { profile, entries } = readFolder(folder, kinds);
  const client = await ctx.client();
  const { info } = await client.profiles.info("current");
  expectTexts([info], ["id"], "with the profile");
  const platform = await readPlatform(ctx, chosen);
  const present = grouped(platform);
  const isChosen = ({ kind }: Entry): boolean => chosen.some(({ name }) => name === kind);
  const files = entries.filter(isChosen);
  const others = referredTo(
    files,
    entries.filter((entry) => !isChosen(entry)),
  );
  for (const kind of kinds.filter(({ name }) => others.has(name))) present.set(kind.name, await listAll(client, kind));
  const ids = counterparts(entries, present);
  ids.set(profile.id, info.id);
  return findDifferences(files, platform, ids);
}

/** The kinds of what these files refer to, of all that is left out. */
function referredTo(files: readonly Entry[], leftOut: readonly Entry[]): ReadonlySet<string> {
  const text = JSON.stringify(files.map(({ document }) => document));
  return new Set(leftOut.filter(({ id }) => text.includes(id)).map(({ kind }) => kind));
}

/** What differs, kind by kind. `ids` leads from the files to what it is on the platform. */
function findDifferences(
  files: readonly Entry[],
  platform: readonly Entry[],
  ids: Map<string, string>,
): ResourceDifference[] {
  const there = new Map(platform.map((entry) => [entry.id, entry]));
  for (const entry of files) {
    const other = there.get(ids.get(entry.id) ?? "");
    if (entry.kind !== "dashboard" || other === undefined) continue;
    const pairs = pairWidgets(listOf(entry.document["widgets"]), listOf(other.document["widgets"]), ids);
    for (const [widget, pair] of pairs) ids.set(idOf(widget), idOf(pair));
  }
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

function grouped(entries: readonly Entry[]): Map<string, readonly ListedRow[]> {
  const found = new Map<string, readonly ListedRow[]>();
  for (const entry of entries) {
    const row = { id: entry.id, name: entry.name, key: resourceKey(entry.kind, entry.document) };
    found.set(entry.kind, [...(found.get(entry.kind) ?? []), row]);
  }
  return found;
}
