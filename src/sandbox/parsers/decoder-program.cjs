// @ts-check
"use strict";
/** @import { Session } from "node:inspector" */
/** @import { Script } from "node:vm" */
/** @import { CoveredRange, DecodeAnswer, DecoderSetUp, SentJob } from "./job.ts" */

/**
 * @file The program of the process that runs payload parsers. The sandbox reads this file and passes it to Node as text:
 * the process itself may read no file. So it is JavaScript, which also runs from the sources, and imports nothing. It
 * reads a job, runs it and writes the result, a line of JSON each, and never returns to the event loop: no timer and no
 * callback of a parser outlives its job.
 *
 * Every parser gets a new global object, without modules, process, timers and network. Strings go in and out, so the
 * only objects of the process within its reach are `Buffer`, `TextEncoder` and `TextDecoder`, and what these lead to.
 */

const fs = process.getBuiltinModule("node:fs");
const vm = process.getBuiltinModule("node:vm");
const shared = [Buffer, TextEncoder, TextDecoder];
const inspect = Symbol.for("nodejs.util.inspect.custom");
/** Time to read the console and the error of a decoder, in addition to its time limit. */
const READ_MS = 500;

/**
 * Errors of the classes that Node defines itself and throws from the shared objects.
 *
 * @returns {unknown[]}
 */
const errors = () => {
  /** @param {unknown} method @param {unknown} self @param {unknown[]} values @returns {unknown} */
  const call = (method, self, ...values) =>
    typeof method === "function" ? Reflect.apply(method, self, values) : undefined;
  const bytes = Buffer.alloc(3);
  /** @type {(() => unknown)[]} */
  const actions = [
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

/** Removes what leads from the shared objects to the process, and freezes the rest. */
const closeDoors = () => {
  // Functions from these constructors would run outside of a decoder's global object.
  const kinds = [() => {}, async () => {}, function* () {}, async function* () {}];
  for (const kind of kinds) Object.defineProperty(Object.getPrototypeOf(kind), "constructor", { value: undefined });
  // These return functions of the process whose settings all decoders would share.
  for (const { prototype } of shared) Reflect.deleteProperty(prototype, inspect);
  Reflect.deleteProperty(Buffer.prototype, "inspect");

  const globals = vm.runInNewContext("Object.getOwnPropertyNames(globalThis).join()");
  const names = String(globals).split(",");
  const standard = names.filter((name) => name !== "globalThis" && name !== "console");
  const iterators = [[].values(), new Map().values(), new Set().values(), ""[Symbol.iterator](), "".matchAll(/./g)];
  /** @type {unknown[]} */
  const queue = [...shared, ...kinds, ...iterators, ...errors()];
  for (const name of standard) queue.push(Reflect.get(globalThis, name));
  /** @type {Set<unknown>} */
  const seen = new Set();
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

const input = Buffer.alloc(65_536);
const utf8 = new TextDecoder();
let rest = "";
const read = () => {
  try {
    return fs.readSync(0, input);
  } catch (error) {
    // How Windows reports the end of a pipe.
    if (error instanceof Error && "code" in error && error.code === "EOF") return 0;
    throw error;
  }
};
/**
 * The next line; undefined once the sandbox is gone.
 *
 * @returns {string | undefined}
 */
const readLine = () => {
  for (;;) {
    const end = rest.indexOf("\n");
    if (end >= 0) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      return line;
    }
    const amount = read();
    if (amount === 0) return undefined;
    rest += utf8.decode(input.subarray(0, amount), { stream: true });
  }
};
/** @param {string} text */
const writeLine = (text) => {
  const line = Buffer.from(`${text}\n`);
  for (let at = 0; at < line.length; ) at += fs.writeSync(1, line, at);
};

// Without a line the sandbox is gone already.
const first = readLine() ?? process.exit();
/** @type {DecoderSetUp} */
const { prelude, timeLimitMs, coverage } = JSON.parse(first);
const setUp = new vm.Script(prelude, { filename: "globals.js" });
const readResult = new vm.Script("__result()");
const readLines = new vm.Script("__lines()");
const readError = new vm.Script("__describe(__error)");
const settle = new vm.Script(
  "if (payload && typeof payload.then === 'function') payload.then((value) => { payload = value; }); undefined",
);

/** @param {SentJob} job @returns {DecodeAnswer} */
const decode = ({ parser, source, payload, raw = payload, device, globals }) => {
  const started = performance.now();
  const left = () => Math.max(1, Math.ceil(timeLimitMs - (performance.now() - started)));
  const world = vm.createContext(Object.create(null), { microtaskMode: "afterEvaluate" });
  const given = { __parser: JSON.stringify(parser), __payload: payload, __raw: raw, __device: device };
  Object.assign(world, { Buffer, TextEncoder, TextDecoder, ...given, __globals: globals });
  /** @param {Script} script @returns {unknown} */
  const run = (script, timeout = left()) => script.runInContext(world, { timeout });
  /** @returns {string[]} */
  const lines = () => {
    try {
      /** @type {unknown} */
      const parsed = JSON.parse(String(run(readLines, READ_MS)));
      return Array.isArray(parsed) ? parsed.map(String) : [];
    } catch {
      return [];
    }
  };
  /**
   * In the context and time limit of the decoder: reading its errors may run its code.
   *
   * @param {unknown} error
   */
  const describe = (error) => {
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

/** @returns {Session} */
const startCoverage = () => {
  const session = new (process.getBuiltinModule("node:inspector").Session)();
  session.connect();
  session.post("Profiler.enable");
  // Whether something ran, not how often: to count calls, the engine would keep every context in memory.
  session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: true });
  return session;
};

let runs = 0;
/**
 * Runs a decoder and reports its coverage. The session is one of this thread: it calls back before `post` returns.
 *
 * @param {Session} session @param {SentJob} job @returns {DecodeAnswer}
 */
const measured = (session, job) => {
  /** @type {CoveredRange[]} */
  let ranges = [];
  // For a source that was compiled before, only new coverage would be reported.
  runs += 1;
  const answer = decode({ ...job, source: `${job.source}\n//${runs}` });
  session.post("Profiler.takePreciseCoverage", (_, reply) => {
    const functions = reply.result.filter(({ url }) => url === "decoder.js").flatMap((script) => script.functions);
    ranges = functions.flatMap((one) => one.ranges.map((range) => [range.startOffset, range.endOffset, range.count]));
  });
  return { ...answer, coverage: ranges };
};

const session = coverage ? startCoverage() : undefined;
closeDoors();
writeLine('"ready"');
for (let line = readLine(); line !== undefined; line = readLine()) {
  /** @type {SentJob} */
  const job = JSON.parse(line);
  writeLine(JSON.stringify(session === undefined ? decode(job) : measured(session, job)));
}
process.exit();
