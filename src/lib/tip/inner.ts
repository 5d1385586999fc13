import { readStatus, writeStatus } from "./ack.ts";
import { buildRequest, checkSerial } from "./build.ts";
import { readInner } from "./frame.ts";
import { limited, readText } from "./text.ts";
import type { Input, TipAck, TipAckInput, TipInner, TipInnerInput, TipMethod } from "./types.ts";

/**
 * Reads the text of an envelope: serial and body of a request, or status and detail of a response.
 *
 * @throws TipError `payload_too_large` or `invalid_payload`
 * @example
 * ```ts
 * import { parseInner } from "iotdeck/tip";
 * const request = parseInner("PUSH", "sensor-01|[temperature:=21.5]");
 * const response = parseInner("ACK", "OK|1");
 * ```
 */
export function parseInner(method: TipMethod, input: Input): TipInner;
export function parseInner(method: "ACK", input: Input): TipAck;
export function parseInner(method: TipMethod | "ACK", input: Input): TipInner | TipAck;
export function parseInner(method: TipMethod | "ACK", input: Input): TipInner | TipAck {
  const text = readText(input);
  return method === "ACK" ? readStatus(text, 0) : readInner(method, text);
}

/**
 * Writes the text of an envelope. The counter of a response is left out: the header has it.
 *
 * @throws TipError `invalid_input`
 * @example
 * ```ts
 * import { buildInner } from "iotdeck/tip";
 * const inner = buildInner({ method: "PULL", serial: "sensor-01", names: ["temperature"] }); // sensor-01|[temperature]
 * ```
 */
export function buildInner(inner: TipInnerInput | TipAckInput): string {
  if ("status" in inner) return limited(writeStatus(inner));
  return limited(`${checkSerial(inner.serial)}${buildRequest(inner)}`);
}
