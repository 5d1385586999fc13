import { existsSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../../lib/core/version.ts";

/** A file that is to be written. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

const contents = {
  "package.json": {
    private: true,
    type: "module",
    scripts: { test: "node --test", "test:sandbox": "iot sandbox exec -- npm test" },
    dependencies: { iotdeck: `^${VERSION}` },
    devDependencies: { "@types/node": "^20.0.0" },
  },
  "tsconfig.json": {
    compilerOptions: { target: "es2022", module: "nodenext", strict: true, noEmit: true, skipLibCheck: true },
    exclude: ["node_modules"],
  },
};

/** What an editor and npm need to know "iotdeck", as far as the folder does not have it. */
export function missingPackageFiles(folder: string): readonly NewFile[] {
  return Object.entries(contents)
    .map(([name, content]) => ({ path: join(folder, name), text: `${JSON.stringify(content, null, 2)}\n` }))
    .filter(({ path }) => !existsSync(path));
}
