import { isRecord } from "../../lib/core/json.ts";

/** Strings and their replacements. */
export type Replacements = ReadonlyMap<string, string>;

/** Shorter strings are replaced only if they are the whole value: `a` is part of almost any string. */
const LEAST_PART_CHARS = 8;

/** Replaces in one pass, so that replacements are not replaced again. */
function createReplacer(replacements: Replacements): (text: string) => string {
  const parts = [...replacements.keys()]
    .filter((from) => from.length >= LEAST_PART_CHARS)
    .sort((a, b) => b.length - a.length)
    .map((from) => from.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern = parts.length === 0 ? undefined : new RegExp(parts.join("|"), "g");
  return (text) => {
    const whole = replacements.get(text);
    if (whole !== undefined || pattern === undefined) return whole ?? text;
    return text.replace(pattern, (part) => replacements.get(part) ?? part);
  };
}

/**
 * The value with strings replaced everywhere, also within longer strings and in property names: old widgets contain ids
 * in both.
 */
export function replaceTexts(value: unknown, replacements: Replacements): unknown {
  const replace = createReplacer(replacements);
  const walk = (part: unknown): unknown => {
    if (typeof part === "string") return replace(part);
    if (Array.isArray(part)) return part.map(walk);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [replace(name), walk(member)]));
  };
  return walk(value);
}
