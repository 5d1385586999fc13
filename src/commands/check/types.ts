import { readFileSync } from "node:fs";
import type { CommandContext } from "../kit/context.ts";
import { refuseFolder } from "../kit/files/out-file.ts";
import { type ModelFlags, readModel } from "../kit/generate/chosen-model.ts";
import { modelText, stateOf } from "../kit/generate/current.ts";
import { type Finding, finding, readable } from "./finding.ts";

/** A file of `iot generate types`, and the flags it is made with. */
export interface TypesFile {
  readonly file: string;
  readonly flags: ModelFlags;
}

/** Flags that choose everything. */
export const checkEverything = {
  entity: [],
  entities: true,
  dictionary: [],
  dictionaries: true,
  device: [],
  deviceTag: [],
} as const satisfies Omit<ModelFlags, "format">;

/** Whether a file of types is what the platform makes it now. */
export function checkTypes(ctx: CommandContext, { file, flags }: TypesFile): Promise<readonly Finding[]> {
  return readable(ctx, "types", file, async () => {
    const path = ctx.path(file);
    refuseFolder(ctx, path);
    const text = modelText(flags, await readModel(ctx, flags));
    const state = stateOf(path, text);
    if (state === "fresh") return [];
    const next = `Run "iot generate types --out ${file}" with the same flags.`;
    if (state === "missing") return [finding("types", "missing", "The generated types do not exist.", { file, next })];
    const line = firstOther(readFileSync(path, "utf8"), text);
    return [finding("types", "stale", "The generated types are out of date.", { file, line, next })];
  });
}

/** The first line that is another one, from 1. */
function firstOther(old: string, now: string): number {
  const lines = now.split("\n");
  const at = old.split(/\r?\n/).findIndex((line, i) => line !== lines[i]);
  return at < 0 ? lines.length : at + 1;
}
