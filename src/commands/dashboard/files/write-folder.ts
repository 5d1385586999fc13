import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { safeRelativePath } from "../../../text/clean.ts";
import { slugOf } from "../../../text/slug.ts";
import { quote } from "../../kit/command/values.ts";
import { conflictError } from "../../kit/failures/command-error.ts";
import { isObject, writeWhole } from "../../kit/files/files.ts";
import { fileText, idOf, textOf } from "../../kit/folders/documents.ts";
import type { DashboardContent, References } from "./canonical.ts";
import { DASHBOARD_FILE, REFERENCES_FILE, WIDGET_FOLDER } from "./read-folder.ts";

/** What writing the folder of a dashboard would do. Paths are relative to the folder of all dashboards. */
export interface FolderPlan {
  /** Name of the dashboard's folder. */
  readonly folder: string;
  /** Files that are new or differ, with their text. */
  readonly written: ReadonlyMap<string, string>;
  /** Those of them that exist and would be replaced. */
  readonly replaced: readonly string[];
  /** Files of widgets the dashboard does not have. */
  readonly removed: readonly string[];
}

const SHARED = { file: 0o644, folder: 0o755 } as const;

/** Says what files a dashboard becomes below `out`, and which of those there would change. */
export function planFolder(
  out: string,
  content: DashboardContent,
  references: References,
  taken: Set<string>,
): FolderPlan {
  const folder = folderFor(out, content, taken);
  taken.add(folder);
  requireFolder(join(out, folder));
  requireFolder(join(out, folder, WIDGET_FOLDER));
  const files = new Map<string, string>();
  for (const widget of content.widgets) files.set(join(folder, WIDGET_FOLDER, widgetFile(widget)), fileText(widget));
  files.set(join(folder, REFERENCES_FILE), fileText(references));
  // Last, so that a folder with this file has all the others.
  files.set(join(folder, DASHBOARD_FILE), fileText(content.dashboard));
  const written = new Map([...files].filter(([path, text]) => presentText(join(out, path)) !== text));
  const replaced = [...written.keys()].filter((path) => existsSync(join(out, path)));
  const removed = widgetNames(join(out, folder))
    .map((name) => join(folder, WIDGET_FOLDER, name))
    .filter((path) => !files.has(path));
  return { folder, written, replaced, removed };
}

/** Carries out a plan. Every file is replaced as a whole. */
export function writeFolder(out: string, { written, removed }: FolderPlan): void {
  for (const [path, text] of written) writeWhole(resolve(out, path), text, SHARED);
  for (const path of removed) rmSync(resolve(out, path), { force: true });
}

/** A folder that has this dashboard keeps its name; otherwise the label names it. */
function folderFor(out: string, { dashboard }: DashboardContent, taken: ReadonlySet<string>): string {
  const id = idOf(dashboard);
  const present = foldersIn(out).find((name) => idIn(join(out, name)) === id);
  if (present !== undefined) return present;
  const slug = safeRelativePath(slugOf(textOf(dashboard, "label"), "dashboard"));
  const isFree = !taken.has(slug) && lstatSync(join(out, slug), { throwIfNoEntry: false }) === undefined;
  return isFree ? slug : `${slug}-${slugOf(id, "unknown")}`;
}

function widgetFile(widget: DashboardContent["widgets"][number]): string {
  return `${slugOf(textOf(widget, "label"), "widget")}-${slugOf(idOf(widget), "unknown")}.json`;
}

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function widgetNames(folder: string): string[] {
  const path = join(folder, WIDGET_FOLDER);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .sort();
}

function idIn(folder: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, DASHBOARD_FILE), "utf8"));
    return isObject(value) ? idOf(value) : undefined;
  } catch {
    return undefined;
  }
}

function presentText(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isFile()) return readFileSync(path, "utf8");
  throw inTheWay(path, "It is not a plain file.");
}

// A link would lead the files out of the folder that was named.
function requireFolder(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) throw inTheWay(path, "It is not a folder.");
}

function inTheWay(path: string, why: string): Error {
  return conflictError(`${quote(path)} is in the way.`, {
    code: "file.in_the_way",
    why,
    next: "Move it away, or name another folder with --out.",
  });
}
