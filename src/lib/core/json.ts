import { InputError } from "./errors.ts";
import { MAX_JSON_DEPTH } from "./limits.ts";

/** A parsed JSON object whose properties nobody has checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON that was read, or why it was not. */
export type ParsedJson =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly problem: "not JSON" | "too deep" };

/** Parses JSON of others, with at most `MAX_JSON_DEPTH` arrays and objects inside each other. */
export function readJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "not JSON" };
  }
  const isTooDeep =
    typeof value === "object" &&
    value !== null &&
    hasMoreThan(MAX_JSON_DEPTH, text) &&
    isDeeperThan(MAX_JSON_DEPTH, value);
  return isTooDeep ? { problem: "too deep" } : { value };
}

/** Parses JSON; a string that is not JSON, or nested too deeply, is returned unchanged. */
export function parseJson(text: string): unknown {
  const parsed = readJson(text);
  return parsed.problem === undefined ? parsed.value : text;
}

/** Whether a text has more than `count` opening brackets. Most have few, and are not looked through any further. */
function hasMoreThan(count: number, text: string): boolean {
  let found = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      found += 1;
      if (found > count) return true;
    }
  }
  return false;
}

/**
 * Whether a parsed value has more levels than this. The recursion ends at the level that is too deep. Most values in it
 * are strings and numbers, which cost no call.
 */
function isDeeperThan(levels: number, value: object): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value as unknown[])
      if (typeof item === "object" && item !== null && isDeeperThan(levels - 1, item)) return true;
    return false;
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "object" && item !== null && isDeeperThan(levels - 1, item)) return true;
  }
  return false;
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
