import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../../lib/core/make-folder.ts";
import { OWN_PACKAGE, ownPackageFolder } from "../core/package-folder.ts";
import type { Program } from "./programs.ts";

/** Installed in legacy runtimes. Where it is missing, this library replaces it. */
const PLATFORM_LIBRARY = "@tago-io/sdk";

/** The folder of one run, with its script. */
export interface RunFolder {
  readonly folder: string;
  readonly file: string;
  remove(): void;
}

/** Folders named `node_modules` from a directory upwards, the nearest first. */
function moduleFolders(start: string): string[] {
  const parent = dirname(start);
  const own = join(start, "node_modules");
  const above = parent === start ? [] : moduleFolders(parent);
  return basename(start) !== "node_modules" && existsSync(own) ? [own, ...above] : above;
}

const link = (target: string, path: string): void => symlinkSync(target, path, "junction");

/** A plain file name with an extension the program supports. */
function safeName(fileName: string, program: Program): string {
  const name = basename(fileName.replaceAll("\\", "/")).replaceAll(/[^\w.-]/g, "_");
  return program.ending.test(name) && !/^[.-]/.test(name) ? name : program.name;
}

/**
 * A temporary folder that resolves packages like the working directory. Imports only look upwards from the script, so
 * there is one level for each `node_modules`, the nearest innermost; `NODE_PATH` works for `require` only.
 */
export class Workspace {
  /** For scripts that `require`: every `node_modules` from the working directory upwards. */
  readonly modulePaths: string[];
  /** Root of all folders; removed by `close`. */
  readonly root = mkdtempSync(join(tmpdir(), "iot-sandbox-analysis-"));
  #inner: string;

  constructor(workingDirectory: string) {
    this.modulePaths = moduleFolders(workingDirectory);
    this.#inner = this.root;
    const own = ownPackageFolder();
    if (own !== undefined) {
      for (const name of [OWN_PACKAGE, PLATFORM_LIBRARY]) {
        const place = join(this.#inner, "node_modules", name);
        makeFolder(dirname(place), 0o777);
        link(own, place);
      }
    }
    this.modulePaths.toReversed().forEach((target, index) => {
      this.#inner = join(this.#inner, `level-${index}`);
      mkdirSync(this.#inner);
      link(target, join(this.#inner, "node_modules"));
    });
  }

  prepare(fileName: string, source: Uint8Array, program: Program): RunFolder {
    const folder = mkdtempSync(join(this.#inner, "run-"));
    const file = join(folder, safeName(fileName, program));
    writeFileSync(file, source, { mode: 0o600 });
    return { folder, file, remove: () => rmSync(folder, { recursive: true, force: true }) };
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}
