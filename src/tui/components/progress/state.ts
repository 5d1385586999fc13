/** How far something is. */
export interface ProgressState {
  readonly done: number;
  readonly total: number;
}

/** `12 of 40` with the filled cells of a bar. */
export function progressOf(
  { done, total }: ProgressState,
  cells: number,
): { readonly filled: number; readonly text: string } {
  const part = total === 0 ? 1 : Math.min(1, done / total);
  return { filled: Math.floor(part * cells), text: `${done} of ${total}` };
}

/** The last lines of a growing list, as many as there is room for. */
export function lastLines<Line>(lines: readonly Line[], rows: number): readonly Line[] {
  return lines.slice(Math.max(0, lines.length - rows));
}
