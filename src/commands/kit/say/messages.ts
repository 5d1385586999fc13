import { cleanLine } from "../../../text/clean.ts";
import { withLinks } from "../../../text/link.ts";
import type { Messages } from "../context.ts";
import type { Io } from "../io.ts";
import { withFileLink } from "./file-link.ts";
import { labelled } from "./labelled.ts";
import { redact } from "./redact.ts";

/** Lines on stderr. Each starts with a word that says what it is. */
export function createMessages(
  io: Pick<Io, "writeError" | "stderrIsTerminal" | "columns">,
  choice: {
    readonly quiet: boolean;
    readonly verbose: boolean;
    readonly links?: boolean;
    /** Where a file is that a message names. */
    readonly path?: (name: string) => string;
  },
): Messages {
  const say = (word: string, text: string, file?: string): void => {
    const lines = labelled(word, cleanLine(redact(text), 2_000), io);
    if (choice.links !== true) {
      io.writeError(lines);
      return;
    }
    const linked = withLinks(lines);
    const path = file === undefined ? undefined : choice.path?.(file);
    io.writeError(path === undefined ? linked : withFileLink(linked, cleanLine(redact(file ?? ""), 2_000), path));
  };
  return {
    info: (text, file) => {
      if (!choice.quiet) say("info", text, file);
    },
    // A warning is about something the user should know whatever the flags say.
    warning: (text) => say("warning", text),
    hint: (text) => {
      if (!choice.quiet) say("hint", text);
    },
    detail: (text) => {
      if (choice.verbose) say("info", text);
    },
  };
}
