import type { Board } from "./model.ts";

/** Changes the board. The words say what was done, and which step is undone. */
export type Act = (make: (board: Board) => Board, words: string | ((board: Board) => string)) => void;
