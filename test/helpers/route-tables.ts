import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Route } from "../../src/lib/api/route.ts";

export type RouteTable = Readonly<Record<string, Route>>;

const folder = join(import.meta.dirname, "..", "..", "src", "lib");

/** Tables that describe another host than the platform's API. */
const elsewhere = new Set<string>();

/** Every route table of the library by its name without `Routes`, whatever file it stands in. */
export async function routeTables(): Promise<readonly (readonly [name: string, table: RouteTable])[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".d.ts"),
  );
  const modules = await Promise.all(
    files.sort().map(async (name) => (await import(pathToFileURL(join(folder, name)).href)) as object),
  );
  return modules
    .flatMap((module) => Object.entries(module) as [string, RouteTable][])
    .filter(([name]) => name.endsWith("Routes") && !elsewhere.has(name))
    .map(([name, table]) => [name.replace(/Routes$/, ""), table] as const);
}
