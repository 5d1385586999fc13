/**
 * Makes `Date` for decoders: one whose own timezone is UTC, as on the platform, wherever the sandbox runs. Like its
 * neighbours it runs inside a decoder's own world, from its text, and may name nothing outside itself.
 */
export function createUtcDate(): unknown {
  const Local = Date;
  const { parse, UTC, prototype } = Local;
  /** Texts with a timezone do not become other dates by one more `Z`: they are not understood any longer. */
  const parseUtc = (input: unknown): number => {
    const text = String(input);
    const hasZone = /(?:[zZ]|GMT|UTC|[+-]\d{2}:?\d{2})\s*(?:\(.*\))?$/.test(text.slice(8));
    const asUtc = hasZone ? Number.NaN : parse(`${text}Z`);
    return Number.isNaN(asUtc) ? parse(text) : asUtc;
  };
  const instant = (values: readonly unknown[]): number => {
    if (values.length === 0) return Local.now();
    if (values.length > 1) return Reflect.apply(UTC, undefined, values);
    const [value] = values;
    const plain = typeof value === "object" && value !== null ? (value as { valueOf(): unknown }).valueOf() : value;
    return typeof plain === "string" ? parseUtc(plain) : new Local(Number(plain)).getTime();
  };
  const UtcDate = new Proxy(Local, {
    apply: () => new Local().toString(),
    construct: (target, values, made) => Reflect.construct(target, [instant(values)], made),
  });
  const put = (name: string, value: unknown): void => {
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  };
  const methods = prototype as unknown as Record<string, unknown>;
  for (const part of ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds", "Day"]) {
    put(`get${part}`, methods[`getUTC${part}`]);
    if (part !== "Day") put(`set${part}`, methods[`setUTC${part}`]);
  }
  const date = (at: Date): string => at.toUTCString().replace(/^(\w+), (\d+) (\w+) (-?\d+) .*$/, "$1 $3 $2 $4");
  const time = (at: Date): string => `${at.toISOString().slice(-13, -5)} GMT+0000 (Coordinated Universal Time)`;
  const shown =
    (text: (at: Date) => string) =>
    (at: Date): string =>
      Number.isNaN(at.getTime()) ? "Invalid Date" : text(at);
  const methodOf = (text: (at: Date) => string): unknown => {
    const show = shown(text);
    return function (this: Date) {
      return show(this);
    };
  };
  put(
    "toString",
    methodOf((at) => `${date(at)} ${time(at)}`),
  );
  put("toDateString", methodOf(date));
  put("toTimeString", methodOf(time));
  put("getTimezoneOffset", function (this: Date) {
    return this.getTime() * 0;
  });
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) {
    const own = methods[name] as (locales: unknown, options: unknown) => string;
    put(name, function (this: Date, locales: unknown, options: object | undefined) {
      return Reflect.apply(own, this, [locales, { timeZone: "UTC", ...options }]);
    });
  }
  Object.defineProperty(Local, "parse", { value: parseUtc, writable: true, configurable: true });
  put("constructor", UtcDate);
  return UtcDate;
}
