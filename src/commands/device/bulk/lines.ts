import { StringDecoder } from "node:string_decoder";

/** The lines of a text, without their line feeds, held one at a time. Only a line feed ends a line. */
export async function* linesOf(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<string, void, undefined> {
  const decoder = new StringDecoder("utf8");
  // Pieces of a line that is not complete yet; joined once, so that very long lines stay cheap.
  let open: string[] = [];
  for await (const chunk of chunks) {
    const text = typeof chunk === "string" ? chunk : decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      open.push(text.slice(start, end));
      yield open.join("");
      open = [];
      start = end + 1;
    }
    if (start < text.length) open.push(text.slice(start));
  }
  const last = open.join("") + decoder.end();
  if (last !== "") yield last;
}
