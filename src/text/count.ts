/** Counts as people read them: `33,000`. */
export const countText = (count: number): string => count.toLocaleString("en-US");

/** A count of things: `1 row`, `33,000 rows`, `2 analyses`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
