import { CommanderError } from "commander";
import { nouns } from "../registry.ts";
import { helpOf } from "./help/help.ts";
import { type Reading, Word } from "./word.ts";

/** The program as commander knows it. Nouns are loaded when the line names them. */
export function createProgram(reading: Reading, all = false): Word {
  const root = new Word("iot", reading);
  root.exitOverride().showSuggestionAfterError(false).configureHelp(helpOf(all));
  root.configureOutput({ writeOut: (text) => (reading.text += text), writeErr: () => undefined });
  for (const noun of nouns)
    Object.assign(root.command(noun.name).aliases(noun.aliases).summary(noun.summary), { noun });
  root.command("help").summary("Explain a topic");
  // Said by the shell and by the program itself.
  for (const name of ["__complete", "__update"]) {
    const word = root.command(name, { hidden: true });
    word.action(() => reading.act(word));
  }
  return root;
}

/** Where a line leads; nothing is run, and a command may still lack something. */
export async function find(line: readonly string[]): Promise<Word> {
  const reading: Reading = { act: async () => undefined, text: "" };
  const root = createProgram(reading);
  try {
    await root.parseAsync(line, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return reading.at ?? root;
}
