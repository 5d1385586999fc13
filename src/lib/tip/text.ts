import { invalidInput, malformed, TipError } from "./errors.ts";
import { FRAME_MAX_BYTES, SEQ_MAX } from "./limits.ts";
import type { Input } from "./types.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const LF = 10;

export const toBytes = (text: string): Uint8Array => encoder.encode(text);

/** Half of a pair, which has no UTF-8. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export const isWellFormed = (text: string): boolean => !LONE_SURROGATE.test(text);

/** Whether a string takes at most this many bytes. Most are so short that nothing is measured. */
export const fits = (text: string, mostBytes: number): boolean =>
  text.length * 3 <= mostBytes || (text.length <= mostBytes && encoder.encode(text).length <= mostBytes);

/**
 * Reads a string or its bytes, and removes one final line feed.
 *
 * @throws TipError `payload_too_large`; `invalid_payload` for what is empty, not UTF-8, or has a byte 0 or another line feed
 */
export function readText(input: Input, mostBytes = FRAME_MAX_BYTES): string {
  const text = typeof input === "string" ? shortString(input, mostBytes) : decode(input, mostBytes);
  if (text === "") throw malformed("Nothing was received");
  const lineFeed = text.indexOf("\n");
  if (lineFeed >= 0) throw malformed("A line feed within the text", lineFeed);
  const zero = text.indexOf("\0");
  if (zero >= 0) throw malformed("A byte 0", zero);
  return text;
}

const tooLarge = (mostBytes: number): TipError => new TipError("payload_too_large", `More than ${mostBytes} bytes`);

function shortString(input: string, mostBytes: number): string {
  const text = input.charCodeAt(input.length - 1) === LF ? input.slice(0, -1) : input;
  if (!fits(text, mostBytes)) throw tooLarge(mostBytes);
  if (!isWellFormed(text)) throw malformed("Half of a surrogate pair, which has no UTF-8", text.search(LONE_SURROGATE));
  return text;
}

function decode(input: unknown, mostBytes: number): string {
  if (!(input instanceof Uint8Array)) throw invalidInput("The input must be a string or a Uint8Array");
  const bytes = input.at(-1) === LF ? input.subarray(0, -1) : input;
  if (bytes.length > mostBytes) throw tooLarge(mostBytes);
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed("The bytes are not UTF-8");
  }
}

/** Index of the next pipe that separates fields, -1 without one. A pipe after a backslash does not. */
export function nextPipe(text: string, from: number): number {
  const pipe = text.indexOf("|", from);
  const backslash = text.indexOf("\\", from);
  if (backslash < 0 || pipe < backslash) return pipe;
  for (let at = backslash; at < text.length; at += 1) {
    if (text[at] === "|") return at;
    if (text[at] === "\\") at += 1;
  }
  return -1;
}

/** The first fields of a frame, at most one more than any method has, each with the index it starts at. */
export function cut(text: string): { readonly text: string; readonly at: number }[] {
  const fields = [];
  for (let at = 0; fields.length < 6; ) {
    const pipe = nextPipe(text, at);
    fields.push({ text: text.slice(at, pipe < 0 ? undefined : pipe), at });
    if (pipe < 0) break;
    at = pipe + 1;
  }
  return fields;
}

/**
 * A text to send.
 *
 * @throws TipError `invalid_input` for one that is too large to be read
 */
export function limited(text: string): string {
  if (!fits(text, FRAME_MAX_BYTES)) throw invalidInput(`The frame has more than ${FRAME_MAX_BYTES} bytes`);
  return text;
}

const SEQ = /^!(0|[1-9][0-9]{0,9})$/;

/** The counter that a field such as `!17` has; undefined if it is malformed. */
export function seqIn(field: string): number | undefined {
  const value = Number(SEQ.exec(field)?.[1]);
  return value <= SEQ_MAX ? value : undefined;
}

const isSeq = (seq: unknown): seq is number => Number.isInteger(seq) && Number(seq) >= 0 && Number(seq) <= SEQ_MAX;

/** @throws TipError `invalid_input` for anything but a whole number of 32 bits */
export function checkSeq(seq: number, name: string): number {
  if (!isSeq(seq)) throw invalidInput(`${name} must be a whole number from 0 to 4,294,967,295`);
  return seq;
}

/** Characters that texts never contain, besides the line feed, which has an escape. */
const CONTROLS = /[^\n\x20-\x7e\x80-\uffff]/;

/** Whether a string can be sent: no control characters but the line feed, and no half of a surrogate pair. */
export const isSendable = (text: string): boolean => !CONTROLS.test(text) && isWellFormed(text);

/** A string without the characters that cannot be sent. */
export const sendable = (text: string): string =>
  text.replaceAll(new RegExp(CONTROLS, "g"), "").replaceAll(new RegExp(LONE_SURROGATE, "g"), "");

/** Removes escapes. The text has only known ones. */
export const unescapeText = (text: string): string =>
  text.includes("\\") ? text.replace(/\\(.)/g, (_, char: string) => (char === "n" ? "\n" : char)) : text;

const ESCAPED = { value: /[#;@[\\\]^{|}\n]/g, metadata: /[#,;@[\\\]^{|}\n]/g } as const;

/** Escapes what has a meaning in a value, or in metadata, where the comma has one. */
export const escapeText = (text: string, where: keyof typeof ESCAPED): string =>
  text.replace(ESCAPED[where], (char) => (char === "\n" ? "\\n" : `\\${char}`));

/** A finite number in full, without an exponent. */
export function writeNumber(value: number): string {
  const text = String(value === 0 ? 0 : value);
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (parts === null) return text;
  const [, sign = "", first = "", rest = "", power = "0"] = parts;
  const exponent = Number(power);
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${first}${rest}`;
  return sign + first + rest.padEnd(exponent, "0");
}
