import { quote } from "../command/values.ts";
import { inputError } from "../failures/command-error.ts";

/** A text that is read from its beginning, as lines or as a whole. */
export interface TextReader {
  /** Whether it is JSON lines: its first line is a whole JSON value, and more follow. */
  isLines(): Promise<boolean>;
  /** All of it. */
  whole(): Promise<string>;
  /** Line by line, each with its line end. */
  lines(): AsyncGenerator<string>;
}

/** A first line longer than this is the whole of a document. */
const MAX_FIRST_LINE = 1_000_000;

/** Reads UTF-8 from a stream; a byte-order mark stays. Only what `isLines` looked at is held in memory. */
export function readWidgetText(stream: AsyncIterable<Uint8Array | string>, place: string): TextReader {
  const chunks = decode(stream, place);
  let head = "";
  let isEnd = false;

  async function more(): Promise<boolean> {
    const { value, done } = await chunks.next();
    if (done === true) isEnd = true;
    else head += value;
    return !isEnd;
  }

  return {
    async isLines() {
      // A text without a second line is a document, whatever it holds.
      let cut = firstLineEnd(head);
      while (cut === undefined && head.length < MAX_FIRST_LINE && (await more())) cut = firstLineEnd(head);
      return cut !== undefined && isJsonContainer(head.slice(0, cut).replace(/^\uFEFF/, ""));
    },
    async whole() {
      const parts = [head];
      if (!isEnd) for await (const chunk of chunks) parts.push(chunk);
      return joined(parts, place);
    },
    async *lines() {
      let unfinished: string[] = [];
      for (let text = head; ; text = head) {
        let start = 0;
        for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
          yield joined([...unfinished, text.slice(start, end + 1)], place);
          unfinished = [];
          start = end + 1;
        }
        unfinished.push(text.slice(start));
        head = "";
        if (isEnd || !(await more())) break;
      }
      const last = joined(unfinished, place);
      if (last !== "") yield last;
    },
  };
}

/** Where the first line with something on it ends, once something follows it. */
function firstLineEnd(text: string): number | undefined {
  const start = text.search(/[^\s\uFEFF]/);
  const end = start < 0 ? -1 : text.indexOf("\n", start);
  return end >= 0 && /\S/.test(text.slice(end)) ? end : undefined;
}

function isJsonContainer(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

function joined(parts: readonly string[], place: string): string {
  try {
    return parts.join("");
  } catch (cause) {
    throw inputError(`${quote(place)} is too large to read as one document.`, {
      code: "input.too_large",
      next: "Write one widget per line (JSON Lines); such files can be any size.",
      cause,
    });
  }
}

async function* decode(stream: AsyncIterable<Uint8Array | string>, place: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of stream) yield typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw inputError(`${quote(place)} is not UTF-8 text.`, {
      code: "input.not_text",
      next: "Save it as UTF-8; it was not changed.",
      cause,
    });
  }
}
