import { quote } from "../command/values.ts";
import { inputError } from "../failures/command-error.ts";
import { isObject } from "../files/files.ts";
import type { Tag } from "../resource/body.ts";

export function parseJson(text: string, place: string, row?: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const where = row === undefined ? quote(place) : `Line ${row} of ${quote(place)}`;
    throw inputError(`${where} is not JSON.`, {
      code: "input.not_json",
      why: cause instanceof Error ? `${cause.message}.` : String(cause),
      next: "Fix it and run the command again; nothing was sent.",
      ...(row === undefined ? {} : { row }),
      cause,
    });
  }
}

/** A text that is there, without spaces around it. */
export const textOf = (value: unknown): string | undefined =>
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

/** A list of tags as JSON has it, or as the text `site=7, floor=2`. */
export function listedTags(value: unknown, place: string, row: number): Tag[] {
  if (value === undefined) return [];
  const isJson = typeof value === "string" && value.trimStart().startsWith("[");
  const list: unknown = isJson ? parseJson(value, place, row) : value;
  if (Array.isArray(list)) {
    return list.map((tag: unknown) => {
      if (isObject(tag) && typeof tag["key"] === "string")
        return { key: tag["key"], value: String(tag["value"] ?? "") };
      throw inputError(`Row ${row} of ${quote(place)} has a tag without a key.`, { row });
    });
  }
  return String(list)
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) return { key: pair.slice(0, at), value: pair.slice(at + 1) };
      throw inputError(`Row ${row} of ${quote(place)} has the tag ${quote(pair)}, which is not key=value.`, { row });
    });
}

function onePerKey(tags: readonly Tag[]): Tag[] {
  return [...new Map(tags.map((tag) => [JSON.stringify([tag.key, tag.value]), tag])).values()];
}

/** The tags of a row: those of `tags`, and the columns `tag.KEY`. */
export function tagsIn(cells: readonly (readonly [string, unknown])[], place: string, row: number): Tag[] {
  const list = cells.find(([field]) => field === "tags")?.[1];
  return onePerKey([...listedTags(list, place, row), ...prefixed(cells, "tag.")]);
}
