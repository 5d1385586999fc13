import { dirname, join } from "node:path";
import { isObject, parseObject, readTextIfThere } from "../files/files.ts";

/** The `imports` of a `deno.json`. */
export interface ImportMap {
  /** Relative targets start here. */
  readonly folder: string;
  /** The URL or path a bare import maps to. */
  find(path: string): string | undefined;
}

function targetOf(imports: Readonly<Record<string, unknown>>, path: string): string | undefined {
  const prefixes = Object.keys(imports).filter((key) => key.endsWith("/") && path.startsWith(key));
  const key = Object.hasOwn(imports, path) ? path : prefixes.sort((a, b) => b.length - a.length)[0];
  const target = key === undefined ? undefined : imports[key];
  return key !== undefined && typeof target === "string" ? target + path.slice(key.length) : undefined;
}

/**
 * The import map of the nearest `deno.json`, in this folder or above.
 *
 * @throws CommandError `config.not_json`, `config.invalid`
 */
export function findImportMap(folder: string): ImportMap | undefined {
  const path = join(folder, "deno.json");
  const text = readTextIfThere(path);
  if (text === undefined) return dirname(folder) === folder ? undefined : findImportMap(dirname(folder));
  const { imports } = parseObject(text, path);
  return isObject(imports) ? { folder, find: (name) => targetOf(imports, name) } : undefined;
}
