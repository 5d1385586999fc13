import type { CoveredRange, DecodeAnswer, DecodeJob } from "./job.ts";

/** What a decoder's process is sent first. */
export interface DecoderSetUp {
  readonly prelude: string;
  readonly timeLimitMs: number;
  readonly coverage: boolean;
}

/** A job as it is sent: `raw` is left out where it is the payload. */
export type SentJob = Omit<DecodeJob, "profile" | "raw"> & { readonly raw?: string };

/**
 * The program of the process decoders run in. It is started from the text of this function, so that the process has no
 * file to read, and may name nothing outside itself. It reads a job, runs it and writes the answer, a line of JSON each,
 * and never returns to the event loop: no timer and no callback of a decoder outlives its job.
 *
 * Every decoder gets a new global object, without modules, process, timers and network. Strings go in and out, so the
 * only objects of the process within its reach are `Buffer`, `TextEncoder` and `TextDecoder`, and what these lead to.
 */
export function decoderProgram(): void {
  const fs = process.getBuiltinModule("node:fs");
  const vm = process.getBuiltinModule("node:vm");
  const shared = [Buffer, TextEncoder, TextDecoder];
  const inspect = Symbol.for("nodejs.util.inspect.custom");
  /** Time to read the console and the error of a decoder, on top of its own. */
  const READ_MS = 500;

  /** An error of every class of its own that Node throws from what is shared. */
  const errors = (): unknown[] => {
    const call = (method: unknown, self: unknown, ...values: unknown[]): unknown =>
      typeof method === "function" ? Reflect.apply(method, self, values) : undefined;
    const bytes = Buffer.alloc(3);
    const actions: (() => unknown)[] = [
      () => Buffer.alloc(-1),
      () => call(Buffer.from, Buffer, 1, "utf8"),
      () => Buffer.alloc(1, "zz", "hex"),
      () => call(bytes.fill, bytes, "a", "none"),
      () => bytes.swap16(),
      () => bytes.readInt32BE(0),
      () => Buffer.from(new ArrayBuffer(1), 2),
      () => new TextDecoder("none"),
      () => new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255])),
      () => call(TextDecoder.prototype.decode, {}),
      () => call(TextEncoder.prototype.encode, {}),
      () => call(Buffer.concat, Buffer, 1),
    ];
    const world = vm.createContext(Object.create(null), { microtaskMode: "afterEvaluate" });
    vm.runInContext("import('none').catch((error) => { globalThis.refusedImport = error; }); 0", world);
    return actions
      .flatMap((action) => {
        try {
          action();
          return [];
        } catch (error) {
          return [error];
        }
      })
      .concat(world["refusedImport"]);
  };

  const closeDoors = (): void => {
    // What these constructors make would run outside of a decoder's global object.
    const kinds = [() => {}, async () => {}, function* () {}, async function* () {}];
    for (const kind of kinds) Object.defineProperty(Object.getPrototypeOf(kind), "constructor", { value: undefined });
    // These hand out functions of the process whose settings all decoders would share.
    for (const { prototype } of shared) Reflect.deleteProperty(prototype, inspect);
    Reflect.deleteProperty(Buffer.prototype, "inspect");

    const globals: unknown = vm.runInNewContext("Object.getOwnPropertyNames(globalThis).join()");
    const names = String(globals).split(",");
    const standard = names.filter((name) => name !== "globalThis" && name !== "console");
    const iterators = [[].values(), new Map().values(), new Set().values(), ""[Symbol.iterator](), "".matchAll(/./g)];
    const queue: unknown[] = [...shared, ...kinds, ...iterators, ...errors()];
    for (const name of standard) queue.push(Reflect.get(globalThis, name));
    const seen = new Set<unknown>();
    while (queue.length > 0) {
      const value = queue.pop();
      const isObject = typeof value === "function" || (typeof value === "object" && value !== null);
      if (!isObject || seen.has(value)) continue;
      seen.add(value);
      queue.push(Object.getPrototypeOf(value));
      for (const key of Reflect.ownKeys(value)) {
        const property = Reflect.getOwnPropertyDescriptor(value, key);
        queue.push(property?.value, property?.get, property?.set);
      }
      Object.freeze(value);
    }
  };

  const bytes = Buffer.alloc(65_536);
  const utf8 = new TextDecoder();
  let rest = "";
  const read = (): number => {
    try {
      return fs.readSync(0, bytes);
    } catch (error) {
      // How Windows reports the end of a pipe.
      if (error instanceof Error && "code" in error && error.code === "EOF") return 0;
      throw error;
    }
  };
  /** The next line; undefined once the sandbox is gone. */
  const readLine = (): string | undefined => {
    for (;;) {
      const end = rest.indexOf("\n");
      if (end >= 0) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        return line;
      }
      const amount = read();
      if (amount === 0) return undefined;
      rest += utf8.decode(bytes.subarray(0, amount), { stream: true });
    }
  };
  const writeLine = (text: string): void => {
    const line = Buffer.from(`${text}\n`);
    for (let at = 0; at < line.length; ) at += fs.writeSync(1, line, at);
  };

  const first = readLine();
  if (first === undefined) return;
  const { prelude, timeLimitMs, coverage } = JSON.parse(first) as DecoderSetUp;
  const session = coverage ? new (process.getBuiltinModule("node:inspector").Session)() : undefined;
  session?.connect();
  session?.post("Profiler.enable");
  // Whether something ran, not how often: to count calls, the engine would keep every world there was.
  session?.post("Profiler.startPreciseCoverage", { callCount: false, detailed: true });
  let runs = 0;
  /** Runs a decoder and tells what ran of it. The session is one of this thread: it answers before `post` returns. */
  const measured = (session: import("node:inspector").Session, job: SentJob): DecodeAnswer => {
    let ranges: CoveredRange[] = [];
    // A source that was compiled before would be reported only where something new ran.
    runs += 1;
    const answer = decode({ ...job, source: `${job.source}\n//${runs}` });
    session.post("Profiler.takePreciseCoverage", (_, reply) => {
      const functions = reply.result.filter(({ url }) => url === "decoder.js").flatMap((script) => script.functions);
      ranges = functions.flatMap((one) => one.ranges.map((range) => [range.startOffset, range.endOffset, range.count]));
    });
    return { ...answer, coverage: ranges };
  };
  const setUp = new vm.Script(prelude, { filename: "globals.js" });
  const readResult = new vm.Script("__result()");
  const readLines = new vm.Script("__lines()");
  const readError = new vm.Script("__describe(__error)");
  const settle = new vm.Script(
    "if (payload && typeof payload.then === 'function') payload.then((value) => { payload = value; }); undefined",
  );

  const decode = ({ parser, source, payload, raw = payload, device, globals }: SentJob): DecodeAnswer => {
    const started = performance.now();
    const left = (): number => Math.max(1, Math.ceil(timeLimitMs - (performance.now() - started)));
    const world = vm.createContext(Object.create(null), { microtaskMode: "afterEvaluate" });
    const given = { __parser: JSON.stringify(parser), __payload: payload, __raw: raw, __device: device };
    Object.assign(world, { Buffer, TextEncoder, TextDecoder, ...given, __globals: globals });
    const run = (script: import("node:vm").Script, timeout = left()): unknown =>
      script.runInContext(world, { timeout });
    const lines = (): string[] => {
      try {
        const parsed: unknown = JSON.parse(String(run(readLines, READ_MS)));
        return Array.isArray(parsed) ? parsed.map(String) : [];
      } catch {
        return [];
      }
    };
    /** In the decoder's own world and time: its errors may run code of the decoder when they are read. */
    const describe = (error: unknown): string => {
      try {
        world["__error"] = error;
        return String(run(readError, READ_MS));
      } catch {
        return "Function Parse Error: Payload Parser Terminated Unexpectedly";
      }
    };
    try {
      run(setUp);
      run(new vm.Script(source, { filename: "decoder.js" }));
      run(settle);
      const result = run(readResult);
      return { lines: lines(), payload: typeof result === "string" ? result : "null" };
    } catch (error) {
      return { lines: lines(), error: describe(error) };
    }
  };

  closeDoors();
  writeLine('"ready"');
  for (let line = readLine(); line !== undefined; line = readLine()) {
    const job = JSON.parse(line) as SentJob;
    writeLine(JSON.stringify(session === undefined ? decode(job) : measured(session, job)));
  }
  process.exit();
}
