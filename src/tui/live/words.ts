import type { Connection } from "./live-model.ts";

const wholes = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export const countText = (count: number): string => wholes.format(count);

/** `1st`, `2nd`, `3rd`, `4th` ... */
function ordinal(count: number): string {
  const tens = count % 100;
  if (tens >= 11 && tens <= 13) return `${count}th`;
  return `${count}${["th", "st", "nd", "rd"][count % 10] ?? "th"}`;
}

/** Up to four significant digits, never an exponent for numbers people write without one. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e9 || size < 1e-4)) return value.toExponential(2);
  return String(Number(value.toPrecision(size >= 1_000 ? 6 : 4)));
}

interface Standing {
  readonly connection: Connection;
  readonly isPaused: boolean;
  readonly waiting: number;
  readonly rate: number;
  readonly nowMs: number;
}

/** The state of the stream in words: `LIVE 12.4/s`, `PAUSED (312 waiting)`, `RETRY in 3 s (2nd attempt)`, `STOPPED`. */
export function stateText({ connection, isPaused, waiting, rate, nowMs }: Standing): string {
  const words: string[] = [];
  if (isPaused) words.push(`PAUSED (${countText(waiting)} waiting)`);
  if (connection.state === "retry") {
    const seconds = Math.max(0, Math.ceil((connection.untilMs - nowMs) / 1_000));
    words.push(`RETRY in ${seconds} s (${ordinal(connection.failures)} attempt)`);
  } else if (connection.state === "stopped") words.push("STOPPED");
  else if (connection.state === "connecting") words.push("CONNECTING");
  else if (!isPaused) words.push(`LIVE ${rate >= 100 ? countText(rate) : rate.toFixed(1)}/s`);
  return words.join(", ");
}

/** `7 min ago`, from a time until now. */
export function agoText(sinceMs: number): string {
  const seconds = Math.max(0, Math.round(sinceMs / 1_000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 2 * 86_400) return `${Math.round(seconds / 3_600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}

const two = (value: number): string => String(value).padStart(2, "0");
const three = (value: number): string => String(value).padStart(3, "0");
let formatter: { readonly zone: string; readonly format: Intl.DateTimeFormat } | undefined;

/** `14:03:12.481` in a zone, the machine's own when none is given. */
export function clockText(timeMs: number, zone: string | undefined): string {
  const date = new Date(timeMs);
  if (Number.isNaN(date.getTime())) return "--:--:--";
  const thousandths = three(date.getMilliseconds());
  if (zone === undefined) {
    return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${thousandths}`;
  }
  if (formatter?.zone !== zone) {
    formatter = { zone, format: new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "medium" }) };
  }
  return `${formatter.format.format(date)}.${thousandths}`;
}
