import { Worker } from "node:worker_threads";
import { dayjsExpression } from "./dayjs.ts";
import { createConsole, createTimeUtils } from "./globals.ts";
import { createUtcDate } from "./utc-date.ts";
import { decoderThread } from "./worker.ts";

/** One decoder and what it works on. Everything but the source is JSON text. */
export interface DecodeJob {
  readonly source: string;
  readonly payload: string;
  readonly raw: string;
  readonly device: string;
}

export interface DecodeAnswer {
  /** What the decoder wrote to its console. */
  readonly lines: readonly string[];
  /** `payload` after the decoder, as JSON text. */
  readonly payload?: string;
  readonly error?: string;
}

export interface DecoderRunner {
  /** Runs a decoder. What it does wrong is in the answer: this never rejects. */
  run(job: DecodeJob): Promise<DecodeAnswer>;
  /** Ends the threads; decoders that still run are cut off. */
  close(): Promise<void>;
}

export interface DecoderLimits {
  /** Longest time of one decoder. Default 2,000. */
  readonly timeLimitMs?: number;
  /** JavaScript heap of a thread, and what decoders may take outside of it. Default 64. */
  readonly memoryMib?: number;
}

const THREADS = 2;
const MIB = 1024 * 1024;
/** For the thread's own start and the sending of answers, on top of a decoder's time. */
const GRACE_MS = 3_000;
const WATCH_MS = 20;
/** Jobs that may wait: at 2 s each, more would never be answered in time. */
const MAX_WAITING = 1_000;

interface Task {
  readonly job: DecodeJob;
  readonly resolve: (answer: DecodeAnswer) => void;
}

/** Everything decoders find beside the language, as one script. `dayjs` is made when a decoder first asks for it. */
const prelude = (): string => `"use strict";
(() => {
  const lines = [];
  const texts = JSON.parse(globalThis.__texts);
  delete globalThis.__texts;
  const { stringify } = JSON;
  const hidden = (name, value) => Object.defineProperty(globalThis, name, { value });
  const open = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  hidden("__lines", () => stringify(lines));
  const lazy = (name, make) => Object.defineProperty(globalThis, name, {
    get: () => { open(name, make()); return globalThis[name]; },
    set: (value) => open(name, value),
    configurable: true,
  });
  open("Date", (${createUtcDate.toString()})());
  open("console", (${createConsole.toString()})(lines));
  lazy("dayjs", () => ${dayjsExpression()});
  open("timeUtils", (${createTimeUtils.toString()})());
  open("atob", (text) => Buffer.from(String(text), "base64").toString("latin1"));
  open("btoa", (text) => Buffer.from(String(text), "latin1").toString("base64"));
  open("payload", JSON.parse(texts.payload));
  open("raw_payload", JSON.parse(texts.raw));
  open("device", JSON.parse(texts.device));
  const module = { exports: {} };
  open("module", module);
  open("exports", module.exports);
})();`;

/** Runs decoders in threads of their own, made when first needed and made anew after one was cut off. */
export function createDecoderRunner(limits: DecoderLimits = {}): DecoderRunner {
  const timeLimitMs = limits.timeLimitMs ?? 2_000;
  const memoryMib = limits.memoryMib ?? 64;
  const waiting: Task[] = [];
  const idle: Worker[] = [];
  const threads = new Set<Worker>();
  let isClosed = false;

  const start = (): Worker => {
    const worker = new Worker(`"use strict"; (${decoderThread.toString()})();`, {
      eval: true,
      env: {},
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      name: "payload parser",
      workerData: { prelude: prelude(), timeLimitMs },
      resourceLimits: { maxOldGenerationSizeMb: memoryMib, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 },
    });
    worker.unref();
    threads.add(worker);
    // A thread that fails while it rests is not used again.
    worker.on("error", () => {});
    worker.on("exit", () => {
      threads.delete(worker);
      const index = idle.indexOf(worker);
      if (index >= 0) idle.splice(index, 1);
    });
    return worker;
  };

  const work = (worker: Worker, { job, resolve }: Task): void => {
    const rssAtStart = process.memoryUsage.rss();
    const finish = (answer: DecodeAnswer, isUsable: boolean): void => {
      clearTimeout(deadline);
      clearInterval(watch);
      worker.off("message", onMessage);
      worker.off("error", onError);
      worker.off("exit", onExit);
      worker.unref();
      if (isUsable && !isClosed) idle.push(worker);
      else {
        threads.delete(worker);
        void worker.terminate();
      }
      resolve(answer);
      next();
    };
    const fail = (error: string): void => finish({ lines: [], error }, false);
    const onMessage = (answer: DecodeAnswer): void => finish(answer, true);
    const onError = (error: Error & { readonly code?: string }): void => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      fail(isMemory ? `The payload parser took more than ${memoryMib} MB of memory` : error.message);
    };
    const onExit = (): void => fail("The payload parser was ended");
    const deadline = setTimeout(
      () => fail(`The payload parser took more than ${timeLimitMs} ms`),
      timeLimitMs + GRACE_MS,
    );
    // Buffers are no part of the heap that a thread is limited to.
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - rssAtStart < 4 * memoryMib * MIB) return;
      fail(`The payload parser took more than ${memoryMib} MB of memory`);
    }, WATCH_MS);
    worker.on("message", onMessage);
    worker.on("error", onError);
    worker.on("exit", onExit);
    worker.ref();
    worker.postMessage(job);
  };

  const next = (): void => {
    while (waiting.length > 0) {
      const worker = idle.pop() ?? (threads.size < THREADS ? start() : undefined);
      const task = worker === undefined ? undefined : waiting.shift();
      if (worker === undefined || task === undefined) return;
      work(worker, task);
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
      await Promise.all([...threads].map((worker) => worker.terminate()));
    },
  };
}
