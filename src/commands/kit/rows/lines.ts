import { StringDecoder } from "node:string_decoder";

export type Chunks = AsyncIterable<Buffer | string>;

/** Text without a byte-order mark, cut anywhere but inside a character. */
export async function* decodeText(chunks: Chunks): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let isFirst = true;
  for await (const chunk of chunks) {
    const text = typeof chunk === "string" ? chunk : decoder.write(chunk);
    if (text === "") continue;
    yield isFirst && text.startsWith("\ufeff") ? text.slice(1) : text;
    isFirst = false;
  }
  yield decoder.end();
}

/** The lines of a text, without their line feeds, held one at a time. Only a line feed ends a line. */
export async function* linesOf(chunks: Chunks): AsyncGenerator<string, void, undefined> {
  // Pieces of a line that is not complete yet; joined once, so that very long lines stay cheap.
  let open: string[] = [];
  for await (const text of decodeText(chunks)) {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      open.push(text.slice(start, end));
      yield open.join("");
      open = [];
      start = end + 1;
    }
    if (start < text.length) open.push(text.slice(start));
  }
  const last = open.join("");
  if (last !== "") yield last;
}
