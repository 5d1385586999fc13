import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { bundleScript, loadEsbuild, type Script } from "../kit/analyses/bundle.ts";
import { isPython, runtimeOf } from "../kit/analyses/runtimes.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";

/** How a script is run on this machine. */
export interface DevProgram {
  readonly command: string;
  /** Arguments that run a file. */
  args(file: string): readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Ending of the bundle; undefined for a source that is run where it lies. */
  readonly bundle?: ".cjs" | ".mjs";
  /** It ends by itself with this program; others are watched. */
  readonly endsWithParent: boolean;
  build(): Promise<Script>;
}

/** Keeps the script from outliving the program that started it, also when that was killed. */
const endWithParent =
  'if (process.connected) { process.channel.unref(); process.on("disconnect", () => process.exit(1)); }';

/** A Python source. The files beside it are watched too: it can import them. */
function pythonScript(file: string): Script {
  const folder = dirname(file);
  const beside = readdirSync(folder).filter((name) => name.endsWith(".py"));
  const inputs = [...new Set([file, ...beside.map((name) => join(folder, name))])];
  const hash = createHash("sha256");
  for (const path of inputs) hash.update(readFileSync(path)).update("\0");
  return { fileName: basename(file), content: readFileSync(file), hash: hash.digest("hex"), inputs, notes: [] };
}

/**
 * What runs a source: Python by its ending, else Deno or Node by the runtime.
 *
 * @throws CommandError `analysis.runtime_missing` when it is not installed
 */
export async function devProgram(
  ctx: CommandContext,
  { file, runtime, inspect }: { readonly file: string; readonly runtime: string; readonly inspect: boolean },
): Promise<DevProgram> {
  const language =
    isPython(runtimeOf(file)) || isPython(runtime) ? "python" : runtime.startsWith("deno") ? "deno" : "node";
  if (language === "python" && !isPython(runtimeOf(file)))
    throw usageError(`${quote(basename(file))} is not a Python file.`, {
      why: "The runtime of the analysis is Python.",
      next: "Choose another runtime with --language.",
    });
  const flags = inspect ? ["--inspect"] : [];
  if (language === "node") {
    await loadEsbuild();
    return {
      command: process.execPath,
      args: (path) => ["--enable-source-maps", ...flags, path],
      variables: {},
      bundle: ".cjs",
      endsWithParent: true,
      // Node runs it here, whatever runs it on the platform.
      build: () => bundleScript({ file, language: "node-rt2025", sourcemap: true, localBanner: endWithParent }),
    };
  }
  const { missingText, programOf } = await import("../../sandbox/analyses/programs.ts");
  const program = programOf(language);
  if (program === undefined) throw new Error(`No program runs ${language}`);
  if (spawnSync(program.command, ["--version"], { env: ctx.env, stdio: "ignore" }).error !== undefined) {
    throw new CommandError(`${program.title} is not installed.`, {
      code: "analysis.runtime_missing",
      exit: 1,
      why: `${missingText(program)}.`,
      next: `Install ${program.title}, then run the command again.`,
    });
  }
  const shared = { command: program.command, variables: program.variables ?? {}, endsWithParent: false };
  if (language === "python") {
    if (inspect) throw usageError("--inspect works with Node and Deno only.", { next: "Omit --inspect." });
    return { ...shared, args: (path) => program.args(path), build: async () => pythonScript(file) };
  }
  await loadEsbuild();
  return {
    ...shared,
    args: (path) => program.args(path, flags),
    bundle: ".mjs",
    build: () => bundleScript({ file, language: "deno-rt2025", sourcemap: true, localBanner: "" }),
  };
}
