import { InputError } from "./errors.ts";

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON; a string that is not JSON is returned unchanged. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A body serialized once, so that retries do not serialize it again. */
export class JsonText {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** @throws InputError for values that JSON cannot represent: cycles, bigints, functions */
  static of(value: unknown): JsonText {
    let text: string | undefined;
    try {
      text = JSON.stringify(value);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : "unknown reason";
      throw new InputError(`The body cannot be written as JSON: ${reason}`, "body");
    }
    if (text === undefined) throw new InputError("The body cannot be written as JSON: it is not a value", "body");
    return new JsonText(text);
  }
}
