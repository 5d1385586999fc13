import { readFileSync } from "node:fs";
import { ownProgram } from "../core/own-program.ts";

let text: string | undefined;

/** The program of the process that runs payload parsers. */
export function decoderProgram(): string {
  text ??= readFileSync(ownProgram("parsers", "decoder-program.cjs", "Payload parsers"), "utf8");
  return text;
}
