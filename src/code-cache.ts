/** (node) Keeps the compiled code of the program between runs: compiling takes 12 ms of each start, reading it back 1 ms. */
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { makeFolder } from "./commands/kit/files.ts";
import { userFolders } from "./commands/kit/paths.ts";

const prefix = "code-";

/** Another build, another Node or another processor has another file; V8 itself checks version and flags once more. */
function keptName(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return `${prefix}${process.version}-${process.arch}-${size}-${Math.trunc(mtimeMs)}.bin`;
}

/** Code somebody else could have written is not run. */
function readKept(path: string): Buffer | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const { uid, mode } = fstatSync(file);
      const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
      return isOurs ? readFileSync(file) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Written whole or not at all; a start that cannot keep anything is only slower. */
function keep(folder: string, name: string, code: Buffer): void {
  try {
    makeFolder(folder, 0o700);
    const temporary = join(folder, `${name}.${process.pid}.tmp`);
    writeFileSync(temporary, code, { mode: 0o600 });
    renameSync(temporary, join(folder, name));
    for (const other of readdirSync(folder)) {
      if (other.startsWith(prefix) && other.endsWith(".bin") && other !== name)
        rmSync(join(folder, other), { force: true });
    }
  } catch {
    return;
  }
}

/** Where code is kept. Nowhere with `IOT_CONFIG_DIR`: that folder is for what the user has set, and for nothing else. */
function placeOfCode(): string | undefined {
  return process.env["IOT_CONFIG_DIR"] ? undefined : join(userFolders(process.env).cache, "code");
}

/** Loads a CommonJS file of the program. */
export function requireKept(path: string): unknown {
  const require = nodeModule.createRequire(path);
  const folder = placeOfCode();
  if (folder === undefined) return require(path);
  // Node has this built in from 22.8 on.
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (enableCompileCache !== undefined) {
    enableCompileCache(folder);
    return require(path);
  }
  return requireOwn(path, folder, require);
}

function requireOwn(path: string, folder: string, require: NodeJS.Require): unknown {
  const name = keptName(path);
  const cachedData = readKept(join(folder, name));
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, "utf8")}\n})`;
  const script = new Script(source, { filename: path, ...(cachedData === undefined ? {} : { cachedData }) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, path, dirname(path));
  if (cachedData === undefined || script.cachedDataRejected === true) {
    // At the end, so that what this run compiled on the way is kept too.
    process.once("exit", () => keep(folder, name, script.createCachedData()));
  }
  return module.exports;
}
