/** Where the parts of a JSON text are, and where it stops being JSON. */
export interface JsonLines {
  /** Line, from 1, of each path, written as the schema's problems write them: `display.range.type`, `data[0].origin`. */
  readonly lines: ReadonlyMap<string, number>;
  /** The line of the first mistake. */
  readonly wrong?: number;
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

class Wrong extends Error {}

class Reader {
  readonly lines = new Map<string, number>();
  readonly #text: string;
  #at = 0;
  #line = 1;
  /** Up to where lines were counted. */
  #counted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  line(): number {
    for (; this.#counted < this.#at; this.#counted += 1) if (this.#text[this.#counted] === "\n") this.#line += 1;
    return this.#line;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #is(mark: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #need(isThere: boolean): void {
    if (!isThere) throw new Wrong();
  }

  value(path: string): void {
    this.#take(SPACE);
    if (!this.lines.has(path)) this.lines.set(path, this.line());
    if (this.#is("{")) this.#list("}", () => this.#field(path));
    else if (this.#is("[")) this.#list("]", (place) => this.value(`${path}[${place}]`));
    else this.#need((this.#take(STRING) ?? this.#take(SCALAR)) !== undefined);
  }

  #list(end: string, item: (place: number) => void): void {
    if (this.#is(end)) return;
    for (let place = 0; ; place += 1) {
      item(place);
      if (this.#is(end)) return;
      this.#need(this.#is(","));
    }
  }

  #field(path: string): void {
    this.#take(SPACE);
    const line = this.line();
    const name = this.#take(STRING);
    this.#need(name !== undefined);
    const key = String(JSON.parse(name ?? '""'));
    const below = path === "" ? key : `${path}.${key}`;
    this.lines.set(below, line);
    this.#need(this.#is(":"));
    this.value(below);
  }

  end(): void {
    this.#take(SPACE);
    this.#need(this.#at === this.#text.length);
  }
}

/** Reads where everything in a JSON text is. */
export function jsonLines(text: string): JsonLines {
  const reader = new Reader(text);
  try {
    reader.value("");
    reader.end();
    return { lines: reader.lines };
  } catch (error) {
    // A text nested too deeply for this is too deep to be edited.
    if (!(error instanceof Wrong || error instanceof RangeError)) throw error;
    return { lines: reader.lines, wrong: reader.line() };
  }
}

/** The line of a path, or of what it would be in. */
export function lineOf({ lines }: Pick<JsonLines, "lines">, path: string): number {
  const line = lines.get(path);
  const above = path.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, "");
  return line ?? (above === path ? 1 : lineOf({ lines }, above));
}
