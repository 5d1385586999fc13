import { malformed } from "./errors.ts";
import { explainBody, explainVariable } from "./explain.ts";
import { BASE64, BODY_START, HEX, NAME, PAIR, VARIABLE } from "./grammar.ts";
import { MAX_PAIRS, MAX_VARIABLES, NAME_MAX_BYTES, TIME_MAX_MS, UNIT_MAX_BYTES } from "./limits.ts";
import { fits, readText, unescapeText } from "./text.ts";
import type { Input, TipBody, TipLocation, TipMarks, TipVariable, TipVariables } from "./types.ts";

/**
 * Reads the body of a PUSH, as it is sent over HTTP.
 *
 * @throws TipError `payload_too_large` or `invalid_payload`
 * @example
 * ```ts
 * import { parseBody } from "iotdeck/tip";
 * const body = parseBody("@1754000000000[temperature:=21.5#C]"); // { kind: "variables", time: 1754000000000, variables: [...] }
 * ```
 */
export function parseBody(input: Input): TipBody {
  return readBody(readText(input), 0);
}

/** Reads what follows an index, to the end. One expression per variable, each from where the one before ended. */
export function readBody(text: string, from: number): TipBody {
  if (text[from] === ">") return readRaw(text, from);
  BODY_START.lastIndex = from;
  const start = BODY_START.exec(text);
  if (start === null) throw explainBody(text, from);
  const body: TipVariables = { kind: "variables", variables: [] };
  addMarks(body, from, start[1], start[2], start[3], start[4]);
  body.variables = readVariables(text, BODY_START.lastIndex);
  return body;
}

function readRaw(text: string, from: number): TipBody {
  const data = text.slice(from + 2);
  if (text[from + 1] === "x" && HEX.test(data)) return { kind: "hex", data };
  if (text[from + 1] === "b" && BASE64.test(data)) return { kind: "base64", data };
  throw malformed("A raw payload is >x with pairs of hex digits, or >b with base64", from);
}

/** Reads a list of variables after its bracket, to the end of the text. */
export function readVariables(text: string, from: number): TipVariable[] {
  const variables: TipVariable[] = [];
  for (let at = from; ; ) {
    VARIABLE.lastIndex = at;
    const match = VARIABLE.exec(text);
    if (match === null) throw explainVariable(text, at);
    variables.push(toVariable(match, at));
    at = VARIABLE.lastIndex;
    if (match[11] === "]") {
      if (at < text.length) throw malformed("Something follows the closing bracket", at);
      return variables;
    }
    if (variables.length === MAX_VARIABLES) throw malformed(`More than ${MAX_VARIABLES} variables`, at);
  }
}

/** By index: destructuring takes an iterator for each variable. */
function toVariable(match: RegExpExecArray, at: number): TipVariable {
  const variable = valued(match, at);
  const unit = match[5];
  if (unit !== undefined) {
    if (!fits(unit, UNIT_MAX_BYTES)) throw malformed(`A unit of more than ${UNIT_MAX_BYTES} bytes`, at);
    variable.unit = unit;
  }
  addMarks(variable, at, match[6], match[8], match[9], match[10]);
  return variable;
}

function valued(match: RegExpExecArray, at: number): TipVariable {
  const variable = checkName(match[1] ?? "", at);
  if (match[2] !== undefined) return { variable, type: "number", value: toNumber(match[2], at) };
  if (match[3] !== undefined) return { variable, type: "string", value: unescapeText(match[3]) };
  if (match[4] !== undefined) return { variable, type: "boolean", value: match[4] === "true" };
  return { variable, type: "location", value: toLocation(match[7] ?? "", at) };
}

function addMarks(
  target: TipMarks,
  at: number,
  place: string | undefined,
  time: string | undefined,
  group: string | undefined,
  metadata: string | undefined,
): void {
  if (place !== undefined) target.location = toLocation(place, at);
  if (time !== undefined) {
    target.time = Number(time);
    if (target.time > TIME_MAX_MS) throw malformed("A time that is not a date", at);
  }
  if (group !== undefined) target.group = checkName(group, at);
  if (metadata !== undefined) target.metadata = toMetadata(metadata, at);
}

/** Adding 0 makes -0 an ordinary 0. */
function toNumber(digits: string, at: number): number {
  const value = Number(digits) + 0;
  if (!Number.isFinite(value)) throw malformed("A number that is too large", at);
  return value;
}

function toLocation(place: string, at: number): TipLocation {
  const [lat = "", lng = "", alt] = place.split(",");
  const location: TipLocation = { lat: toNumber(lat, at), lng: toNumber(lng, at) };
  if (alt !== undefined) location.alt = toNumber(alt, at);
  return location;
}

function checkName(name: string, at: number): string {
  if (name.length > NAME_MAX_BYTES) throw malformed(`A name of more than ${NAME_MAX_BYTES} characters`, at);
  return name;
}

/** Reads pairs whose characters are known to be allowed. Of equal keys the last counts. */
function toMetadata(pairs: string, at: number): Record<string, string> {
  const metadata: Record<string, string> = {};
  let count = 0;
  for (let from = 0; from <= pairs.length; from = PAIR.lastIndex + 1) {
    PAIR.lastIndex = from;
    const [, key = "", value = ""] = PAIR.exec(pairs) ?? [];
    if (key === "") throw malformed("Metadata are pairs such as key=value", at);
    count += 1;
    if (count > MAX_PAIRS) throw malformed(`More than ${MAX_PAIRS} pairs of metadata`, at);
    setOwn(metadata, checkName(key, at), unescapeText(value));
  }
  return metadata;
}

/** Sets a property, also one such as `__proto__`. */
export function setOwn<Value>(target: Record<string, Value>, key: string, value: Value): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}

/** Reads the names of a PULL, between `open` and `close`, to the end of the text. */
export function readNames(text: string, from: number, open: string, separator: string, close: string): string[] {
  if (!text.startsWith(open, from) || !text.endsWith(close) || text.length < from + open.length + close.length)
    throw malformed(`The names of a PULL stand in brackets`, from);
  const names = text.slice(from + open.length, text.length - close.length).split(separator);
  if (names.length > MAX_VARIABLES) throw malformed(`More than ${MAX_VARIABLES} names`, from);
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong !== undefined) throw malformed("A name is 1 to 100 of a-z, 0-9 and _", from);
  return names;
}
