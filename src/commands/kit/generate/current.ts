import { option } from "../command/arguments.ts";
import type { CommandInput } from "../command/define.ts";
import { readTextIfThere } from "../files/files.ts";
import { schemaText } from "./json-schema.ts";
import type { PlatformModel } from "./model.ts";
import { typescriptText } from "./typescript.ts";

/** The text of a model in the format that the flags of `iot generate types` choose. */
export function modelText(input: CommandInput, model: PlatformModel): string {
  return option(input, "format") === "json-schema" ? schemaText(model) : typescriptText(model);
}

/** Whether a file has this text; line ends do not count. */
export function stateOf(path: string, text: string): "missing" | "fresh" | "stale" {
  const known = readTextIfThere(path)?.replaceAll("\r\n", "\n");
  return known === undefined ? "missing" : known === text ? "fresh" : "stale";
}
