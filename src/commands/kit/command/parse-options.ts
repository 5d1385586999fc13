import { inputError, usageError } from "../failures/command-error.ts";
import type { FlagKind, OptionSpec, Options, TypedTexts } from "./options.ts";
import {
  camelCase,
  keyValue,
  parseCount,
  parseCron,
  parseDuration,
  parseEmail,
  parseExpiry,
  parseInstant,
  parseInterval,
  parsePhone,
  parseRate,
  parseTag,
  parseZone,
  quote,
} from "./values.ts";

/** What reading a value takes besides its text. */
export interface ValueReader {
  readonly nowMs: number;
  /** The content of `@file`, or of stdin for `@-`. */
  readonly readInput: (place: string, flag: string) => Promise<string>;
}

/** Default placeholder of a flag, and how its value names a file. */
const formOf: Readonly<Record<FlagKind, Pick<OptionSpec, "value" | "file">>> = {
  text: { value: "text" },
  content: { value: "text", file: "@" },
  integer: { value: "n" },
  number: { value: "n" },
  duration: { value: "duration" },
  rate: { value: "n/s" },
  instant: { value: "time" },
  expiry: { value: "when" },
  zone: { value: "zone" },
  email: { value: "address" },
  phone: { value: "number" },
  cron: { value: "cron" },
  interval: { value: "time" },
  pair: { value: "k=v" },
  tag: { value: "k=v" },
  json: { value: "json", file: "@" },
};

/** A flag with all that follows from its kind. */
export function completeOption<Spec extends OptionSpec>(spec: Spec): Spec {
  return spec.kind === undefined ? spec : { ...formOf[spec.kind], ...spec };
}

export const isSwitch = ({ kind, value }: OptionSpec): boolean => kind === undefined && value === undefined;

/** The flags that were given, with the defaults of the others. */
export function withDefaults(specs: Options, given: TypedTexts): TypedTexts {
  const texts: Record<string, TypedTexts[string]> = { ...given };
  for (const spec of specs) {
    const name = camelCase(spec.name);
    if (texts[name] !== undefined || spec.undecided === true) continue;
    const fallback = spec.default ?? (spec.negatable === true ? true : spec.repeat === true ? [] : undefined);
    if (fallback !== undefined) texts[name] = fallback;
  }
  return texts;
}

/** The values of flags, in the order they are declared: only the first that is wrong is reported. */
export async function readOptions(
  specs: Options,
  texts: TypedTexts,
  around: ValueReader,
): Promise<Readonly<Record<string, unknown>>> {
  const options: Record<string, unknown> = {};
  for (const spec of specs) {
    const name = camelCase(spec.name);
    const text = texts[name];
    if (Array.isArray(text)) {
      const values: unknown[] = [];
      for (const one of text) values.push(await readValue(spec, one, around));
      options[name] = values;
    } else options[name] = typeof text === "string" ? await readValue(spec, text, around) : switchValue(spec, text);
  }
  return options;
}

/** A switch that was not given is off, unless the command decides. */
function switchValue(spec: OptionSpec, given: TypedTexts[string]): unknown {
  return given ?? (isSwitch(spec) && spec.undecided !== true ? false : undefined);
}

async function readValue(spec: OptionSpec, text: string, around: ValueReader): Promise<unknown> {
  const flag = `--${spec.name}`;
  switch (spec.kind) {
    case "integer":
      return readInteger(spec, text, flag);
    case "number":
      return readNumber(text, flag);
    case "duration":
      return parseDuration(text, flag);
    case "rate":
      return parseRate(text, flag);
    case "instant":
      return parseInstant(text, flag, around.nowMs);
    case "expiry":
      return parseExpiry(text, flag, around.nowMs);
    case "zone":
      return parseZone(text, flag);
    case "email":
      return parseEmail(text, flag, spec.repeat);
    case "phone":
      return parsePhone(text, flag);
    case "cron":
      return parseCron(text, flag);
    case "interval":
      return parseInterval(text, flag);
    case "pair":
      return keyValue(text, flag);
    case "tag":
      return parseTag(text, flag);
    case "content":
      return readContent(text, flag, around);
    case "json":
      return parseJsonText(await readContent(text, flag, around), flag);
    default:
      return text;
  }
}

function readInteger({ least = 1, most = Number.POSITIVE_INFINITY }: OptionSpec, text: string, flag: string): number {
  const value = parseCount(text, flag, least);
  if (value <= most) return value;
  throw usageError(`${flag} must be at most ${most}.`);
}

function readNumber(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw usageError(`${flag} needs a number, not ${quote(text)}.`);
}

const readContent = async (text: string, flag: string, { readInput }: ValueReader): Promise<string> =>
  text.startsWith("@") ? readInput(text, flag) : text;

/** Parses a JSON string; `place` names it in the error. */
export function parseJsonText(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw inputError(`${place} does not hold valid JSON.`, {
      why: error instanceof Error ? error.message : String(error),
      next: "Fix the JSON; keys and strings need double quotes.",
    });
  }
}
