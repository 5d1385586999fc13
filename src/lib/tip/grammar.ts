/**
 * The grammar of a frame as regular expressions. None has a repetition in which two ways lead through the same text, so
 * each takes time in proportion to its input, whatever that is. docs/internals/platform/tip.md, Grammar.
 */

const number = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?";
const place = `${number},${number}(?:,${number})?`;
const names = "[a-z0-9_]";
const name = `${names}+`;
/** Printable, without a meaning: none of `# , ; @ [ \ ] ^ { | }`. */
const free = "\\x20-\\x22\\x24-\\x2b\\x2d-\\x3a\\x3c-\\x3f\\x41-\\x5a\\x5f-\\x7a\\x7e\\x80-\\uffff";
const escaped = "\\\\[|[\\];,{}#@^n\\\\]";
/** One or more characters of a class, or escapes. */
const textOf = (chars: string): string => `(?:[${chars}]|${escaped})[${chars}]*(?:${escaped}[${chars}]*)*`;
const text = textOf(`${free},`);
const pairText = textOf(free);
const unit = `[${free},]+`;
/** Time, group and metadata, which both a body and a variable have. The pairs are read one by one. */
const marks = `(?:@([0-9]+))?(?:\\^(${name}))?(?:\\{(${text})\\})?`;
const value = `(?::=(${number})|=(${text})|\\?=(true|false))(?:#(${unit}))?(?:@=(${place}))?|@=(${place})`;

/** What stands before the variables of a body, and their bracket: location, time, group and metadata. */
export const BODY_START = new RegExp(`(?:@=(${place}))?${marks}\\[`, "y");
/**
 * One variable and what ends it: name, number, string, boolean, unit, location, location as value, time, group, metadata,
 * `;` or `]`.
 */
export const VARIABLE = new RegExp(`(${name})(?:${value})${marks}([;\\]])`, "y");
/** One pair of metadata. */
export const PAIR = new RegExp(`(${name})=(${pairText})(?=,|$)`, "y");
/** A frame up to its body: method, counter, hash, serial. */
export const HEAD = /(PUSH|PULL|PING)\|(?:!(0|[1-9][0-9]{0,9})\|)?([0-9A-Fa-f]{16})\|([A-Za-z0-9_-]{1,100})(?:\||$)/y;

export const HEX = /^(?:[0-9A-Fa-f]{2})+$/;
export const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
export const NAME = /^[a-z0-9_]{1,100}$/;
export const SERIAL = /^[A-Za-z0-9_-]{1,100}$/;
export const HASH = /^[0-9A-Fa-f]{16}$/;
export const UNIT = new RegExp(`^${unit}$`);

/** The parts of a variable and of a body, for saying where one ends. */
export const PARTS = Object.fromEntries(
  Object.entries({
    name,
    number,
    text,
    boolean: "true|false",
    unit,
    place,
    time: "[0-9]+",
    pairs: text,
  }).map(([part, source]) => [part, new RegExp(source, "y")]),
) as Readonly<Record<"name" | "number" | "text" | "boolean" | "unit" | "place" | "time" | "pairs", RegExp>>;
