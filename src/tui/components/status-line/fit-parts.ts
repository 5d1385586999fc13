import { cut, widthOf } from "../../../text/width.ts";

export interface StatusPart {
  readonly id: string;
  readonly text: string;
  /** The same in fewer words, where the whole text has no room. */
  readonly short?: string;
  /** Parts with the highest number leave first when the window is narrow. @default 0: stays */
  readonly leaves?: number;
  readonly color?: string;
  readonly bold?: boolean;
}

const GAP = 3;

/** The parts that fit side by side: the most important first, short ones where long ones do not fit. The needed ones stay and are cut. */
export function fitParts(parts: readonly StatusPart[], width: number, mark: string): StatusPart[] {
  const total = (chosen: readonly StatusPart[]): number =>
    chosen.reduce((sum, { text }) => sum + widthOf(text) + GAP, -GAP);
  const chosen = new Map<string, StatusPart>();
  const byWeight = parts.filter(({ text }) => text !== "").sort((a, b) => (a.leaves ?? 0) - (b.leaves ?? 0));
  for (const part of byWeight) {
    const forms = part.short === undefined ? [part] : [part, { ...part, text: part.short }];
    const fitting = forms.find((form) => total([...chosen.values(), form]) <= width);
    const form = fitting ?? ((part.leaves ?? 0) === 0 ? part : undefined);
    if (form !== undefined) chosen.set(part.id, form);
  }
  const kept = parts.flatMap(({ id }) => chosen.get(id) ?? []);
  const over = total(kept) - width;
  if (over <= 0) return kept;
  const widest = [...kept].sort((a, b) => widthOf(b.text) - widthOf(a.text))[0];
  return kept.map((part) =>
    part === widest ? { ...part, text: cut(part.text, Math.max(1, widthOf(part.text) - over), mark) } : part,
  );
}
