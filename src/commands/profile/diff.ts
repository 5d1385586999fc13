import { resolve } from "node:path";
import { countOf } from "../../text/count.ts";
import { pairWidgets } from "../dashboard/files/plan.ts";
import { argument } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { differences } from "../kit/folders/differences.ts";
import { idOf, listOf } from "../kit/folders/documents.ts";
import { replaceIds } from "../kit/folders/replace-ids.ts";
import { readFolder } from "./content/folder.ts";
import { keyOf, withoutKey } from "./content/key.ts";
import type { Entry, ListedRow } from "./content/kind.ts";
import { counterparts, type Present } from "./content/match.ts";
import { readPlatform } from "./content/read-platform.ts";
import { chosenKinds, kindOptions } from "./content/select.ts";

interface DiffRow {
  readonly kind: string;
  readonly name: string;
  /** Id in the profile; of the files where the profile lacks it. */
  readonly id: string;
  readonly change: "added" | "removed" | "changed";
  readonly path: string | null;
  /** On the platform. */
  readonly old: unknown;
  /** In the files. */
  readonly new: unknown;
}

const columns: readonly Column<DiffRow>[] = [
  { key: "kind" },
  { key: "name", rank: 1 },
  { key: "change", rank: 1 },
  { key: "path" },
  { key: "old", header: "platform", kind: "json" },
  { key: "new", header: "files", kind: "json" },
  { key: "id", kind: "id", hidden: true },
];

/** What differs between files and a profile, kind by kind. */
function compare(files: readonly Entry[], platform: readonly Entry[], sourceProfile: string): DiffRow[] {
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
  const inFiles = files.flatMap((entry): DiffRow[] => {
    const { kind, name } = entry;
    const other = there.get(ids.get(entry.id) ?? "");
    if (other === undefined) {
      return [{ kind, name, id: entry.id, change: "added", path: null, old: null, new: null }];
    }
    const found = differences(withoutKey(other.document), replaceIds(withoutKey(entry.document), ids));
    return found.map(({ path, old, new: now }) => ({
      kind,
      name,
      id: other.id,
      change: "changed",
      path,
      old: old ?? null,
      new: now ?? null,
    }));
  });
  const onlyThere = platform
    .filter(({ id }) => !met.has(id))
    .map(({ kind, name, id }): DiffRow => ({ kind, name, id, change: "removed", path: null, old: null, new: null }));
  return [...inFiles, ...onlyThere];
}

function grouped(entries: readonly Entry[]): Present {
  const found = new Map<string, ListedRow[]>();
  for (const entry of entries) {
    const row = { id: entry.id, name: entry.name, key: keyOf(entry.kind, entry.document) };
    found.set(entry.kind, [...(found.get(entry.kind) ?? []), row]);
  }
  return found;
}

const diffProfile = defineCommand({
  path: ["diff"],
  result: rows(columns),
  effect: "reads",
  summary: "Compare a profile with an exported folder",
  details:
    "Exits with 11 if there are differences, else with 0. added: only in the files; an import would create it. " +
    "removed: only on the platform. changed: one row for each difference, with both values. Resources are matched by their stable key, " +
    "by id, else by name, so you can compare the files of one profile with another profile. Secrets and variable values are ignored.",
  args: [{ name: "folder", summary: "folder written by iot profile export", required: true }],
  options: kindOptions,
  examples: [
    "iot profile diff examples/profile --include dictionary",
    "iot profile export --out profile-shown --yes > /dev/null && iot profile diff profile-shown --json",
  ],
  exitCodes: [3, 11],
  related: ["iot profile export", "iot profile import", "iot dashboard diff"],
  async run(ctx, input) {
    const chosen = chosenKinds(input);
    const { profile, entries } = readFolder(resolve(ctx.cwd, argument(input, "folder") ?? ""), chosen);
    const found = compare(entries, await readPlatform(ctx, chosen), profile.id);
    await ctx.out.list(found, { columns, empty: "No differences." });
    const count = new Set(found.map(({ kind, id }) => `${kind} ${id}`)).size;
    if (count > 0) ctx.say.info(`${countOf(found.length, "difference")} in ${countOf(count, "resource")}.`);
    return count === 0 ? 0 : 11;
  },
});

export const commands: readonly Command[] = [diffProfile];
