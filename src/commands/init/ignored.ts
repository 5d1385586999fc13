import { join } from "node:path";
import { readTextIfThere } from "../kit/files/files.ts";

/** What is not to be committed: what npm installs, and a file that may hold a token. */
const wanted = ["node_modules/", ".env"];

/** Lines that .gitignore lacks. */
export interface Ignored {
  readonly path: string;
  readonly isNew: boolean;
  readonly lines: readonly string[];
  /** What to append to the file. */
  readonly text: string;
}

/** A line about the same files: `/node_modules`, or `!.env` of somebody who wants it committed. */
const plain = (line: string): string =>
  line
    .trim()
    .replace(/^!/, "")
    .replace(/^(\*\*)?\//, "")
    .replace(/\/(\*\*?)?$/, "");

/** What .gitignore has to get; nothing when all is there. */
export function missingIgnored(folder: string): Ignored | undefined {
  const path = join(folder, ".gitignore");
  const before = readTextIfThere(path);
  const known = new Set(
    (before ?? "")
      .replace(/^\ufeff/, "")
      .split("\n")
      .map(plain),
  );
  const lines = wanted.filter((line) => !known.has(plain(line)));
  if (lines.length === 0) return undefined;
  const end = before?.includes("\r\n") === true ? "\r\n" : "\n";
  const isOpen = before !== undefined && before !== "" && !before.endsWith("\n");
  return {
    path,
    isNew: before === undefined,
    lines,
    text: (isOpen ? end : "") + lines.map((line) => line + end).join(""),
  };
}
