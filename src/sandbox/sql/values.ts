/** A value of a column; can be an object, such as a location or tags. */
export type Row = Readonly<Record<string, unknown>>;

/** Result of a condition; `undefined` when a value is missing, which is neither true nor false. */
export type Outcome = boolean | undefined;

const RANKS: readonly string[] = ["number", "boolean", "string"];

/** Compares as numbers if one side is a number, as dates if the column contains them, else as strings. */
function difference(left: unknown, right: unknown, isTime: boolean): number {
  if (isTime) return Date.parse(String(left)) - Date.parse(String(right));
  if (typeof left === "number" || typeof right === "number") {
    const isBlank = String(left).trim() === "" || String(right).trim() === "";
    return isBlank ? Number.NaN : Number(left) - Number(right);
  }
  const [one, other] = [plain(left), plain(right)];
  return one === other ? 0 : one < other ? -1 : 1;
}

/** String form of a value: JSON for objects and lists. */
const plain = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

export const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined;

/** The comparisons of a WHERE clause. Values that cannot be compared are different, and neither is less. */
export const COMPARISONS: Readonly<Record<string, (difference: number) => boolean>> = {
  "=": (it) => it === 0,
  "<>": (it) => it !== 0,
  "!=": (it) => it !== 0,
  "<": (it) => it < 0,
  "<=": (it) => it <= 0,
  ">": (it) => it > 0,
  ">=": (it) => it >= 0,
};

/** Compares two values by one of the `COMPARISONS`. */
export function compared(sign: string, left: unknown, right: unknown, isTime: boolean): Outcome {
  if (isMissing(left) || isMissing(right)) return undefined;
  return COMPARISONS[sign]?.(difference(left, right, isTime));
}

/** Order of two values: numbers, booleans, strings, then missing ones. */
export function ordered(left: unknown, right: unknown): number {
  const rank = (value: unknown): number => {
    const place = RANKS.indexOf(typeof value);
    return isMissing(value) ? RANKS.length + 1 : place < 0 ? RANKS.length : place;
  };
  return rank(left) - rank(right) || (isMissing(left) ? 0 : difference(left, right, false));
}

/** LIKE: `%` is any string, `_` one character. Takes at most the product of both lengths. */
export function isLike(text: string, pattern: string): boolean {
  let [at, of, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[of] === "%") [star, mark, of] = [of, at, of + 1];
    else if (of < pattern.length && (pattern[of] === "_" || pattern[of] === text[at])) [at, of] = [at + 1, of + 1];
    else if (star >= 0) [of, mark, at] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  while (pattern[of] === "%") of += 1;
  return of === pattern.length;
}
