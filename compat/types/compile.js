// Compiles texts with the native compiler, as a strict program of somebody else would be.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { here } from "../install.js";

const root = dirname(here);
const tsc = join(root, "node_modules", "typescript-native", "bin", "tsc");
/** Below compat/node_modules, so that the official packages resolve; ours is `source` from there. */
const folder = join(here, "node_modules", ".types");
/** The entry of the library, as a file of the folder imports it. */
export const source = "../../../src/index.ts";

const options = {
  target: "es2023",
  module: "nodenext",
  lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
  types: ["node"],
  typeRoots: [join(root, "node_modules", "@types")],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
};

/**
 * Errors of each file, by line from 0. `texts` are the files by name.
 *
 * @param more compiler options in place of the ordinary ones
 */
export function compile(texts, more = {}) {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(texts)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const files = Object.keys(texts).filter((name) => /\.[cm]?tsx?$/.test(name));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...options, ...more }, files }));
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  if (error !== undefined || stderr !== "" || status === null || (status !== 0 && stdout === ""))
    throw error ?? new Error(`The compiler did not finish (status ${status}): ${stderr}`);
  const errors = new Map(Object.keys(texts).map((name) => [name, []]));
  let last;
  for (const line of stdout.split("\n").filter((one) => one !== "")) {
    const [, name, at, code, message] = /^(\S+?)\((\d+),\d+\): error (TS\d+): (.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      last = { line: Number(at) - 1, code, message };
      const list = errors.get(name);
      // The sources of 11.x, which some programs import types from, are compiled along with them; its errors are its own.
      if (list === undefined && !name.startsWith("../peer-")) throw new Error(line);
      list?.push(last);
    } else if (last !== undefined && line.startsWith(" ")) last.message += `\n${line}`;
    else throw new Error(line);
  }
  return errors;
}
