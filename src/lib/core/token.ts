import { InputError } from "./errors.ts";

/** A token as text. Space around it comes from files and variables it was read from; a number may be one, too. */
export function tokenText(token: unknown): string {
  return typeof token === "number" ? String(token) : typeof token === "string" ? token.trim() : "";
}

/** @throws InputError `Invalid Token` for what cannot be sent as a header */
export function checkToken(token: unknown): string {
  const text = tokenText(token);
  if (!/^[\x21-\x7e]+$/.test(text)) throw new InputError("Invalid Token", "token");
  return text;
}
