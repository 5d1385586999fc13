import { quote } from "../command/values.ts";
import type { Choice, CommandContext, Prompts } from "../context.ts";
import { stoppedError } from "../failures/command-error.ts";
import { type Dialogue, openDialogue, sayer } from "./dialogue.ts";
import { createPrompts } from "./prompts.ts";

/** Questions line by line, and what is said between them. */
export type PlainPrompts = Prompts & Pick<Dialogue, "say">;

/** Questions line by line, with numbers to choose from: for `--accessible`. Secrets are read without echo as elsewhere. */
export async function createPlainPrompts(ctx: Pick<CommandContext, "io" | "signal">): Promise<PlainPrompts> {
  const { secret } = await createPrompts(ctx.signal);
  return {
    say: sayer(ctx.io),
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
      return chosen.value;
    },
    pick: async (question, choices, many) => (await choose(ctx, question, choices, many)).map(({ value }) => value),
  };
}

async function choose<T>(
  ctx: Pick<CommandContext, "io" | "signal">,
  question: string,
  choices: readonly Choice<T>[],
  many: boolean,
): Promise<readonly Choice<T>[]> {
  const dialogue = openDialogue(ctx);
  try {
    dialogue.say(question);
    for (const [i, { label, hint }] of choices.entries())
      dialogue.say(`${i + 1}. ${label}${hint === undefined ? "" : ` (${hint})`}`);
    for (;;) {
      const range = `1 to ${choices.length}:`;
      const answer = await dialogue.ask(many ? `Numbers separated by spaces, or as 3-5, ${range}` : `Number, ${range}`);
      const words = many ? answer.split(/[\s,]+/) : [answer];
      const places = words.map((word) => placesIn(word, many, choices.length));
      const wrong = words[places.indexOf(undefined)];
      if (wrong === undefined) return [...new Set(places.flat())].flatMap((place = -1) => choices[place] ?? []);
      dialogue.say(`${quote(wrong)} is not one of the numbers.`);
    }
  } finally {
    dialogue.close();
  }
}

/** Parses `3` or `3-5` into indexes from 0; undefined if it is anything else or out of range. */
function placesIn(word: string, many: boolean, count: number): number[] | undefined {
  const [, from = "", to = from] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(word) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (from === "" || first < 1 || last > count || first > last || (!many && word !== from)) return undefined;
  return Array.from({ length: last - first + 1 }, (_, i) => first - 1 + i);
}
