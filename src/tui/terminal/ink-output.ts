import { Writable } from "node:stream";
import type { WindowSize } from "./screen.ts";

/** Stands for the terminal towards Ink: whole frames come in, and the frame writer decides what is drawn and when. */
export class InkOutput extends Writable {
  readonly isTTY = false;
  columns: number;
  rows: number;
  readonly #onFrame: (text: string) => void;

  constructor(size: WindowSize, onFrame: (text: string) => void) {
    super({ decodeStrings: false });
    this.columns = size.columns;
    this.rows = size.rows;
    this.#onFrame = onFrame;
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    const text = String(chunk);
    // The empty write at the end of a screen is no frame.
    if (text !== "") this.#onFrame(text);
    done();
  }

  resize({ columns, rows }: WindowSize): void {
    this.columns = columns;
    this.rows = rows;
  }
}
