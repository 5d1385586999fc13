import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { DashboardContent, NamedReference, References } from "../../kit/dashboards/content.ts";
import { inputError } from "../../kit/failures/command-error.ts";
import type { JsonObject } from "../../kit/files/files.ts";
import { idOf, listOf } from "../../kit/folders/documents.ts";
import { entryAt, namesIn, readDocument, refusing } from "../../kit/folders/read.ts";

/** A dashboard that was read from its folder. */
export interface FolderContent extends DashboardContent {
  /** The folder, as the user named it. */
  readonly folder: string;
  /** Names of what the widgets use. Empty where the folder has no such file. */
  readonly references: References;
}

export const DASHBOARD_FILE = "dashboard.json";
export const REFERENCES_FILE = "references.json";
export const WIDGET_FOLDER = "widgets";

const MAX_WIDGETS = 2_000;

const refuse = refusing("dashboard", "dashboard_files.invalid");

type Paths = Pick<CommandContext, "path">;
type Check = typeof import("../../../schema/dashboard-files.ts").dashboardFileProblems;

/**
 * Reads dashboards from folders: each is the folder of one dashboard, or holds such folders. Files are not trusted; any
 * error in one exits with 3 and names the file and the path in it.
 */
export async function readFolders(ctx: CommandContext, folders: readonly string[]): Promise<readonly FolderContent[]> {
  const { dashboardFileProblems } = await import("../../../schema/dashboard-files.ts");
  const places = folders.flatMap((folder) => dashboardFolders(ctx, folder));
  const found = places.map((place) => readFolder(ctx, place, dashboardFileProblems));
  refuseTwice(
    found.map(({ folder, dashboard }) => ({ id: idOf(dashboard), place: join(folder, DASHBOARD_FILE) })),
    "dashboard",
  );
  return found;
}

function dashboardFolders(ctx: Paths, folder: string): readonly string[] {
  const path = ctx.path(folder);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) {
    throw inputError(`${quote(folder)} ${stats === undefined ? "does not exist" : "is not a folder"}.`, {
      code: "dashboard_files.no_folder",
      next: "Give a folder written by iot dashboard export.",
    });
  }
  if (isThere(join(path, DASHBOARD_FILE))) return [folder];
  const inner = namesIn(realpathSync(path)).filter((name) => holdsDashboard(join(path, name)));
  if (inner.length > 0) return inner.map((name) => join(folder, name));
  throw inputError(`No dashboard found in ${quote(folder)}.`, {
    code: "dashboard_files.none",
    why: `There is no ${DASHBOARD_FILE} in it or in its subfolders.`,
    next: "Give a folder written by iot dashboard export.",
  });
}

const holdsDashboard = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true && isThere(join(path, DASHBOARD_FILE));

const isThere = (path: string): boolean => entryAt(path) !== undefined;

function readFolder(ctx: Paths, folder: string, check: Check): FolderContent {
  const dashboardPlace = join(folder, DASHBOARD_FILE);
  const dashboard = readFile(ctx, dashboardPlace, check, "dashboard");
  const files = widgetFiles(ctx, folder).map((place) => ({ place, widget: readFile(ctx, place, check, "widget") }));
  const named = files.map(({ place, widget }) => ({ place, id: idOf(widget) }));
  refuseTwice(named, "widget");
  const byId = new Map(files.map(({ widget }) => [idOf(widget), widget]));
  const places = listOf(dashboard["arrangement"]).map((each) => String(each["widget_id"]));
  const lost = places.findIndex((id) => !byId.has(id));
  if (lost >= 0) {
    throw refuse(dashboardPlace, `arrangement[${lost}]: no file in ${WIDGET_FOLDER} has the id ${places[lost] ?? ""}`);
  }
  const arranged = [...new Set(places)].map((id) => byId.get(id)).filter((widget) => widget !== undefined);
  const others = files.map(({ widget }) => widget).filter((widget) => !arranged.includes(widget));
  return { folder, dashboard, widgets: [...arranged, ...others], references: readReferences(ctx, folder, check) };
}

function widgetFiles(ctx: Paths, folder: string): readonly string[] {
  const path = ctx.path(join(folder, WIDGET_FOLDER));
  if (entryAt(path)?.isDirectory() === false) throw refuse(join(folder, WIDGET_FOLDER), "it is not a folder");
  const names = namesIn(path).filter((name) => name.endsWith(".json"));
  if (names.length > MAX_WIDGETS) throw refuse(join(folder, WIDGET_FOLDER), `it has more than ${MAX_WIDGETS} files`);
  return names.map((name) => join(folder, WIDGET_FOLDER, name));
}

function readReferences(ctx: Paths, folder: string, check: Check): References {
  const place = join(folder, REFERENCES_FILE);
  if (!isThere(ctx.path(place))) return { devices: [], analyses: [] };
  const document = readFile(ctx, place, check, "references");
  return { devices: namedIn(document["devices"]), analyses: namedIn(document["analyses"]) };
}

const namedIn = (value: unknown): NamedReference[] =>
  listOf(value).map(({ id, name }) => ({ id: String(id), name: String(name) }));

/** Reads and checks one file; `kind` says what it must be. */
export function readFile(ctx: Paths, place: string, check: Check, kind: Parameters<Check>[0]): JsonObject {
  const document = readDocument(ctx.path(place), place, refuse);
  // The platform's own JSON has null for what was never set.
  const value = Object.fromEntries(Object.entries(document).filter(([, member]) => member !== null));
  const problems = check(kind, value);
  if (problems.length > 0) throw refuse(place, problems.join("; "));
  return value;
}

function refuseTwice(named: readonly { readonly id: string; readonly place: string }[], noun: string): void {
  const seen = new Map<string, string>();
  for (const { id, place } of named) {
    const other = seen.get(id);
    if (id !== "" && other !== undefined) throw refuse(place, `${other} already is the ${noun} with the id ${id}`);
    seen.set(id, place);
  }
}
