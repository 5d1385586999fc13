import { randomBytes, scryptSync } from "node:crypto";
import { sameText } from "../core/one-time-code.ts";

/** Cheap on purpose: these are demo passwords on a local machine, but they are never stored in plain text. */
const SCRYPT = { N: 1024, r: 8, p: 1 } as const;

/** `salt:hash`, both as hex digits. */
export function hashPassword(password: string, salt = randomBytes(16).toString("hex")): string {
  return `${salt}:${scryptSync(password, salt, 32, SCRYPT).toString("hex")}`;
}

let hashOfNobody: string | undefined;
/** Compared when there is no account, so that the response takes the same time. */
function nobody(): string {
  hashOfNobody ??= hashPassword("");
  return hashOfNobody;
}

/** True for the right password; always false without a hash. */
export function isPassword(password: string, hash: string | undefined): boolean {
  const known = hash ?? nobody();
  const [salt = ""] = known.split(":");
  const matches = sameText(hashPassword(password, salt), known);
  return matches && hash !== undefined;
}
