import { InputError } from "./errors.ts";

/** A body that is JSON already: written once, sent as often as needed. */
export class JsonText {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** @throws InputError for what JSON cannot hold: cycles, bigints, functions */
  static of(value: unknown): JsonText {
    let text: string | undefined;
    try {
      text = JSON.stringify(value);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : "unknown reason";
      throw new InputError(`The body cannot be written as JSON: ${reason}`, "body");
    }
    if (text === undefined) throw new InputError("The body cannot be written as JSON: it is no value", "body");
    return new JsonText(text);
  }
}
