// Writes the licenses of every package that is bundled into the build.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @param {{ inputs: Record<string, unknown> }[]} metafiles of esbuild */
export function writeLicenses(metafiles, target) {
  const packages = new Set();
  for (const { inputs } of metafiles) {
    for (const input of Object.keys(inputs)) {
      const match = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(input);
      if (match) packages.add(match[1]);
    }
  }
  const parts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file && existsSync(join(folder, file))
        ? readFileSync(join(folder, file), "utf8").trim()
        : "(no license file in the package)";
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  writeFileSync(target, `This build contains the following packages.\n\n${parts.join("\n----\n\n")}`);
}
