import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandContext } from "../kit/context.ts";
import { isObject } from "../kit/files/files.ts";
import { naming } from "../kit/folders/differences.ts";
import { compareFolder, type ResourceDifference } from "../kit/profiles/differences.ts";
import { readFolder } from "../kit/profiles/folder.ts";
import type { ResourceKind } from "../kit/profiles/kind.ts";
import { lineOfPath, partsOf } from "../kit/widgets/lines.ts";
import { type Finding, finding, readable } from "./finding.ts";

/** A folder that `iot profile export` wrote, and the kinds that count. */
export interface ProfileFolder {
  readonly folder: string;
  readonly kinds: readonly ResourceKind[];
}

/** What differs between a folder and the profile. Offline: whether its files can be read. */
export function checkProfile(
  ctx: CommandContext,
  { folder, kinds }: ProfileFolder,
  isOffline: boolean,
): Promise<readonly Finding[]> {
  const root = ctx.path(folder);
  return readable(ctx, "profile", join(folder, "profile.json"), async () => {
    if (isOffline) readFolder(root, kinds);
    const rows = isOffline ? [] : await compareFolder(ctx, root, kinds);
    return rows.map((row) => {
      const file = row.file === null ? {} : { file: join(folder, row.file), line: lineOf(root, row) };
      const next = `Compare both: "iot profile diff ${folder} --include ${row.kind}".`;
      return finding("profile", row.change, messageOf(row), { file: join(folder, "profile.json"), ...file, next });
    });
  });
}

/** Without the values: they may be long, and annotations are read by more people than the platform. */
function messageOf({ kind, name, change, path }: ResourceDifference): string {
  const title = `The ${kind} "${name}"`;
  if (change === "added") return `${title} is not on the platform.`;
  if (change === "removed") return `${title} is only on the platform.`;
  return path === null || path === "" ? `${title} differs from the platform.` : `${title} differs in ${path}.`;
}

function lineOf(root: string, { file, path }: ResourceDifference): number {
  if (file === null || path === null) return 1;
  const text = readFileSync(join(root, file), "utf8");
  const document: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  return lineOfPath(text, numbered(document, partsOf(path)));
}

/** A path with the indexes of entries instead of their names. */
function numbered(value: unknown, [name, ...rest]: readonly string[]): readonly string[] {
  if (name === undefined) return [];
  if (!Array.isArray(value)) return [name, ...numbered(isObject(value) ? value[name] : undefined, rest)];
  const named = value.findIndex((entry) => isObject(entry) && naming.some((key) => entry[key] === name));
  const at = named < 0 ? name : String(named);
  return [at, ...numbered(value[Number(at)], rest)];
}
