import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { confinedFlags, confinedOptions } from "../../../src/sandbox/parsers/permission.ts";
import { DecoderRunner } from "../../../src/sandbox/parsers/runner.ts";

const job = { profile: "p", parser: "device", payload: "[]", raw: "[]", device: "{}", globals: "{}" } as const;

const runner = new DecoderRunner();
afterAll(() => runner.close());

/** What a decoder leaves in `payload`, or its error. */
async function decode(source: string, profile = "p"): Promise<unknown> {
  const { payload, error } = await runner.run({ ...job, profile, source });
  return payload === undefined ? error : JSON.parse(payload);
}

/** `reach(f)` says what `f` got hold of; "nothing" where it is refused or no object of the process. */
const HELPERS = `
  const up = Object.getPrototypeOf;
  const code = "return typeof process === 'object' ? process : typeof require === 'function' ? require : undefined";
  const reach = (attempt) => {
    try {
      const found = attempt();
      return found === undefined || found === null ? "nothing" : typeof found;
    } catch {
      return "nothing";
    }
  };
  const thrown = (action) => { try { action(); } catch (error) { return error; } };
  const objectPrototype = up(up(up(up(Buffer))));`;

const attempts: readonly (readonly [string, string])[] = [
  ["the constructor of its global object", "this.constructor.constructor(code)()"],
  ["the constructor of a function of Buffer", "Buffer.from.constructor(code)()"],
  ["the class behind Buffer", "up(Buffer).constructor(code)()"],
  ["the constructor of Function of the process", "objectPrototype.constructor.constructor(code)()"],
  ["the getters of Object.prototype", "objectPrototype.__lookupGetter__('__proto__').constructor(code)()"],
  ["TextDecoder", "TextDecoder.prototype.decode.constructor(code)()"],
  ["functions of dayjs", "dayjs.extend.constructor(code)()"],
  ["functions of console", "console.log.constructor(code)()"],
  ["functions of timeUtils", "timeUtils.isValidTimezone.constructor(code)()"],
  ["atob", "atob.constructor(code)()"],
  ["an error of a shared function", "thrown(() => Buffer.alloc(-1)).constructor.constructor(code)()"],
  [
    "an error of a stack that is full",
    `(() => { const deep = () => { try { return deep(); } catch { return thrown(() => Buffer.from({ length: -1 }, 1, deep)); } };
      return (deep() ?? thrown(() => Buffer.from(0))).constructor.constructor(code)(); })()`,
  ],
  ["iterators of a buffer", "up(up(Buffer.from('a').entries()))[Symbol.iterator].constructor(code)()"],
  ["lists of a buffer", "Buffer.from('a').toJSON().data.map.constructor(code)()"],
  ["async functions", "up(async () => {}).constructor('throw 1').constructor(code)().pid"],
  ["generators", "up(function* () {}).constructor(code)().next().value"],
  ["what prints a buffer", "Buffer.prototype[Symbol.for('nodejs.util.inspect.custom')]"],
  ["what prints a buffer, by its name", "Buffer.prototype.inspect"],
  ["what prints a TextDecoder", "TextDecoder.prototype[Symbol.for('nodejs.util.inspect.custom')]"],
  [
    "the caller of a callback",
    `(() => { let caller; Buffer.from({ valueOf: function f() { caller = f.caller; return "x"; } }); return caller; })()`,
  ],
  [
    "Symbol.species",
    `(() => { let seen; const bytes = Buffer.from("ab");
      Object.defineProperty(bytes, "constructor", { value: { [Symbol.species]: function f(size) {
        seen = f.caller ?? (this.constructor === f ? undefined : this); return new Uint8Array(size); } } });
      bytes.map((byte) => byte); return seen; })()`,
  ],
];

describe("a parser that tries to get out", () => {
  it.each(attempts)("reaches nothing through %s", async (_, attempt) => {
    expect(await decode(`${HELPERS}\npayload = reach(() => ${attempt});`)).toBe("nothing");
  });

  it("reaches nothing through import(), whose error leads nowhere either", async () => {
    const source = `${HELPERS}
      import("node:fs").then((found) => { payload = typeof found; },
        (error) => { payload = reach(() => error.constructor.constructor(code)()); });`;
    expect(await decode(source)).toBe("nothing");
  });

  it("reaches nothing through frames of stacks, its own and those of the process", async () => {
    const source = `${HELPERS}
      const frames = [];
      for (const Kind of [Error, up(up(Buffer.alloc).constructor ?? objectPrototype), thrown(() => Buffer.alloc(-1)).constructor])
        try { Kind.prepareStackTrace = (_, list) => { frames.push(...list); return ""; }; } catch {}
      String(new Error("own").stack);
      String(thrown(() => Buffer.alloc(-1)).stack);
      payload = frames.map((frame) => reach(() => frame.getThis() === globalThis ? undefined : frame.getThis())
        + reach(() => frame.getFunction()?.constructor(code)()));`;
    expect(new Set((await decode(source)) as string[])).toEqual(new Set(["nothingnothing"]));
  });

  it.each([
    ["a getter", "payload = { get found() { return reach(() => arguments.callee.caller.constructor(code)()); } };"],
    ["toJSON", "payload = { toJSON: function f() { return { found: reach(() => f.caller.constructor(code)()) }; } };"],
    [
      "a proxy",
      `payload = new Proxy({ found: 1 }, { get: function f(target, key, receiver) {
        return key === "found" ? reach(() => (f.caller ?? receiver.constructor).constructor(code)()) : undefined; } });`,
    ],
  ])("reaches nothing when its result is read through %s", async (_, source) => {
    expect(await decode(`${HELPERS}\n${source}`)).toEqual({ found: "nothing" });
  });

  it("reaches nothing when its error is read", async () => {
    const source = `${HELPERS}
      throw new Proxy({}, {
        has: () => true,
        get: function f(target, key, receiver) { return reach(() => f.caller.constructor(code)()); },
      });`;
    expect(await decode(source)).toBe("nothing (device parser)");
  });

  it("that hangs when its error is read is cut off by the process itself", { tags: ["slow"] }, async () => {
    const source = "throw { get message() { for (;;); } };";
    expect(await decode(source)).toBe("Function Parse Error: Payload Parser Terminated Unexpectedly");
  });

  it("that answers something else than JSON is refused", async () => {
    expect(await decode("JSON.stringify = () => '{'; String.prototype.toJSON = () => 1; payload = [1];")).toEqual([1]);
  });
});

describe("what one parser leaves for the next of its profile", () => {
  it("is no setter that Node calls when it compiles", async () => {
    const plant = `${HELPERS}
      for (const name of ["sourceMapURL", "importModuleDynamically", "cachedDataRejected", "filename", "timeout"])
        try { objectPrototype.constructor.defineProperty(objectPrototype, name, { configurable: true, set(value) {
          objectPrototype.constructor.reached = typeof new this.constructor("process").runInThisContext();
        } }); } catch {}
      payload = "planted";`;
    expect(await decode(plant)).toBe("planted");
    expect(await decode(`${HELPERS}\npayload = reach(() => objectPrototype.constructor.reached);`)).toBe("nothing");
  });

  it("is nothing it changed behind Buffer, errors, lists, iterators and decoders of text", async () => {
    const places = `
      const bytes = Buffer.from("abc");
      const list = bytes.toJSON().data;
      const failures = [
        () => Buffer.alloc(-1), () => Buffer.from(null), () => Buffer.from(5, "utf8"), () => Buffer.alloc(1, "zz", "hex"),
        () => bytes.fill("a", "none"), () => bytes.toString("none"), () => bytes.swap16(), () => bytes.readInt32BE(0),
        () => bytes.readInt8({}), () => bytes.readInt8(0.5), () => bytes.writeInt8(1000, 0), () => bytes.writeBigInt64BE(1n, 0),
        () => bytes.readUIntBE(0, 9), () => bytes.write("a", 10, 1), () => bytes.write(1), () => bytes.indexOf({}),
        () => bytes.compare("a"), () => bytes.equals(1), () => bytes.copy(1), () => Buffer.concat(1), () => Buffer.concat([1]),
        () => Buffer.compare(1, 2), () => Buffer.byteLength(1), () => Buffer.alloc("1"), () => Buffer.allocUnsafe(1e20),
        () => Buffer.from(new ArrayBuffer(1), 2), () => Buffer.from(new ArrayBuffer(1), 0, 2), () => new Buffer(1, "utf8"),
        () => new TextDecoder("none"), () => new TextDecoder("utf-8", 1), () => new TextDecoder().decode(1), () => TextDecoder(),
        () => new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255])), () => TextEncoder(),
        () => TextDecoder.prototype.decode.call({}), () => TextEncoder.prototype.encode.call({}),
        () => new TextEncoder().encodeInto(1, 1), () => Buffer.from({ valueOf() { return Symbol(); } }),
      ];
      const failed = failures.flatMap((action) => { try { action(); return []; } catch (error) { return [error]; } });
      const own = new Set([bytes, list, ...failed]);
      const starts = [Buffer, TextEncoder, TextDecoder, bytes.entries().__proto__, ...own];
      const all = new Set();
      const visit = (value) => {
        if ((typeof value !== "function" && typeof value !== "object") || value === null || all.has(value)) return;
        all.add(value);
        visit(Object.getPrototypeOf(value));
        for (const key of Reflect.ownKeys(value)) {
          const { value: held, get, set } = Reflect.getOwnPropertyDescriptor(value, key);
          [held, get, set].forEach(visit);
        }
      };
      starts.forEach(visit);
      const mine = (value) => own.has(value) || value instanceof Object || value === Object.prototype;
      const shared = [...all].filter((value) => !mine(value));`;
    const change = `${places}
      const changed = [];
      for (const value of shared) {
        if (Reflect.set(value, "planted", 1)) changed.push("property of " + String(value.name ?? value.code));
        for (const key of Reflect.ownKeys(value)) {
          try { if (Reflect.defineProperty(value, key, { value: () => "planted" })) changed.push(String(key)); } catch {}
        }
      }
      payload = { shared: shared.length, failed: failed.length, changed };`;
    const first = (await decode(change)) as { shared: number; failed: number; changed: string[] };
    expect(first.changed).toEqual([]);
    expect(first.shared).toBeGreaterThan(300);
    expect(first.failed).toBeGreaterThan(30);
    const look = `${places}
      payload = [shared.filter((value) => "planted" in value).length, Buffer.from("00d7", "hex").readInt16BE(0),
        [...Buffer.from("ab")], new TextDecoder().decode(new TextEncoder().encode("é")), failed[0].message.slice(0, 23)];`;
    expect(await decode(look)).toEqual([0, 215, [97, 98], "é", 'The value of "size" is ']);
  });

  it("is no timer, promise or clean-up that runs on", async () => {
    await decode(`
      globalThis.late = () => Promise.resolve().then(() => { for (;;); });
      new FinalizationRegistry(late).register({}, 1);
      WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(late);
      Atomics.waitAsync?.(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1).value.then(late);`);
    for (let i = 0; i < 5; i += 1) expect(await decode("payload = Array(1e5).fill(1).length")).toBe(100_000);
  });

  it("leaves deprecated functions of Buffer usable", async () => {
    const source = `payload = [new Buffer("00d7", "hex").readInt16BE(0), Buffer("a").length, Buffer.alloc(2).slice(1).length]`;
    expect(await decode(source)).toEqual([215, 1, 1]);
  });
});

describe("the process of parsers, taken over by one that did get out", () => {
  const here = fileURLToPath(import.meta.url);
  const run = (script: string): unknown => {
    const ended = spawnSync(process.execPath, [...confinedFlags(64), "-e", script], confinedOptions());
    expect(String(ended.stderr)).toBe("");
    return JSON.parse(String(ended.stdout));
  };
  const codeOf = (action: string): string =>
    `(() => { try { ${action}; return "done"; } catch (error) { return error.code ?? error.message; } })()`;

  it.each([
    ["read a file", `require("node:fs").readFileSync(${JSON.stringify(here)})`],
    ["list a folder", `require("node:fs").readdirSync(${JSON.stringify(process.cwd())})`],
    ["write a file", `require("node:fs").writeFileSync("iot-parser-was-here", "1")`],
    ["start a program", `require("node:child_process").execFileSync(process.execPath, ["-v"])`],
    ["start a thread", `new (require("node:worker_threads").Worker)("1", { eval: true })`],
    ["open files by WASI", `new (require("node:wasi").WASI)({ version: "preview1", preopens: { "/": "/" } })`],
    ["use internals of Node", `process.binding("fs")`],
  ])("cannot %s", (_, action) => {
    expect(run(`console.log(JSON.stringify(${codeOf(action)}))`)).toBe("ERR_ACCESS_DENIED");
  });

  it("cannot load an addon or run code from a string, and sees no environment but its timezone", () => {
    process.env["IOT_TEST_SECRET"] = "seen";
    try {
      const script = `console.log(JSON.stringify([
        ${codeOf('process.dlopen({ exports: {} }, "/addon.node")')},
        ${codeOf("Function('return process')()")},
        Object.keys(process.env).filter((name) => name !== "SystemRoot"),
      ]))`;
      const denied = ["ERR_DLOPEN_DISABLED", "Code generation from strings disallowed for this context", ["TZ"]];
      expect(run(script)).toEqual(denied);
    } finally {
      delete process.env["IOT_TEST_SECRET"];
    }
  });
});
