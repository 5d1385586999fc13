/**
 * Makes `dayjs` for decoders: the part of that library that decoders use. Runs inside a decoder's own world, from its
 * text, so it may name nothing outside itself. Times without an offset are UTC, as on the platform.
 *
 * Covered: parsing (ISO, epoch, Date, numeric formats), `unix`, `utc`, `tz`, `utcOffset`, getters and setters,
 * `add`, `subtract`, `startOf`, `endOf`, `diff`, comparisons, `format`, `toISOString`, `toDate`, `valueOf`, `unix()`.
 */
export function createDayjs(): unknown {
  type Unit = "year" | "month" | "week" | "day" | "hour" | "minute" | "second" | "millisecond" | "quarter" | "date";
  const FIXED_MS: Partial<Record<Unit, number>> = {
    week: 604_800_000,
    day: 86_400_000,
    date: 86_400_000,
    hour: 3_600_000,
    minute: 60_000,
    second: 1_000,
    millisecond: 1,
  };
  const SHORT: Record<string, Unit> = {
    y: "year",
    M: "month",
    w: "week",
    d: "day",
    D: "date",
    h: "hour",
    m: "minute",
    s: "second",
    ms: "millisecond",
    Q: "quarter",
  };
  const unitOf = (name: unknown): Unit => {
    const text = String(name ?? "ms");
    return SHORT[text] ?? (text.toLowerCase().replace(/s$/, "") as Unit);
  };
  const pad = (value: number, digits = 2): string => String(Math.abs(value)).padStart(digits, "0");
  const MONTHS = [
    ...["January", "February", "March", "April", "May", "June"],
    ...["July", "August", "September", "October", "November", "December"],
  ];
  const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

  /** Minutes the clocks of a timezone are ahead of UTC. */
  const offsetOf = (ms: number, zone: string): number => {
    const text = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" }).format(
      ms,
    );
    return Math.round((Date.parse(`${text.replace(" ", "T")}Z`) - Math.floor(ms / 1000) * 1000) / 60_000);
  };
  const fromWall = (wallMs: number, zone: string): number => {
    const guess = wallMs - offsetOf(wallMs, zone) * 60_000;
    return wallMs - offsetOf(guess, zone) * 60_000;
  };

  const parseFormat = (text: string, format: string): number => {
    const tokens: string[] = [];
    const pattern = format.replace(/YYYY|YY|MM?|DD?|HH?|hh?|mm?|ss?|SSS|A|[.*+?^${}()|[\]\\]/g, (token) => {
      if (/^[.*+?^${}()|[\]\\]$/.test(token)) return `\\${token}`;
      tokens.push(token);
      if (token === "A") return "([AaPp][Mm])";
      return token === "YYYY" ? "(\\d{4})" : token === "SSS" ? "(\\d{3})" : "(\\d{1,2})";
    });
    const found = new RegExp(`^${pattern}`).exec(text);
    if (found === null) return Number.NaN;
    const part = (...names: string[]): number | undefined => {
      const index = tokens.findIndex((token) => names.includes(token));
      return index < 0 ? undefined : Number(found[index + 1]);
    };
    const half = found[tokens.indexOf("A") + 1]?.toLowerCase();
    const short = part("YY");
    let hour = part("HH", "H", "hh", "h") ?? 0;
    if (tokens.includes("A")) hour = (hour % 12) + (half === "pm" ? 12 : 0);
    const year = part("YYYY") ?? (short === undefined ? new Date().getUTCFullYear() : 2000 + short);
    const month = (part("MM", "M") ?? 1) - 1;
    return Date.UTC(
      year,
      month,
      part("DD", "D") ?? 1,
      hour,
      part("mm", "m") ?? 0,
      part("ss", "s") ?? 0,
      part("SSS") ?? 0,
    );
  };
  const parse = (input: unknown, format?: unknown): number => {
    if (input instanceof Moment) return input.valueOf();
    if (input === undefined) return Date.now();
    if (input === null) return Number.NaN;
    if (typeof input === "object" && "getTime" in input) return Number(input);
    if (typeof input !== "string") return Number(input);
    if (typeof format === "string") return parseFormat(input, format);
    const match =
      /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?$/.exec(input);
    if (match === null) return Date.parse(input);
    const [year, month, day, hour, minute, second] = match.slice(1, 7).map((text) => Number(text ?? 0));
    const ms = Number((match[7] ?? "0").padEnd(3, "0").slice(0, 3));
    return Date.UTC(year ?? 0, (month ?? 1) - 1, day || 1, hour, minute, second, ms);
  };

  class Moment {
    readonly #ms: number;
    readonly #offset: number;
    readonly #zone: string | undefined;
    constructor(ms: number, offset = 0, zone?: string) {
      this.#ms = ms;
      this.#zone = zone;
      this.#offset = zone === undefined || Number.isNaN(ms) ? offset : offsetOf(ms, zone);
    }
    /** A date whose UTC members are what the clocks show. */
    #wall(): Date {
      return new Date(this.#ms + this.#offset * 60_000);
    }
    #at(wall: Date): Moment {
      const ms =
        this.#zone === undefined ? wall.getTime() - this.#offset * 60_000 : fromWall(wall.getTime(), this.#zone);
      return new Moment(ms, this.#offset, this.#zone);
    }
    #member(unit: Unit, value?: number): number | Moment {
      const wall = this.#wall();
      const members: Record<string, [get: () => number, set: (value: number) => unknown]> = {
        year: [() => wall.getUTCFullYear(), (v) => wall.setUTCFullYear(v)],
        quarter: [() => Math.floor(wall.getUTCMonth() / 3) + 1, (v) => wall.setUTCMonth((v - 1) * 3)],
        month: [() => wall.getUTCMonth(), (v) => wall.setUTCMonth(v)],
        date: [() => wall.getUTCDate(), (v) => wall.setUTCDate(v)],
        day: [() => wall.getUTCDay(), (v) => wall.setUTCDate(wall.getUTCDate() - wall.getUTCDay() + v)],
        hour: [() => wall.getUTCHours(), (v) => wall.setUTCHours(v)],
        minute: [() => wall.getUTCMinutes(), (v) => wall.setUTCMinutes(v)],
        second: [() => wall.getUTCSeconds(), (v) => wall.setUTCSeconds(v)],
        millisecond: [() => wall.getUTCMilliseconds(), (v) => wall.setUTCMilliseconds(v)],
      };
      const member = members[unit];
      if (member === undefined) return Number.NaN;
      if (value === undefined) return member[0]();
      member[1](Number(value));
      return this.#at(wall);
    }
    year(value?: number) {
      return this.#member("year", value);
    }
    quarter(value?: number) {
      return this.#member("quarter", value);
    }
    month(value?: number) {
      return this.#member("month", value);
    }
    date(value?: number) {
      return this.#member("date", value);
    }
    day(value?: number) {
      return this.#member("day", value);
    }
    hour(value?: number) {
      return this.#member("hour", value);
    }
    minute(value?: number) {
      return this.#member("minute", value);
    }
    second(value?: number) {
      return this.#member("second", value);
    }
    millisecond(value?: number) {
      return this.#member("millisecond", value);
    }
    get(unit: string) {
      return this.#member(unitOf(unit));
    }
    set(unit: string, value: number) {
      return this.#member(unitOf(unit), value);
    }
    clone() {
      return new Moment(this.#ms, this.#offset, this.#zone);
    }
    isValid() {
      return !Number.isNaN(this.#ms);
    }
    valueOf() {
      return this.#ms;
    }
    unix() {
      return Math.floor(this.#ms / 1000);
    }
    toDate() {
      return new Date(this.#ms);
    }
    toISOString() {
      return new Date(this.#ms).toISOString();
    }
    toJSON() {
      return this.isValid() ? this.toISOString() : null;
    }
    toString() {
      return new Date(this.#ms).toUTCString();
    }
    utc() {
      return new Moment(this.#ms);
    }
    local() {
      return new Moment(this.#ms);
    }
    tz(zone: string, keepsWall?: boolean) {
      return keepsWall ? new Moment(fromWall(this.#wall().getTime(), zone), 0, zone) : new Moment(this.#ms, 0, zone);
    }
    utcOffset(minutes?: number) {
      if (minutes === undefined) return this.#offset;
      return new Moment(this.#ms, Math.abs(minutes) <= 16 ? minutes * 60 : minutes);
    }
    add(amount: number, unit?: string): Moment {
      const name = unitOf(unit);
      const fixed = FIXED_MS[name];
      if (fixed !== undefined && !["day", "date", "week"].includes(name)) {
        return new Moment(this.#ms + Number(amount) * fixed, this.#offset, this.#zone);
      }
      const wall = this.#wall();
      if (fixed !== undefined) return this.#at(new Date(wall.getTime() + Number(amount) * fixed));
      const months = Number(amount) * (name === "year" ? 12 : name === "quarter" ? 3 : 1);
      const day = wall.getUTCDate();
      wall.setUTCDate(1);
      wall.setUTCMonth(wall.getUTCMonth() + months);
      const last = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate();
      wall.setUTCDate(Math.min(day, last));
      return this.#at(wall);
    }
    subtract(amount: number, unit?: string) {
      return this.add(-Number(amount), unit);
    }
    startOf(unit: string) {
      const name = unitOf(unit);
      const wall = this.#wall();
      const month = wall.getUTCMonth();
      if (name === "year") wall.setUTCMonth(0, 1);
      if (name === "quarter") wall.setUTCMonth(month - (month % 3), 1);
      if (name === "month") wall.setUTCDate(1);
      if (name === "week") wall.setUTCDate(wall.getUTCDate() - wall.getUTCDay());
      if (name === "hour") wall.setUTCMinutes(0, 0, 0);
      else if (name === "minute") wall.setUTCSeconds(0, 0);
      else if (name === "second") wall.setUTCMilliseconds(0);
      else if (name !== "millisecond") wall.setUTCHours(0, 0, 0, 0);
      return this.#at(wall);
    }
    endOf(unit: string) {
      const name = unitOf(unit);
      return this.startOf(name)
        .add(1, name === "date" ? "day" : name)
        .subtract(1, "ms");
    }
    diff(other: unknown, unit?: string, exact?: boolean) {
      const name = unitOf(unit);
      const that = parse(other);
      const fixed = FIXED_MS[name];
      let amount = (this.#ms - that) / (fixed ?? 1);
      if (fixed === undefined) {
        const from = new Moment(that);
        const whole =
          (Number(this.utc().year()) - Number(from.year())) * 12 + Number(this.utc().month()) - Number(from.month());
        const anchor = from.add(whole, "month").valueOf();
        const next = from.add(whole + (this.#ms < anchor ? -1 : 1), "month").valueOf();
        amount =
          (whole + (this.#ms - anchor) / Math.abs(next - anchor)) / (name === "year" ? 12 : name === "quarter" ? 3 : 1);
      }
      return exact ? amount : Math.trunc(amount) + 0;
    }
    isBefore(other: unknown, unit?: string) {
      return unit === undefined ? this.#ms < parse(other) : this.endOf(unit).valueOf() < parse(other);
    }
    isAfter(other: unknown, unit?: string) {
      return unit === undefined ? this.#ms > parse(other) : this.startOf(unit).valueOf() > parse(other);
    }
    isSame(other: unknown, unit?: string) {
      const that = parse(other);
      if (unit === undefined) return this.#ms === that;
      return this.startOf(unit).valueOf() <= that && that <= this.endOf(unit).valueOf();
    }
    isSameOrBefore(other: unknown, unit?: string) {
      return this.isSame(other, unit) || this.isBefore(other, unit);
    }
    isSameOrAfter(other: unknown, unit?: string) {
      return this.isSame(other, unit) || this.isAfter(other, unit);
    }
    daysInMonth() {
      return this.endOf("month").date();
    }
    format(template?: string) {
      if (!this.isValid()) return "Invalid Date";
      const wall = this.#wall();
      const offset = `${this.#offset < 0 ? "-" : "+"}${pad(Math.trunc(this.#offset / 60))}:${pad(this.#offset % 60)}`;
      const hour = wall.getUTCHours();
      const month = MONTHS[wall.getUTCMonth()] ?? "";
      const day = DAYS[wall.getUTCDay()] ?? "";
      const parts: Record<string, string> = {
        YYYY: pad(wall.getUTCFullYear(), 4),
        YY: pad(wall.getUTCFullYear() % 100),
        MMMM: month,
        MMM: month.slice(0, 3),
        MM: pad(wall.getUTCMonth() + 1),
        M: String(wall.getUTCMonth() + 1),
        DD: pad(wall.getUTCDate()),
        D: String(wall.getUTCDate()),
        dddd: day,
        ddd: day.slice(0, 3),
        dd: day.slice(0, 2),
        d: String(wall.getUTCDay()),
        HH: pad(hour),
        H: String(hour),
        hh: pad(hour % 12 || 12),
        h: String(hour % 12 || 12),
        mm: pad(wall.getUTCMinutes()),
        m: String(wall.getUTCMinutes()),
        ss: pad(wall.getUTCSeconds()),
        s: String(wall.getUTCSeconds()),
        SSS: pad(wall.getUTCMilliseconds(), 3),
        A: hour < 12 ? "AM" : "PM",
        a: hour < 12 ? "am" : "pm",
        Z: offset,
        ZZ: offset.replace(":", ""),
        X: String(this.unix()),
        x: String(this.#ms),
      };
      return (template ?? "YYYY-MM-DDTHH:mm:ssZ").replace(
        /\[([^\]]*)\]|YYYY|YY|M{1,4}|D{1,2}|d{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|SSS|A|a|Z{1,2}|X|x/g,
        (token, literal: string | undefined) => literal ?? parts[token] ?? token,
      );
    }
  }

  const make = (input?: unknown, format?: unknown): Moment => new Moment(parse(input, format));
  const zoned = (input: unknown, formatOrZone: string, zone?: string): Moment => {
    const name = zone ?? formatOrZone;
    const ms = parse(input, zone === undefined ? undefined : formatOrZone);
    // A text without an offset names what the clocks of that zone show.
    const isWall = typeof input === "string" && !/(Z|[+-]\d{2}:?\d{2})$/i.test(input.trim().slice(10));
    return new Moment(isWall ? fromWall(ms, name) : ms, 0, name);
  };
  return Object.assign(make, {
    unix: (seconds: number) => new Moment(Number(seconds) * 1000),
    utc: make,
    tz: Object.assign(zoned, { guess: () => "UTC", setDefault: () => {} }),
    isDayjs: (value: unknown) => value instanceof Moment,
    extend: () => {},
    locale: () => "en",
  });
}
