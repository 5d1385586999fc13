// @ts-check
"use strict";

/**
 * @file What a payload parser finds beside the language. The sandbox reads this file and has it run, as text, in the
 * context of each parser, as a module: its names are no global variables there. It imports nothing, and uses nothing of
 * the process but `Buffer`.
 */

/** @typedef {string | number | Date} Input */

/**
 * Creates `console`: collects the output for the device's live inspector.
 *
 * @param {string[]} lines
 */
function createConsole(lines) {
  const MAX_LINES = 100;
  const MAX_CHARS = 4_000;
  /** @param {unknown} value @returns {string} */
  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return String(value.stack ?? value);
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  /** @param {unknown[]} values */
  const write = (...values) => {
    if (lines.length < MAX_LINES) lines.push(values.map(show).join(" ").slice(0, MAX_CHARS));
  };
  return { log: write, info: write, debug: write, warn: write, error: write, table: write, trace: write, dir: write };
}

/**
 * Creates the description of a parser's error: its message, the owner of the parser, and the line.
 *
 * @param {number} timeLimitMs @param {string} parser @returns {(error: unknown) => string}
 */
const createDescribe = (timeLimitMs, parser) => (error) => {
  const isError = typeof error === "object" && error !== null && "message" in error;
  if (!isError) return "Function Parse Error: Payload Parser Terminated Unexpectedly";
  if ("code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
    return `The ${parser} parser took more than ${timeLimitMs} ms`;
  const line = /decoder\.js:(\d+)/.exec(String("stack" in error ? error.stack : ""))?.[1];
  return `${String(error.message)} (${parser} parser${line === undefined ? "" : `, line ${line}`})`;
};

/** @param {string} zone @returns {boolean} */
function isZone(zone) {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/**
 * Minutes that the clocks of a zone are ahead of UTC.
 *
 * @param {number} ms @param {string} zone @returns {number}
 */
function offsetOf(ms, zone) {
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" }).format(ms);
  return Math.round((Date.parse(`${text.replace(" ", "T")}Z`) - Math.floor(ms / 1000) * 1000) / 60_000);
}

/**
 * A string without an offset is local time of the zone.
 *
 * @param {Input} input @param {string} zone @returns {number}
 */
function instant(input, zone) {
  if (typeof input !== "string" || /(Z|[+-]\d{2}:?\d{2})$/i.test(input.slice(10))) return new Date(input).getTime();
  const wall = Date.parse(`${input.replace(" ", "T")}${input.length > 10 ? "Z" : ""}`);
  return wall - offsetOf(wall - offsetOf(wall, zone) * 60_000, zone) * 60_000;
}

/** @param {number} value @returns {string} */
const pad = (value) => String(Math.abs(value)).padStart(2, "0");

/** @param {number} minutes @param {string} colon @returns {string} */
const offsetText = (minutes, colon) =>
  `${minutes < 0 ? "-" : "+"}${pad(Math.trunc(minutes / 60))}${colon}${pad(minutes % 60)}`;

/** @param {number} ms @param {string} zone @returns {string} */
function isoIn(ms, zone) {
  const offset = offsetOf(ms, zone);
  return `${new Date(ms + offset * 60_000).toISOString().slice(0, -1)}${offsetText(offset, ":")}`;
}

/** @param {number} ms @param {string} zone @param {Intl.DateTimeFormatOptions} options @param {string} part @returns {string} */
function named(ms, zone, options, part) {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, ...options }).formatToParts(ms);
  return parts.find(({ type }) => type === part)?.value ?? "";
}

/** @param {number} ms @param {string} zone @returns {string} */
const abbreviation = (ms, zone) => named(ms, zone, { timeZoneName: "short" }, "timeZoneName");

/**
 * What stands behind `%` in a format.
 *
 * @param {number} ms @param {string} zone @returns {Readonly<Record<string, string>>}
 */
function placeholders(ms, zone) {
  const offset = offsetOf(ms, zone);
  const wall = new Date(ms + offset * 60_000);
  return {
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
}

/** `timeUtils` for parsers: time zones by the rules of `Intl`. */
const timeUtils = {
  /** @param {Input} a @param {string} zoneA @param {Input} b @param {string} zoneB */
  compareTimezones: (a, zoneA, b, zoneB) => Math.sign(instant(a, zoneA) - instant(b, zoneB)),
  /** @param {Input} input @param {string} from @param {string} to */
  convertTimezone: (input, from, to) => isoIn(instant(input, from), to),
  /** @param {Input} input @param {string} zone @param {string} format */
  formatInTimezone: (input, zone, format) => {
    const parts = placeholders(instant(input, "UTC"), zone);
    return format.replace(/%([A-Za-z%])/g, (token, letter) => parts[letter] ?? token);
  },
  /** @param {Input} input @param {string} zone */
  getTimezoneAbbreviation: (input, zone) => abbreviation(instant(input, "UTC"), zone),
  /** @param {string} zone */
  getTimezoneInfo: (zone) => {
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
  /** @param {Input} input @param {string} zone */
  getTimezoneOffset: (input, zone) => offsetOf(instant(input, "UTC"), zone),
  isValidTimezone: isZone,
  listTimezones: () => Intl.supportedValuesOf("timeZone"),
  /** @param {string} zone */
  nowInTimezone: (zone) => isoIn(Date.now(), zone),
};

/** @param {string} name @param {unknown} value */
const hidden = (name, value) => Object.defineProperty(globalThis, name, { value });

/** @param {string} name @param {unknown} value */
const open = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

/** @param {string} name @param {() => unknown} make */
function lazy(name, make) {
  Object.defineProperty(globalThis, name, {
    get: () => {
      const value = make();
      open(name, value);
      return value;
    },
    set: (value) => open(name, value),
    configurable: true,
  });
}

/** What JSON makes of a Buffer is one again. @param {unknown} value @returns {unknown} */
function revived(value) {
  const isBytes = typeof value === "object" && value !== null && "type" in value && value.type === "Buffer";
  return isBytes && "data" in value && Array.isArray(value.data) ? Buffer.from(value.data) : value;
}

/**
 * Defines all of them. `makeDayjs` is called on first use.
 *
 * @param {number} timeLimitMs @param {() => unknown} makeDayjs
 */
module.exports = (timeLimitMs, makeDayjs) => {
  /** @type {string[]} */
  const lines = [];
  const { parse, stringify } = JSON;
  /** @param {string} name */
  const take = (name) => {
    const value = parse(String(Reflect.get(globalThis, name)));
    Reflect.deleteProperty(globalThis, name);
    return value;
  };
  hidden("__lines", () => stringify(lines));
  hidden("__result", () => stringify(Reflect.get(globalThis, "payload")));
  hidden("__describe", createDescribe(timeLimitMs, take("__parser")));
  open("console", createConsole(lines));
  lazy("dayjs", makeDayjs);
  open("timeUtils", timeUtils);
  open("atob", (/** @type {unknown} */ text) => Buffer.from(String(text), "base64").toString("latin1"));
  open("btoa", (/** @type {unknown} */ text) => Buffer.from(String(text), "latin1").toString("base64"));
  open("payload", revived(take("__payload")));
  open("raw_payload", revived(take("__raw")));
  open("device", take("__device"));
  const own = { exports: {} };
  open("module", own);
  open("exports", own.exports);
  for (const [name, value] of Object.entries(take("__globals"))) if (!(name in globalThis)) open(name, value);
};
