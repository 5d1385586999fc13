import type { Reader } from "./reader.ts";
import { type Column, notRun } from "./refusals.ts";
import { COMPARISONS, compared, isLike, isMissing, type Outcome, type Row } from "./values.ts";

/** A WHERE clause, evaluated for each row. */
export type Condition = (row: Row) => Outcome;

interface Parts {
  readonly reader: Reader;
  readonly column: () => Column;
  /** Called before every comparison. */
  readonly check: () => void;
}

/** Deepest nesting of parentheses. */
const MAX_DEPTH = 100;

const not = (outcome: Outcome): Outcome => (outcome === undefined ? undefined : !outcome);

/** False, or true, as soon as one part is; unknown if that depends on a missing value. */
const joined =
  (parts: readonly Condition[], decides: boolean): Condition =>
  (row) => {
    let outcome: Outcome = !decides;
    for (const part of parts) {
      const found = part(row);
      if (found === decides) return decides;
      if (found === undefined) outcome = undefined;
    }
    return outcome;
  };

/** Creates the parser of the condition after WHERE. */
export function createConditions({ reader, column, check }: Parts): () => Condition {
  let depth = 0;

  /** Either side of a comparison: a column, or a constant. */
  const side = (): { readonly of: (row: Row) => unknown; readonly isTime: boolean } => {
    if (!reader.isColumn()) {
      const value = reader.value();
      return { of: () => value, isTime: false };
    }
    const { name, type } = column();
    return { of: (row) => row[name], isTime: type === "timestamp" };
  };

  const comparison = (): Condition => {
    const left = side();
    const compareWith = (sign: string): Condition => {
      const right = side();
      const isTime = left.isTime || right.isTime;
      return (row) => {
        check();
        return compared(sign, left.of(row), right.of(row), isTime);
      };
    };
    if (reader.take("IS")) {
      const isNot = reader.take("NOT");
      reader.need("NULL");
      return (row) => isMissing(left.of(row)) !== isNot;
    }
    const isNot = reader.take("NOT");
    const negated = (test: Condition): Condition => (isNot ? (row) => not(test(row)) : test);
    if (reader.take("IN")) {
      reader.needSign("(");
      const choices = reader.list(() => compareWith("="));
      reader.needSign(")");
      return negated(joined(choices, true));
    }
    if (reader.take("BETWEEN")) {
      const from = compareWith(">=");
      reader.need("AND");
      return negated(joined([from, compareWith("<=")], false));
    }
    if (reader.take("LIKE")) {
      const pattern = reader.value();
      return negated((row) => {
        check();
        const text = left.of(row);
        return isMissing(text) || isMissing(pattern) ? undefined : isLike(String(text), String(pattern));
      });
    }
    const sign = Object.keys(COMPARISONS).find(reader.takeSign);
    if (isNot || sign === undefined) throw reader.unexpected();
    return compareWith(sign);
  };

  const single = (): Condition => {
    if (reader.take("NOT")) {
      const negated = nested(single);
      return (row) => not(negated(row));
    }
    if (!reader.takeSign("(")) return comparison();
    const inner = nested(any);
    reader.needSign(")");
    return inner;
  };

  const nested = (read: () => Condition): Condition => {
    depth += 1;
    if (depth > MAX_DEPTH) throw notRun(`a condition nested deeper than ${MAX_DEPTH}`);
    const condition = read();
    depth -= 1;
    return condition;
  };

  const series = (word: string, read: () => Condition, decides: boolean): Condition => {
    const parts = [read()];
    while (reader.take(word)) parts.push(read());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : joined(parts, decides);
  };
  const all = (): Condition => series("AND", single, false);
  const any = (): Condition => series("OR", all, true);
  return any;
}
