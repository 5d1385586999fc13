import type { DecodeAnswer, DecodeJob } from "./runner.ts";

/**
 * The thread decoders run in. It is started from the text of this function, so it may name nothing outside itself.
 * Every decoder gets a new global object, without modules, process, timers and network; texts go in and out, so no
 * object of the thread is within its reach but `Buffer`, `TextEncoder` and `TextDecoder`.
 */
export function decoderThread(): void {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const vm = process.getBuiltinModule("node:vm");
  const { prelude, timeLimitMs } = workerData as { prelude: string; timeLimitMs: number };
  const setUp = new vm.Script(prelude, { filename: "globals.js" });
  const readResult = new vm.Script("JSON.stringify(payload)");
  const readLines = new vm.Script("__lines()");
  const settle = new vm.Script(
    "if (payload && typeof payload.then === 'function') payload.then((value) => { payload = value; }); undefined",
  );
  const shared = [Buffer, TextEncoder, TextDecoder];

  // Functions of this thread are made by `Function` constructors that a decoder must not find: what they make would
  // run outside its global object.
  const kinds = [() => {}, async () => {}, function* () {}, async function* () {}];
  for (const kind of kinds) Object.defineProperty(Object.getPrototypeOf(kind), "constructor", { value: undefined });
  for (const each of shared) {
    Object.freeze(each);
    Object.freeze(each.prototype);
  }

  const describe = (error: unknown): string => {
    try {
      const isError = typeof error === "object" && error !== null && "message" in error;
      if (!isError) return `Payload parser terminated unexpectedly: ${String(error)}`;
      const { message, code } = error as { message: unknown; code?: unknown };
      if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return `The payload parser took more than ${timeLimitMs} ms`;
      const line = /decoder\.js:(\d+)/.exec(String("stack" in error ? error.stack : ""))?.[1];
      return line === undefined ? String(message) : `${String(message)} (line ${line})`;
    } catch {
      return "Payload parser terminated unexpectedly";
    }
  };

  const decode = ({ source, payload, raw, device }: DecodeJob): DecodeAnswer => {
    const started = performance.now();
    const world = vm.createContext(Object.create(null), { microtaskMode: "afterEvaluate" });
    Object.assign(world, { Buffer, TextEncoder, TextDecoder, __texts: JSON.stringify({ payload, raw, device }) });
    const run = (script: import("node:vm").Script): unknown => {
      const timeout = Math.max(1, Math.ceil(timeLimitMs - (performance.now() - started)));
      return script.runInContext(world, { timeout });
    };
    const lines = (): string[] => {
      const text = run(readLines);
      const parsed: unknown = typeof text === "string" ? JSON.parse(text) : [];
      return Array.isArray(parsed) ? parsed.map(String) : [];
    };
    run(setUp);
    try {
      run(new vm.Script(source, { filename: "decoder.js" }));
      run(settle);
      const result = run(readResult);
      return { lines: lines(), payload: typeof result === "string" ? result : "null" };
    } catch (error) {
      const message = describe(error);
      let written: string[] = [];
      try {
        written = lines();
      } catch {
        // Nothing is left of its time.
      }
      return { lines: written, error: message };
    }
  };

  parentPort?.on("message", (job: DecodeJob) => {
    let answer: DecodeAnswer;
    try {
      answer = decode(job);
    } catch (error) {
      answer = { lines: [], error: describe(error) };
    }
    parentPort.postMessage(answer);
  });
}
