import type { DecodeAnswer, DecodeJob } from "./job.ts";
import { type DecoderProcess, startDecoderProcess } from "./process.ts";

export interface DecoderRunner {
  /** Runs a decoder. What it does wrong is in the answer: this never rejects. */
  run(job: DecodeJob): Promise<DecodeAnswer>;
  /** Ends the processes; decoders that still run are cut off. */
  close(): Promise<void>;
}

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
export function createDecoderRunner(limits: DecoderLimits = {}): DecoderRunner {
  const { timeLimitMs = 1_000, memoryMib = 64, maxProcesses = 4, idleMs = 60_000, coverage = false } = limits;
  const waiting: Task[] = [];
  /** The one that was used longest ago comes first. */
  const slots = new Set<Slot>();
  const ending = new Set<Promise<void>>();
  let isClosed = false;

  const end = (slot: Slot): void => {
    slots.delete(slot);
    clearTimeout(slot.idle);
    const { ended } = slot.process;
    ending.add(ended);
    void ended.then(() => ending.delete(ended));
    slot.process.kill();
  };

  const start = (profile: string): Slot => {
    const slot = { profile, process: startDecoderProcess({ timeLimitMs, memoryMib, coverage }), isBusy: false };
    slots.add(slot);
    void slot.process.ended.then(() => slots.delete(slot));
    return slot;
  };

  /** The process for a job; undefined while it, or every process there may be, is busy. */
  const slotFor = (profile: string): Slot | undefined => {
    const own = [...slots].find((slot) => slot.profile === profile);
    if (own !== undefined) return own.isBusy ? undefined : own;
    if (slots.size < maxProcesses) return start(profile);
    const longestIdle = [...slots].find((slot) => !slot.isBusy);
    if (longestIdle === undefined) return undefined;
    end(longestIdle);
    return start(profile);
  };

  const work = async (slot: Slot, { job, resolve }: Task): Promise<void> => {
    slot.isBusy = true;
    clearTimeout(slot.idle);
    const answer = await slot.process.run(job);
    slot.isBusy = false;
    // One that was cut off is not in the set any more.
    if (slots.delete(slot)) {
      slots.add(slot);
      slot.idle = setTimeout(() => end(slot), idleMs).unref();
    }
    resolve(answer);
    next();
  };

  const next = (): void => {
    for (const task of [...waiting]) {
      try {
        const slot = slotFor(task.job.profile);
        if (slot === undefined) continue;
        void work(slot, task);
      } catch (error) {
        // The system has no memory for a process, or this one may not start any.
        task.resolve({ lines: [], error: `The payload parser could not be started: ${String(error)}` });
      }
      waiting.splice(waiting.indexOf(task), 1);
    }
  };

  return {
    run: (job) =>
      new Promise((resolve) => {
        if (isClosed || waiting.length >= MAX_WAITING) {
          resolve({ lines: [], error: "Too many payload parsers are waiting" });
          return;
        }
        waiting.push({ job, resolve });
        next();
      }),
    close: async () => {
      isClosed = true;
      for (const { resolve } of waiting.splice(0)) resolve({ lines: [], error: "The sandbox was closed" });
      for (const slot of [...slots]) end(slot);
      await Promise.all(ending);
    },
  };
}
