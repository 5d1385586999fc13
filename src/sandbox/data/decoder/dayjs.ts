import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);
/** The build puts the text itself in the place of each call. */
const textOf = (path: string): string => readFileSync(resolve(path), "utf8");

/** A script in the form of many packages, as an expression for what it exports. */
const exported = (text: string): string =>
  `((module) => { ((module, exports) => {\n${text}\n})(module, module.exports); return module.exports; })({ exports: {} })`;

/**
 * An expression that makes `dayjs` in a decoder's own world, from the package's texts: a package of this thread would
 * be a way out of it.
 */
export function dayjsExpression(): string {
  const plugins = [
    textOf("dayjs/plugin/utc.js"),
    textOf("dayjs/plugin/timezone.js"),
    textOf("dayjs/plugin/customParseFormat.js"),
  ];
  const extend = plugins.map((text) => `dayjs.extend(${exported(text)});`).join("\n");
  return `(() => { const dayjs = ${exported(textOf("dayjs/dayjs.min.js"))};\n${extend}\nreturn dayjs; })()`;
}
