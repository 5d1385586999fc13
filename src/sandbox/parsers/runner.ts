import type { DecodeAnswer, DecodeJob } from "./job.ts";
import { DecoderProcess } from "./process.ts";

export interface DecoderLimits {
  /** Time limit of one decoder. Default 1,000, as on the platform. */
  readonly timeLimitMs?: number;
  /** JavaScript heap of a process; outside of it, for buffers, decoders can use four times as much. Default 64. */
  readonly memoryMib?: number;
  /** Concurrent processes, each of one profile. Default 4. */
  readonly maxProcesses?: number;
  /** Time before an idle process is stopped. Default 60,000. */
  readonly idleMs?: number;
  /** Whether results include the coverage of a decoder's source. Default false. */
  readonly coverage?: boolean;
}

/** Most waiting jobs: at 1 s each, more would never finish in time. */
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

/** Runs decoders in a process per profile, started with the first job and again after it was killed. */
export class DecoderRunner {
  readonly #timeLimitMs: number;
  readonly #memoryMib: number;
  readonly #maxProcesses: number;
  readonly #idleMs: number;
  readonly #coverage: boolean;
  readonly #waiting: Task[] = [];
  /** In order of last use, the oldest first. */
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

  /** Runs a decoder. Its errors are in the result: this never rejects. */
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

  /** Stops the processes; running decoders are killed. */
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

  /** The process for a job; undefined while it, or every allowed process, is busy. */
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
    // A killed one is no longer in the set.
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
        // The system has no memory for a process, or does not allow another one.
        task.resolve({ lines: [], error: `The payload parser could not be started: ${String(error)}` });
      }
      this.#waiting.splice(this.#waiting.indexOf(task), 1);
    }
  }
}
