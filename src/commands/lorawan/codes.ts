import type { LorawanQRCode } from "../../index.ts";
import type { ArgumentSpec } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";

/** A QR text and where it was found. */
export interface CodeText {
  readonly text: string;
  /** Line of the file it came from, from 1; absent for one of the command line. */
  readonly row?: number;
}

/** What a code says, with the text it was read from. */
export interface CodeRow extends LorawanQRCode {
  readonly text: string;
  readonly row?: number;
}

const isCode = (word: string): boolean => /^lw:/i.test(word);

/** The file that a word names, which may be a code or an EUI. */
export const fileOfCodes = (word: string): string | undefined =>
  isCode(word) || isEui(plainEui(word)) ? undefined : word;

export const codesArgument = {
  name: "codes",
  file: fileOfCodes,
  summary: "code text (LW:…), a file with one code per line, or - for stdin",
  variadic: true,
} as const satisfies ArgumentSpec;

/** Lines of a file that hold something; the number sign begins a comment. */
function codeLines(content: string): CodeText[] {
  return content
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ text: line.trim(), row: index + 1 }))
    .filter(({ text }) => text !== "" && !text.startsWith("#"));
}

/** The codes the words name: a text, a file with one on each line, or `-` for stdin. */
export async function readCodes(ctx: CommandContext, words: readonly string[]): Promise<CodeText[]> {
  if (words.length === 0) {
    throw usageError("No QR code given.", {
      code: "usage.missing_argument",
      next: 'Add its text ("LW:D0:…"), a file with one code per line, or - for stdin.',
    });
  }
  const found: CodeText[] = [];
  for (const word of words)
    found.push(...(isCode(word) ? [{ text: word }] : codeLines(await ctx.readInput(word, "the QR code"))));
  if (found.length > 0) return found;
  throw inputError("The input contains no QR codes.", { next: "Write one per line." });
}

/** Reads one code; the failure names the line. Extended identifiers have 16 hexadecimal digits. */
export function parseCode({ text, row }: CodeText, parse: (text: string) => LorawanQRCode): CodeRow {
  const problem = (why: string): Error =>
    inputError(`${quote(text)} is not the QR code of a LoRaWAN device.`, {
      code: "lorawan.invalid_code",
      why,
      next: "Example: LW:D0:1122334455667788:AABBCCDDEEFF0011:AABB1122.",
      ...(row === undefined ? {} : { row }),
    });
  let code: LorawanQRCode;
  try {
    code = parse(text);
  } catch (error) {
    throw problem(`${error instanceof Error ? error.message : String(error)}: it has fewer than four parts.`);
  }
  if (code.type.toUpperCase() !== "LW") throw problem(`It starts with ${quote(code.type)}, not with LW.`);
  for (const [name, eui] of [
    ["join EUI", code.join_eui],
    ["device EUI", code.dev_eui],
  ] as const) {
    if (!isEui(eui)) throw problem(`Its ${name} ${quote(eui)} must have 16 hexadecimal digits.`);
  }
  return { ...code, text, ...(row === undefined ? {} : { row }) };
}

export const isEui = (text: string): boolean => /^[0-9a-f]{16}$/i.test(text);

/** An EUI as people write it: with hyphens, colons or blanks between the digits. */
export const plainEui = (text: string): string => text.replace(/[-:\s]/g, "").toUpperCase();
