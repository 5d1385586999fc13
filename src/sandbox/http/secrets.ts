import { randomBytes } from "node:crypto";

/** Unused codes, keys and pages that are stored. */
const MAX_HELD = 100;

export const newSecret = (): string => randomBytes(24).toString("base64url");

/** Adds to a list that drops its oldest entry when it is full. */
export function hold<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MAX_HELD) list.shift();
}
