/** (node) Hashes that name an authorization and a device, and keys that are derived from both. */
import { checkSerial } from "./build.ts";
import { crypto, type TipCipher, traitsOf } from "./crypto.ts";
import { invalidInput } from "./errors.ts";

const HASH_BYTES = 8;

/** The 32 digits of an authorization, whose case counts. */
function digitsOf(token: string): string {
  const digits = typeof token === "string" ? /^(?:at)?([0-9A-Fa-f]{32})$/.exec(token)?.[1] : undefined;
  if (digits === undefined) throw invalidInput("An authorization is at and 32 hex digits");
  return digits;
}

const hashOf = (text: string): string => Buffer.from(crypto.sha256(text).subarray(0, HASH_BYTES)).toString("hex");

/**
 * Hash of an authorization, 16 hex digits. It is sent in the clear, and with a serial it is enough to send plain data.
 *
 * @param token the authorization, with or without `at`
 * @throws TipError `invalid_input`
 * @example
 * ```ts
 * import { authHash } from "iotdeck/tip";
 * authHash("ate2bd319014b24e0a8aca9f00aea4c0d0"); // 4deedd7bab8817ec
 * ```
 */
export function authHash(token: string): string {
  return hashOf(digitsOf(token));
}

/**
 * Hash of a serial number as envelopes have it, 16 hex digits.
 *
 * @throws TipError `invalid_input`
 * @example
 * ```ts
 * import { deviceHash } from "iotdeck/tip";
 * deviceHash("sensor-01"); // ab7788d22eb7372f
 * ```
 */
export function deviceHash(serial: string): string {
  return hashOf(checkSerial(serial));
}

/**
 * Derives the key of a device from the authorization and its serial number, as long as the cipher needs it.
 *
 * @param token the authorization, with or without `at`
 * @param cipher `aes-128-ccm` by default
 * @throws TipError `invalid_input`
 * @example
 * ```ts
 * import { deriveKey } from "iotdeck/tip";
 * const key = deriveKey("ate2bd319014b24e0a8aca9f00aea4c0d0", "sensor-01", "aes-256-gcm"); // 32 bytes
 * ```
 */
export function deriveKey(token: string, serial: string, cipher: TipCipher = "aes-128-ccm"): Uint8Array {
  const { keyBytes } = traitsOf(cipher);
  return Uint8Array.from(crypto.hmacSha256(digitsOf(token), checkSerial(serial)).subarray(0, keyBytes));
}
