import type { Tag } from "../resource/body.ts";

interface Tagged {
  readonly tags: readonly Tag[];
}

const hasTwice = ({ tags }: Tagged): boolean => new Set(tags.map(({ key }) => key)).size < tags.length;

export const tagKeys = (lists: readonly (readonly Tag[])[]): string[] =>
  [...new Set(lists.flatMap((list) => list.map(({ key }) => key)))].sort();

export const cellsOf = (list: readonly Tag[], prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(list.toReversed().map(({ key, value }) => [`${prefix}.${key}`, value]));

/** The columns for the tags of all rows: one per key. A row with a key twice has all its tags in a column of their own. */
export function tagColumns(rows: readonly Tagged[]): string[] {
  const keys = tagKeys(rows.filter((row) => !hasTwice(row)).map(({ tags }) => tags));
  return [...(rows.some(hasTwice) ? ["tags"] : []), ...keys.map((key) => `tag.${key}`)];
}

/** The cells of a row for these columns. */
export function tagCells(tags: readonly Tag[]): object {
  return hasTwice({ tags }) ? { tags } : cellsOf(tags, "tag");
}
