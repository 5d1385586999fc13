import type { Random } from "../../../lib/core/random.ts";
import { countOf } from "../../../text/count.ts";
import { parseDuration, quote } from "../../kit/command/values.ts";
import { typedValue } from "../../kit/devices/record-checks.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { didYouMean } from "../../kit/failures/unknown-word.ts";

type Value = string | number | boolean;

/** One value at a time. Called once per sample, oldest first: a walk continues from its last value. */
type Signal = (timeMs: number) => Value;

/** Makes a signal of its own for each device. */
export type Form = (random: Random) => Signal;

/** `temperature[°C]=sine(20,5,1h)`. */
export interface VariableForm {
  readonly variable: string;
  readonly unit?: string;
  /** The text after the equals sign. */
  readonly text: string;
}

interface Shape {
  readonly usage: string;
  readonly example: string;
  readonly least: number;
  readonly most: number;
  read(args: Arguments): Form;
}

/** The arguments of one term, with failures that name it. */
class Arguments {
  readonly #texts: readonly string[];
  readonly #fail: (why: string) => Error;

  constructor(texts: readonly string[], fail: (why: string) => Error) {
    this.#texts = texts;
    this.#fail = fail;
  }

  number(at: number, isValid: (value: number) => boolean = () => true, must = "a number"): number {
    const value = typedValue(this.#texts[at] ?? "");
    if (typeof value === "number" && isValid(value)) return value;
    throw this.#fail(`${quote(this.#texts[at] ?? "")} is not ${must}.`);
  }

  optional(at: number, otherwise: number): number {
    return this.#texts[at] === undefined ? otherwise : this.number(at);
  }

  /** Milliseconds of the argument; `at` counts from the end where it is negative. */
  duration(at: number, least = 1): number {
    const text = this.#texts.at(at) ?? "";
    const ms = /^\d/.test(text) ? parseDuration(text, "duration") : -1;
    if (ms >= least) return ms;
    throw this.#fail(`${quote(text)} is not a duration such as 30s, 10m or 1h.`);
  }

  get size(): number {
    return this.#texts.length;
  }

  values(to: number): Value[] {
    return this.#texts.slice(0, to).map(typedValue);
  }

  refuse(why: string): Error {
    return this.#fail(why);
  }
}

const isPositive = (value: number): boolean => value >= 0;

const shapes: Readonly<Record<string, Shape>> = {
  sine: {
    usage: "sine(mean, amplitude, period[, shift])",
    example: "sine(20,5,1h)",
    least: 3,
    most: 4,
    read(args) {
      const [mean, amplitude, periodMs] = [args.number(0), args.number(1), args.duration(2)];
      const shiftMs = args.size > 3 ? args.duration(3, 0) : 0;
      return () => (timeMs) => mean + amplitude * Math.sin(((timeMs - shiftMs) / periodMs) * 2 * Math.PI);
    },
  },
  noise: {
    usage: "noise(deviation)",
    example: "noise(0.3)",
    least: 1,
    most: 1,
    read(args) {
      const deviation = args.number(0, isPositive, "a number from 0 on");
      // Box and Muller: two even numbers make one of a bell curve.
      return (random) => () => deviation * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    },
  },
  step: {
    usage: "step(value, value, ..., every)",
    example: "step(18,21,18,8h)",
    least: 2,
    most: 100,
    read(args) {
      const [values, everyMs] = [args.values(args.size - 1), args.duration(-1)];
      if (new Set(values.map((value) => typeof value)).size > 1)
        throw args.refuse("Its values are of different types.");
      return () => (timeMs) => values[Math.floor(timeMs / everyMs) % values.length] ?? 0;
    },
  },
  walk: {
    usage: "walk(start, step[, min, max])",
    example: "walk(50,0.5,0,100)",
    least: 2,
    most: 4,
    read(args) {
      const [start, step] = [args.number(0), args.number(1, isPositive, "a number from 0 on")];
      const min = args.optional(2, Number.NEGATIVE_INFINITY);
      const max = args.optional(3, Number.POSITIVE_INFINITY);
      if (start < min || start > max) throw args.refuse(`It starts at ${start}, which is outside its limits.`);
      return (random) => {
        let value: number | undefined;
        return () => {
          const next = value === undefined ? start : value + step * (2 * random() - 1);
          value = Math.min(max, Math.max(min, next));
          return value;
        };
      };
    },
  },
  toggle: {
    usage: "toggle(every)",
    example: "toggle(10m)",
    least: 1,
    most: 1,
    read(args) {
      const everyMs = args.duration(0);
      return () => (timeMs) => Math.floor(timeMs / everyMs) % 2 === 1;
    },
  },
};

const usages = Object.values(shapes)
  .map(({ example }) => example)
  .join(", ");

/** Splits `name[unit]=form`. @throws exit 2 with the part that is wrong */
export function variableForm(word: string): VariableForm {
  const at = word.indexOf("=");
  const [, variable = "", unit] = /^([^[\]]+)(?:\[([^[\]]+)\])?$/.exec(word.slice(0, at).trim()) ?? [];
  const text = word.slice(at + 1).trim();
  if (variable !== "" && variable.length <= 100 && text !== "")
    return { variable, text, ...(unit === undefined ? {} : { unit }) };
  throw usageError(`${quote(word)} is not variable=form.`, {
    why: text === "" ? "Nothing follows the equals sign." : "The variable must be a name, with its unit in brackets.",
    next: `Write it like "temperature[°C]=sine(20,5,1h)+noise(0.3)".`,
  });
}

/** Reads a form: a constant, a function, or a sum of numbers and functions. */
export function parseForm({ variable, text }: VariableForm): Form {
  if (!/[+()]/.test(text)) return constant(typedValue(text));
  const terms = termsOf(text, variable).map((term) => termForm(term, variable));
  const [only, ...others] = terms;
  if (only !== undefined && others.length === 0) return only;
  // Every form keeps to one type, so its first value shows it.
  for (const term of terms) numberIn(term(() => 0)(0), variable);
  return (random) => {
    const signals = terms.map((term) => term(random));
    return (timeMs) => signals.reduce((sum, signal) => sum + numberIn(signal(timeMs), variable), 0);
  };
}

const constant =
  (value: Value): Form =>
  () =>
  () =>
    value;

function numberIn(value: Value, variable: string): number {
  if (typeof value === "number") return value;
  throw wrongForm(variable, `${quote(String(value))} is not a number, so it cannot be added.`);
}

function wrongForm(variable: string, why: string, next = `Use a constant or forms such as ${usages}.`): Error {
  return usageError(`Invalid form for ${quote(variable)}.`, { why, next });
}

/** The parts between the plus signs outside of parentheses. */
function termsOf(text: string, variable: string): string[] {
  const terms = [""];
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (depth < 0 || depth > 1) break;
    if (char === "+" && depth === 0) terms.push("");
    else terms[terms.length - 1] += char;
  }
  if (depth !== 0) throw wrongForm(variable, `The parentheses in ${quote(text)} do not match.`);
  return terms.map((term) => term.trim());
}

function termForm(term: string, variable: string): Form {
  const [, name = "", inner = ""] = /^([a-z]\w*)\((.*)\)$/is.exec(term) ?? [];
  if (name === "") {
    const value = typedValue(term);
    if (typeof value === "number") return constant(value);
    throw wrongForm(variable, `${quote(term)} is neither a number nor a form.`);
  }
  const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
  if (shape === undefined) {
    const { next } = didYouMean(name, Object.keys(shapes), `Use one of ${usages}.`);
    throw wrongForm(variable, `There is no form ${quote(name)}.`, next);
  }
  const texts = inner.trim() === "" ? [] : inner.split(",").map((text) => text.trim());
  const fail = (why: string): Error =>
    wrongForm(variable, `${quote(term)}: ${why}`, `Write it as ${shape.usage}, such as ${shape.example}.`);
  if (texts.length < shape.least || texts.length > shape.most) {
    throw fail(`It has ${countOf(texts.length, "argument")}.`);
  }
  return shape.read(new Arguments(texts, fail));
}
