import { isRecord } from "../../lib/core/json.ts";
import { type Demand, type PolicyRequest, portal } from "../access/demands.ts";
import type { Subject } from "../access/rules.ts";
import { textOf } from "../core/query.ts";
import { cleanPath, deletionPath } from "./paths.ts";

type Subjects = Demand["subjects"];

/** A path in the form that rules match: it stays inside the folder. */
const ruledPath = (value: unknown): string => (typeof value === "string" ? cleanPath(value) : "");

const rowsOf = ({ body }: PolicyRequest): readonly unknown[] => (Array.isArray(body) ? body : [body]);

/** The path in a field of a row; rows of some routes are the path itself. */
const pathIn = (row: unknown, member: string): string => ruledPath(isRecord(row) ? row[member] : row);

const atPaths = (paths: readonly string[]): readonly Subject[] =>
  paths.length === 0 ? [{ path: "" }] : paths.map((path) => ({ path }));

/** The paths in a property of the body. */
const pathsIn =
  (member: string): Subjects =>
  (request) =>
    atPaths(rowsOf(request).map((row) => pathIn(row, member)));

/** The same with every file under them, for routes that accept whole folders. */
const treesIn =
  (member: string): Subjects =>
  (request, { filesUnder }) => {
    const paths = rowsOf(request).map((row) => pathIn(row, member));
    return atPaths(paths.flatMap((path) => [path, ...filesUnder(path)]));
  };

/** What a deletion removes: its paths are normalized as the deletion does it. */
const deletedTrees: Subjects = ({ body, ...request }, lookup) => {
  const paths = rowsOf({ body, ...request }).map((row) => (typeof row === "string" ? deletionPath(row) : row));
  return treesIn("file")({ ...request, body: paths }, lookup);
};

/** The new paths of moved and copied files, each separately for a folder. */
const destinations: Subjects = (request, { filesUnder }) =>
  atPaths(
    rowsOf(request).flatMap((row) => {
      const from = pathIn(row, "from");
      const to = pathIn(row, "to");
      const parts = [from.slice(from.lastIndexOf("/") + 1), ...filesUnder(from).map((path) => path.slice(from.length))];
      return [to, ...parts.map((part) => ruledPath(`${to}/${part}`))];
    }),
  );

const sourcesAndDestinations: Subjects = (request, lookup) => [
  ...treesIn("from")(request, lookup),
  ...destinations(request, lookup),
];

const inQuery =
  (name: string): Subjects =>
  ({ query }) => [{ path: ruledPath(textOf(query[name])) }];

const demand = (subjects: Subjects, ...actions: readonly string[]): Demand => ({ resource: "file", actions, subjects });

/** Access demands of the file routes: each path in a call must be under a path that the rules allow. */
export const fileRules = {
  list: portal(demand(inQuery("path"), "access")),
  upload: demand(pathsIn("filename"), "upload"),
  move: demand(sourcesAndDestinations, "edit"),
  copy: { ...demand(destinations, "upload"), also: demand(treesIn("from"), "access") },
  delete: demand(deletedTrees, "delete"),
  readPermission: demand(inQuery("file"), "access"),
  editPermission: demand(treesIn("file"), "edit"),
} as const satisfies Readonly<Record<string, Demand>>;
