import type { ArgumentSpec } from "../command/define.ts";
import { quote } from "../command/values.ts";
import { notFoundError } from "../failures/command-error.ts";
import { didYouMean } from "../failures/unknown-word.ts";

export const filesArgument = {
  name: "files",
  file: "in",
  summary: "JSON or JSON Lines files, folders or patterns; - is stdin",
  required: true,
  variadic: true,
} as const satisfies ArgumentSpec;

export const globOption = {
  name: "glob",
  value: "pattern",
  summary: "only files in folders that match, such as **/old-*.json",
} as const;
export const typeArgument = {
  name: "type",
  summary: "widget type of the new structure, such as angular or line_chart",
} as const satisfies ArgumentSpec;

export function unknownType(type: string, known: readonly string[]): Error {
  return notFoundError(`Unknown widget type ${quote(type)}.`, {
    code: "widget.unknown_type",
    why: `Valid types: ${known.join(", ")}.`,
    ...didYouMean(type, known, 'Run "iot widget types".'),
  });
}
