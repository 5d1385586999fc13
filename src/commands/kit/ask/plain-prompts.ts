import { quote } from "../command/values.ts";
import type { CommandContext, Prompts } from "../context.ts";
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
    async select(question, choices) {
      const dialogue = openDialogue(ctx);
      try {
        dialogue.say(question);
        for (const [i, { label, hint }] of choices.entries())
          dialogue.say(`${i + 1}. ${label}${hint === undefined ? "" : ` (${hint})`}`);
        for (;;) {
          const answer = await dialogue.ask(`Number, 1 to ${choices.length}:`);
          const choice = /^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined;
          if (choice !== undefined) return choice.value;
          dialogue.say(`${quote(answer)} is not one of the numbers.`);
        }
      } finally {
        dialogue.close();
      }
    },
  };
}
