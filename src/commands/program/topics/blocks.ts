import { columns, paragraph } from "../help/columns.ts";

/** A piece of a help text. Terminal, Markdown and manual pages are made of the same ones. */
export type Block =
  /** A paragraph; commands in it are in double quotes. */
  | string
  /** Names and what they mean. */
  | { readonly terms: readonly (readonly [name: string, text: string])[] }
  /** Lines as they are typed, or as the program prints them. */
  | { readonly lines: readonly string[]; readonly isOutput?: boolean }
  | { readonly title: string };

/** A text of `iot help <topic>`. */
export interface Topic {
  readonly name: string;
  /** One line: what it is about. */
  readonly summary: string;
  /** Made when asked for: some of it comes from tables. */
  blocks(): readonly Block[];
}

export const terms = (list: readonly (readonly [string, string])[]): Block => ({ terms: list });
export const lines = (...list: readonly string[]): Block => ({ lines: list });
export const output = (...list: readonly string[]): Block => ({ lines: list, isOutput: true });
export const title = (text: string): Block => ({ title: text });

function blockText(block: Block): string {
  if (typeof block === "string") return paragraph(block);
  if ("terms" in block) return columns(block.terms);
  if ("lines" in block) return block.lines.map((line) => `${line === "" ? "" : `  ${line}`}\n`).join("");
  return `${block.title}:\n`;
}

/** The topic as `iot help` prints it. */
export function topicText(topic: Topic): string {
  const parts = topic.blocks();
  return parts
    .map((block, i) => {
      const before = parts[i - 1];
      const isUnderTitle = typeof before === "object" && "title" in before;
      return `${i === 0 || isUnderTitle ? "" : "\n"}${blockText(block)}`;
    })
    .join("");
}
