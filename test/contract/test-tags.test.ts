import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const read = (path: string): string => readFileSync(path, "utf8");

/** Signals that ask, modes, links, devices, programs of POSIX, pseudo-terminals. */
const posix =
  /kill\((signal|"SIG(?!KILL))|mode & 0o|chmodSync\(|symlinkSync\((?!.*"junction")|"\/(dev|proc)\/|#!\/bin\/sh|"sh", "-c"|[([]"(sh|bash|mkfifo|ps)",|node-pty/;

/** The helpers that a file imports. */
const helpersOf = (path: string): string[] =>
  [...read(path).matchAll(/from "(\.\.?\/[^"]+)"/g)]
    .map(([, name = ""]) => join(dirname(path), name))
    .filter((helper) => helper.startsWith(root) && existsSync(helper));

describe("a test file", () => {
  it("has the tag posix where it or a helper of it needs what Windows does not have", () => {
    const names = readdirSync(root, { recursive: true, encoding: "utf8" });
    const needing = names
      .filter((name) => name.endsWith(".test.ts") && !/^(browser|cluster|examples)\W/.test(name))
      .map((name) => join(root, name))
      .filter((path) => path !== import.meta.filename)
      .filter((path) => [path, ...helpersOf(path)].some((file) => posix.test(read(file))));
    expect(needing.length).toBeGreaterThan(50);
    expect(needing.filter((path) => !/tags: \[[^\]]*"posix"/.test(read(path)))).toEqual([]);
  });
});
