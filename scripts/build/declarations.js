// The declarations of what programs import.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const entries = {
  index: "index",
  draw: "lib/widgets/draw/index",
  sandbox: "sandbox/index",
  tip: "lib/tip/index",
  "tip-browser": "lib/tip/codec",
};

/** Writes the declarations into a folder. `npm run types` checks the types. */
export function writeDeclarations(out) {
  const tsc = ["node_modules/typescript-native/bin/tsc", "-p", "tsconfig.build.json", "--outDir", `${out}/types`];
  execFileSync(process.execPath, tsc, { stdio: "inherit" });
  keepReachable(
    `${out}/types`,
    Object.values(entries).map((entry) => `${entry}.d.ts`),
  );
  // Declarations that count as CommonJS are read by both kinds of modules: one tree instead of two.
  writeFileSync(`${out}/types/package.json`, '{ "type": "commonjs" }\n');
  for (const [name, entry] of Object.entries(entries))
    for (const ending of ["d.ts", "d.cts"])
      writeFileSync(`${out}/${name}.${ending}`, `export * from "./types/${entry}.js";\n`);
}

/** Removes declarations that no entry leads to; some of those left would name packages that are not installed. */
function keepReachable(folder, files) {
  const kept = new Set();
  const queue = files.map((file) => join(folder, file));
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (kept.has(path)) continue;
    kept.add(path);
    // The compiler leaves the `.ts` endings of types that are imported in place.
    const text = readFileSync(path, "utf8").replace(/((?:from |import\()"\.[^"]*)\.[jt]s"/g, '$1.js"');
    writeFileSync(path, text);
    for (const [, target] of text.matchAll(/(?:from |import\()"(\.[^"]*)\.js"/g))
      queue.push(join(dirname(path), `${target}.d.ts`));
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(path)) rmSync(path);
  }
}
