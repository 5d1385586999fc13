import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Sandbox, SandboxTip, SandboxTokens, ServedRoute } from "../../src/sandbox/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Starts a sandbox with the options of its first argument, prints its address and tokens, and serves on. */
const CHILD_SOURCE = `
import { createSandbox } from "./src/sandbox/index.ts";
try {
  const sandbox = await createSandbox(JSON.parse(process.argv[2]));
  process.stdout.write(JSON.stringify({ url: sandbox.url, tokens: sandbox.tokens, inspectionHeaders: sandbox.inspectionHeaders, profileId: sandbox.profileId, routes: sandbox.routes, tip: sandbox.tip }) + "\\n");
  process.on("SIGTERM", () => sandbox.close());
} catch (error) {
  process.stdout.write(JSON.stringify({ error: error.name + ": " + error.message }) + "\\n");
}
`;

export interface ChildProgram {
  readonly file: string;
  remove(): void;
}

/** Builds the child program from the sources as they are now, inside the project so that it finds its packages. */
export async function buildChild(): Promise<ChildProgram> {
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "iot-sandbox-"));
  const file = join(folder, "child.mjs");
  const built = await build({
    absWorkingDir: root,
    stdin: { contents: CHILD_SOURCE, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "silent",
  });
  writeFileSync(file, built.outputFiles[0]?.text ?? "");
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Child {
  readonly process: ChildProcess;
  /** What the child printed first. */
  readonly ready: {
    readonly url: string;
    readonly profileId: string;
    readonly tokens: SandboxTokens;
    readonly inspectionHeaders: Sandbox["inspectionHeaders"];
    readonly routes: readonly ServedRoute[];
    readonly tip?: SandboxTip;
    readonly error?: string;
  };
  /** What it wrote to standard error so far. */
  complaints(): string;
  /** Resolves with code or signal once the process is gone. */
  readonly ended: Promise<number | string | null>;
}

/** Starts a sandbox in a process of its own, whose files may be limited to a number of blocks of 512 bytes. */
export function startChild(program: ChildProgram, options: object, maxFileBlocks?: number): Promise<Child> {
  const line = [process.execPath, program.file, JSON.stringify(options)] as const;
  // The shell's limit stands for a disk that takes no more: the system refuses to let any file grow above it.
  const limited = ["sh", "-c", 'ulimit -f "$0" && exec "$@"', String(maxFileBlocks), ...line] as const;
  const [command, ...args] = maxFileBlocks === undefined ? line : limited;
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaints += chunk.toString();
    process.stderr.write(chunk);
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.on("exit", (code, signal) => resolve(code ?? signal));
  });
  return new Promise((resolve, reject) => {
    let text = "";
    child.on("error", reject);
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("\n"))
        resolve({ process: child, ready: JSON.parse(text), complaints: () => complaints, ended });
    });
    void ended.then((end) => reject(new Error(`The sandbox ended with ${end} before it was ready: ${text}`)));
  });
}
