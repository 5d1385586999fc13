import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownPackageFolder } from "../core/package-folder.ts";
import { exportsOf } from "./exports-of.ts";

/** The build puts a copy of the package's files into dist, since the package is not a dependency of ours. */
function textOf(file: string): string {
  const folder = ownPackageFolder() ?? ".";
  const built = join(folder, "dist", "dayjs", file);
  return readFileSync(existsSync(built) ? built : join(folder, "node_modules", "dayjs", file), "utf8");
}

/**
 * An expression that creates `dayjs` in a decoder's context, from the package's source: an object of this thread would
 * be a way out of the context.
 */
export function dayjsExpression(): string {
  const plugins = [textOf("plugin/utc.js"), textOf("plugin/timezone.js"), textOf("plugin/customParseFormat.js")];
  const extend = plugins.map((text) => `dayjs.extend(${exportsOf(text)});`).join("\n");
  return `(() => { const dayjs = ${exportsOf(textOf("dayjs.min.js"))};\n${extend}\nreturn dayjs; })()`;
}
