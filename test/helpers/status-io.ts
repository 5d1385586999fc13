import { Readable } from "node:stream";
import type { Io } from "../../src/commands/kit/io.ts";

/** Streams that keep what was written. */
export function recordedIo(isTerminal: boolean): { readonly io: Io; readonly written: string[] } {
  const written: string[] = [];
  const io: Io = {
    stdin: Readable.from([]),
    async write(text) {
      written.push(Buffer.from(text).toString("utf8"));
    },
    writeError(text) {
      written.push(text);
    },
    stdoutIsTerminal: isTerminal,
    stderrIsTerminal: isTerminal,
    stdinIsTerminal: false,
    columns: () => 80,
  };
  return { io, written };
}
