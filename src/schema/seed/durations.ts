import { z } from "zod";

const UNITS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

function milliseconds(text: string): number {
  const [amount = "", unit = ""] = text.replace(/^[+-]/, "").replace(/s$/, "").split(" ");
  const found = Object.entries(UNITS).find(([name]) => name === unit);
  return (text.startsWith("-") ? -1 : 1) * Number(amount) * (found?.[1] ?? 0);
}

const written = "\\d{1,6} (second|minute|hour|day|week)s?$";

/** A length such as `15 minutes`, in milliseconds. */
export const duration = () =>
  z
    .string()
    .regex(new RegExp(`^(?!0+ )${written}`), 'Must be a duration such as "15 minutes"')
    .transform(milliseconds);

/** A time before or after the start such as `-90 days`, in milliseconds from it. */
export const offset = () =>
  z
    .string()
    .regex(new RegExp(`^[+-]${written}`), 'Must be an offset such as "-90 days" or "+1 hour"')
    .transform(milliseconds);
