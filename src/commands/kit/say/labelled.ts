import { wrap } from "../../../text/width.ts";
import type { Io } from "../io.ts";

/** Narrower text says nothing; a terminal like that breaks lines itself. */
const LEAST_ROOM = 20;
const NO_BREAK = "\u00a0";

/**
 * A line of stderr that starts with a word for what it is. On a terminal it is broken at blanks to the width, with the
 * rest below the text; commands in quotes stay whole, so that they can be copied.
 *
 * @param text clean already
 */
export function labelled(
  label: string,
  text: string,
  { stderrIsTerminal, columns }: Pick<Io, "stderrIsTerminal" | "columns">,
): string {
  const start = `${label}: `;
  if (!stderrIsTerminal) return `${start}${text}\n`;
  const room = Math.max(LEAST_ROOM, columns() - start.length);
  const whole = text.replace(/"iot [^"]*"[.,;]?/g, (command) =>
    command.length > room ? command : command.replaceAll(" ", NO_BREAK),
  );
  const lines = wrap(whole, room).map((line) => line.replaceAll(NO_BREAK, " "));
  return `${start}${lines.join(`\n${" ".repeat(start.length)}`)}\n`;
}
