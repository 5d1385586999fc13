import { readVariables } from "./body.ts";
import { buildVariables } from "./build.ts";
import { invalidInput, malformed, TipError } from "./errors.ts";
import { ACK_MAX_BYTES } from "./limits.ts";
import { checkSeq, isWellFormed, limited, nextPipe, readText, seqIn } from "./text.ts";
import type { Input, TipAck, TipAckInput, TipStatus } from "./types.ts";

const STATUSES: readonly string[] = ["OK", "PONG", "CMD", "ERR"] satisfies TipStatus[];
const isStatus = (word: string): word is TipStatus => STATUSES.includes(word);

/**
 * Reads a response or a command.
 *
 * @throws TipError `invalid_method` for what is not an ACK, `payload_too_large` from 65,508 bytes, else `invalid_payload`
 * @example
 * ```ts
 * import { parseAck } from "iotdeck/tip";
 * const { status, count } = parseAck("ACK|!7|OK|1");
 * ```
 */
export function parseAck(input: Input): TipAck {
  const text = readText(input, ACK_MAX_BYTES);
  if (text !== "ACK" && !text.startsWith("ACK|"))
    throw new TipError("invalid_method", "The method must be ACK", { at: 0 });
  const counter = text.startsWith("!", 4) ? nextPipe(text, 4) : -1;
  const seq = counter < 0 ? undefined : seqIn(text.slice(4, counter));
  if (text.startsWith("!", 4) && seq === undefined) throw malformed("The counter must be !0 to !4294967295", 4);
  const rest = readStatus(text, seq === undefined ? 4 : counter + 1);
  return seq === undefined ? rest : { seq, ...rest };
}

/** Reads status and detail, to the end of the text. */
export function readStatus(text: string, from: number): TipAck {
  const pipe = nextPipe(text, from);
  const status = text.slice(from, pipe < 0 ? undefined : pipe);
  if (!isStatus(status)) throw malformed("The status must be OK, PONG, CMD or ERR", from);
  return pipe < 0 ? { status } : { status, ...readDetail(status, text, pipe + 1) };
}

/** A detail has no pipe, unless it is a list of variables, where a value can have one after a backslash. */
function readDetail(status: TipStatus, text: string, from: number): Omit<TipAck, "status"> {
  const detail = text.slice(from);
  const isList = detail.startsWith("[");
  if (isList && status === "OK") return { detail, variables: readVariables(text, from + 1) };
  if (detail === "" || hasControls(detail)) throw malformed("The detail is empty, or has control characters", from);
  if (detail.includes("|")) {
    if (!isList) throw malformed("A pipe in the detail", text.indexOf("|", from));
    readVariables(text, from + 1);
  }
  const count = status === "OK" && /^[0-9]+$/.test(detail) ? Number(detail) : undefined;
  return count !== undefined && Number.isSafeInteger(count) ? { detail, count } : { detail };
}

const hasControls = (text: string): boolean => /[^\x20-\x7e\x80-\uffff]/.test(text);

/**
 * Writes a response, without a line feed.
 *
 * @throws TipError `invalid_input`
 */
export function buildAck(ack: TipAckInput): string {
  const counter = ack.seq === undefined ? "" : `!${checkSeq(ack.seq, "seq")}|`;
  return limited(`ACK|${counter}${writeStatus(ack)}`);
}

/** Status and detail, as an envelope has them. */
export function writeStatus(ack: TipAckInput): string {
  if (!isStatus(ack.status)) throw invalidInput("The status must be OK, PONG, CMD or ERR");
  const detail = writeDetail(ack);
  return detail === undefined ? ack.status : `${ack.status}|${detail}`;
}

function writeDetail({ variables, count, detail }: TipAckInput): string | undefined {
  if (variables !== undefined) return buildVariables(variables);
  if (count !== undefined) {
    if (!Number.isSafeInteger(count) || count < 0) throw invalidInput("The count must be a whole number from 0");
    return String(count);
  }
  if (detail === undefined) return undefined;
  if (
    typeof detail !== "string" ||
    detail === "" ||
    detail.includes("|") ||
    hasControls(detail) ||
    !isWellFormed(detail)
  )
    throw invalidInput("The detail must be a non-empty string without | and control characters");
  return detail;
}
