import { cleanLine } from "../../../text/clean.ts";
import { withLinks } from "../../../text/link.ts";
import type { Messages } from "../context.ts";
import type { Io } from "../io.ts";
import { labelled } from "./labelled.ts";
import { redact } from "./redact.ts";

/** Lines on stderr. Each starts with a word that says what it is. */
export function createMessages(
  io: Pick<Io, "writeError" | "stderrIsTerminal" | "columns">,
  choice: { readonly quiet: boolean; readonly verbose: boolean; readonly links?: boolean },
): Messages {
  const say = (word: string, text: string): void => {
    const lines = labelled(word, cleanLine(redact(text), 2_000), io);
    io.writeError(choice.links === true ? withLinks(lines) : lines);
  };
  return {
    info: (text) => {
      if (!choice.quiet) say("info", text);
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
