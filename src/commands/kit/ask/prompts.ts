import { cleanLine } from "../../../text/clean.ts";
import type { Choice, Prompts } from "../context.ts";
import { stoppedError } from "../failures/command-error.ts";

/** Questions on the terminal. They are written to stderr: stdout is for data. */
export async function createPrompts(signal: AbortSignal): Promise<Prompts> {
  const clack = await import("@clack/prompts");
  const common = { output: process.stderr, input: process.stdin, signal } as const;
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (clack.isCancel(answer)) throw stoppedError();
    return answer as Exclude<T, symbol>;
  };
  /** The lines that were marked; without a mark, the only one that fits what was typed. */
  async function marked(list: object & { message: string }, lines: readonly Option[]): Promise<readonly number[]> {
    let { message } = list;
    for (;;) {
      let fitting = (): readonly Option[] => lines;
      const picked = answered(
        await clack.autocompleteMultiselect<number>({
          ...list,
          message,
          required: false,
          options() {
            fitting = () => this.filteredOptions;
            return [...lines];
          },
        }),
      );
      if (picked.length > 0) return picked;
      const [only, ...others] = fitting();
      if (only !== undefined && others.length === 0) return [only.value];
      message = `${list.message} Mark at least one with Tab.`;
    }
  }

  return {
    async text(question, options = {}) {
      const initial = options.initial === undefined ? {} : { initialValue: options.initial };
      return answered(await clack.text({ ...common, message: cleanLine(question), ...initial }));
    },
    async secret(question) {
      return answered(await clack.password({ ...common, message: cleanLine(question) }));
    },
    async select(question, choices) {
      const options = positions(choices);
      const picked = answered(await clack.select({ ...common, message: cleanLine(question), options }));
      const choice = choices[picked];
      if (choice === undefined) throw stoppedError();
      return choice.value;
    },
    async pick(question, choices, many) {
      const lines = positions(choices);
      const list = { ...common, message: cleanLine(question), maxItems: 10, filter: holds };
      const picked = many
        ? await marked(list, lines)
        : [answered(await clack.autocomplete({ ...list, options: lines }))];
      const chosen = picked.flatMap((i) => choices[i] ?? []);
      if (chosen.length === 0) throw stoppedError();
      return chosen.map(({ value }) => value);
    },
  };
}

interface Option {
  readonly value: number;
  readonly label?: string;
  readonly hint?: string;
}

/** The list holds positions, so that any kind of value can be chosen. */
function positions(choices: readonly Choice<unknown>[]) {
  return choices.map(({ label, hint }, i) => ({
    value: i,
    label: cleanLine(label, 200),
    ...(hint === undefined ? {} : { hint: cleanLine(hint, 200) }),
  }));
}

/** Every word that was typed is somewhere in the line. */
function holds(search: string, { label = "", hint = "" }: Option): boolean {
  const line = `${label} ${hint}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word));
}
