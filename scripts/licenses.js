// Writes the licenses of every package that is bundled into the build.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MIT = (holder) => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Packages that are published without the file their repository has. */
const ELSEWHERE = new Map([["yoga-layout", MIT("Facebook, Inc. and its affiliates.")]]);

/** @param {{ inputs: Record<string, unknown> }[]} metafiles of esbuild */
export function writeLicenses(metafiles, target) {
  const packages = new Set();
  for (const { inputs } of metafiles) {
    for (const input of Object.keys(inputs)) {
      const match = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(input);
      if (match) packages.add(match[1]);
    }
  }
  /** Packages by the text of their license, whoever the holder is. */
  const texts = new Map();
  for (const folder of [...packages].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file && existsSync(join(folder, file))
        ? readFileSync(join(folder, file), "utf8").trim()
        : (ELSEWHERE.get(name) ?? "(no license file in the package)");
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    const holders = lines.filter((line) => /^copyright( |:).*(\(c\)|©|\d{4})/i.test(line));
    const rest = lines.filter((line) => !holders.includes(line));
    const key = rest
      .join(" ")
      .replace(/\s+/g, " ")
      .replace(/^(the )?mit license( \(mit\))? /i, "")
      .toLowerCase();
    const known = texts.get(key) ?? {
      heads: [],
      text: rest
        .join("\n")
        .replace(/\n{3,}/g, "\n\n")
        .trim(),
    };
    known.heads.push([`${name} ${version} (${license})`, ...holders.map((holder) => `  ${holder}`)].join("\n"));
    texts.set(key, known);
  }
  const parts = [...texts.values()].map(({ heads, text }) => `${heads.join("\n")}\n\n${text}\n`);
  writeFileSync(target, `This build contains the following packages.\n\n${parts.join("\n----\n\n")}`);
}
