import { quote } from "../command/values.ts";
import { type CommandError, usageError } from "./command-error.ts";
import { nearest } from "./nearest.ts";

/** What to do about a word that is not known: take the one it looks like, else `otherwise`. */
export function didYouMean(word: string, known: Iterable<string>, otherwise?: string): { readonly next?: string } {
  const guess = nearest(word, known);
  if (guess !== undefined) return { next: `Did you mean ${quote(guess)}?` };
  return otherwise === undefined ? {} : { next: otherwise };
}

/** A word that is none of those there are: `Service "smss" not found.` @param what one of them: `service` */
export function unknownWord(
  what: string,
  text: string,
  known: readonly string[],
  { next, ...details }: { readonly code?: string; readonly why?: string; readonly next?: string } = {},
): CommandError {
  return usageError(`${what.charAt(0).toUpperCase()}${what.slice(1)} ${quote(text)} not found.`, {
    code: "usage.invalid_value",
    why: `The ${what}s are ${known.join(", ")}.`,
    ...details,
    ...didYouMean(text, known, next),
  });
}
