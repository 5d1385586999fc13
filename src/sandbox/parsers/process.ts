import { isRecord } from "../../lib/core/json.ts";
import { LineProcess } from "../core/line-process.ts";
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
export interface ProcessLimits {
  readonly timeLimitMs: number;
  readonly memoryMib: number;
  readonly coverage: boolean;
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

/** A process that runs decoders, one at a time. */
export class DecoderProcess {
  readonly #limits: ProcessLimits;
  readonly #process: LineProcess;
  readonly #tooMuchMemory: string;
  #memoryAtStart = 0;
  readonly #ready: Promise<void>;

  constructor(limits: ProcessLimits) {
    const { memoryMib, coverage } = limits;
    this.#limits = limits;
    this.#tooMuchMemory = `The payload parser took more than ${memoryMib} MB of memory`;
    this.#process = new LineProcess({
      args: [...confinedFlags(memoryMib, coverage), "-e", decoderProgram()],
      spawn: confinedOptions(),
      name: "The payload parser",
      tooMuchMemory: this.#tooMuchMemory,
      maxLineBytes: MAX_ANSWER_BYTES,
    });
    this.#ready = this.#start();
    // The result of the first job reports it.
    this.#ready.catch(() => {});
  }

  get ended(): Promise<void> {
    return this.#process.ended;
  }

  /** Never rejects. A process that was killed or died has ended when this resolves. */
  async run({ profile: _, raw, ...job }: DecodeJob): Promise<DecodeAnswer> {
    const { timeLimitMs } = this.#limits;
    this.#process.ref();
    let watch: NodeJS.Timeout | undefined;
    try {
      await this.#ready;
      watch = setInterval(() => this.#watchMemory(), WATCH_MS);
      const line = this.#process.lineWithin(
        timeLimitMs + GRACE_MS,
        `The ${job.parser} parser took more than ${timeLimitMs} ms`,
      );
      this.#send({ ...job, ...(raw !== job.payload && { raw }) });
      return answerOf(await line);
    } catch (error) {
      this.#process.cutOff("The payload parser was ended");
      await this.ended;
      return { lines: [], error: error instanceof Error ? error.message : String(error) };
    } finally {
      clearInterval(watch);
      this.#process.unref();
    }
  }

  kill(): void {
    this.#process.cutOff("The sandbox was closed");
  }

  #send(value: DecoderSetUp | SentJob): void {
    void this.#process.send(JSON.stringify(value));
  }

  async #start(): Promise<void> {
    const { timeLimitMs, coverage } = this.#limits;
    this.#send({ prelude: prelude(timeLimitMs), timeLimitMs, coverage });
    await this.#process.lineWithin(START_MS, "The payload parser did not start");
    const { pid } = this.#process;
    this.#memoryAtStart = pid === undefined ? 0 : await residentBytes(pid);
  }

  // Buffers are not part of the limited heap.
  async #watchMemory(): Promise<void> {
    const { pid } = this.#process;
    const taken = pid === undefined ? 0 : (await residentBytes(pid)) - this.#memoryAtStart;
    if (taken > 4 * this.#limits.memoryMib * MIB) this.#process.cutOff(this.#tooMuchMemory);
  }
}
