import { quote } from "../kit/command/values.ts";
import { inputError } from "../kit/failures/command-error.ts";
import { isObject, type JsonObject, objectOf } from "../kit/files/files.ts";

/** What a device sends, and what is known of the device. */
export interface Uplink {
  /** The body of the request: records, or whatever the network sends. */
  readonly body: unknown;
  /** What the parser sees as `device`, beyond an id, tags and parameters that are empty. */
  readonly device?: JsonObject;
  /** Parameters that the connector or network defines: further globals of the parser. */
  readonly globals?: JsonObject;
}

const keys = new Set(["payload", "port", "device", "globals"]);
const portNames = ["fport", "fPort", "FPort", "port"];
const payloadNames = ["payload", "payload_raw", "payload_hex", "data"];

/** The records of a raw frame, as a network passes it on: a record `payload` and, with a port, a record `fport`. */
function frame(hex: string, port: number | undefined): JsonObject[] {
  const records: JsonObject[] = [{ variable: "payload", value: hex }];
  return port === undefined ? records : [...records, { variable: "fport", value: port }];
}

function hexOf(text: string, where: string): string {
  const hex = text.replace(/[\s:]/g, "").replace(/^0x/i, "");
  if (/^([0-9a-f]{2})*$/i.test(hex)) return hex;
  throw invalid(`${quote(text.slice(0, 60))} in ${where} is not hexadecimal.`, "Use two digits per byte, or JSON.");
}

const invalid = (message: string, next: string, why?: string): Error =>
  inputError(message, { code: "parser.invalid_payload", next, ...(why === undefined ? {} : { why }) });

/** Payloads in a text: one JSON document, or lines of hexadecimal bytes. */
export function uplinksOf(text: string, where: string, port: number | undefined): Uplink[] {
  const trimmed = text.trim();
  if (/^[[{"]/.test(trimmed)) return [jsonUplink(parsed(trimmed, where), where, port)];
  const lines = trimmed.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length === 0) throw invalid(`No payload in ${where}.`, "Use hexadecimal bytes or JSON.");
  return lines.map((line) => ({ body: frame(hexOf(line, where), port) }));
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`The payload in ${where} is not valid JSON.`, "Fix the JSON.", String(error));
  }
}

/** A body as it is sent, or `{ "payload", "port", "device", "globals" }` around it. */
function jsonUplink(value: unknown, where: string, usualPort: number | undefined): Uplink {
  const isAround = isObject(value) && "payload" in value && Object.keys(value).every((key) => keys.has(key));
  if (!isAround) return { body: withPort(value, usualPort) };
  const { payload, port = usualPort, device, globals } = value;
  if (port !== undefined && !(typeof port === "number" && Number.isInteger(port) && port >= 0))
    throw invalid(`The port in ${where} is not a whole number.`, 'Use a number: "port": 2.');
  const body = typeof payload === "string" ? frame(hexOf(payload, where), port) : withPort(payload, port);
  return {
    body,
    ...(device === undefined ? {} : { device: objectOf(device) }),
    ...(globals === undefined ? {} : { globals: objectOf(globals) }),
  };
}

function withPort(body: unknown, port: number | undefined): unknown {
  if (port === undefined || portOf(body) !== undefined) return body;
  return [...(Array.isArray(body) ? body : [body]), { variable: "fport", value: port }];
}

function firstValue(body: unknown, names: readonly string[]): unknown {
  const records = Array.isArray(body) ? body : [body];
  return records.filter(isObject).find(({ variable }) => names.includes(String(variable)))?.["value"];
}

/** The port among the records of a body. */
export function portOf(body: unknown): number | undefined {
  const port = firstValue(body, portNames);
  return port === undefined || port === null || port === "" ? undefined : Number(port);
}

/** The raw frame among the records of a body, in hexadecimal. */
export function frameOf(body: unknown): string | undefined {
  const value = firstValue(body, payloadNames);
  return typeof value === "string" && /^([0-9a-f]{2})+$/i.test(value) ? value : undefined;
}
