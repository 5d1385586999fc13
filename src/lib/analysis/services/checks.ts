import { InputError } from "../../core/errors.ts";

/** @throws InputError unless the argument is an object */
export function needObject(value: unknown, name: string): void {
  if (typeof value !== "object" || value === null) throw new InputError(`Invalid ${name}: it must be an object`, name);
}

/** A secret may be an object, or that object as JSON text. */
export function needJsonSecret(secret: unknown, field: string, message: string): void {
  if (typeof secret !== "string") return;
  try {
    JSON.parse(secret);
  } catch {
    throw new InputError(message, field);
  }
}
