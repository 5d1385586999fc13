import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { safeRelativePath } from "../../../text/clean.ts";
import { slugOf } from "../../../text/slug.ts";
import type { DashboardContent, References } from "../../kit/dashboards/content.ts";
import { isObject, type JsonObject } from "../../kit/files/files.ts";
import { documentText, fileText, idOf } from "../../kit/folders/documents.ts";
import { entryAt, namesIn } from "../../kit/folders/read.ts";
import { type FolderPlan, planFiles } from "../../kit/folders/write.ts";
import { DASHBOARD_FILE, REFERENCES_FILE, WIDGET_FOLDER } from "./read-folder.ts";

/** What writing the folder of a dashboard would do. Paths are relative to the folder of all dashboards. */
export interface DashboardFolderPlan extends FolderPlan {
  /** Name of the dashboard's folder. */
  readonly folder: string;
}

/** Says what files a dashboard becomes below `out`, and which of those there would change. */
export function planDashboardFolder(
  out: string,
  content: DashboardContent,
  references: References,
  taken: Set<string>,
): DashboardFolderPlan {
  const folder = folderFor(out, content, taken);
  taken.add(folder);
  const widgets = join(folder, WIDGET_FOLDER);
  const files = new Map(content.widgets.map((widget) => [join(widgets, widgetFile(widget)), fileText(widget)]));
  files.set(join(folder, REFERENCES_FILE), fileText(references));
  // Last, so that a folder with this file has all the others.
  files.set(join(folder, DASHBOARD_FILE), fileText(content.dashboard));
  return { folder, ...planFiles(out, files, [widgets], (name) => name.endsWith(".json")) };
}

/** A folder that has this dashboard keeps its name; otherwise the label names it. */
function folderFor(out: string, { dashboard }: DashboardContent, taken: ReadonlySet<string>): string {
  const id = idOf(dashboard);
  const folders = entryAt(out) === undefined ? [] : namesIn(realpathSync(out));
  const present = folders.find((name) => entryAt(join(out, name))?.isDirectory() && idIn(join(out, name)) === id);
  if (present !== undefined) return present;
  const slug = safeRelativePath(slugOf(documentText(dashboard, "label"), "dashboard"));
  const isFree = !taken.has(slug) && entryAt(join(out, slug)) === undefined;
  return isFree ? slug : `${slug}-${slugOf(id, "unknown")}`;
}

function widgetFile(widget: JsonObject): string {
  return `${slugOf(documentText(widget, "label"), "widget")}-${slugOf(idOf(widget), "unknown")}.json`;
}

function idIn(folder: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, DASHBOARD_FILE), "utf8"));
    return isObject(value) ? idOf(value) : undefined;
  } catch {
    return undefined;
  }
}
