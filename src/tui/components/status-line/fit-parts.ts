import { cut, widthOf } from "../../../text/width.ts";

export interface StatusPart {
  readonly text: string;
  /** Parts with the highest number leave first when the window is narrow. @default 0: stays */
  readonly leaves?: number;
  readonly color?: string;
  readonly bold?: boolean;
}

const GAP = 3;

/** The parts that fit side by side, the last one cut when even the needed ones do not fit. */
export function fitParts(parts: readonly StatusPart[], width: number, mark: string): StatusPart[] {
  let kept = parts.filter(({ text }) => text !== "");
  const total = (): number => kept.reduce((sum, { text }) => sum + widthOf(text), 0) + GAP * (kept.length - 1);
  while (total() > width) {
    const [leaving] = kept.filter(({ leaves = 0 }) => leaves > 0).sort((a, b) => (b.leaves ?? 0) - (a.leaves ?? 0));
    if (leaving === undefined) break;
    kept = kept.filter((part) => part !== leaving);
  }
  const over = total() - width;
  if (over <= 0) return kept;
  const widest = [...kept].sort((a, b) => widthOf(b.text) - widthOf(a.text))[0];
  return kept.map((part) =>
    part === widest ? { ...part, text: cut(part.text, Math.max(1, widthOf(part.text) - over), mark) } : part,
  );
}
