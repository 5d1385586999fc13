import { wrap } from "../../../text/width.ts";

const width = 78;

/** A paragraph in lines of at most 78 cells. */
export const paragraph = (text: string): string => `${wrap(text, width).join("\n")}\n`;

/** Two columns: a name, and text wrapped beside it. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const left = Math.min(30, Math.max(0, ...rows.map(([name]) => name.length)));
  const indent = left + 4;
  return rows
    .map(([name, text]) => {
      const [first = "", ...rest] = wrap(text, width - indent);
      const head = name.length > left ? `  ${name}\n${" ".repeat(indent)}${first}` : `  ${name.padEnd(left)}  ${first}`;
      return [head, ...rest.map((line) => " ".repeat(indent) + line)].map((line) => `${line.trimEnd()}\n`).join("");
    })
    .join("");
}
