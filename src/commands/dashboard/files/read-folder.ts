import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { inputError } from "../../kit/failures/command-error.ts";
import { isObject, type JsonObject } from "../../kit/files/files.ts";
import { idOf, listOf } from "../../kit/folders/documents.ts";
import type { DashboardContent, NamedReference, References } from "./canonical.ts";

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

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_WIDGETS = 2_000;
const MAX_DEPTH = 100;

type Check = typeof import("../../../schema/dashboard-files.ts").dashboardFileProblems;

/**
 * Reads dashboards from folders: each is the folder of one dashboard, or holds such folders. Files are not trusted;
 * whatever is wrong with one ends with 3 and names the file and the place in it.
 */
export async function readFolders(ctx: CommandContext, folders: readonly string[]): Promise<readonly FolderContent[]> {
  const { dashboardFileProblems } = await import("../../../schema/dashboard-files.ts");
  const places = folders.flatMap((folder) => dashboardFolders(ctx.cwd, folder));
  const found = places.map((place) => readFolder(ctx.cwd, place, dashboardFileProblems));
  refuseTwice(
    found.map(({ folder, dashboard }) => ({ id: idOf(dashboard), place: join(folder, DASHBOARD_FILE) })),
    "dashboard",
  );
  return found;
}

function dashboardFolders(cwd: string, folder: string): readonly string[] {
  const path = resolve(cwd, folder);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) {
    throw inputError(`${quote(folder)} is ${stats === undefined ? "not there" : "not a folder"}.`, {
      code: "dashboard_files.no_folder",
      next: "Name a folder that iot dashboard export has written.",
    });
  }
  if (isThere(join(path, DASHBOARD_FILE))) return [folder];
  const inner = namesIn(path).filter((name) => isThere(join(path, name, DASHBOARD_FILE)));
  if (inner.length > 0) return inner.map((name) => join(folder, name));
  throw inputError(`${quote(folder)} holds no dashboard.`, {
    code: "dashboard_files.none",
    why: `There is no ${DASHBOARD_FILE} in it, nor in the folders below it.`,
    next: "Name a folder that iot dashboard export has written.",
  });
}

const namesIn = (path: string): string[] => readdirSync(path).sort();

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function readFolder(cwd: string, folder: string, check: Check): FolderContent {
  const dashboardPlace = join(folder, DASHBOARD_FILE);
  const dashboard = readFile(cwd, dashboardPlace, check, "dashboard");
  const files = widgetFiles(cwd, folder).map((place) => ({ place, widget: readFile(cwd, place, check, "widget") }));
  const named = files.map(({ place, widget }) => ({ place, id: idOf(widget) }));
  refuseTwice(named, "widget");
  const byId = new Map(files.map(({ widget }) => [idOf(widget), widget]));
  const places = listOf(dashboard["arrangement"]).map((each) => String(each["widget_id"]));
  const lost = places.findIndex((id) => !byId.has(id));
  if (lost >= 0) {
    throw broken(dashboardPlace, `arrangement[${lost}]: no file in ${WIDGET_FOLDER} has the id ${places[lost] ?? ""}`);
  }
  const arranged = [...new Set(places)].map((id) => byId.get(id)).filter((widget) => widget !== undefined);
  const others = files.map(({ widget }) => widget).filter((widget) => !arranged.includes(widget));
  return { folder, dashboard, widgets: [...arranged, ...others], references: readReferences(cwd, folder, check) };
}

function widgetFiles(cwd: string, folder: string): readonly string[] {
  const path = resolve(cwd, folder, WIDGET_FOLDER);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) throw broken(join(folder, WIDGET_FOLDER), "it is not a folder");
  const names = namesIn(path).filter((name) => name.endsWith(".json"));
  if (names.length > MAX_WIDGETS) throw broken(join(folder, WIDGET_FOLDER), `it has more than ${MAX_WIDGETS} files`);
  return names.map((name) => join(folder, WIDGET_FOLDER, name));
}

function readReferences(cwd: string, folder: string, check: Check): References {
  const place = join(folder, REFERENCES_FILE);
  if (!isThere(resolve(cwd, place))) return { devices: [], analyses: [] };
  const document = readFile(cwd, place, check, "references");
  return { devices: namedIn(document["devices"]), analyses: namedIn(document["analyses"]) };
}

const namedIn = (value: unknown): NamedReference[] =>
  listOf(value).map(({ id, name }) => ({ id: String(id), name: String(name) }));

/** Reads and checks one file; `kind` says what it must be. */
export function readFile(cwd: string, place: string, check: Check, kind: Parameters<Check>[0]): JsonObject {
  const path = resolve(cwd, place);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // A link could lead to any file of this machine, and a pipe would never end.
  if (stats?.isFile() !== true) throw broken(place, stats === undefined ? "it is not there" : "it is not a plain file");
  if (stats.size > MAX_FILE_BYTES) throw broken(place, `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
  const document = parsed(place, readFileSync(path, "utf8"));
  if (!isObject(document)) throw broken(place, "it does not hold a JSON object");
  // The platform's own JSON has null for what was never set.
  const value = Object.fromEntries(Object.entries(document).filter(([, member]) => member !== null));
  if (!isShallow(value, MAX_DEPTH)) throw broken(place, `it is nested more than ${MAX_DEPTH} deep`);
  const problems = check(kind, value);
  if (problems.length > 0) throw broken(place, problems.join("; "));
  return value;
}

function parsed(place: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as unknown;
  } catch (error) {
    throw broken(place, `it is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}

function refuseTwice(named: readonly { readonly id: string; readonly place: string }[], noun: string): void {
  const seen = new Map<string, string>();
  for (const { id, place } of named) {
    const other = seen.get(id);
    if (id !== "" && other !== undefined) throw broken(place, `${other} is the ${noun} with the id ${id} already`);
    seen.set(id, place);
  }
}

function broken(place: string, why: string): Error {
  return inputError(`The file ${quote(place)} cannot be used.`, {
    code: "dashboard_files.invalid",
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    next: "Correct the file, or export the dashboard again.",
  });
}
