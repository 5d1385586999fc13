import { StringDecoder } from "node:string_decoder";

/** Longest line; the rest of it starts a new line. */
const MAX_LINE_CHARS = 8_000;

/** Splits the output of a process into lines and passes each on when it is complete. */
export class LineReader {
  readonly #emit: (lines: readonly string[]) => void;
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";

  constructor(emit: (lines: readonly string[]) => void) {
    this.#emit = emit;
  }

  write(bytes: Uint8Array): void {
    this.#take(this.#decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
  }

  end(): void {
    this.#take(this.#decoder.end());
    if (this.#rest !== "") this.#emit([this.#rest]);
    this.#rest = "";
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = lines.pop() ?? "";
    while (this.#rest.length > MAX_LINE_CHARS) {
      lines.push(this.#rest.slice(0, MAX_LINE_CHARS));
      this.#rest = this.#rest.slice(MAX_LINE_CHARS);
    }
    if (lines.length > 0) this.#emit(lines);
  }
}
