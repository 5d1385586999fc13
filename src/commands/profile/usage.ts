import { countedServices, levelServices } from "../kit/billing/service-names.ts";

/** An amount of each service, at a time. A service without use may be absent. */
export interface Amounts {
  readonly time: Date;
  readonly [service: string]: Date | number | null | undefined;
}

/** Null where the amount is not known; a service that is absent was not used. */
function amountOf(row: Amounts, service: string): number | null {
  const value = row[service];
  return value === undefined ? 0 : typeof value === "number" ? value : null;
}

/** Distinguishes months, and the first day of each, in a time zone. */
function calendarOf(timeZone: string | undefined): (time: Date) => { readonly month: string; readonly day: number } {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: timeZone ?? "UTC", dateStyle: "short" });
  return (time) => {
    const [year, month, day] = format.format(time).split("-");
    return { month: `${year}-${month}`, day: Number(day) };
  };
}

/**
 * What each day has added to the running totals of its month. A first day whose day before is not known, and a total
 * that has become smaller, is null. What is stored at a time stays as it is.
 */
export function dailyUse(totals: readonly Amounts[], timeZone?: string): Amounts[] {
  const dateOf = calendarOf(timeZone);
  return totals.map((row, i) => {
    const before = totals[i - 1];
    const { month, day } = dateOf(row.time);
    const isKnown = before !== undefined || day === 1;
    const base = before !== undefined && dateOf(before.time).month === month ? before : undefined;
    const used = (service: string): number | null => {
      const [now, earlier] = [amountOf(row, service), base === undefined ? 0 : amountOf(base, service)];
      return !isKnown || now === null || earlier === null || now < earlier ? null : rounded(now - earlier);
    };
    return { ...row, ...Object.fromEntries(countedServices.map((service) => [service, used(service)])) };
  });
}

/** The use of all days together, with what is stored at their end. The time is that of the last day. */
export function totalUse(days: readonly Amounts[]): Amounts[] {
  const last = days.at(-1);
  if (last === undefined) return [];
  const sumOf = (service: string): number | null =>
    days.reduce<number | null>((sum, row) => {
      const amount = amountOf(row, service);
      return sum === null || amount === null ? null : rounded(sum + amount);
    }, 0);
  const sums = Object.fromEntries(countedServices.map((service) => [service, sumOf(service)]));
  const levels = Object.fromEntries(levelServices.map((service) => [service, amountOf(last, service)]));
  return [{ time: last.time, ...sums, ...levels }];
}

/** Minutes have two digits; sums of them are not to show more. */
const rounded = (value: number): number => Math.round(value * 100) / 100;
