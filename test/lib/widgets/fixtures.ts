import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../fixtures/widgets");

export interface WidgetFixture {
  readonly name: string;
  readonly old: Record<string, unknown>;
  readonly new: Record<string, unknown>;
}

/** The hand-written widgets, old and new side by side. */
export const fixtures: WidgetFixture[] = readdirSync(folder).map((name) => ({
  name,
  old: readJson(join(folder, name, "old.json")) as Record<string, unknown>,
  new: readJson(join(folder, name, "new.json")) as Record<string, unknown>,
}));

export interface Vector {
  readonly name: string;
  readonly input: unknown;
  readonly method?: string;
}

const vectors = join(import.meta.dirname, "../../../../shared/spec/converters/vectors");

/** The shared vectors, none where their folder is not there. */
export const sharedVectors: Vector[] = existsSync(vectors)
  ? readdirSync(vectors).flatMap((file) => readJson(join(vectors, file)) as Vector[])
  : [];

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** A source of ids that gives the same ids in every run. */
export function countedIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `id-${count}`;
  };
}

const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

/** Every key path below a value, found without the code under test. */
export function allPaths(value: unknown, parent = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const path = pathOf(value, parent, key);
    return [path, ...allPaths(item, path)];
  });
}

function pathOf(value: object, parent: string, key: string): string {
  if (Array.isArray(value)) return `${parent}[${key}]`;
  if (!PLAIN_KEY.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

/** A copy of the value without one of its keys; undefined when the path leads through a list. */
export function without(value: unknown, path: string): unknown {
  const result = structuredClone(value);
  return removeAt(result, "", path) ? result : undefined;
}

function removeAt(value: unknown, parent: string, path: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  for (const [key, item] of Object.entries(value)) {
    const below = pathOf(value, parent, key);
    if (below === path) return !Array.isArray(value) && Reflect.deleteProperty(value, key);
    if (path.startsWith(below) && removeAt(item, below, path)) return true;
  }
  return false;
}
