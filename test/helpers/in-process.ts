import { rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { CommandClock } from "../../src/commands/kit/context.ts";
import type { Io } from "../../src/commands/kit/io.ts";
import { defined } from "../../src/lib/core/defined.ts";
import { chunkOf } from "./built.ts";
import { type CliResult, cliEnvironment, temporaryFolder } from "./cli.ts";

type Run = typeof import("../../src/commands/program/run.ts").run;

let program: Promise<Run> | undefined;

/** The program's entry: the shipped one where `IOT_TEST_CLI` names it, else the sources. */
function loadRun(): Promise<Run> {
  const shipped = process.env["IOT_TEST_CLI"];
  if (shipped === undefined) return import("../../src/commands/program/run.ts").then(({ run }) => run);
  return import(pathToFileURL(chunkOf("src/commands/program/run.ts")).href).then(
    ({ run }: { readonly run: Run }) => run,
  );
}

export interface HereOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Text, bytes, or a stream of the test's own. */
  readonly stdin?: string | Uint8Array | Readable;
  /** Width in cells; stdout and stderr are then terminals, stdin is not. */
  readonly terminal?: number;
  /** @default that of the system */
  readonly clock?: CommandClock;
  /** Called with what is written to stdout, for a command that is talked to while it runs. */
  readonly onOutput?: (bytes: Buffer) => void;
  /** Ends the run as Ctrl-C would. */
  readonly signal?: AbortSignal;
  /** Told of every file that the command finds by a path. */
  readonly allowFile?: (path: string) => void;
}

/** Runs under way, and what the variable was before the first of them. */
const attempts = { running: 0, before: undefined as string | undefined };
const ATTEMPTS = "TAGOIO_REQUEST_ATTEMPTS";

/** The library reads this one variable from the process itself. */
async function withAttempts<T>(value: string | undefined, work: () => Promise<T>): Promise<T> {
  if (attempts.running === 0) attempts.before = process.env[ATTEMPTS];
  attempts.running += 1;
  if (value !== undefined) process.env[ATTEMPTS] = value;
  try {
    return await work();
  } finally {
    attempts.running -= 1;
    if (attempts.running === 0) {
      if (attempts.before === undefined) delete process.env[ATTEMPTS];
      else process.env[ATTEMPTS] = attempts.before;
    }
  }
}

/**
 * Runs one command line inside this process, for tests that run hundreds of them. Everything is as in a process of its
 * own but for the streams and signals.
 */
export async function runHere(args: readonly string[], options: HereOptions = {}): Promise<CliResult> {
  program ??= loadRun();
  const run = await program;
  const stdout: Buffer[] = [];
  const stderr: string[] = [];
  const isTerminal = options.terminal !== undefined;
  const io: Io = {
    stdin:
      options.stdin instanceof Readable
        ? options.stdin
        : Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
    async write(text) {
      const bytes = Buffer.from(text);
      stdout.push(bytes);
      options.onOutput?.(bytes);
    },
    writeError(text) {
      stderr.push(text);
    },
    stdoutIsTerminal: isTerminal,
    stderrIsTerminal: isTerminal,
    stdinIsTerminal: false,
    columns: () => options.terminal ?? 80,
  };
  const env = cliEnvironment(options.env);
  const cwd = options.cwd ?? temporaryFolder();
  const code = await withAttempts(env[ATTEMPTS], () =>
    run(args, env, {
      io,
      cwd,
      ...defined({ clock: options.clock, allowFile: options.allowFile, signal: options.signal }),
    }),
  );
  if (options.cwd === undefined) rmSync(cwd, { recursive: true, force: true });
  return { code, stdout: Buffer.concat(stdout).toString("utf8"), stderr: stderr.join("") };
}
