const FIELDS: readonly string[] = ["year", "month", "day", "hour", "minute"];
const MS_A_DAY = 86_400_000;

/** Start of the minute, hour, day, week (from Monday), month, quarter or year that a time is in, UTC. */
export function intervalStart(ms: number, unit: string): number | undefined {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return undefined;
  const parts = [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
  ];
  const cut = (kept: number): number => {
    const [year = 0, month = 0, day = 1, hour = 0, minute = 0] = parts.slice(0, kept);
    return Date.UTC(year, month, day, hour, minute);
  };
  if (unit === "week") return cut(3) - ((date.getUTCDay() + 6) % 7) * MS_A_DAY;
  if (unit === "quarter") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (date.getUTCMonth() % 3));
  const field = FIELDS.indexOf(unit);
  return field === -1 ? undefined : cut(field + 1);
}
