import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

/** A file of the build, as esbuild's metafile describes it. */
export interface Output {
  readonly entryPoint?: string;
  /** The sources in it; `bytesInOutput` in the files of esbuild alone. */
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput?: number }>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

/** The files of one bundle, by their path below dist. */
export function outputsOf(call: "library" | "browser" | "web" | "program"): Map<string, Output> {
  const file = join(dist, "meta", "modules.json");
  if (!existsSync(file)) throw new Error("dist/meta/modules.json is missing: run `npm run build` first");
  const metas = JSON.parse(readFileSync(file, "utf8")) as Record<string, { readonly outputs: Record<string, Output> }>;
  const found = Object.entries(metas[call]?.outputs ?? {});
  if (found.length === 0) throw new Error(`The build says nothing about "${call}"`);
  const below = (path: string): string => path.replace(/^[^/]*\//, "");
  return new Map(
    found.map(([name, output]) => [
      below(name),
      { ...output, imports: output.imports.map((one) => (one.external ? one : { ...one, path: below(one.path) })) },
    ]),
  );
}

/** Name of the file that holds a source. */
function fileOf(outputs: ReadonlyMap<string, Output>, source: string): string {
  const found = [...outputs].find(([, { inputs }]) => source in inputs);
  if (found === undefined) throw new Error(`The build has no file for ${source}`);
  return found[0];
}

/** Path of the file that the program loads for a source. */
export function chunkOf(source: string): string {
  return join(dist, fileOf(outputsOf("program"), source));
}

/** What is loaded with a source: the file it is in, and all that this one imports at once. */
export function loadedWith(source: string): Output[] {
  const outputs = outputsOf("program");
  const names = new Set([fileOf(outputs, source)]);
  for (const name of names)
    for (const { path, kind, external } of outputs.get(name)?.imports ?? [])
      if (kind === "import-statement" && !external) names.add(path);
  return [...names].flatMap((name) => outputs.get(name) ?? []);
}
