import { readTextIfThere } from "../files/files.ts";
import type { ModelFlags } from "./chosen-model.ts";
import { jsonSchemaText } from "./json-schema.ts";
import type { PlatformModel } from "./model.ts";
import { typescriptText } from "./typescript.ts";

/** The text of a model in the format that the flags of `iot generate types` choose. */
export function modelText({ format }: Pick<ModelFlags, "format">, model: PlatformModel): string {
  return format === "json-schema" ? jsonSchemaText(model) : typescriptText(model);
}

/** Whether a file has this text; line ends do not count. */
export function stateOf(path: string, text: string): "missing" | "fresh" | "stale" {
  const known = readTextIfThere(path)?.replaceAll("\r\n", "\n");
  return known === undefined ? "missing" : known === text ? "fresh" : "stale";
}
