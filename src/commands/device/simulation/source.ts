import type { createRandom } from "../../../lib/core/random.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { OutgoingRecord } from "../../kit/devices/record-checks.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { type FileReplay, readReplay, readValues } from "./files.ts";
import { type Form, parseForm, variableForm } from "./forms.ts";

/** The records of one device at a time. Called once per sample, oldest first. */
export type SampleSource = (timeMs: number) => OutgoingRecord[];

/** What all devices send. */
export interface Content {
  readonly variables: readonly { readonly variable: string; readonly unit?: string; readonly form: Form }[];
  readonly replays: readonly (() => FileReplay)[];
}

const FILE = "file:";

/** Whether a word is what to send, and no device. */
export const isForm = (word: string): boolean =>
  word.startsWith(FILE) || (word.includes("=") && !/^(name|tag|serial):/.test(word));

/** The file of `file:records.csv` and `temperature=file:values.csv`. */
export const fileOfForm = (word: string): string | undefined => /^(?:[^=]*=\s*)?file:(.*)$/s.exec(word)?.[1];

/** Reads the forms of the command line, and the files they name. */
export async function readContent(ctx: CommandContext, words: readonly string[], stepMs: number): Promise<Content> {
  const variables = new Map<string, Content["variables"][number]>();
  const replays: (() => FileReplay)[] = [];
  for (const word of words) {
    if (word.startsWith(FILE)) {
      replays.push(await readReplay(ctx, word.slice(FILE.length), stepMs));
      continue;
    }
    const found = variableForm(word);
    const { variable, unit, text } = found;
    if (variables.has(variable)) {
      throw usageError(`The variable ${quote(variable)} is given twice.`, { next: "Join the forms with +." });
    }
    const form = text.startsWith(FILE) ? await readValues(ctx, text.slice(FILE.length), variable) : parseForm(found);
    variables.set(variable, { variable, form, ...(unit === undefined ? {} : { unit }) });
  }
  if (variables.size + replays.length > 0) return { variables: [...variables.values()], replays };
  throw usageError("Nothing to send.", {
    next: 'Add variables such as "temperature=sine(20,5,1h)+noise(0.3)", or file:records.csv.',
  });
}

/** Digits behind the point: more look like no sensor. */
const round = (value: string | number | boolean): string | number | boolean =>
  typeof value === "number" ? Number(value.toFixed(3)) : value;

/**
 * A device of its own: the same seed always yields the same random numbers for it, whatever other devices there are.
 */
export function sourceOf(
  { variables, replays }: Content,
  device: string,
  seed: number,
  random: typeof createRandom,
): SampleSource {
  const signals = variables.map(({ variable, unit, form }) => ({
    fixed: { variable, ...(unit === undefined ? {} : { unit }) },
    signal: form(random(seed, `${device} ${variable}`)),
  }));
  const files = replays.map((replay) => replay());
  return (timeMs) => {
    const time = new Date(timeMs).toISOString();
    const records: OutgoingRecord[] = signals.map(({ fixed, signal }) => ({
      ...fixed,
      value: round(signal(timeMs)),
      time,
    }));
    for (const file of files) records.push(...file(timeMs));
    return records;
  };
}
