import { connectionFailed } from "./pending.ts";

/** The one connection of a transport: made with the first request, and again after it ended. */
export class KeptLine<Line> {
  readonly #connect: () => Promise<Line>;
  readonly #end: (line: Line) => void;
  #line: Line | undefined;
  #opening: Promise<Line> | undefined;
  #isClosed = false;

  constructor(connect: () => Promise<Line>, end: (line: Line) => void) {
    this.#connect = connect;
    this.#end = end;
  }

  get current(): Line | undefined {
    return this.#line;
  }

  /** Connects; those who ask meanwhile get the same connection. */
  async open(): Promise<Line> {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    const line = await this.#opening;
    if (this.#isClosed) {
      this.#end(line);
      throw connectionFailed(false);
    }
    this.#line = line;
    return line;
  }

  /** The next request gets another connection. */
  leave(line: Line): void {
    if (this.#line === line) this.#line = undefined;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#line !== undefined) this.#end(this.#line);
    this.#line = undefined;
  }
}
