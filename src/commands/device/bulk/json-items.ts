/** The text of each item of a JSON list, or of each object that stands by itself, held one at a time. */
export async function* jsonItems(chunks: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let depth = 0;
  let isList = false;
  let isText = false;
  let isEscaped = false;
  let open: string[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let i = 0; i < chunk.length; i += 1) {
      const code = chunk.charCodeAt(i);
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) isText = false;
      } else if (code === QUOTE) isText = true;
      else if (code === OPEN_LIST || code === OPEN_OBJECT) {
        depth += 1;
        if (depth === 1) {
          isList = code === OPEN_LIST;
          // What stands before the list itself is no item.
          open = [];
          start = isList ? i + 1 : i;
        }
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT || code === COMMA) {
        const endsItem = depth === 1 && (isList || code !== COMMA);
        if (code !== COMMA) depth -= 1;
        if (!endsItem) continue;
        open.push(chunk.slice(start, isList ? i : i + 1));
        const item = open.join("");
        if (code === COMMA || item.trim() !== "") yield item;
        open = [];
        start = i + 1;
      }
    }
    if (start < chunk.length) open.push(chunk.slice(start));
  }
  const rest = open.join("");
  // An unfinished list is an item that cannot be read, so the reader of the items says where it stops.
  if (depth > 0 || rest.trim() !== "") yield rest;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
