import { isRecord } from "../core/json.ts";
import { overruledBy } from "./harmless.ts";
import { keysOf } from "./paths.ts";
import { isWholeCopy, overrule, unmarked } from "./provenance.ts";
import { copied, derived, isSource, type Out, record, type Source, setOwn, text } from "./readers.ts";

/**
 * Merges a key of the new structure into a converted display. Objects are merged key by key and `variables` item by
 * item; otherwise the new key overrides what was derived from old ones.
 */
export function mergeKey(target: Out, from: Source, key: string, path: string): void {
  const current = Object.hasOwn(target, key) ? target[key] : undefined;
  const inside = isWholeCopy(current) ? undefined : unmarked(current);
  const value = from[key];
  if (Array.isArray(inside) && Array.isArray(value) && key === "variables") {
    mergeVariables(inside, value, path);
  } else if (isRecord(inside) && isRecord(value)) {
    for (const [name, below] of keysOf(value, path)) mergeKey(inside, value, name, below);
  } else if (Object.is(unmarked(current), value)) {
    setOwn(target, key, derived(from, key, current));
  } else {
    overrule(current, overruledBy(path));
    setOwn(target, key, copied(from, key));
  }
}

function mergeVariables(target: unknown[], from: unknown[], path: string): void {
  const places = new Map(target.map((item, i) => [identityOf(record(unmarked(item))), i] as const));
  const source = from as unknown as Source;
  for (const [key, below] of keysOf(from, path)) {
    const item = source[key];
    const place = isRecord(item) ? places.get(identityOf(item)) : undefined;
    const inside = place === undefined ? undefined : unmarked(target[place]);
    if (!isRecord(item) || !isRecord(inside)) target.push(copied(source, key));
    else for (const [name, deeper] of keysOf(item, below)) mergeKey(inside, item, name, deeper);
  }
}

// Table columns have origin and variable one level deeper; date and control columns only have an id.
function identityOf(item: Source): string {
  const place = isSource(unmarked(item["data"])) ? (unmarked(item["data"]) as Source) : item;
  const origin = unmarked(place["origin"]);
  const variable = unmarked(place["variable"]);
  const isNamed = origin !== undefined || variable !== undefined;
  return JSON.stringify(isNamed ? [text(origin), text(variable)] : [text(unmarked(item["id"]))]);
}
