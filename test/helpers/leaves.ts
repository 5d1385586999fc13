import type { Command } from "../../src/commands/kit/command/define.ts";
import { nouns } from "../../src/commands/registry.ts";

/** One command of the tree, with the words that lead to it. */
export interface Leaf {
  /** `iot device data list` */
  readonly title: string;
  readonly words: readonly string[];
  readonly command: Command;
}

const loaded = await Promise.all(nouns.map(async (noun) => ({ noun, commands: (await noun.load()).commands })));

/** Every command there is. */
export const leaves: readonly Leaf[] = loaded.flatMap(({ noun, commands }) =>
  commands.map((command) => {
    const words = [noun.name, ...command.path];
    return { title: ["iot", ...words].join(" "), words, command };
  }),
);

/** Rows for `describe.each` and `it.each`: the title, then the leaf. */
export const byTitle = (some: readonly Leaf[] = leaves): readonly (readonly [string, Leaf])[] =>
  some.map((leaf) => [leaf.title, leaf] as const);

/** A line that needs no shell: words without quotes, and the file that is its stdin. */
export interface PlainLine {
  readonly words: readonly string[];
  readonly stdinFile?: string;
}

const word = /(?:[^\s'"\\|&;<>()$`*]|'[^']*'|"[^"$`\\]*")+/y;

/** Reads a line that starts with the program and uses nothing of a shell but quotes and `<`; undefined for all others. */
export function plainLine(line: string): PlainLine | undefined {
  const words: string[] = [];
  let stdinFile: string | undefined;
  let isFile = false;
  for (let at = 0; at < line.length; ) {
    if (line[at] === " ") {
      at += 1;
      continue;
    }
    if (line[at] === "<") {
      isFile = true;
      at += 1;
      continue;
    }
    word.lastIndex = at;
    const [token] = word.exec(line) ?? [];
    if (token === undefined) return undefined;
    at += token.length;
    if (line[at] !== undefined && line[at] !== " " && line[at] !== "<") return undefined;
    const text = token.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? "");
    if (isFile) stdinFile = text;
    else words.push(text);
    isFile = false;
  }
  if (words[0] !== "iot") return undefined;
  return { words: words.slice(1), ...(stdinFile === undefined ? {} : { stdinFile }) };
}

/** Splits a line at an operator of the shell, but not inside of quotes. */
export function splitLine(line: string, operator: " && " | " | "): string[] {
  const parts: string[] = [];
  let quote = "";
  let start = 0;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? "";
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (line.startsWith(operator, at)) {
      parts.push(line.slice(start, at));
      start = at + operator.length;
    }
  }
  return [...parts, line.slice(start)];
}

/** Puts flags where they count: before `--`, which ends them. */
export function withFlags(words: readonly string[], ...flags: readonly string[]): string[] {
  const end = words.indexOf("--");
  return end < 0 ? [...words, ...flags] : [...words.slice(0, end), ...flags, ...words.slice(end)];
}

/** Nouns whose commands need a Redis: test/cluster/examples.test.ts runs their examples. */
export const queueNouns: readonly string[] = ["job", "worker"];

/** Nouns whose commands start this program once more, or are a server: only a process of their own is fair. */
const ownProcess = new Set(["sandbox", "mcp", ...queueNouns]);

export const needsProcess = ({ words, command }: Leaf): boolean =>
  ownProcess.has(words[0] ?? "") || command.passThrough === true;

/**
 * An example as it is tried: nobody has to look at a stream for as long as it says or wait for the second of two sends,
 * nor needs the records of a demo account that it only starts.
 */
export const shortened = (example: string): string =>
  example
    .replace(/--for \d+s\b/, "--for 50ms")
    .replace(/^(iot device simulate .*--count) [2-9]\b/, "$1 1")
    .replace(/^iot sandbox (?:start|exec|seed)\b(?!.*--(?:seed|scenario|rate))/, "$& --seed empty");

/** The first example that needs no shell. */
export function firstPlain({ command }: Leaf): PlainLine | undefined {
  for (const example of command.examples) {
    const line = plainLine(shortened(example));
    if (line !== undefined) return line;
  }
  return undefined;
}
