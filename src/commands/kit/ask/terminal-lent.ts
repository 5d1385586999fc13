import type { Prompts } from "../context.ts";
import type { StatusLine } from "../say/status-line.ts";

/** Does work that draws on the terminal itself: the status line is gone until it is done. */
export async function lent<T>(status: Pick<StatusLine, "lend">, work: () => Promise<T>): Promise<T> {
  const giveBack = status.lend();
  try {
    return await work();
  } finally {
    giveBack();
  }
}

export function lentPrompts(prompts: Prompts, status: StatusLine): Prompts {
  return {
    text: (question, options) => lent(status, () => prompts.text(question, options)),
    secret: (question) => lent(status, () => prompts.secret(question)),
    select: (question, choices) => lent(status, () => prompts.select(question, choices)),
    pick: (question, choices, many) => lent(status, () => prompts.pick(question, choices, many)),
  };
}
