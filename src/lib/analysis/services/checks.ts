import { InputError } from "../../core/errors.ts";

/** A secret may be an object, or that object as a JSON string. */
export function needJsonSecret(secret: unknown, field: string, message: string): void {
  if (typeof secret !== "string") return;
  try {
    JSON.parse(secret);
  } catch {
    throw new InputError(message, field);
  }
}
