/** Edits between two words, a swap of neighbours counted as one. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** No edit in a word of one or two letters, one in three or four, two in five of a longer one. */
function mostEdits(word: string): number {
  const { length } = word.replace(/^-+/, "");
  if (length < 3) return 0;
  return length < 5 ? 1 : Math.floor(length * 0.4);
}

const editsTo = (word: string, name: string): number =>
  name.startsWith(word) && word.length > 2 ? 1 : distance(word, name);

/** The candidates that look most like the word, the nearest first; none when nothing is close. */
export function nearestFew(word: string, candidates: Iterable<string>): readonly string[] {
  // A hostile argument of many thousand characters is no typing mistake.
  if (word.length > 60) return [];
  const lower = word.toLowerCase();
  const most = mostEdits(word);
  return [...new Set(candidates)]
    .map((name) => ({ name, edits: editsTo(lower, name.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits)
    .map(({ name }) => name);
}

/** The candidate that looks most like the word, or nothing when none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  return nearestFew(word, candidates)[0];
}
