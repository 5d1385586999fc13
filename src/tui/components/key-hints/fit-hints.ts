import { widthOf } from "../../../text/width.ts";

export type KeyHint = readonly [key: string, does: string];

/** The hints that fit. The last two (help, quit) stay longest: they lead to all the others. */
export function fitHints(hints: readonly KeyHint[], width: number): KeyHint[] {
  const kept = [...hints];
  const total = (): number => kept.reduce((sum, [key, does]) => sum + widthOf(key) + widthOf(does) + 3, -2);
  while (total() > width && kept.length > 2) kept.splice(-3, 1);
  return kept;
}
