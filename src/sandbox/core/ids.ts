import { randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "./clock.ts";
import { PlatformError } from "./platform-error.ts";

export interface IdSource {
  /**
   * 24 lower-case hex characters, creation seconds first. `atMs` defaults to the clock; such ids rise even when the
   * clock is set back.
   */
  id(atMs?: number): string;
  uuid(): string;
}

const ID = /^[0-9a-f]{24}$/;

/** True for 24 lower-case hex characters. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && ID.test(value);
}

/** Refuses an id of another form with `Invalid {Thing} ID`. */
export function requireId(value: unknown, thing: string): string {
  if (isId(value)) return value;
  throw new PlatformError(400, `Invalid ${thing} ID`);
}

/** Small generator (mulberry32): the same seed gives the same bytes on every machine. */
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
 * Ids as the platform makes them: creation seconds, five random bytes of this source, three counting ones. Ids made
 * in one second rise. With a seed the same calls give the same ids and tokens.
 */
export function createIds(clock: Clock, seed?: number): IdSource {
  const bytes = seed === undefined ? randomBytes : seededBytes(seed);
  const source = Buffer.from(bytes(5)).toString("hex");
  let latestMs = 0;
  let counter = Buffer.from(bytes(3)).readUIntBE(0, 3) >>> 1;
  return {
    id: (givenMs) => {
      if (givenMs === undefined) latestMs = Math.max(latestMs, clock.now());
      const atMs = givenMs ?? latestMs;
      counter = (counter + 1) & 0xffffff;
      const seconds = Math.max(0, Math.min(0xffffffff, Math.floor(atMs / 1000)));
      return `${seconds.toString(16).padStart(8, "0")}${source}${counter.toString(16).padStart(6, "0")}`;
    },
    uuid: seed === undefined ? () => randomUUID() : () => formatUuid(bytes(16)),
  };
}
