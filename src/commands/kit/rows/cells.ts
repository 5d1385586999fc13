import { quote } from "../command/values.ts";
import { isObject } from "../files/files.ts";
import type { Tag } from "../resource/body.ts";

/** Makes the failure of a row; `field` is the one that is wrong, where it is one. */
export type Wrong = (why: string, field?: string) => Error;

/** A text that is there, without spaces around it. */
export const stringField = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value).trim() || undefined : undefined;

/** Yes or no as people write it; nothing where it is neither. */
export function truthOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = String(value).trim().toLowerCase();
  if (["true", "yes", "1"].includes(text)) return true;
  return ["false", "no", "0"].includes(text) ? false : undefined;
}

/** The columns `tag.KEY`. */
export function prefixed(cells: readonly (readonly [string, unknown])[], prefix: string): Tag[] {
  return cells
    .filter(([field]) => field.startsWith(prefix))
    .map(([field, value]) => ({ key: field.slice(prefix.length), value: String(value) }));
}

/** A list of tags as JSON has it, or as the text `site=7, floor=2`. @param field that holds it */
export function listedTags(value: unknown, field: string, wrong: Wrong): Tag[] {
  if (value === undefined) return [];
  const list = typeof value === "string" && value.trimStart().startsWith("[") ? parsedList(value, field, wrong) : value;
  if (Array.isArray(list)) {
    return list.map((tag: unknown) => {
      if (isObject(tag) && typeof tag["key"] === "string" && tag["key"] !== "")
        return { key: tag["key"], value: String(tag["value"] ?? "") };
      throw wrong("one of them has no key.", field);
    });
  }
  return String(list)
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) return { key: pair.slice(0, at), value: pair.slice(at + 1) };
      throw wrong(`${quote(pair)} is not key=value.`, field);
    });
}

function parsedList(text: string, field: string, wrong: Wrong): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw wrong("it is not JSON.", field);
  }
}

function onePerKey(tags: readonly Tag[]): Tag[] {
  return [...new Map(tags.map((tag) => [JSON.stringify([tag.key, tag.value]), tag])).values()];
}

/** The tags of a row: those of `tags`, and the columns `tag.KEY`. */
export function tagsIn(cells: readonly (readonly [string, unknown])[], wrong: Wrong): Tag[] {
  const list = cells.find(([field]) => field === "tags")?.[1];
  return onePerKey([...listedTags(list, "tags", wrong), ...prefixed(cells, "tag.")]);
}
