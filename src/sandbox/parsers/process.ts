import { type ChildProcessByStdio, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { isRecord } from "../../lib/core/json.ts";
import type { CoveredRange, DecodeAnswer, DecodeJob, DecoderSetUp, SentJob } from "./job.ts";
import { residentBytes } from "./memory.ts";
import { confinedFlags, confinedOptions } from "./permission.ts";
import { prelude } from "./prelude.ts";
import { decoderProgram } from "./program-text.ts";

const MIB = 1024 * 1024;
/** Timeout for the start of a process: on a busy machine Node alone takes seconds. */
const START_MS = 30_000;
/**
 * Added to a decoder's time limit, which the process itself enforces: for what it cannot interrupt, and for long
 * results.
 */
const GRACE_MS = 2_000;
const WATCH_MS = process.platform === "linux" ? 20 : 200;
const MAX_ANSWER_BYTES = 16 * MIB;
/** How Node ends when its heap is full: by a signal, on Windows with this exit code. */
const ABORT_SIGNALS = ["SIGABRT", "SIGTRAP", "SIGILL"];
const ABORT_CODE = 134;

export interface ProcessLimits {
  readonly timeLimitMs: number;
  readonly memoryMib: number;
  readonly coverage: boolean;
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

/** A decoder that escapes its context could write anything. */
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

/** Calls back with each line of a stream, and once when a line is too long. */
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

/** A process that runs decoders, one at a time. It does not keep the sandbox alive while idle, and ends with it. */
export class DecoderProcess {
  readonly #timeLimitMs: number;
  readonly #memoryMib: number;
  readonly #coverage: boolean;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #stdin: Writable;
  readonly #pid: number | undefined;
  readonly #handles: (Socket | ChildProcessByStdio<Writable, Readable, null>)[];
  readonly #tooMuchMemory: string;
  #listener: Listener | undefined;
  #reason: string | undefined;
  #memoryAtStart = 0;
  readonly ended: Promise<void>;
  readonly #ready: Promise<void>;

  constructor({ timeLimitMs, memoryMib, coverage }: ProcessLimits) {
    this.#timeLimitMs = timeLimitMs;
    this.#memoryMib = memoryMib;
    this.#coverage = coverage;
    this.#child = spawn(process.execPath, [...confinedFlags(memoryMib, coverage), "-e", decoderProgram()], {
      ...confinedOptions(),
      stdio: ["pipe", "pipe", "ignore"],
    });
    const { stdin, stdout, pid } = this.#child;
    this.#stdin = stdin;
    this.#pid = pid;
    this.#handles = [this.#child, ...[this.#stdin, stdout].filter((stream) => stream instanceof Socket)];
    this.#tooMuchMemory = `The payload parser took more than ${memoryMib} MB of memory`;
    this.ended = new Promise<void>((resolve) => {
      const onEnd = (why: string): void => {
        this.#reason ??= why;
        this.#listener?.reject(new Error(this.#reason));
        resolve();
      };
      this.#child.on("error", (error) => onEnd(`The payload parser could not be started: ${error.message}`));
      this.#child.on("exit", (code, signal) => {
        const isOutOfMemory = code === ABORT_CODE || ABORT_SIGNALS.includes(signal ?? "");
        onEnd(isOutOfMemory ? this.#tooMuchMemory : `The payload parser ended its process (${signal ?? code})`);
      });
    });
    this.#stdin?.on("error", () => {});
    const tooLong = `The payload parser left more than ${MAX_ANSWER_BYTES / MIB} MB`;
    // A process that could not be started may have no streams.
    if (stdout)
      onLines(
        stdout,
        (line) => this.#listener?.resolve(line),
        () => this.#cutOff(tooLong),
      );
    this.#ready = this.#start();
    // The result of the first job reports it.
    this.#ready.catch(() => {});
    for (const handle of this.#handles) handle.unref();
  }

  /** Never rejects. A process that was killed or died has ended when this resolves. */
  async run({ profile: _, raw, ...job }: DecodeJob): Promise<DecodeAnswer> {
    for (const handle of this.#handles) handle.ref();
    let watch: NodeJS.Timeout | undefined;
    try {
      await this.#ready;
      watch = setInterval(() => this.#watchMemory(), WATCH_MS);
      const line = this.#within(
        this.#timeLimitMs + GRACE_MS,
        `The ${job.parser} parser took more than ${this.#timeLimitMs} ms`,
      );
      this.#send({ ...job, ...(raw !== job.payload && { raw }) });
      return answerOf(await line);
    } catch (error) {
      this.#cutOff("The payload parser was ended");
      await this.ended;
      return { lines: [], error: error instanceof Error ? error.message : String(error) };
    } finally {
      clearInterval(watch);
      this.#listener = undefined;
      for (const handle of this.#handles) handle.unref();
    }
  }

  kill(): void {
    this.#cutOff("The sandbox was closed");
  }

  #cutOff(why: string): void {
    this.#reason ??= why;
    // A caller waits for its end.
    this.#child.ref();
    this.#child.kill("SIGKILL");
  }

  #nextLine(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#listener = { resolve, reject };
    });
  }

  #send(value: DecoderSetUp | SentJob): void {
    this.#stdin?.write(`${JSON.stringify(value)}\n`);
  }

  /** The next line. On a timeout the process is killed. */
  async #within(limitMs: number, why: string): Promise<string> {
    if (this.#reason !== undefined) throw new Error(this.#reason);
    const deadline = setTimeout(() => this.#cutOff(why), limitMs);
    try {
      return await this.#nextLine();
    } finally {
      clearTimeout(deadline);
    }
  }

  async #start(): Promise<void> {
    this.#send({ prelude: prelude(this.#timeLimitMs), timeLimitMs: this.#timeLimitMs, coverage: this.#coverage });
    await this.#within(START_MS, "The payload parser did not start");
    this.#memoryAtStart = this.#pid === undefined ? 0 : await residentBytes(this.#pid);
  }

  // Buffers are not part of the limited heap.
  async #watchMemory(): Promise<void> {
    const taken = this.#pid === undefined ? 0 : (await residentBytes(this.#pid)) - this.#memoryAtStart;
    if (taken > 4 * this.#memoryMib * MIB) this.#cutOff(this.#tooMuchMemory);
  }
}
