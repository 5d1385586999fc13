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

/** The six digits an authenticator app shows at a given time (RFC 6238, SHA-1, 30 s steps). */
export function authenticatorCode(secret: string, timeMs: number): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.max(0, Math.floor(timeMs / STEP_MS))));
  const digest = createHmac("sha1", base32Bytes(secret)).update(step).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** The step a code belongs to: the current one, the one before or the one after; `undefined` for another code. */
export function authenticatorStep(secret: string, code: string, nowMs: number): number | undefined {
  const shiftMs = [0, -STEP_MS, STEP_MS].find((each) => sameText(authenticatorCode(secret, nowMs + each), code));
  return shiftMs === undefined ? undefined : Math.floor((nowMs + shiftMs) / STEP_MS);
}

/** Bytes as base32, without padding. */
export function base32Text(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters.map((each) => BASE32[Number.parseInt(each.padEnd(5, "0"), 2)] ?? "").join("");
}

/** A code to send by email or text message. */
export function newPin(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
}

/** Compares in constant time. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
