import { type Board, isSame } from "./model.ts";

interface Step {
  readonly board: Board;
  /** What led away from that board, in words. */
  readonly words: string;
}

/** A board with what it was and, after undoing, what it will be again. */
export interface History {
  /** As it is stored. */
  readonly base: Board;
  readonly past: readonly Step[];
  readonly present: Board;
  readonly future: readonly Step[];
}

/** Older steps are forgotten. */
const MAX_STEPS = 200;

export const startOf = (base: Board, present: Board = base): History => ({ base, past: [], present, future: [] });

/** The history with one more step; the same one if nothing changed. */
export function changed(history: History, board: Board, words: string): History {
  if (board === history.present) return history;
  const past = [...history.past, { board: history.present, words }].slice(-MAX_STEPS);
  return { ...history, past, present: board, future: [] };
}

/** The history one step back, and the words of that step; undefined at its start. */
export function undone(history: History): readonly [History, words: string] | undefined {
  const step = history.past.at(-1);
  if (step === undefined) return undefined;
  const future = [{ board: history.present, words: step.words }, ...history.future];
  return [{ ...history, past: history.past.slice(0, -1), present: step.board, future }, step.words];
}

export function redone(history: History): readonly [History, words: string] | undefined {
  const [step, ...future] = history.future;
  if (step === undefined) return undefined;
  const past = [...history.past, { board: history.present, words: step.words }];
  return [{ ...history, past, present: step.board, future }, step.words];
}

/** A history with each board changed: a widget has another id, or its stored definition came back. */
export const mapped = (history: History, make: (board: Board) => Board): History => ({
  base: history.base,
  past: history.past.map(({ board, words }) => ({ board: make(board), words })),
  present: make(history.present),
  future: history.future.map(({ board, words }) => ({ board: make(board), words })),
});

/** Whether there is something to save. */
export const isChanged = ({ base, present }: History): boolean => base !== present && !isSame(base, present);
