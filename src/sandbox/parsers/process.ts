import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { isRecord } from "../../lib/core/json.ts";
import type { CoveredRange, DecodeAnswer, DecodeJob, DecoderSetUp, SentJob } from "./job.ts";
import { residentBytes } from "./memory.ts";
import { confinedFlags, confinedOptions } from "./permission.ts";
import { prelude } from "./prelude.ts";
import { decoderProgram } from "./program-text.ts";

const MIB = 1024 * 1024;
/** Longest start of a process: on a busy machine Node alone takes seconds. */
const START_MS = 30_000;
/** On top of a decoder's time, which the process itself keeps: for what it cannot interrupt, and for long answers. */
const GRACE_MS = 2_000;
const WATCH_MS = process.platform === "linux" ? 20 : 200;
const MAX_ANSWER_BYTES = 16 * MIB;
/** How Node ends when its heap is full: by a signal, on Windows with this code. */
const ABORT_SIGNALS = ["SIGABRT", "SIGTRAP", "SIGILL"];
const ABORT_CODE = 134;

export interface ProcessLimits {
  readonly timeLimitMs: number;
  readonly memoryMib: number;
  readonly coverage: boolean;
}

/** A process that runs decoders, one at a time. */
export interface DecoderProcess {
  /** Never rejects. A process that was cut off or died is gone when this resolves. */
  run(job: DecodeJob): Promise<DecodeAnswer>;
  kill(): void;
  readonly ended: Promise<void>;
}

interface Listener {
  readonly resolve: (line: string) => void;
  readonly reject: (error: Error) => void;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const isRange = (value: unknown): value is CoveredRange =>
  Array.isArray(value) && value.length === 3 && value.every((part) => Number.isSafeInteger(part) && part >= 0);

/** A decoder that got out of its world could write anything. */
function answerOf(line: string): DecodeAnswer {
  const answer = parsed(line);
  if (!isRecord(answer) || !Array.isArray(answer["lines"])) throw new Error("The payload parser left no answer");
  const { payload, error, coverage } = answer;
  return {
    lines: answer["lines"].map(String),
    ...(typeof payload === "string" && { payload }),
    ...(typeof error === "string" && { error }),
    ...(Array.isArray(coverage) && { coverage: coverage.filter(isRange) }),
  };
}

/** Calls back with each line of a stream, and once when a line gets too long. */
function onLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void, onTooLong: () => void): void {
  let parts: Buffer[] = [];
  let length = 0;
  stream.on("data", (bytes: Buffer) => {
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      parts.push(bytes.subarray(start, end));
      onLine(Buffer.concat(parts).toString());
      parts = [];
      length = 0;
      start = end + 1;
    }
    length += bytes.length - start;
    if (length > MAX_ANSWER_BYTES) {
      parts = [];
      onTooLong();
    } else parts.push(bytes.subarray(start));
  });
}

/** Starts a process for decoders. It does not keep the sandbox alive while it rests, and ends with it. */
export function startDecoderProcess({ timeLimitMs, memoryMib, coverage }: ProcessLimits): DecoderProcess {
  const child = spawn(process.execPath, [...confinedFlags(memoryMib, coverage), "-e", decoderProgram()], {
    ...confinedOptions(),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const { stdin, stdout, pid } = child;
  const handles = [child, ...[stdin, stdout].filter((stream) => stream instanceof Socket)];
  const tooMuchMemory = `The payload parser took more than ${memoryMib} MB of memory`;
  let listener: Listener | undefined;
  let reason: string | undefined;
  let memoryAtStart = 0;

  const cutOff = (why: string): void => {
    reason ??= why;
    // Somebody waits for its end.
    child.ref();
    child.kill("SIGKILL");
  };
  const nextLine = (): Promise<string> =>
    new Promise((resolve, reject) => {
      listener = { resolve, reject };
    });
  const send = (value: DecoderSetUp | SentJob): void => {
    stdin?.write(`${JSON.stringify(value)}\n`);
  };
  /** The next line, unless it takes too long: then the process is ended. */
  const within = async (limitMs: number, why: string): Promise<string> => {
    if (reason !== undefined) throw new Error(reason);
    const deadline = setTimeout(() => cutOff(why), limitMs);
    try {
      return await nextLine();
    } finally {
      clearTimeout(deadline);
    }
  };

  const ended = new Promise<void>((resolve) => {
    const onEnd = (why: string): void => {
      reason ??= why;
      listener?.reject(new Error(reason));
      resolve();
    };
    child.on("error", (error) => onEnd(`The payload parser could not be started: ${error.message}`));
    child.on("exit", (code, signal) => {
      const isOutOfMemory = code === ABORT_CODE || ABORT_SIGNALS.includes(signal ?? "");
      onEnd(isOutOfMemory ? tooMuchMemory : `The payload parser ended its process (${signal ?? code})`);
    });
  });
  stdin?.on("error", () => {});
  const tooLong = `The payload parser left more than ${MAX_ANSWER_BYTES / MIB} MB`;
  // A process that could not be started may have no streams.
  if (stdout)
    onLines(
      stdout,
      (line) => listener?.resolve(line),
      () => cutOff(tooLong),
    );

  const start = async (): Promise<void> => {
    send({ prelude: prelude(timeLimitMs), timeLimitMs, coverage });
    await within(START_MS, "The payload parser did not start");
    memoryAtStart = pid === undefined ? 0 : await residentBytes(pid);
  };
  const ready = start();
  // It is the first job's answer that reports it.
  ready.catch(() => {});

  // Buffers are no part of the heap that the process is limited to.
  const watchMemory = async (): Promise<void> => {
    const taken = pid === undefined ? 0 : (await residentBytes(pid)) - memoryAtStart;
    if (taken > 4 * memoryMib * MIB) cutOff(tooMuchMemory);
  };

  const run = async ({ profile: _, raw, ...job }: DecodeJob): Promise<DecodeAnswer> => {
    for (const handle of handles) handle.ref();
    let watch: NodeJS.Timeout | undefined;
    try {
      await ready;
      watch = setInterval(watchMemory, WATCH_MS);
      const line = within(timeLimitMs + GRACE_MS, `The ${job.parser} parser took more than ${timeLimitMs} ms`);
      send({ ...job, ...(raw !== job.payload && { raw }) });
      return answerOf(await line);
    } catch (error) {
      cutOff("The payload parser was ended");
      await ended;
      return { lines: [], error: error instanceof Error ? error.message : String(error) };
    } finally {
      clearInterval(watch);
      listener = undefined;
      for (const handle of handles) handle.unref();
    }
  };
  for (const handle of handles) handle.unref();
  return { run, kill: () => cutOff("The sandbox was closed"), ended };
}
