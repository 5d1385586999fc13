import { StringDecoder } from "node:string_decoder";

/** Longest line taken apart; the rest of it begins a new one. */
const MAX_LINE_CHARS = 8_000;

export interface LineReader {
  write(bytes: Uint8Array): void;
  end(): void;
}

/** Cuts the output of a process into lines, which are handed over as they are complete. */
export function createLineReader(emit: (lines: readonly string[]) => void): LineReader {
  const decoder = new StringDecoder("utf8");
  let rest = "";

  const take = (text: string): void => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    while (rest.length > MAX_LINE_CHARS) {
      lines.push(rest.slice(0, MAX_LINE_CHARS));
      rest = rest.slice(MAX_LINE_CHARS);
    }
    if (lines.length > 0) emit(lines);
  };

  return {
    write: (bytes) => take(decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))),
    end: () => {
      take(decoder.end());
      if (rest !== "") emit([rest]);
      rest = "";
    },
  };
}
