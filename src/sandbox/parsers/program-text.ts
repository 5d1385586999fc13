import { readFileSync } from "node:fs";
import { ownProgram } from "../core/own-program.ts";

const texts = new Map<string, string>();

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(ownProgram("parsers", file, "Payload parsers"), "utf8");
  texts.set(file, text);
  return text;
}

/** The program of the process that runs payload parsers. */
export const decoderProgram = (): string => textOf("decoder-program.cjs");

/** Defines what parsers find beside the language. */
export const decoderGlobals = (): string => textOf("decoder-globals.cjs");
