import { RE2JS } from "re2js";
import { invalidBody } from "../core/platform-error.ts";
import { dataGaps } from "./gaps.ts";

/** Determines the side of a variable on a hybrid device. */
export type VariablePattern = Pick<RE2JS, "test">;

const FIELD = "mutable_variable_regex";
/** Most instructions of a compiled pattern, which determine its run time. Repetitions count once per repeat. */
const MAX_INSTRUCTIONS = 700;
/** Compiled patterns cached: one is needed per hybrid device, for each request with rows. */
const MAX_COMPILED = 100;

const compiled = new Map<string, VariablePattern>();

/**
 * Compiles with RE2, whose run time is linear in the length of a name: with the engine of JavaScript, one pattern could
 * block the server.
 */
function compile(source: string): VariablePattern {
  const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
  if (pattern.programSize() > MAX_INSTRUCTIONS) throw new Error("the pattern repeats too much");
  return pattern;
}

/** The compiled pattern. @throws Error for one that RE2 does not support. */
function patternOf(source: string): VariablePattern {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const pattern = compile(source);
  const [oldest] = compiled.keys();
  if (compiled.size >= MAX_COMPILED && oldest !== undefined) compiled.delete(oldest);
  compiled.set(source, pattern);
  return pattern;
}

/** The pattern of a device; undefined without one, and for an invalid one, which matches nothing. */
export function variablePattern(source: string | undefined): VariablePattern | undefined {
  if (source === undefined) return undefined;
  try {
    return patternOf(source);
  } catch {
    return undefined;
  }
}

/**
 * Rejects a pattern that cannot be compiled.
 *
 * @throws PlatformError 400 with the reason
 */
export function checkVariablePattern(source: string | undefined): void {
  if (source === undefined) return;
  try {
    patternOf(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `Lookaround, backreferences and large repetitions are not supported (RE2: ${reason})`;
    throw invalidBody({ [FIELD]: [text] }).assumed(dataGaps.pattern);
  }
}
