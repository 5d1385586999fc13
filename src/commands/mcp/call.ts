import { resolve } from "node:path";
import { Readable } from "node:stream";
import { defined } from "../../lib/core/defined.ts";
import { escapeJson } from "../../text/clean.ts";
import type { Program } from "../kit/command/define.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { type Failure, toFailure } from "../kit/failures/failures.ts";
import { isAddress } from "../kit/files/address.ts";
import { isObject } from "../kit/files/files.ts";
import type { Io } from "../kit/io.ts";
import { type AllowFile, noFiles } from "./files.ts";
import { lineOf } from "./line.ts";
import { maskSecrets } from "./mask.ts";
import type { CommandTool } from "./tools.ts";

/** The result of a call. */
export interface CallResult {
  readonly isError: boolean;
  /** The JSON result first; messages of the command after it. */
  readonly texts: readonly string[];
}

export interface CallSetup {
  readonly run: Program["run"];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Flags every call gets: where it goes. */
  readonly flags: readonly string[];
  readonly allowWrite: boolean;
  /** Throws for a path that calls may not touch; without it there are no files. */
  readonly allowFile?: AllowFile;
  /** The protected environment whose name was given at the start. */
  readonly opened?: string;
}

/** More than this would fill the memory of whoever asked. */
const MAX_RESULT_BYTES = 4 * 1024 * 1024;
/** Exit codes with a whole result: done, and differences found. */
const wholeResults = [0, 11];

interface Capture {
  readonly io: Io;
  text(): string;
  messages(): string[];
  isTooLarge(): boolean;
}

function capture(stdin: string, tooLarge: () => void): Capture {
  const chunks: Buffer[] = [];
  let size = 0;
  let talk = "";
  return {
    io: {
      stdin: Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]),
      async write(text) {
        const chunk = Buffer.from(text);
        size += chunk.byteLength;
        if (size > MAX_RESULT_BYTES) tooLarge();
        else chunks.push(chunk);
      },
      writeError(text) {
        talk = (talk + text).slice(-100_000);
      },
      stdoutIsTerminal: false,
      stderrIsTerminal: false,
      stdinIsTerminal: false,
      columns: () => 80,
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
    messages: () => talk.split("\n").filter((line) => line !== ""),
    isTooLarge: () => size > MAX_RESULT_BYTES,
  };
}

const tooLargeError = (): CommandError =>
  new CommandError("The result is larger than 4 MiB.", {
    code: "mcp.too_large",
    exit: 1,
    why: "A response cannot be that large.",
    next: 'Request less: use "limit", "fields", "filter" or a shorter time range.',
  });

/** The failure a command wrote as its last line. */
function failureIn(lines: readonly string[]): Failure | undefined {
  for (const line of lines.toReversed()) {
    try {
      const value: unknown = JSON.parse(line);
      if (isObject(value) && isObject(value["error"])) return value["error"] as unknown as Failure;
    } catch {
      // A message for people.
    }
  }
  return undefined;
}

/** Converts a request for --yes or --confirm to the arguments of a call. */
function inCall(failure: Failure): Failure {
  const { code, confirm = "yes" } = failure;
  if (code !== "confirm.needed" && code !== "confirm.wrong_name") return failure;
  const why = code === "confirm.needed" ? { why: 'The call has no "confirm" for it.' } : {};
  const next = `Ask the user, then call it again with "confirm": ${JSON.stringify(confirm)}. "dry_run" changes nothing.`;
  return { ...failure, ...why, next };
}

const failed = (failure: Failure): CallResult => ({
  isError: true,
  texts: [escapeJson(JSON.stringify({ error: failure }))],
});

/** The result of a call that cannot be carried out. */
export const failedCall = (error: unknown): CallResult => failed(toFailure(error));

/** The document a command printed; what is no JSON is a text of its own. */
function documentOf(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const leadsAway = (): CommandError =>
  usageError("Calls cannot write to addresses elsewhere.", {
    code: "mcp.outside_files",
    why: "They would use credentials of this machine.",
    next: "Use a path in the folder of this server.",
  });

/** Carries out one call. It never rejects: whatever goes wrong is the error object of the contract. */
export async function callTool(
  tool: CommandTool,
  given: unknown,
  setup: CallSetup,
  signal: AbortSignal,
): Promise<CallResult> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    const allowFile = setup.allowFile ?? noFiles;
    const { words, stdin, paths } = lineOf(tool, given, setup.allowFile !== undefined);
    // Before anything is sent; the command itself asks again for every path it derives from its input.
    for (const path of paths) {
      if (isAddress(path)) throw leadsAway();
      allowFile(resolve(setup.cwd, path));
    }
    const captured = capture(stdin, abort);
    const end = words.indexOf("--");
    const line = [...words.slice(0, end), "--output=json", "--no-progress", ...setup.flags, ...words.slice(end)];
    const code = await setup.run(line, setup.env, {
      io: captured.io,
      cwd: setup.cwd,
      signal: stop.signal,
      allowFile,
      ...defined({ opened: setup.opened }),
    });
    if (captured.isTooLarge()) return failedCall(tooLargeError());
    return resultOf(code, captured, setup.allowWrite);
  } catch (error) {
    return failedCall(error);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function resultOf(code: number, captured: Capture, allowWrite: boolean): CallResult {
  const lines = captured.messages();
  const failure = wholeResults.includes(code) ? undefined : failureIn(lines);
  const notes = lines.filter((line) => /^(info|warning|hint): /.test(line)).map((line) => escapeJson(line));
  const document = documentOf(captured.text());
  const texts =
    failure !== undefined && document === null
      ? []
      : [escapeJson(JSON.stringify(allowWrite ? document : maskSecrets(document)))];
  if (failure !== undefined) return { isError: true, texts: [...failed(inCall(failure)).texts, ...texts, ...notes] };
  return { isError: !wholeResults.includes(code), texts: [...texts, ...notes] };
}
