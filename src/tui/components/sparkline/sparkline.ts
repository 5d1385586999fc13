/** A row of small bars, one per value, from the least to the greatest; a space where there is no value. */
export function sparkline(values: readonly (number | undefined)[], bars: readonly string[]): string {
  const known = values.filter((value) => value !== undefined);
  const min = Math.min(...known);
  const span = Math.max(...known) - min;
  const middle = Math.floor((bars.length - 1) / 2);
  return values
    .map((value) => {
      if (value === undefined) return " ";
      const level = span === 0 ? middle : Math.round(((value - min) / span) * (bars.length - 1));
      return bars[level] ?? " ";
    })
    .join("");
}
