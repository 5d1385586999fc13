import type { DecodeAnswer, DecodeJob } from "./job.ts";
import { DecoderProcess } from "./process.ts";

export interface DecoderLimits {
  /** Longest time of one decoder. Default 1,000, as on the platform. */
  readonly timeLimitMs?: number;
  /** JavaScript heap of a process; outside of it, for buffers, decoders may take four times as much. Default 64. */
  readonly memoryMib?: number;
  /** Processes at a time, each of one profile. Default 4. */
  readonly maxProcesses?: number;
  /** How long a process without work is kept. Default 60,000. */
  readonly idleMs?: number;
  /** Whether answers tell what ran of a decoder's source. Default false. */
  readonly coverage?: boolean;
}

/** Jobs that may wait: at 1 s each, more would never be answered in time. */
const MAX_WAITING = 1_000;

interface Task {
  readonly job: DecodeJob;
  readonly resolve: (answer: DecodeAnswer) => void;
}

/** The process of a profile. */
interface Slot {
  readonly profile: string;
  readonly process: DecoderProcess;
  isBusy: boolean;
  idle?: NodeJS.Timeout;
}

/** Runs decoders in a process per profile, started with the first job and again after one was cut off. */
export class DecoderRunner {
  readonly #timeLimitMs: number;
  readonly #memoryMib: number;
  readonly #maxProcesses: number;
  readonly #idleMs: number;
  readonly #coverage: boolean;
  readonly #waiting: Task[] = [];
  /** The one that was used longest ago comes first. */
  readonly #slots = new Set<Slot>();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(limits: DecoderLimits = {}) {
    this.#timeLimitMs = limits.timeLimitMs ?? 1_000;
    this.#memoryMib = limits.memoryMib ?? 64;
    this.#maxProcesses = limits.maxProcesses ?? 4;
    this.#idleMs = limits.idleMs ?? 60_000;
    this.#coverage = limits.coverage ?? false;
  }

  /** Runs a decoder. What it does wrong is in the answer: this never rejects. */
  run(job: DecodeJob): Promise<DecodeAnswer> {
    return new Promise((resolve) => {
      if (this.#isClosed || this.#waiting.length >= MAX_WAITING) {
        resolve({ lines: [], error: "Too many payload parsers are waiting" });
        return;
      }
      this.#waiting.push({ job, resolve });
      this.#next();
    });
  }

  /** Ends the processes; decoders that still run are cut off. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve({ lines: [], error: "The sandbox was closed" });
    for (const slot of [...this.#slots]) this.#end(slot);
    await Promise.all(this.#ending);
  }

  #end(slot: Slot): void {
    this.#slots.delete(slot);
    clearTimeout(slot.idle);
    const { ended } = slot.process;
    this.#ending.add(ended);
    void ended.then(() => this.#ending.delete(ended));
    slot.process.kill();
  }

  #start(profile: string): Slot {
    const slot = {
      profile,
      process: new DecoderProcess({
        timeLimitMs: this.#timeLimitMs,
        memoryMib: this.#memoryMib,
        coverage: this.#coverage,
      }),
      isBusy: false,
    };
    this.#slots.add(slot);
    void slot.process.ended.then(() => this.#slots.delete(slot));
    return slot;
  }

  /** The process for a job; undefined while it, or every process there may be, is busy. */
  #slotFor(profile: string): Slot | undefined {
    const own = [...this.#slots].find((slot) => slot.profile === profile);
    if (own !== undefined) return own.isBusy ? undefined : own;
    if (this.#slots.size < this.#maxProcesses) return this.#start(profile);
    const longestIdle = [...this.#slots].find((slot) => !slot.isBusy);
    if (longestIdle === undefined) return undefined;
    this.#end(longestIdle);
    return this.#start(profile);
  }

  async #work(slot: Slot, { job, resolve }: Task): Promise<void> {
    slot.isBusy = true;
    clearTimeout(slot.idle);
    const answer = await slot.process.run(job);
    slot.isBusy = false;
    // One that was cut off is not in the set any more.
    if (this.#slots.delete(slot)) {
      this.#slots.add(slot);
      slot.idle = setTimeout(() => this.#end(slot), this.#idleMs).unref();
    }
    resolve(answer);
    this.#next();
  }

  #next(): void {
    for (const task of [...this.#waiting]) {
      try {
        const slot = this.#slotFor(task.job.profile);
        if (slot === undefined) continue;
        void this.#work(slot, task);
      } catch (error) {
        // The system has no memory for a process, or this one may not start any.
        task.resolve({ lines: [], error: `The payload parser could not be started: ${String(error)}` });
      }
      this.#waiting.splice(this.#waiting.indexOf(task), 1);
    }
  }
}
