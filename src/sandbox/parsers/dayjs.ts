import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownPackageFolder } from "../core/package-folder.ts";

/** The build puts a copy of the package's files into dist, since the package itself is not installed with ours. */
function textOf(file: string): string {
  const folder = ownPackageFolder() ?? ".";
  const built = join(folder, "dist", "dayjs", file);
  return readFileSync(existsSync(built) ? built : join(folder, "node_modules", "dayjs", file), "utf8");
}

/** A script in the form of many packages, as an expression for what it exports. */
const exported = (text: string): string =>
  `((module) => { ((module, exports) => {\n${text}\n})(module, module.exports); return module.exports; })({ exports: {} })`;

/**
 * An expression that makes `dayjs` in a decoder's own world, from the package's texts: a package of this thread would
 * be a way out of it.
 */
export function dayjsExpression(): string {
  const plugins = [textOf("plugin/utc.js"), textOf("plugin/timezone.js"), textOf("plugin/customParseFormat.js")];
  const extend = plugins.map((text) => `dayjs.extend(${exported(text)});`).join("\n");
  return `(() => { const dayjs = ${exported(textOf("dayjs.min.js"))};\n${extend}\nreturn dayjs; })()`;
}
