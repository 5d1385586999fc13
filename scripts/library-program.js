// The library, its drawings, the device protocol and the sandbox as one program of the compiler, for scripts that read their public surface.
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What programs import, and the file behind it. */
export const entries = {
  iotdeck: "src/index.ts",
  "iotdeck/draw": "src/lib/widgets/draw/index.ts",
  "iotdeck/sandbox": "src/sandbox/index.ts",
  "iotdeck/tip": "src/lib/tip/index.ts",
};

const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
export const settings = {
  ...ts.parseJsonConfigFileContent(config, ts.sys, root).options,
  noEmit: true,
  // An example may name what it does not go on to use.
  noUnusedLocals: false,
  noUnusedParameters: false,
  paths: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, [`./${path}`]])),
};

export const program = ts.createProgram(
  Object.values(entries).map((path) => join(root, path)),
  settings,
);
export const checker = program.getTypeChecker();

/** What the entry of a path exports. */
export const exportsOf = (path) =>
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(join(root, path))));

/** Whether node was started with this module; otherwise it is imported by another script. */
export const isStarted = (url) => realpathSync(process.argv[1]) === fileURLToPath(url);
