import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { HANG_MS } from "./wait-for.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Changes whenever a source file does. */
function sourceMark(): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

let built: Promise<string> | undefined;

async function buildOnce(): Promise<string> {
  const cache = join(root, "node_modules", ".cache", "iot-cli");
  const folder = join(cache, sourceMark());
  if (existsSync(join(folder, "cli.js"))) return join(folder, "cli.js");
  mkdirSync(cache, { recursive: true });
  const own = mkdtempSync(join(cache, "build-"));
  await build({
    absWorkingDir: root,
    entryPoints: ["src/cli.ts"],
    outdir: own,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: [
      "@aws-sdk/client-s3",
      "@aws-sdk/lib-storage",
      "@nats-io/jetstream",
      "@nats-io/transport-node",
      "avsc",
      "bullmq",
      "ioredis",
      "kafkajs",
      "libsql",
      "mqtt",
      "undici",
      "eventsource-parser",
      "react-devtools-core",
      "esbuild",
      "@napi-rs/keyring",
    ],
    // By other names: an ES module may declare its own __dirname.
    define: { "process.env.NODE_ENV": '"production"', __filename: "__ownFile", __dirname: "__ownFolder" },
    banner: {
      js: `import { createRequire as __createRequire } from "node:module";
const require = __createRequire(import.meta.url), __ownFile = import.meta.filename, __ownFolder = import.meta.dirname;`,
    },
    logLevel: "silent",
  });
  // Several test files build at once; the first to finish wins, the others are the same.
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true, force: true });
  }
  return join(folder, "cli.js");
}

/** Path of the program, built from the sources as they are now. `IOT_TEST_CLI` names another build. */
export function cliPath(): Promise<string> {
  built ??= process.env["IOT_TEST_CLI"] ? Promise.resolve(process.env["IOT_TEST_CLI"]) : buildOnce();
  return built;
}

export interface CliResult {
  /** Exit code; 128 and the signal's number are not added: a process killed by a signal gives -1. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
}

/** Variables a test process starts with: nothing of the developer's own settings gets in. */
export function cliEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: emptyHome(),
    TMPDIR: tmpdir(),
    TEMP: tmpdir(),
    TZ: "UTC",
    TERM: "xterm-256color",
    TAGOIO_REQUEST_ATTEMPTS: "1",
    IOT_NO_UPDATE_CHECK: "1",
    // Without it a long table would wait in less.
    PAGER: "cat",
    ...extra,
  };
}

let home: string | undefined;

function emptyHome(): string {
  home ??= mkdtempSync(join(tmpdir(), "iot-home-"));
  return home;
}

/** A fresh folder, for `cwd` or `IOT_CONFIG_DIR`. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "iot-test-"));
}

/** Starts the program and hands out the process. */
export async function startCli(args: readonly string[], options: CliOptions = {}): Promise<ChildProcess> {
  return spawn(process.execPath, [await cliPath(), ...args], {
    cwd: options.cwd ?? emptyHome(),
    env: cliEnvironment(options.env),
    stdio: "pipe",
  });
}

/** Runs the program to its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = await startCli(args, options);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(options.stdin ?? "");
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      const seen = Buffer.concat([...stdout, ...stderr]).toString("utf8");
      reject(new Error(`iot ${args.join(" ")} did not end; it printed:\n${seen}`));
    }, HANG_MS);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({
        code: code ?? -1,
        stdout: Buffer.concat(stdout).toString("utf8"),
        stderr: Buffer.concat(stderr).toString("utf8"),
      });
    });
  });
}
