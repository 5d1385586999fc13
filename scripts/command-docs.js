// Writes docs/commands and docs/cheat-sheet.md from the command table; the build makes the manual pages of it. Checked by
// test/contract/command-docs.test.ts.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Only the table is needed: what a command loads when it runs stays out. */
const tableOnly = {
  name: "table-only",
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /./ }, (args) => {
      const isNoun = /registry\.ts$/.test(args.importer);
      return args.kind === "dynamic-import" && !isNoun ? { path: args.path, external: true } : undefined;
    });
  },
};

/** The texts, by the sources as they are now. */
async function loadManual() {
  const folder = mkdtempSync(join(tmpdir(), "iot-docs-"));
  try {
    const outfile = join(folder, "manual.mjs");
    await build({
      absWorkingDir: root,
      entryPoints: ["src/commands/program/manual/files.ts"],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      logLevel: "warning",
      plugins: [tableOnly],
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes docs/commands and the cheat sheet beside it; files that are no longer made are removed. */
export async function writeCommandDocs(folder = join(root, "docs", "commands")) {
  const { cheatSheet, commandDocs } = await loadManual();
  const files = await commandDocs();
  mkdirSync(join(folder, "topics"), { recursive: true });
  for (const name of readdirSync(folder, { recursive: true }))
    if (name.endsWith(".md") && !files.has(name.replaceAll("\\", "/"))) rmSync(join(folder, name));
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  writeFileSync(join(dirname(folder), "cheat-sheet.md"), await cheatSheet());
  return files.size + 1;
}

/** Writes the manual pages. */
export async function writeManualPages(folder) {
  const { manualPages } = await loadManual();
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of await manualPages()) writeFileSync(join(folder, name), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(`docs/commands and docs/cheat-sheet.md: ${await writeCommandDocs()} files`);
