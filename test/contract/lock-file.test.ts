import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
}

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const readLock = (file: string): Lock =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")) as Lock;

describe("the packages that come with iotdeck", () => {
  it("have no install scripts but that of esbuild, which SECURITY.md names", () => {
    const { packages } = readLock("package-lock.json");
    const scripted = Object.entries(packages).filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev);
    expect(scripted.map(([path]) => path)).toEqual(["node_modules/esbuild"]);
    const text = readFileSync(new URL("../../SECURITY.md", import.meta.url), "utf8");
    expect(text).toMatch(/Of the\s+optional dependencies, esbuild has an install script/);
  });
});

/** The package an import of `name` from the folder `from` leads to, as Node looks for it. */
function resolved(lock: Lock, from: string, name: string): LockedPackage | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const found = lock.packages[`${folder === "" ? "" : `${folder}/`}node_modules/${name}`];
    if (found !== undefined || folder === "") return found;
  }
}

/** Packages that ship a build for each system as a package of its own. */
const nativeIn = ({ packages }: Lock) =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
    const builds = Object.keys(optionalDependencies).filter((name) => /linux|darwin|win32/.test(name));
    return builds.length > 1 ? [{ path, builds }] : [];
  });

describe.each([
  ["package-lock.json", "node_modules/@biomejs/biome"],
  ["site/package-lock.json", "node_modules/rollup"],
])("the lock file %s", (file, known) => {
  const lock = readLock(file);
  const native = nativeIn(lock);

  it("knows packages with native builds", () => {
    expect(native.map(({ path }) => path)).toContain(known);
  });

  it.each(native)("lists every build of $path, so that npm ci works on every system", ({ path, builds }) => {
    const missing = builds.filter((name) => resolved(lock, path, name)?.integrity === undefined);
    expect(missing).toEqual([]);
    const systems = builds.flatMap((name) => resolved(lock, path, name)?.os ?? []);
    expect(systems).toEqual(expect.arrayContaining(["linux", "darwin", "win32"]));
  });

  it("names no address to download from", () => {
    expect(JSON.stringify(lock)).not.toContain('"resolved"');
  });
});
