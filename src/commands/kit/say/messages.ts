import { cleanLine } from "../../../text/clean.ts";
import { withLinks } from "../../../text/link.ts";
import type { Messages } from "../context.ts";
import type { Io } from "../io.ts";
import { redact } from "./redact.ts";

/** Lines on stderr. Each starts with a word that says what it is. */
export function createMessages(
  io: Pick<Io, "writeError">,
  choice: { readonly quiet: boolean; readonly verbose: boolean; readonly links?: boolean },
): Messages {
  const say = (word: string, text: string): void => {
    const clean = cleanLine(redact(text), 2_000);
    io.writeError(`${word}: ${choice.links === true ? withLinks(clean) : clean}\n`);
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
