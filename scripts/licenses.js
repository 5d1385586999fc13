// Writes the licenses of every package that is bundled into the build.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Texts of licenses that no installed package has a file with. */
const textOf = (name) => readFileSync(join(import.meta.dirname, "licenses", `${name}.txt`), "utf8").trim();

/** What packages contain of others. The LLVM libraries in WebAssembly need no notice in compiled form. */
const contained = [
  { file: "emscripten", title: "emscripten (MIT)", inside: ["yoga-layout"] },
  { file: "musl", title: "musl (MIT)", inside: ["yoga-layout"] },
  { file: "snappyjs", title: "snappyjs (MIT)", inside: ["hyparquet", "hyparquet-writer"] },
  { file: "go", title: "RE2, the version in Go (BSD-3-Clause)", inside: ["re2js"] },
];

/**
 * @param {{ inputs: Record<string, unknown> }[]} metafiles what each bundle is made of
 * @param {string[]} copied folders of packages that are in the build without a bundle
 */
export function writeLicenses(metafiles, copied, target) {
  const packages = new Set(copied);
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
    const text = file ? readFileSync(join(folder, file), "utf8").trim() : textOf(name);
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
  const names = new Set([...packages].map((folder) => folder.split("node_modules/").pop()));
  const others = contained.flatMap(({ file, title, inside }) => {
    const holders = inside.filter((name) => names.has(name));
    return holders.length > 0 ? [`${title}, part of ${holders.join(" and ")}\n\n${textOf(file)}\n`] : [];
  });
  const parts = [...texts.values()].map(({ heads, text }) => `${heads.join("\n")}\n\n${text}\n`);
  writeFileSync(target, `This build contains the following packages.\n\n${[...parts, ...others].join("\n----\n\n")}`);
}
