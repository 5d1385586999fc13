import { cleanLine } from "../../../text/clean.ts";
import type { Prompts } from "../context.ts";
import { stoppedError } from "../failures/command-error.ts";

/** Questions on the terminal. They are written to stderr: stdout is for data. */
export async function createPrompts(signal: AbortSignal): Promise<Prompts> {
  const clack = await import("@clack/prompts");
  const common = { output: process.stderr, input: process.stdin, signal } as const;
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (clack.isCancel(answer)) throw stoppedError();
    return answer as Exclude<T, symbol>;
  };
  return {
    async text(question, options = {}) {
      const initial = options.initial === undefined ? {} : { initialValue: options.initial };
      return answered(await clack.text({ ...common, message: cleanLine(question), ...initial }));
    },
    async secret(question) {
      return answered(await clack.password({ ...common, message: cleanLine(question) }));
    },
    async select(question, choices) {
      // The list holds positions, so that any kind of value can be chosen.
      const options = choices.map((choice, i) => ({
        value: i,
        label: cleanLine(choice.label, 200),
        ...(choice.hint === undefined ? {} : { hint: cleanLine(choice.hint, 200) }),
      }));
      const picked = answered(await clack.select({ ...common, message: cleanLine(question), options }));
      const choice = choices[picked];
      if (choice === undefined) throw stoppedError();
      return choice.value;
    },
  };
}
