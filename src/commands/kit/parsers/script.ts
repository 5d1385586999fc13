import { extname } from "node:path";
import { countOf } from "../../../text/count.ts";
import type { Input, OptionSpec } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { inputError } from "../failures/command-error.ts";
import { shownPath } from "../files/out-file.ts";
import { type DecoderFunction, definedFunction, formats, wrapped, writesPayload } from "./wrap.ts";

/** A payload parser, ready to run or upload. */
export interface ParserScript {
  /** The file as the user knows it, or whose parser it is. */
  readonly name: string;
  /** As it was written. */
  readonly text: string;
  /** JavaScript as the platform runs it. */
  readonly code: string;
  /** The function that the code calls, where the script leaves that to others. */
  readonly calls?: DecoderFunction;
  /** The line of the text that a line and column of the code come from, all from 1; undefined for what was added. */
  lineOf(line: number, column?: number): number | undefined;
}

export const formatOption = {
  name: "format",
  value: "form",
  summary: "payload: changes the global; function: defines decodeUplink, Decoder or Decode",
  choices: formats,
  default: "auto",
} as const satisfies OptionSpec;

/** The script in a file; TypeScript loses its types. */
export async function fileScript(
  ctx: CommandContext,
  { options: { format } }: Input<[], [typeof formatOption]>,
  file: string,
): Promise<ParserScript> {
  const name = file === "-" ? "stdin" : shownPath(ctx, ctx.path(file));
  const text = await ctx.readInput(file, "the parser");
  const isTypeScript = /^\.[mc]?ts$/.test(extname(file));
  return withFunction(ctx, await textScript(name, text, format, isTypeScript));
}

/** Says which function is called where the user did not. */
export function withFunction(ctx: CommandContext, script: ParserScript): ParserScript {
  if (script.calls !== undefined)
    ctx.say.detail(`${script.name} defines ${script.calls}; it is called with the bytes.`);
  return script;
}

/** A script in the chosen form. */
export async function textScript(
  name: string,
  text: string,
  format: string | undefined,
  isTypeScript = false,
): Promise<ParserScript> {
  const { code, lineOf } = isTypeScript ? await withoutTypes(name, text) : plain(text);
  const defined = definedFunction(code);
  const isWrapped = format === "function" || (format !== "payload" && defined !== undefined && !writesPayload(code));
  if (isWrapped && defined === undefined) {
    throw inputError(`${name} defines no decoder function.`, {
      code: "parser.no_function",
      why: "--format function needs a function decodeUplink, Decoder or Decode.",
      next: "Leave out --format, or define the function.",
    });
  }
  const calls = isWrapped ? defined : undefined;
  const script = { name, text, code: calls === undefined ? code : wrapped(code, calls), lineOf };
  checkSyntax(script);
  return calls === undefined ? script : { ...script, calls };
}

type Lines = Pick<ParserScript, "code" | "lineOf">;

function plain(text: string): Lines {
  const count = text.split("\n").length;
  return { code: text, lineOf: (line) => (line <= count ? line : undefined) };
}

async function withoutTypes(name: string, text: string): Promise<Lines> {
  const { stripTypes } = await import("../analyses/bundle.ts");
  const { code, map } = await stripTypes(name, text);
  const { SourceMap } = process.getBuiltinModule("node:module");
  const found = new SourceMap(JSON.parse(map));
  const count = code.split("\n").length;
  return {
    code,
    lineOf(line, column = 1) {
      const entry = line <= count ? found.findEntry(line - 1, column - 1) : undefined;
      return entry !== undefined && "originalLine" in entry ? Number(entry.originalLine) + 1 : undefined;
    },
  };
}

/** Compiles the code without running it. */
function checkSyntax({ name, code, lineOf }: Omit<ParserScript, "calls">): void {
  const { Script } = process.getBuiltinModule("node:vm");
  try {
    new Script(code, { filename: "decoder.js" });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const line = lineOf(Number(/decoder\.js:(\d+)/.exec(error.stack ?? "")?.[1] ?? Number.NaN));
    throw inputError(`${name} is not a valid script.`, {
      code: "parser.syntax",
      why: `${error.message}${line === undefined ? "" : ` (${name}:${line})`}.`,
      next: "A parser is a plain script: fix it, and leave out import and export.",
      cause: error,
    });
  }
}

/** What the platform takes of a parser. */
const MOST_CHARS = 64 * 1024;

/** Rejects a script that the platform would not accept. */
export function checkSize({ name, code }: ParserScript): void {
  if (code.length <= MOST_CHARS) return;
  throw inputError(`${name} is too long for a payload parser.`, {
    code: "parser.too_long",
    why: `It has ${countOf(code.length, "character")}; the platform takes ${countOf(MOST_CHARS, "character")}.`,
    next: "Shorten or minify it.",
  });
}
