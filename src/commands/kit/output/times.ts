/** How people see a moment. */
export interface TimeStyle {
  readonly form: "local" | "iso" | "relative";
  /** IANA zone; the machine's own when absent. */
  readonly zone?: string;
  readonly nowMs: number;
}

const two = (value: number): string => String(value).padStart(2, "0");
const formatters = new Map<string, Intl.DateTimeFormat>();

function inZone(date: Date, zone: string): string {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    // The Swedish form is year-month-day hour:minute:second, whatever the language of the machine.
    formatter = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
    formatters.set(zone, formatter);
  }
  return formatter.format(date);
}

function local(date: Date): string {
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

const steps = [
  ["s", 1_000, 60_000],
  ["min", 60_000, 3_600_000],
  ["h", 3_600_000, 86_400_000],
  ["d", 86_400_000, Number.POSITIVE_INFINITY],
] as const;

function relative(date: Date, nowMs: number): string {
  const away = date.getTime() - nowMs;
  const size = Math.abs(away);
  if (size < 1_000) return "now";
  const [unit, unitMs] = steps.find(([, , below]) => size < below) ?? ["d", 86_400_000];
  const amount = `${Math.floor(size / unitMs)} ${unit}`;
  return away < 0 ? `${amount} ago` : `in ${amount}`;
}

export function showTime(date: Date, style: TimeStyle): string {
  if (style.form === "iso") return date.toISOString();
  if (style.form === "relative") return relative(date, style.nowMs);
  return style.zone === undefined ? local(date) : inZone(date, style.zone);
}
