import { invalidInput } from "./errors.ts";
import { BASE64, HASH, HEX, NAME, SERIAL, UNIT } from "./grammar.ts";
import { MAX_PAIRS, MAX_VARIABLES, TIME_MAX_MS, UNIT_MAX_BYTES } from "./limits.ts";
import { checkSeq, escapeText, fits, isSendable, isWellFormed, limited, writeNumber } from "./text.ts";
import type {
  TipBodyInput,
  TipContentInput,
  TipFrameInput,
  TipLocation,
  TipMarksInput,
  TipVariableInput,
} from "./types.ts";

/**
 * Writes a request, without a line feed.
 *
 * @throws TipError `invalid_input` for what the protocol cannot carry; nothing is changed to fit
 * @example
 * ```ts
 * import { buildFrame } from "iotdeck/tip";
 * const body = { kind: "variables", variables: [{ variable: "temperature", value: 21.5, unit: "C" }] } as const;
 * const line = buildFrame({ method: "PUSH", auth: "4deedd7bab8817ec", serial: "sensor-01", body });
 * ```
 */
export function buildFrame(frame: TipFrameInput): string {
  const counter = frame.seq === undefined ? "" : `!${checkSeq(frame.seq, "seq")}|`;
  const sender = `${checkHash(frame.auth)}|${checkSerial(frame.serial)}`;
  return limited(`${frame.method}|${counter}${sender}${buildRequest(frame)}`);
}

/** The body of a request with the pipe before it; nothing for PING. */
export function buildRequest(content: TipContentInput): string {
  switch (content.method) {
    case "PUSH":
      return `|${buildBody(content.body)}`;
    case "PULL":
      return `|[${checkNames(content.names).join(";")}]`;
    case "PING":
      return "";
    default:
      throw invalidInput("The method must be PUSH, PULL or PING");
  }
}

/**
 * Writes the body of a PUSH, as it is sent over HTTP.
 *
 * @throws TipError `invalid_input` for what the protocol cannot carry; nothing is changed to fit
 * @example
 * ```ts
 * import { buildBody } from "iotdeck/tip";
 * const text = buildBody({ kind: "variables", time: new Date(), variables: [{ variable: "door", value: true }] });
 * ```
 */
export function buildBody(body: TipBodyInput): string {
  if (typeof body !== "object" || body === null) throw invalidInput("The body must be an object");
  if (body.kind === "variables") return limited(writeMarks(body) + buildVariables(body.variables));
  const form = { hex: HEX, base64: BASE64 }[body.kind];
  if (form === undefined) throw invalidInput("The kind of a body must be variables, hex or base64");
  if (typeof body.data !== "string" || !form.test(body.data))
    throw invalidInput(`The data must be ${body.kind} digits`);
  return limited(`>${body.kind === "hex" ? "x" : "b"}${body.data}`);
}

/** The list of variables with its brackets. */
export function buildVariables(variables: readonly TipVariableInput[]): string {
  return `[${checkList(variables, "variables").map(writeVariable).join(";")}]`;
}

function writeVariable(input: TipVariableInput): string {
  if (typeof input !== "object" || input === null) throw invalidInput("A variable must be an object");
  const { value, unit } = input;
  const name = checkName(input.variable, "variable");
  if (typeof value !== "object" || value === null)
    return name + writeValue(value, name) + writeUnit(unit) + writeMarks(input);
  if (unit !== undefined || input.location !== undefined)
    throw invalidInput(`${name} is a location, which has neither a unit nor another location`);
  return `${name}@=${writePlace(value)}${writeMarks(input)}`;
}

function writeValue(value: unknown, name: string): string {
  if (typeof value === "number") return `:=${checkNumber(value, name)}`;
  if (typeof value === "boolean") return `?=${value}`;
  return `=${escapeText(checkText(value, name), "value")}`;
}

function writeUnit(unit: string | undefined): string {
  if (unit === undefined) return "";
  if (!isUnit(unit))
    throw invalidInput("A unit must be 1 to 25 bytes, without control characters and # ; @ [ ] ^ { | } \\");
  return `#${unit}`;
}

export const isUnit = (unit: unknown): unit is string =>
  typeof unit === "string" && UNIT.test(unit) && fits(unit, UNIT_MAX_BYTES) && isWellFormed(unit);

export const isName = (name: unknown): name is string => typeof name === "string" && NAME.test(name);

export const isTime = (time: unknown): time is number =>
  Number.isInteger(time) && Number(time) >= 0 && Number(time) <= TIME_MAX_MS;

function writeMarks({ location, time, group, metadata }: TipMarksInput): string {
  const place = location === undefined ? "" : `@=${writePlace(location)}`;
  return (
    place + writeTime(time) + (group === undefined ? "" : `^${checkName(group, "group")}`) + writeMetadata(metadata)
  );
}

function writeTime(time: number | Date | undefined): string {
  if (time === undefined) return "";
  const timeMs = time instanceof Date ? time.getTime() : time;
  if (!isTime(timeMs)) throw invalidInput("A time must be a date, or whole milliseconds from 1970 on");
  return `@${writeNumber(timeMs)}`;
}

/** Without pairs it is left out. */
function writeMetadata(metadata: TipMarksInput["metadata"]): string {
  if (metadata === undefined) return "";
  const pairs = Object.entries(metadata).map(([key, value]) => {
    const text =
      typeof value === "number" ? checkNumber(value, key) : typeof value === "boolean" ? String(value) : value;
    return `${checkName(key, "key of the metadata")}=${escapeText(checkText(text, key), "metadata")}`;
  });
  if (pairs.length > MAX_PAIRS) throw invalidInput(`Metadata have at most ${MAX_PAIRS} pairs`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** A location as a string: `lat,lng` or `lat,lng,alt`. */
export function writePlace({ lat, lng, alt }: TipLocation): string {
  const place = `${checkNumber(lat, "lat")},${checkNumber(lng, "lng")}`;
  return alt === undefined ? place : `${place},${checkNumber(alt, "alt")}`;
}

function checkNumber(value: unknown, name: string): string {
  if (typeof value !== "number" || !Number.isFinite(value)) throw invalidInput(`${name} must be a finite number`);
  return writeNumber(value);
}

function checkText(value: unknown, name: string): string {
  if (typeof value === "string" && value !== "" && isSendable(value)) return value;
  throw invalidInput(`${name} must be a number, a boolean, or a non-empty string without control characters`);
}

function checkName(name: unknown, what: string): string {
  if (!isName(name)) throw invalidInput(`A ${what} must be 1 to 100 of a-z, 0-9 and _`);
  return name;
}

export const checkNames = (names: readonly string[]): readonly string[] =>
  checkList(names, "names").map((name) => checkName(name, "variable"));

function checkList<Item>(list: readonly Item[], what: string): readonly Item[] {
  if (Array.isArray(list) && list.length > 0 && list.length <= MAX_VARIABLES) return list;
  throw invalidInput(`The ${what} must be a list of 1 to ${MAX_VARIABLES}`);
}

export function checkHash(hash: unknown): string {
  if (typeof hash !== "string" || !HASH.test(hash)) throw invalidInput("The hash must be 16 hex digits");
  return hash.toLowerCase();
}

export function checkSerial(serial: unknown): string {
  if (typeof serial === "string" && SERIAL.test(serial)) return serial;
  throw invalidInput("The serial must be 1 to 100 letters, digits, - and _");
}
