import { createInterface } from "node:readline";
import { cleanLine, cleanText } from "../../../text/clean.ts";
import { wrap } from "../../../text/width.ts";
import type { CommandContext } from "../context.ts";
import { stoppedError } from "../failures/command-error.ts";

/** Asks line by line and redraws nothing, so a screen reader and the smallest window can follow. */
export interface Dialogue {
  say(text: string): void;
  /** Returns the input, trimmed. Rejects (130) when there is no more input or Ctrl-C was pressed. */
  ask(question: string): Promise<string>;
  close(): void;
}

/** Writes lines to stderr. */
export const sayer =
  (io: CommandContext["io"]): Dialogue["say"] =>
  (text) =>
    io.writeError(`${inWidth(cleanText(text), io.columns())}\n`);

/** Speaks on stderr and listens on stdin. To be closed in every case. */
export function openDialogue({ io, signal }: Pick<CommandContext, "io" | "signal">): Dialogue {
  const lines = createInterface({ input: io.stdin, terminal: false });
  const waiting: string[] = [];
  let isEnded = false;
  let wake: () => void = () => undefined;
  lines.on("line", (line) => {
    waiting.push(line);
    wake();
  });
  lines.on("close", () => {
    isEnded = true;
    wake();
  });
  return {
    say: sayer(io),
    async ask(question) {
      // Input that was typed or pasted before the question does not count.
      waiting.length = 0;
      io.writeError(`${inWidth(cleanLine(question, 500), io.columns())} `);
      const wasStopped = signal.aborted;
      while (waiting.length === 0) {
        if (isEnded || (signal.aborted && !wasStopped)) throw stoppedError();
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (!wasStopped) signal.addEventListener("abort", () => resolve(), { once: true });
        });
      }
      return (waiting.shift() ?? "").trim();
    },
    close: () => lines.close(),
  };
}

/** The text with its lines broken between words; longer words stay whole. */
function inWidth(text: string, columns: number): string {
  const lines = text.split("\n").flatMap((line) => wrap(line, columns - 2));
  return lines.join("\n");
}
