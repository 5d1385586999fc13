import { defined } from "../../../lib/core/defined.ts";
import { isObject } from "../files/files.ts";

/** One row of a side-by-side view. A side that has no such line is undefined. */
export interface DiffRow {
  readonly old?: string;
  readonly new?: string;
  readonly isSame: boolean;
}

/** Above this many pairs of lines the two sides are shown without looking for what stayed. */
const MAX_PAIRS = 1_000_000;

/** Two JSON values side by side, line by line, with their properties in the same order. */
export const sideBySide = (old: unknown, now: unknown): DiffRow[] => pairs(linesOf(inOrderOf(now, old)), linesOf(now));

const linesOf = (value: unknown): string[] => JSON.stringify(value, undefined, 2)?.split("\n") ?? [];

/** A value with its properties in the order of another one, so that only real differences show. */
function inOrderOf(model: unknown, value: unknown): unknown {
  if (Array.isArray(model) && Array.isArray(value)) return value.map((each, i) => inOrderOf(model[i], each));
  if (!isObject(model) || !isObject(value)) return value;
  const keys = [...new Set([...Object.keys(model).filter((key) => Object.hasOwn(value, key)), ...Object.keys(value)])];
  return Object.fromEntries(keys.map((key) => [key, inOrderOf(model[key], value[key])]));
}

/** Lines in both share a row. */
function pairs(old: readonly string[], now: readonly string[]): DiffRow[] {
  const common = old.length * now.length > MAX_PAIRS ? [] : commonLines(old, now);
  const rows: DiffRow[] = [];
  let i = 0;
  let j = 0;
  for (const [a, b] of [...common, [old.length, now.length] as const]) {
    rows.push(...changed(old.slice(i, a), now.slice(j, b)));
    const line = old[a];
    if (line !== undefined && a < old.length) rows.push({ old: line, new: now[b] ?? line, isSame: true });
    i = a + 1;
    j = b + 1;
  }
  return rows;
}

function changed(old: readonly string[], now: readonly string[]): DiffRow[] {
  return Array.from({ length: Math.max(old.length, now.length) }, (_, i) => {
    const [a, b] = [old[i], now[i]];
    return { isSame: false, ...defined({ old: a, new: b }) };
  });
}

/** Index pairs of the longest common subsequence of lines. A comma at the end of a line makes no difference. */
function commonLines(old: readonly string[], now: readonly string[]): (readonly [number, number])[] {
  const a = old.map(bare);
  const b = now.map(bare);
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

const bare = (line: string): string => line.replace(/,$/, "");
