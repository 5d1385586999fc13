import { cleanLine } from "../../../text/clean.ts";
import type { GlobalFlags } from "../command/flags.ts";
import { quote } from "../command/values.ts";
import type { Confirmation, Prompts } from "../context.ts";
import { stoppedError, usageError } from "../failures/command-error.ts";
import type { Io } from "../io.ts";

/** What a question needs to know. */
export interface ConfirmSetup {
  readonly io: Pick<Io, "writeError">;
  readonly flags: Pick<GlobalFlags, "yes" | "confirm">;
  readonly canPrompt: boolean;
  readonly prompts: () => Promise<Prompts>;
  /** `prod (Acme)`. A question may ask the platform for the profile, an error never does. */
  readonly where: (mayAsk: boolean) => Promise<string>;
  /** Name of the protected environment, once the user typed it in this run. It also confirms changes inside it. */
  readonly givenName?: string;
}

const shownItems = 5;

function showItems(setup: ConfirmSetup, items: readonly string[]): void {
  const first = items.slice(0, shownItems).map((item) => `  ${cleanLine(item, 200)}\n`);
  const rest = items.length - first.length;
  setup.io.writeError(`${items.length} in all:\n${first.join("")}${rest > 0 ? `  and ${rest} more\n` : ""}`);
}

/** Asks before a change, or checks the flags that confirm it. The default is no. */
export async function confirmChange(setup: ConfirmSetup, question: Confirmation): Promise<void> {
  const { givenName } = setup;
  const level = givenName === undefined ? question.level : 1;
  const { yes, confirm } = setup.flags;
  const sentenceOf = async (mayAsk: boolean): Promise<string> =>
    `${question.action} ${question.where ?? `in ${await setup.where(mayAsk)}`}`;
  const isName = (text: string): boolean => text !== "" && [question.name, question.otherName].includes(text);
  if (confirm !== undefined && (isName(confirm) || confirm === givenName)) return;
  if (level === 2 && confirm !== undefined) {
    throw usageError(`--confirm ${quote(confirm)} does not match.`, {
      code: "confirm.wrong_name",
      why: `${await sentenceOf(false)} needs --confirm ${quote(question.name)}.`,
      next: `Add --confirm ${quote(question.name)} if you want this change.`,
      confirm: question.name,
    });
  }
  if (level === 1 && yes) return;
  if (!setup.canPrompt) throw needsFlag(level, await sentenceOf(false), question);

  const sentence = await sentenceOf(true);
  if (question.items !== undefined && question.items.length > 0) showItems(setup, question.items);
  const prompts = await setup.prompts();
  if (level === 2) {
    const typed = await prompts.text(`${sentence}. Type ${question.name} to confirm:`);
    if (!isName(typed.trim())) {
      throw stoppedError("The name does not match; nothing was changed.", `The expected name is ${question.name}.`);
    }
    return;
  }
  const answer = await prompts.text(`${sentence}? [y/N]`);
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw stoppedError("Not confirmed; nothing was changed.", "The reply was not y or yes.");
  }
}

function needsFlag(level: 1 | 2, sentence: string, question: Confirmation): Error {
  const flag = level === 2 ? `--confirm ${quote(question.name)}` : "--yes";
  return usageError(`${sentence} needs confirmation.`, {
    code: "confirm.needed",
    why: "There is no terminal to prompt on.",
    next: `Add ${flag}.`,
    ...(level === 2 ? { confirm: question.name } : {}),
  });
}
