import { InputError } from "../core/errors.ts";

/** @throws InputError unless the argument is an object */
export function needObject(value: unknown, name: string): void {
  if (typeof value !== "object" || value === null) throw new InputError(`Invalid ${name}: it must be an object`, name);
}
