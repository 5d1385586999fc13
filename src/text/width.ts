type Measure = (text: string) => number;

const plain = /^[\x20-\x7e]*$/;
let measureWide: Measure | undefined;

/** Loads the width tables when a text needs them; most tables hold ASCII only. */
export async function prepareWidths(texts: Iterable<string>): Promise<void> {
  if (measureWide !== undefined) return;
  for (const text of texts) {
    if (plain.test(text)) continue;
    measureWide = (await import("string-width")).default;
    return;
  }
}

/** Cells a text takes on a terminal. */
export function widthOf(text: string): number {
  return measureWide === undefined || plain.test(text) ? text.length : measureWide(text);
}

let segmenter: Intl.Segmenter | undefined;

/** The text, cut to a width with a mark at the end. Never cuts inside a character. */
export function cut(text: string, width: number, mark: string): string {
  if (widthOf(text) <= width) return text;
  const room = width - mark.length;
  if (room <= 0) return mark.slice(0, Math.max(0, width));
  if (plain.test(text)) return text.slice(0, room) + mark;
  segmenter ??= new Intl.Segmenter();
  let kept = "";
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment);
    if (used > room) break;
    kept += segment;
  }
  return kept + mark;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - widthOf(text))) + text;
}

/** A line over several lines, broken at spaces; a longer word stays whole, or is broken where `isHard`. */
export function wrap(text: string, width: number, isHard = false): string[] {
  const lines: string[] = [];
  let line = "";
  for (const [i, word] of text.split(" ").entries()) {
    const longer = i === 0 ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line.trim() !== "") lines.push(line.trimEnd());
    line = word;
    while (isHard && widthOf(line) > width) {
      const head = cut(line, Math.max(1, width), "");
      if (head === "") break;
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}
