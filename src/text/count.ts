/** Counts as people read them: `33,000`. Written by hand, as help texts need it and the first use of a locale takes a while. */
export const countText = (count: number): string =>
  Number.isSafeInteger(count) ? String(count).replace(/\B(?=(\d{3})+$)/g, ",") : count.toLocaleString("en-US");

/** A part of things: `1 of 1 row`, `2 of 3 rows`. */
export const partOf = (part: number, all: number, one: string, many?: string): string =>
  `${countText(part)} of ${countOf(all, one, many)}`;

/** A count of things: `1 row`, `33,000 rows`, `2 analyses`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
