import { quote } from "../command/values.ts";
import type { Choice, CommandContext, Prompts } from "../context.ts";
import { stoppedError } from "../failures/command-error.ts";
import { openDialogue } from "./dialogue.ts";
import { createPrompts } from "./prompts.ts";

/** Questions line by line, with numbers to choose from: for `--accessible`. Secrets are read without echo as elsewhere. */
export async function createPlainPrompts(ctx: Pick<CommandContext, "io" | "signal">): Promise<Prompts> {
  const { secret } = await createPrompts(ctx.signal);
  return {
    secret,
    async text(question, { initial = "" } = {}) {
      const dialogue = openDialogue(ctx);
      try {
        const answer = await dialogue.ask(initial === "" ? question : `${question} (${initial})`);
        return answer === "" ? initial : answer;
      } finally {
        dialogue.close();
      }
    },
    select: async (question, choices) => {
      const [chosen] = await choose(ctx, question, choices, false);
      if (chosen === undefined) throw stoppedError();
      return chosen;
    },
    pick: (question, choices, many) => choose(ctx, question, choices, many),
  };
}

async function choose<T>(
  ctx: Pick<CommandContext, "io" | "signal">,
  question: string,
  choices: readonly Choice<T>[],
  many: boolean,
): Promise<readonly T[]> {
  const dialogue = openDialogue(ctx);
  try {
    dialogue.say(question);
    for (const [i, { label, hint }] of choices.entries())
      dialogue.say(`${i + 1}. ${label}${hint === undefined ? "" : ` (${hint})`}`);
    for (;;) {
      const answer = await dialogue.ask(
        many ? `Numbers separated by spaces, 1 to ${choices.length}:` : `Number, 1 to ${choices.length}:`,
      );
      const words = many ? answer.split(/[\s,]+/) : [answer];
      const wrong = words.find((word) => !/^\d+$/.test(word) || choices[Number(word) - 1] === undefined);
      if (wrong === undefined) return [...new Set(words)].flatMap((word) => choices[Number(word) - 1]?.value ?? []);
      dialogue.say(`${quote(wrong)} is not one of the numbers.`);
    }
  } finally {
    dialogue.close();
  }
}
