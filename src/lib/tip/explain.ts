import { malformed, TipError } from "./errors.ts";
import { PARTS } from "./grammar.ts";

/** Goes through a body that the expressions do not match, step by step, to say where it ends. */
class Walk {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  skip(literal: string): boolean {
    if (!this.#text.startsWith(literal, this.at)) return false;
    this.at += literal.length;
    return true;
  }

  need(part: keyof typeof PARTS, what: string): void {
    const form = PARTS[part];
    form.lastIndex = this.at;
    if (!form.test(this.#text)) throw malformed(`Expected ${what}`, this.at);
    this.at = form.lastIndex;
  }

  /** Time, group and metadata. */
  marks(): void {
    if (this.skip("@")) this.need("time", "milliseconds since 1970");
    if (this.skip("^")) this.need("name", "a group of a-z, 0-9 and _");
    if (!this.skip("{")) return;
    this.need("pairs", "pairs such as key=value");
    this.literal("}", "the end of the metadata, }");
  }

  value(): void {
    if (this.skip("@=")) {
      this.place();
      return;
    }
    if (this.skip(":=")) this.need("number", "a number such as -18.5");
    else if (this.skip("?=")) this.need("boolean", "true or false");
    else if (this.skip("=")) this.need("text", "a string that is not empty");
    else throw malformed("Expected one of := = ?= @=", this.at);
    if (this.skip("#")) this.need("unit", "a unit");
    if (this.skip("@=")) this.place();
  }

  place(): void {
    this.need("place", "a location: latitude,longitude or latitude,longitude,altitude");
  }

  literal(literal: string, what: string): void {
    if (this.skip(literal)) return;
    const [char = ""] = this.#text.slice(this.at, this.at + 1);
    if (/[#@^{]/.test(char))
      throw malformed("Expected each part once, in this order: unit, location, time, group, metadata", this.at);
    throw malformed(char === "\\" ? "An escape that does not exist" : `Expected ${what}`, this.at);
  }
}

function problemOf(text: string, at: number, steps: (walk: Walk) => void): TipError {
  try {
    steps(new Walk(text, at));
  } catch (error) {
    if (error instanceof TipError) return error;
    throw error;
  }
  return malformed("The body is malformed", at);
}

/** Why no list of variables, with what may stand before it, begins at an index. */
export const explainBody = (text: string, from: number): TipError =>
  problemOf(text, from, (walk) => {
    if (walk.skip("@=")) walk.place();
    walk.marks();
    walk.literal("[", "[ and variables");
  });

/** Why no variable begins at an index. */
export const explainVariable = (text: string, from: number): TipError =>
  problemOf(text, from, (walk) => {
    walk.need("name", "a variable of a-z, 0-9 and _");
    walk.value();
    walk.marks();
    walk.literal("]", "; or ]");
  });
