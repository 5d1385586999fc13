import { readBody, readNames } from "./body.ts";
import { malformed, TipError } from "./errors.ts";
import { HASH, HEAD, SERIAL } from "./grammar.ts";
import { SEQ_MAX } from "./limits.ts";
import { cut, nextPipe, readText, seqIn } from "./text.ts";
import type { Input, TipContent, TipFrame, TipHead, TipInner, TipMethod, TipPayload } from "./types.ts";

interface Head {
  readonly method: TipMethod;
  readonly seq: number | undefined;
  readonly auth: string;
  readonly serial: string;
  /** Index of the body; behind the end for PING. */
  readonly bodyAt: number;
}

const METHODS: readonly string[] = ["PUSH", "PULL", "PING"] satisfies TipMethod[];
const isMethod = (word: string | undefined): word is TipMethod => word !== undefined && METHODS.includes(word);

/**
 * Reads a request.
 *
 * @throws TipError with the code a server would send, and the counter if it could be read
 * @example
 * ```ts
 * import { parseFrame } from "iotdeck/tip";
 * const frame = parseFrame("PUSH|!7|4deedd7bab8817ec|sensor-01|[temperature:=21.5#C]");
 * if (frame.method === "PUSH") console.log(frame.seq, frame.body);
 * ```
 */
export function parseFrame(input: Input): TipFrame {
  const text = readText(input);
  const { method, seq, auth, serial, bodyAt } = readHead(text);
  try {
    const content = readContent(method, text, bodyAt);
    return seq === undefined ? Object.assign(content, { auth, serial }) : Object.assign(content, { seq, auth, serial });
  } catch (error) {
    throw withSeq(error, seq);
  }
}

/**
 * Reads the beginning of a request and leaves the body unread: a server finds out who sends before it reads what.
 *
 * @throws TipError with the code a server would send, and the counter if it could be read
 */
export function readFrameHead(input: Input): TipHead {
  const text = readText(input);
  const { method, seq, auth, serial, bodyAt } = readHead(text);
  const head = seq === undefined ? { method, auth, serial } : { method, seq, auth, serial };
  return method === "PING" ? head : { ...head, body: text.slice(bodyAt) };
}

/** The names of a PULL in a frame. */
const listed = (text: string, from: number): string[] => readNames(text, from, "[", ";", "]");

function withSeq(error: unknown, seq: number | undefined): unknown {
  if (error instanceof TipError && seq !== undefined) error.seq = seq;
  return error;
}

function readHead(text: string): Head {
  HEAD.lastIndex = 0;
  const match = HEAD.exec(text);
  if (match === null) throw headProblem(text);
  const bodyAt = HEAD.lastIndex;
  const method = match[1] as TipMethod;
  const seq = match[2] === undefined ? undefined : Number(match[2]);
  const hasBody = text[bodyAt - 1] === "|";
  if ((method === "PING") === hasBody || (seq ?? 0) > SEQ_MAX || nextPipe(text, bodyAt) >= 0) throw headProblem(text);
  return { method, seq, auth: (match[3] ?? "").toLowerCase(), serial: match[4] ?? "", bodyAt };
}

/** What is wrong with the fields of a frame, in the order in which a server looks at them. */
function headProblem(text: string): TipError {
  const [method, ...rest] = cut(text);
  if (!isMethod(method?.text))
    return new TipError("invalid_method", "The method must be PUSH, PULL or PING", { at: 0 });
  const counter = rest[0]?.text.startsWith("!") ? rest.shift() : undefined;
  const seq = counter === undefined ? undefined : seqIn(counter.text);
  const [hash, serial] = rest;
  const problem = (): TipError => {
    if (rest.length !== (method.text === "PING" ? 2 : 3))
      return malformed(`${method.text} needs ${method.text === "PING" ? "hash and serial" : "hash, serial and body"}`);
    if (counter !== undefined && seq === undefined)
      return malformed("The counter must be a whole number from 0 to 4,294,967,295", counter.at);
    if (hash === undefined || !HASH.test(hash.text))
      return new TipError("invalid_token", "The hash must be 16 hex digits", hash === undefined ? {} : { at: hash.at });
    return malformed("The serial must be 1 to 100 letters, digits, - and _", serial?.at);
  };
  return withSeq(problem(), seq) as TipError;
}

/**
 * Reads the payload of a publish over MQTT: a counter that is optional, then the body of a push, or the names of a pull with
 * commas between them.
 *
 * @throws TipError with the code a server would send, and the counter if it could be read
 * @example
 * ```ts
 * import { parsePayload } from "iotdeck/tip";
 * const { seq, names } = parsePayload("pull", "!3|temperature,humidity");
 * ```
 */
export function parsePayload(kind: "push" | "pull", input: Input): TipPayload {
  const text = readText(input);
  const pipe = text.startsWith("!") ? nextPipe(text, 0) : -1;
  const seq = pipe < 0 ? undefined : seqIn(text.slice(0, pipe));
  if (text.startsWith("!") && seq === undefined) throw malformed("The counter must be !0 to !4294967295 and a pipe", 0);
  const payload: TipPayload = seq === undefined ? {} : { seq };
  try {
    if (kind === "push") payload.body = readBody(text, pipe + 1);
    else payload.names = readNames(text, pipe + 1, "", ",", "");
    return payload;
  } catch (error) {
    throw withSeq(error, seq);
  }
}

/** Reads the text of a request in an envelope: the serial, and the body of a PUSH or PULL. */
export function readInner(method: TipMethod, text: string): TipInner {
  const pipe = nextPipe(text, 0);
  const serial = pipe < 0 ? text : text.slice(0, pipe);
  if ((method === "PING") !== pipe < 0) throw malformed(`${method} has ${pipe < 0 ? "no body" : "a body"}`);
  if (!SERIAL.test(serial)) throw malformed("The serial must be 1 to 100 letters, digits, - and _", 0);
  return { ...readContent(method, text, pipe + 1), serial };
}

function readContent(method: TipMethod, text: string, from: number): TipContent {
  if (method === "PUSH") return { method, body: readBody(text, from) };
  return method === "PING" ? { method } : { method, names: listed(text, from) };
}
