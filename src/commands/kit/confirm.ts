import { cleanLine } from "./clean.ts";
import { stoppedError, usageError } from "./command-error.ts";
import type { Confirmation, GlobalFlags, Io, Prompts } from "./context.ts";
import { quote } from "./options.ts";

/** What a question needs to know. */
export interface ConfirmSetup {
  readonly io: Pick<Io, "writeError">;
  readonly flags: Pick<GlobalFlags, "yes" | "confirm">;
  readonly canPrompt: boolean;
  readonly prompts: () => Promise<Prompts>;
  /** `prod (us-e1)`. */
  readonly target: string;
  readonly isProtected: boolean;
}

const shownItems = 5;

function showItems(setup: ConfirmSetup, items: readonly string[]): void {
  const first = items.slice(0, shownItems).map((item) => `  ${cleanLine(item, 200)}\n`);
  const rest = items.length - first.length;
  setup.io.writeError(`${items.length} in all:\n${first.join("")}${rest > 0 ? `  and ${rest} more\n` : ""}`);
}

/** Asks before something is changed, or checks the flags that answer (contract, section 7). The default is no. */
export async function confirmChange(setup: ConfirmSetup, question: Confirmation): Promise<void> {
  const level = setup.isProtected ? 2 : question.level;
  const { yes, confirm } = setup.flags;
  const sentence = `${question.action} ${question.where ?? `in ${setup.target}`}`;
  if (confirm !== undefined && confirm === question.name) return;
  if (level === 2 && confirm !== undefined) {
    throw usageError(`--confirm ${quote(confirm)} does not name what would change.`, {
      code: "confirm.wrong_name",
      why: `${sentence} is about ${quote(question.name)}.`,
      next: `Give --confirm ${quote(question.name)} if that is what you want.`,
    });
  }
  if (level === 1 && yes) return;
  if (!setup.canPrompt) throw needsFlag(level, sentence, question, setup.isProtected);

  if (question.items !== undefined && question.items.length > 0) showItems(setup, question.items);
  const prompts = await setup.prompts();
  if (level === 2) {
    const typed = await prompts.text(`${sentence}. Type ${question.name} to go on:`);
    if (typed.trim() !== question.name) {
      throw stoppedError("The name does not match; nothing was changed.", `The name to type is ${question.name}.`);
    }
    return;
  }
  const answer = await prompts.text(`${sentence}? [y/N]`);
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw stoppedError("Not confirmed; nothing was changed.", "The answer was not y or yes.");
  }
}

function needsFlag(level: 1 | 2, sentence: string, question: Confirmation, isProtected: boolean): Error {
  const flag = level === 2 ? `--confirm ${quote(question.name)}` : "--yes";
  const reason = isProtected
    ? "The environment is protected, so the name is asked for."
    : "There is no terminal to ask on.";
  return usageError(`${sentence} needs a confirmation.`, { code: "confirm.needed", why: reason, next: `Add ${flag}.` });
}
