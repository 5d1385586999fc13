/** (node) Envelopes: the same content as a frame, encrypted. docs/internals/platform/tip.md, Envelopes. */
import { checkHash, checkSerial } from "./build.ts";
import { ciphers, crypto, type TipCipher, traitsOf } from "./crypto.ts";
import { invalidInput, malformed, TipError } from "./errors.ts";
import { deviceHash } from "./hashes.ts";
import { FRAME_MAX_BYTES, HEADER_BYTES } from "./limits.ts";
import { checkSeq, isWellFormed, limited, nextPipe, toBytes } from "./text.ts";
import type { TipMethod } from "./types.ts";

/** The first bytes of an envelope, which are not encrypted. */
export interface EnvelopeHeader {
  /** Cipher of the rest. */
  cipher: TipCipher;
  /** Version of the format. */
  version: 0;
  /** What the envelope holds. */
  method: TipMethod | "ACK";
  /** Counter of a request; of a response a number that is never used again with the key. */
  counter: number;
  /** Hash of the authorization, 16 hex digits in lower case. */
  authHash: string;
  /** Hash of the serial number, 16 hex digits in lower case. */
  deviceHash: string;
}

/** What `sealEnvelope` encrypts. */
export interface EnvelopeContent {
  /** Cipher. @default "aes-128-ccm" */
  readonly cipher?: TipCipher;
  /** What the envelope holds. */
  readonly method: TipMethod | "ACK";
  /** 0 to 4,294,967,295. **Never use one twice with the same key, method and cipher**: it is what the nonce is made of. */
  readonly counter: number;
  /** Hash of the authorization, 16 hex digits. */
  readonly authHash: string;
  /** Serial number of the device. */
  readonly serial: string;
  /** Key of the device: 16 or 32 bytes, as the cipher needs it. */
  readonly key: Uint8Array;
  /** The text, see `buildInner`. */
  readonly inner: string;
}

const NAMES = Object.keys(ciphers) as TipCipher[];
const METHODS: readonly EnvelopeHeader["method"][] = ["PUSH", "PULL", "PING", "ACK"];
/** An `A`: how a plain ACK begins. It would be AES-256-CCM with PULL. */
const PLAIN_ACK = 0x41;
const COUNTER_AT = 1;
const AUTH_AT = 5;
const DEVICE_AT = 13;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The flags, zeros, the first half of the device hash, and the counter. */
function nonceOf(header: Uint8Array, bytes: number): Uint8Array {
  const nonce = new Uint8Array(bytes);
  nonce[0] = header[0] ?? 0;
  nonce.set(header.subarray(DEVICE_AT, DEVICE_AT + 4), bytes - 8);
  nonce.set(header.subarray(COUNTER_AT, COUNTER_AT + 4), bytes - 4);
  return nonce;
}

function checkKey(key: Uint8Array, cipher: TipCipher): Uint8Array {
  const { keyBytes } = traitsOf(cipher);
  if (key instanceof Uint8Array && key.length === keyBytes) return key;
  throw invalidInput(`The key for ${cipher} must be ${keyBytes} bytes`);
}

/**
 * Encrypts the text of a request or response.
 *
 * @throws TipError `invalid_input`, also for a PULL with aes-256-ccm, which would begin as a plain ACK does
 * @example
 * ```ts
 * import { authHash, deriveKey, sealEnvelope } from "iotdeck/tip";
 * const key = deriveKey(token, "sensor-01");
 * const content = { authHash: authHash(token), serial: "sensor-01", inner: "sensor-01|[temperature:=21.5]" };
 * const bytes = sealEnvelope({ method: "PUSH", counter: 42, key, ...content });
 * ```
 */
export function sealEnvelope(content: EnvelopeContent): Uint8Array {
  const { cipher = "aes-128-ccm", method, inner } = content;
  const key = checkKey(content.key, cipher);
  const flags = (NAMES.indexOf(cipher) << 5) | METHODS.indexOf(method);
  if (!METHODS.includes(method)) throw invalidInput("The method must be PUSH, PULL, PING or ACK");
  if (flags === PLAIN_ACK) throw invalidInput("PULL cannot be sent with aes-256-ccm: use another cipher");
  if (typeof inner !== "string" || inner === "" || !isWellFormed(limited(inner)))
    throw invalidInput("The text of an envelope must be a non-empty string");
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = flags;
  header.writeUInt32BE(checkSeq(content.counter, "The counter"), COUNTER_AT);
  header.write(checkHash(content.authHash), AUTH_AT, "hex");
  header.write(deviceHash(content.serial), DEVICE_AT, "hex");
  const nonce = nonceOf(header, traitsOf(cipher).nonceBytes);
  return Uint8Array.from(Buffer.concat([header, crypto.seal({ cipher, key, nonce, header }, toBytes(inner))]));
}

/**
 * Distinguishes an envelope from a plain `ACK`, the other thing that a server of envelopes sends.
 *
 * @example
 * ```ts
 * import { isEnvelope, parseAck } from "iotdeck/tip";
 * const read = (bytes: Uint8Array) => (isEnvelope(bytes) ? "sealed" : parseAck(bytes).detail);
 * ```
 */
export function isEnvelope(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes[0] !== PLAIN_ACK;
}

/**
 * Reads what an envelope says in the clear. Nothing of it is proven until the envelope is opened.
 *
 * @throws TipError `unsupported_version`, `unsupported_cipher`, `invalid_method`, `envelope_too_large`, or `auth_failed` for
 *   one that is too short
 */
export function readHeader(envelope: Uint8Array): EnvelopeHeader {
  if (!(envelope instanceof Uint8Array)) throw invalidInput("The envelope must be a Uint8Array");
  const { cipher, method } = readFlags(envelope[0]);
  const { tagBytes } = traitsOf(cipher);
  if (envelope.length > FRAME_MAX_BYTES + HEADER_BYTES + tagBytes)
    throw new TipError("envelope_too_large", `The envelope has ${envelope.length} bytes`);
  if (envelope.length <= HEADER_BYTES + tagBytes) throw tooShort();
  const bytes = Buffer.from(envelope.buffer, envelope.byteOffset, HEADER_BYTES);
  return {
    cipher,
    version: 0,
    method,
    counter: bytes.readUInt32BE(COUNTER_AT),
    authHash: bytes.toString("hex", AUTH_AT, DEVICE_AT),
    deviceHash: bytes.toString("hex", DEVICE_AT),
  };
}

const tooShort = (): TipError => new TipError("auth_failed", "The envelope is too short");

function readFlags(flags: number | undefined): Pick<EnvelopeHeader, "cipher" | "method"> {
  if (flags === undefined) throw tooShort();
  const version = (flags >> 3) & 3;
  if (version !== 0) throw new TipError("unsupported_version", `Version ${version} is not supported`);
  const cipher = flags === PLAIN_ACK ? undefined : NAMES[flags >> 5];
  if (cipher === undefined) throw new TipError("unsupported_cipher", `Cipher ${flags >> 5} is not supported`);
  const method = METHODS[flags & 7];
  if (method === undefined) throw new TipError("invalid_method", `Method ${flags & 7} is not supported`);
  return { cipher, method };
}

/**
 * Decrypts an envelope. What it says is checked by the tag; whether its counter was used before is not.
 *
 * @param key key of the device
 * @param options.serial the device it must be from, or to
 * @throws TipError as `readHeader`; `auth_failed` for another key, a changed byte or another serial; `invalid_payload` for
 *   bytes that are not UTF-8; `invalid_input` for a key of another length
 * @example
 * ```ts
 * import { openEnvelope, parseInner } from "iotdeck/tip";
 * const read = (bytes: Uint8Array, key: Uint8Array) => {
 *   const { method, inner, counter } = openEnvelope(bytes, key, { serial: "sensor-01" });
 *   return { counter, content: parseInner(method, inner) };
 * };
 * ```
 */
export function openEnvelope(
  envelope: Uint8Array,
  key: Uint8Array,
  options: { readonly serial?: string } = {},
): EnvelopeHeader & {
  /** The text, see `parseInner`. */
  inner: string;
} {
  const header = readHeader(envelope);
  const clear = envelope.subarray(0, HEADER_BYTES);
  const { cipher } = header;
  const nonce = nonceOf(clear, traitsOf(cipher).nonceBytes);
  const sealing = { cipher, key: checkKey(key, cipher), nonce, header: clear };
  const inner = readInnerText(crypto.open(sealing, envelope.subarray(HEADER_BYTES)));
  if (options.serial !== undefined && !isOf(options.serial, header, inner))
    throw new TipError("auth_failed", "The envelope is of another device");
  return Object.assign(header, { inner });
}

function readInnerText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed("The text of the envelope is not UTF-8");
  }
}

/** A request names its device in the text, a response by the hash alone. */
function isOf(serial: string, header: EnvelopeHeader, inner: string): boolean {
  if (header.method === "ACK") return header.deviceHash === deviceHash(serial);
  const pipe = nextPipe(inner, 0);
  return (pipe < 0 ? inner : inner.slice(0, pipe)) === checkSerial(serial);
}
