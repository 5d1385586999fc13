import { usageError } from "./failures/command-error.ts";

/** Steps of a compiled pattern; the time a line takes grows with them. */
const MAX_STEPS = 1_000;

/**
 * A regular expression of the user as a test of texts. RE2 matches it in linear time: no pattern can stop the program.
 *
 * @throws CommandError exit 2 for a pattern that is not valid, or uses what RE2 does not know
 */
export async function parsePattern(text: string, flag: string): Promise<(line: string) => boolean> {
  const { RE2JS } = await import("re2js");
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(text));
    if (pattern.programSize() > MAX_STEPS) throw new Error("it repeats too much");
    return (line) => pattern.test(line);
  } catch (error) {
    throw usageError(`${flag} is not a valid regular expression.`, {
      code: "usage.invalid_value",
      why: error instanceof Error ? error.message : String(error),
      next: "Use a simpler pattern; lookaround and backreferences are not supported (RE2 syntax).",
    });
  }
}
