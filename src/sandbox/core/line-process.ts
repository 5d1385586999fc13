import { type ChildProcessByStdio, type SpawnOptions, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";

const MIB = 1024 * 1024;
/** How Node ends when its heap is full: by a signal, on Windows with this exit code. */
const ABORT_SIGNALS = ["SIGABRT", "SIGTRAP", "SIGILL"];
const ABORT_CODE = 134;

export interface LineProcessOptions {
  /** Arguments of Node. */
  readonly args: readonly string[];
  readonly spawn: SpawnOptions;
  /** What its errors call it: `The payload parser`. */
  readonly name: string;
  /** The error when Node's heap is full. */
  readonly tooMuchMemory: string;
  readonly maxLineBytes: number;
}

interface Listener {
  readonly resolve: (line: string) => void;
  readonly reject: (error: Error) => void;
}

/** Calls back with each line of a stream, and once when a line is too long. */
function onLines(
  stream: NodeJS.ReadableStream,
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): void {
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
    if (length > maxBytes) {
      parts = [];
      onTooLong();
    } else parts.push(bytes.subarray(start));
  });
}

/**
 * A process of Node that reads lines and writes a line for each that asks for one. It does not keep the sandbox alive
 * while idle, and ends with it.
 */
export class LineProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #stdin: Writable;
  readonly #handles: (Socket | ChildProcessByStdio<Writable, Readable, null>)[];
  readonly pid: number | undefined;
  readonly ended: Promise<void>;
  #listener: Listener | undefined;
  #reason: string | undefined;

  constructor({ args, spawn: options, name, tooMuchMemory, maxLineBytes }: LineProcessOptions) {
    this.#child = spawn(process.execPath, args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
    const { stdin, stdout, pid } = this.#child;
    this.#stdin = stdin;
    this.pid = pid;
    this.#handles = [this.#child, ...[this.#stdin, stdout].filter((stream) => stream instanceof Socket)];
    this.ended = new Promise<void>((resolve) => {
      const onEnd = (why: string): void => {
        this.#reason ??= why;
        this.#listener?.reject(new Error(this.#reason));
        resolve();
      };
      this.#child.on("error", (error) => onEnd(`${name} could not be started: ${error.message}`));
      this.#child.on("exit", (code, signal) => {
        const isOutOfMemory = code === ABORT_CODE || ABORT_SIGNALS.includes(signal ?? "");
        onEnd(isOutOfMemory ? tooMuchMemory : `${name} ended its process (${signal ?? code})`);
      });
    });
    this.#stdin?.on("error", () => {});
    const tooLong = `${name} left more than ${maxLineBytes / MIB} MB`;
    // A process that could not be started may have no streams.
    if (stdout) {
      const onLine = (line: string): void => this.#listener?.resolve(line);
      onLines(stdout, maxLineBytes, onLine, () => this.cutOff(tooLong));
    }
    this.unref();
  }

  /** Lets the process keep this one alive. */
  ref(): void {
    for (const handle of this.#handles) handle.ref();
  }

  unref(): void {
    this.#listener = undefined;
    for (const handle of this.#handles) handle.unref();
  }

  /** Sends a line. Resolves when more can be sent, also after the end of the process. */
  async send(line: string): Promise<void> {
    if (this.#stdin?.write(`${line}\n`) !== false || this.#reason !== undefined) return;
    await Promise.race([new Promise((resolve) => this.#stdin.once("drain", resolve)), this.ended]);
  }

  /** The next line. On a timeout the process is killed. */
  async lineWithin(limitMs: number, why: string): Promise<string> {
    if (this.#reason !== undefined) throw new Error(this.#reason);
    const deadline = setTimeout(() => this.cutOff(why), limitMs);
    try {
      return await new Promise((resolve, reject) => {
        this.#listener = { resolve, reject };
      });
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Kills the process. The first reason is the error of what it does. */
  cutOff(why: string): void {
    this.#reason ??= why;
    // A caller waits for its end.
    this.#child.ref();
    this.#child.kill("SIGKILL");
  }
}
