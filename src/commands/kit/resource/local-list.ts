/** A page of a list that the platform returns as a whole. */
export function localPage<Row>(all: readonly Row[], page: number, amount: number): Row[] {
  return all.slice((page - 1) * amount, page * amount);
}
