import { CommanderError } from "commander";
import type { Command } from "../../src/commands/kit/command/define.ts";
import { inputOf } from "../../src/commands/program/input.ts";
import { createProgram } from "../../src/commands/program/program.ts";
import type { Reading, Word } from "../../src/commands/program/word.ts";
import { runHere } from "./in-process.ts";
import { plainLine } from "./leaves.ts";

/** What a line is to the program's own parser. */
export interface LineReading {
  /**
   * `name`: words of the tree alone. `fragment`: something required is missing. `line`: it can run. `shell`: so it may,
   * but only a shell can read it. `unknown`: `problem` says why.
   */
  readonly kind: "name" | "fragment" | "line" | "shell" | "unknown";
  readonly command?: Command;
  readonly problem?: string;
}

const isMissing = (error: CommanderError): boolean => /missing|help|version/i.test(error.code);

async function readHelp(words: readonly string[]): Promise<LineReading> {
  const { code, stderr } = await runHere(words);
  return code === 0 ? { kind: "line" } : { kind: "unknown", problem: stderr };
}

/** The program's part in a line of the shell: `source <(iot completion bash)`. */
async function readShell(text: string): Promise<LineReading> {
  const parts = (text.match(/\biot [^|&<>()]+/g) ?? []).map((part) => part.trim());
  for (const part of parts) {
    const problem = plainLine(part) === undefined ? "cannot be read" : (await readLine(part)).problem;
    if (problem !== undefined) return { kind: "unknown", problem: `${part}: ${problem}` };
  }
  return { kind: "shell" };
}

/** Where the words lead, and what is wrong with them. Nothing is run. */
export async function readLine(text: string): Promise<LineReading> {
  const words = plainLine(text)?.words;
  if (words?.[0] === "help") return readHelp(words);
  if (words === undefined) return readShell(text);
  let kind: LineReading["kind"] = "line";
  let found: Word | undefined;
  const reading: Reading = {
    async act(word) {
      found = word;
    },
    text: "",
  };
  const root = createProgram(reading);
  try {
    await root.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (!isMissing(error)) return { kind: "unknown", problem: error.message };
    if (/missing/i.test(error.code)) kind = "fragment";
  }
  const word = found ?? reading.at ?? root;
  if (word.unknown !== undefined) return { kind: "unknown", problem: `"${word.unknown}" is no command` };
  const { spec: command } = word;
  const isName = word.title === text;
  if (isName && (command !== undefined || word.noun !== undefined))
    return { kind: "name", ...(command && { command }) };
  if (command === undefined) return { kind };
  if (kind === "line" && found !== undefined) inputOf(word, command);
  return { kind, command };
}
