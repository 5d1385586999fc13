import { randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "./clock.ts";
import { PlatformError } from "./platform-error.ts";

const ID = /^[0-9a-f]{24}$/;

/** True for 24 lower-case hex characters. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && ID.test(value);
}

/** Rejects an id of another form with `Invalid {Thing} ID`. */
export function requireId(value: unknown, thing: string): string {
  if (isId(value)) return value;
  throw new PlatformError(400, `Invalid ${thing} ID`);
}

/** Small random number generator (mulberry32): the same seed produces the same bytes on every machine. */
function seededBytes(seed: number): (length: number) => Uint8Array {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  return (length) => Uint8Array.from({ length }, () => next() & 0xff);
}

function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  const version = `4${hex.slice(13, 16)}`;
  const variant = `${"89ab"[Number.parseInt(hex.slice(16, 17), 16) & 3]}${hex.slice(17, 20)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}-${variant}-${hex.slice(20, 32)}`;
}

/**
 * Ids in the platform's format: creation seconds, five random bytes of this source, a three-byte counter. Ids created
 * in one second rise. With a seed the same calls return the same ids and tokens.
 */
export class IdSource {
  readonly #clock: Clock;
  readonly #seed: number | undefined;
  readonly #bytes: (length: number) => Uint8Array;
  readonly #source: string;
  #latestMs = 0;
  #counter: number;

  constructor(clock: Clock, seed?: number) {
    this.#clock = clock;
    this.#seed = seed;
    this.#bytes = seed === undefined ? randomBytes : seededBytes(seed);
    this.#source = Buffer.from(this.#bytes(5)).toString("hex");
    this.#counter = Buffer.from(this.#bytes(3)).readUIntBE(0, 3) >>> 1;
  }

  /**
   * 24 lower-case hex characters, creation seconds first. `atMs` defaults to the clock; such ids rise even when the
   * clock is set back.
   */
  id(givenMs?: number): string {
    if (givenMs === undefined) this.#latestMs = Math.max(this.#latestMs, this.#clock.now());
    const atMs = givenMs ?? this.#latestMs;
    this.#counter = (this.#counter + 1) & 0xffffff;
    const seconds = Math.max(0, Math.min(0xffffffff, Math.floor(atMs / 1000)));
    return `${seconds.toString(16).padStart(8, "0")}${this.#source}${this.#counter.toString(16).padStart(6, "0")}`;
  }

  uuid(): string {
    return this.#seed === undefined ? randomUUID() : formatUuid(this.#bytes(16));
  }
}
