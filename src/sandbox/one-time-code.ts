import { createHmac, randomInt, timingSafeEqual } from "node:crypto";

const STEP_MS = 30_000;
const DIGITS = 6;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function base32Bytes(secret: string): Buffer {
  let bits = "";
  for (const letter of secret.toUpperCase().replaceAll(/[^A-Z2-7]/g, "")) {
    bits += BASE32.indexOf(letter).toString(2).padStart(5, "0");
  }
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** The six digits an authenticator app shows at a moment (RFC 6238, SHA-1, 30 s steps). */
export function authenticatorCode(secret: string, timeMs: number): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.max(0, Math.floor(timeMs / STEP_MS))));
  const digest = createHmac("sha1", base32Bytes(secret)).update(step).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** True when the code is the one of now, of the step before or of the one after. */
export function isAuthenticatorCode(secret: string, code: string, nowMs: number): boolean {
  return [-STEP_MS, 0, STEP_MS].some((shiftMs) => sameText(authenticatorCode(secret, nowMs + shiftMs), code));
}

/** A code to send by mail or text message. */
export function newPin(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
}

/** Compares without telling by time where the texts differ. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
