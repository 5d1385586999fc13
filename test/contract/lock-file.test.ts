import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly integrity?: string;
}

const lock = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** The package an import of `name` from the folder `from` leads to, as Node looks for it. */
function resolved(from: string, name: string): LockedPackage | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const found = lock.packages[`${folder === "" ? "" : `${folder}/`}node_modules/${name}`];
    if (found !== undefined || folder === "") return found;
  }
}

/** Packages that ship a build for each system as a package of its own. */
const native = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) => {
  const builds = Object.keys(optionalDependencies).filter((name) => /linux|darwin|win32/.test(name));
  return builds.length > 1 ? [{ path, builds }] : [];
});

describe("the lock file", () => {
  it("knows packages with native builds", () => {
    expect(native.map(({ path }) => path)).toContain("node_modules/@biomejs/biome");
  });

  it.each(native)("lists every build of $path, so that npm ci works on every system", ({ path, builds }) => {
    const missing = builds.filter((name) => resolved(path, name)?.integrity === undefined);
    expect(missing).toEqual([]);
    const systems = builds.flatMap((name) => resolved(path, name)?.os ?? []);
    expect(systems).toEqual(expect.arrayContaining(["linux", "darwin", "win32"]));
  });

  it("names no address to download from", () => {
    expect(JSON.stringify(lock)).not.toContain('"resolved"');
  });
});
