/**
 * Creates `console` for decoders: collects the output for the device's live inspector. Like the other functions here it
 * runs inside a decoder's context, from its source, and must not refer to anything outside itself.
 */
export function createConsole(lines: string[]): unknown {
  const MAX_LINES = 100;
  const MAX_CHARS = 4_000;
  const show = (value: unknown): string => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return String(value.stack ?? value);
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const write = (...values: unknown[]): void => {
    if (lines.length < MAX_LINES) lines.push(values.map(show).join(" ").slice(0, MAX_CHARS));
  };
  return { log: write, info: write, debug: write, warn: write, error: write, table: write, trace: write, dir: write };
}

/** Creates the description of a decoder's error: its message, the owner of the parser, and the line. */
export function createDescribe(timeLimitMs: number, parser: string): (error: unknown) => string {
  return (error) => {
    const isError = typeof error === "object" && error !== null && "message" in error;
    if (!isError) return "Function Parse Error: Payload Parser Terminated Unexpectedly";
    const { message, code } = error as { message: unknown; code?: unknown };
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
      return `The ${parser} parser took more than ${timeLimitMs} ms`;
    }
    const line = /decoder\.js:(\d+)/.exec(String("stack" in error ? error.stack : ""))?.[1];
    return `${String(message)} (${parser} parser${line === undefined ? "" : `, line ${line}`})`;
  };
}

/** Creates `timeUtils` for decoders: timezones by the rules of `Intl`. */
export function createTimeUtils(): unknown {
  type Input = string | number | Date;
  const isZone = (zone: string): boolean => {
    try {
      new Intl.DateTimeFormat("en-US", { timeZone: zone });
      return true;
    } catch {
      return false;
    }
  };
  const offsetOf = (ms: number, zone: string): number => {
    const text = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" }).format(
      ms,
    );
    return Math.round((Date.parse(`${text.replace(" ", "T")}Z`) - Math.floor(ms / 1000) * 1000) / 60_000);
  };
  /** A string without an offset is local time of the zone. */
  const instant = (input: Input, zone: string): number => {
    if (typeof input !== "string" || /(Z|[+-]\d{2}:?\d{2})$/i.test(input.slice(10))) return new Date(input).getTime();
    const wall = Date.parse(`${input.replace(" ", "T")}${input.length > 10 ? "Z" : ""}`);
    return wall - offsetOf(wall - offsetOf(wall, zone) * 60_000, zone) * 60_000;
  };
  const pad = (value: number): string => String(Math.abs(value)).padStart(2, "0");
  const offsetText = (minutes: number, colon: string): string =>
    `${minutes < 0 ? "-" : "+"}${pad(Math.trunc(minutes / 60))}${colon}${pad(minutes % 60)}`;
  const isoIn = (ms: number, zone: string): string => {
    const offset = offsetOf(ms, zone);
    return `${new Date(ms + offset * 60_000).toISOString().slice(0, -1)}${offsetText(offset, ":")}`;
  };
  const named = (ms: number, zone: string, options: Intl.DateTimeFormatOptions, part: string): string =>
    new Intl.DateTimeFormat("en-US", { timeZone: zone, ...options }).formatToParts(ms).find(({ type }) => type === part)
      ?.value ?? "";
  const abbreviation = (ms: number, zone: string): string => named(ms, zone, { timeZoneName: "short" }, "timeZoneName");
  return {
    compareTimezones: (a: Input, zoneA: string, b: Input, zoneB: string) =>
      Math.sign(instant(a, zoneA) - instant(b, zoneB)),
    convertTimezone: (input: Input, from: string, to: string) => isoIn(instant(input, from), to),
    formatInTimezone: (input: Input, zone: string, format: string) => {
      const ms = instant(input, "UTC");
      const offset = offsetOf(ms, zone);
      const wall = new Date(ms + offset * 60_000);
      const parts: Record<string, string> = {
        Y: String(wall.getUTCFullYear()),
        y: pad(wall.getUTCFullYear() % 100),
        m: pad(wall.getUTCMonth() + 1),
        d: pad(wall.getUTCDate()),
        e: String(wall.getUTCDate()).padStart(2, " "),
        H: pad(wall.getUTCHours()),
        I: pad(wall.getUTCHours() % 12 || 12),
        M: pad(wall.getUTCMinutes()),
        S: pad(wall.getUTCSeconds()),
        p: wall.getUTCHours() < 12 ? "AM" : "PM",
        z: offsetText(offset, ""),
        Z: abbreviation(ms, zone),
        F: wall.toISOString().slice(0, 10),
        T: wall.toISOString().slice(11, 19),
        s: String(Math.floor(ms / 1000)),
        A: named(ms, zone, { weekday: "long" }, "weekday"),
        a: named(ms, zone, { weekday: "short" }, "weekday"),
        B: named(ms, zone, { month: "long" }, "month"),
        b: named(ms, zone, { month: "short" }, "month"),
        "%": "%",
      };
      return format.replace(/%([A-Za-z%])/g, (token, letter: string) => parts[letter] ?? token);
    },
    getTimezoneAbbreviation: (input: Input, zone: string) => abbreviation(instant(input, "UTC"), zone),
    getTimezoneInfo: (zone: string) => {
      const now = Date.now();
      const offset = offsetOf(now, zone);
      return {
        timezone: zone,
        name: zone,
        abbreviation: abbreviation(now, zone),
        offset,
        utc_offset: offsetText(offset, ":"),
      };
    },
    getTimezoneOffset: (input: Input, zone: string) => offsetOf(instant(input, "UTC"), zone),
    isValidTimezone: isZone,
    listTimezones: () => Intl.supportedValuesOf("timeZone"),
    nowInTimezone: (zone: string) => isoIn(Date.now(), zone),
  };
}
