import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { plainLine } from "./leaves.ts";

/** A command of a page, and where it stands. */
export interface DocumentLine {
  readonly line: number;
  readonly text: string;
  /** Exit codes besides 0 that its comment names. */
  readonly codes: readonly number[];
}

export interface InlineCommand extends DocumentLine {
  /** It stands alone in a cell of a table, and not in a sentence. */
  readonly isExample: boolean;
}

export interface DocumentPage {
  readonly path: string;
  /** Commands of the blocks, as bash reads them: a command of several lines is one. */
  readonly commands: readonly DocumentLine[];
  /** Commands between backticks. */
  readonly inline: readonly InlineCommand[];
}

interface Block {
  /** Number of its first line. */
  readonly start: number;
  readonly language: string;
  readonly lines: readonly string[];
}

export const root = fileURLToPath(new URL("../..", import.meta.url));
const isCommand = (line: string): boolean => /^(?:\$ )?(?:iot|npx|npm|git|curl|docker|node|eval|source) /.test(line);

/** Numbers of the exit codes that a text names. */
const codesIn = (text: string): number[] =>
  [...text.matchAll(/exit(?:s with)?(?: codes?)?(?: is)? (\d+)/gi)].map(([, code]) => Number(code));

const fenced = /^( *)```(.*)\n([\s\S]*?)^ *```$/gm;

function blocksIn(text: string): Block[] {
  return [...text.matchAll(fenced)].map(({ 1: indent = "", 2: language = "", 3: code = "", index }) => ({
    start: text.slice(0, index).split("\n").length + 1,
    language,
    lines: code.split("\n").map((line) => line.slice(indent.length)),
  }));
}

/** The lines of a page, with empty ones in the place of its blocks. */
const proseOf = (text: string): string[] => text.replace(fenced, (block) => block.replace(/./g, "")).split("\n");

/** Lines of a block of commands, by number: with prompts, those behind a prompt; the rest is output. */
function commandLines({ language, start, lines }: Block): (readonly [number, string])[] {
  const isShell = /^(sh|bash|console)$/.test(language) || (language === "" && lines.some(isCommand));
  if (!isShell) return [];
  const numbered = lines
    .map((line, index) => [start + index, line] as const)
    .filter(([, line]) => !/^\s*(#|$)/.test(line));
  if (!lines.some((line) => line.startsWith("$ "))) return numbered;
  return numbered.filter(([, line]) => line.startsWith("$ ")).map(([at, line]) => [at, line.slice(2)] as const);
}

/** Bash is asked where a line may be a part of one only; of a here-document without its end it only warns. */
function isComplete(text: string): boolean {
  if (/\\$/.test(text)) return false;
  if (plainLine(text) !== undefined) return true;
  const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
  return status === 0 && !stderr.includes("here-document");
}

function commandsIn(block: Block): DocumentLine[] {
  const commands: DocumentLine[] = [];
  let waiting: { line: number; text: string } | undefined;
  for (const [line, text] of commandLines(block)) {
    const one = waiting === undefined ? { line, text } : { line: waiting.line, text: `${waiting.text}\n${text}` };
    waiting = isComplete(one.text) ? undefined : one;
    if (waiting === undefined) commands.push({ ...one, codes: codesIn(one.text) });
  }
  // Bash says what is wrong with a command that never ends.
  return waiting === undefined ? commands : [...commands, { ...waiting, codes: [] }];
}

/** Commands between backticks; a cell of a table that begins with one is an example. */
function inlineIn(page: string): InlineCommand[] {
  return proseOf(page).flatMap((text, index) =>
    text.split(/(?<!\\)\|/).flatMap((part, column) => {
      const isExample = text.startsWith("|") && column > 0 && /^\s*`/.test(part);
      return [...part.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => ({
        line: index + 1,
        text: code.replaceAll("\\|", "|"),
        codes: codesIn(text),
        isExample,
      }));
    }),
  );
}

function readPage(path: string): DocumentPage {
  const text = readFileSync(join(root, path), "utf8");
  return { path, commands: blocksIn(text).flatMap(commandsIn), inline: inlineIn(text) };
}

/** The pages of a folder, by path. */
const pagesIn = (folder: string): string[] =>
  !existsSync(join(root, folder))
    ? []
    : readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
        .map(({ name }) => `${folder}/${name}`)
        .sort();

/** The pages people read: README, those of docs, and the topics of the help. */
export const documents = (...folders: readonly string[]): readonly DocumentPage[] =>
  ["README.md", ...folders.flatMap(pagesIn)].map(readPage);
