import { execFileSync } from "node:child_process";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../../src/sandbox/index.ts";
import { DecoderRunner } from "../../../src/sandbox/parsers/runner.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { call, newDevice, ok } from "../client.ts";
import { buildChild, type Child, type ChildProgram, startChild } from "../process.ts";

const job = { profile: "p", parser: "device", payload: "[]", raw: "[]", device: "{}", globals: "{}" } as const;

/** Processes of parsers that a process has started. */
function parsersOf(parent: number | undefined): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s.*--max-semi-space-size/.exec(line))
    .filter((found) => found !== null && Number(found[2]) === parent)
    .map((found) => Number(found?.[1]));
}

/** False also for a process that ended and that nobody asked about. */
function isRunning(pid: number): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
}

const base64 = (source: string): string => Buffer.from(source).toString("base64");
const runners: DecoderRunner[] = [];
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.close()));
});

function runnerWith(limits: ConstructorParameters<typeof DecoderRunner>[0] = {}) {
  const runner = new DecoderRunner({ timeLimitMs: 60_000, memoryMib: 32, ...limits });
  runners.push(runner);
  return async (source: string, profile = "p"): Promise<unknown> => {
    const answer = await runner.run({ ...job, profile, source });
    return answer.payload === undefined ? answer.error : JSON.parse(answer.payload);
  };
}

const CUT_OFF =
  /more than (32 MB of memory|16 MB|500 ms)|call stack|allocation failed|Invalid (string|array|typed array)/;

describe("a parser that wants too much", () => {
  const decode = new DecoderRunner({ timeLimitMs: 500, memoryMib: 32 });
  afterAll(() => decode.close());
  const run = async (source: string): Promise<string> => {
    const answer = await decode.run({ ...job, source });
    return answer.error ?? `answered ${answer.payload?.length}`;
  };

  const TITLE = "is refused, and the next one runs: %s";

  async function expectCutOff(_: string, source: string): Promise<void> {
    expect(await run(source)).toMatch(CUT_OFF);
    expect(await run("payload = ['next']")).toBe("answered 8");
  }

  it.each([
    ["calls without end", "(function deep() { deep(); })()"],
    ["a large result of small parts", "const row = { text: 'x'.repeat(1e6) }; payload = Array(20).fill(row)"],
  ])(TITLE, expectCutOff);

  it.each([
    ["a list that grows", "const held = []; for (;;) held.push({ at: held.length });"],
    ["a regular expression", "/^(a+)+$/.test('a'.repeat(50) + 'b')"],
    ["a string of 100 MB", "payload = [{ variable: 'o', value: 'x'.repeat(1e8) }]"],
    ["a string of 400 MB", "payload = 'x'.repeat(4e8).split('')"],
    ["a string longer than there can be", "payload = 'x'.repeat(2 ** 30)"],
    ["strings that double", "let text = 'xy'; for (;;) { text += text; payload = JSON.stringify(text).length; }"],
    ["one large list", "payload = new Array(1e8).fill(1)"],
    ["a typed array", "payload = new Float64Array(2e8).fill(1).length; for (;;);"],
    ["array buffers", "const held = []; for (;;) held.push(new Uint8Array(new ArrayBuffer(1e8)).fill(1));"],
    ["buffers", "const held = []; for (;;) held.push(Buffer.alloc(5e7, 1));"],
    [
      "memory of WebAssembly",
      "const m = new WebAssembly.Memory({ initial: 20000 }); new Uint8Array(m.buffer).fill(1); for (;;);",
    ],
    ["to sleep", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)"],
  ])(TITLE, { tags: ["slow"] }, expectCutOff);
});

describe("a sandbox in a test program", () => {
  it("survives a parser that allocates more than its process may have", { tags: ["slow"] }, async () => {
    const sandbox = await createSandbox({ seed: "empty" });
    try {
      const source = "payload = [{ variable: 'o', value: 'x'.repeat(1e8) }]";
      const { token } = await newDevice(sandbox, { payload_decoder: base64(source) });
      const answer = await call(sandbox, "POST", "/data", { token, body: [{ variable: "a" }] });
      expect([answer.status, answer.body.message]).toEqual([400, "The payload parser took more than 64 MB of memory"]);
      const good = await newDevice(sandbox, { payload_decoder: base64("payload = [{ variable: 'b', value: 1 }]") });
      expect(await ok(sandbox, "POST", "/data", { token: good.token, body: [] })).toBe("1 Data Added");
    } finally {
      await sandbox.close();
    }
  });
});

describe("processes of parsers", () => {
  it("are one per profile, the same for every job, and at most so many", { tags: ["slow", "posix"] }, async () => {
    const before = new Set(parsersOf(process.pid));
    const own = (): number[] => parsersOf(process.pid).filter((pid) => !before.has(pid));
    const decode = runnerWith({ maxProcesses: 2 });
    await decode("payload = 1", "a");
    const [first] = own();
    await decode("payload = 1", "b");
    await decode("payload = 1", "a");
    expect(own()).toHaveLength(2);
    expect(own()).toContain(first);
    // The process used longest ago makes room: the one of b.
    await Promise.all([decode("payload = 1", "c"), decode("payload = 1", "a")]);
    await waitFor(() => own().length === 2, "the third process in the place of one");
    expect(own()).toContain(first);
  });

  it("do not wait for another profile's parser that hangs", async () => {
    const decode = runnerWith();
    let isDone = false;
    const hanging = decode("for (;;);", "a").then((error) => {
      isDone = true;
      return error;
    });
    await decode("payload = 1", "b");
    expect(await decode("payload = 2", "b")).toBe(2);
    expect(isDone).toBe(false);
    await runners.at(-1)?.close();
    expect(await hanging).toBe("The sandbox was closed");
  });

  it("wait for one another when there are more profiles than processes", { tags: ["slow"] }, async () => {
    const decode = runnerWith({ maxProcesses: 1 });
    const profiles = ["a", "b", "c", "a", "b"];
    expect(await Promise.all(profiles.map((profile, i) => decode(`payload = ${i}`, profile)))).toEqual([0, 1, 2, 3, 4]);
  });

  it("end after a while without work", { tags: ["posix", "slow"] }, async () => {
    const before = new Set(parsersOf(process.pid));
    const own = (): number[] => parsersOf(process.pid).filter((pid) => !before.has(pid));
    const decode = runnerWith({ idleMs: 1 });
    expect(await decode("payload = 1")).toBe(1);
    await waitFor(() => own().length === 0, "the end of the idle process");
    expect(await decode("payload = 2")).toBe(2);
  });

  it("answer what waits, and end, when the runner is closed", async () => {
    const decode = runnerWith();
    const [running, waiting] = [decode("for (;;);"), decode("payload = 1")];
    await runners.at(-1)?.close();
    expect([await running, await waiting]).toEqual(["The sandbox was closed", "The sandbox was closed"]);
  });
});

describe("the end of a sandbox", { tags: ["posix"] }, () => {
  let program: ChildProgram;
  const children: Child[] = [];
  beforeAll(async () => {
    program = await buildChild();
  });
  afterAll(() => {
    for (const child of children) child.process.kill("SIGKILL");
    program.remove();
  });

  async function sandboxThatParses(source: string): Promise<{ child: Child; token: string }> {
    const child = await startChild(program, { seed: "empty" });
    children.push(child);
    const { url, tokens } = child.ready;
    const created = await fetch(`${url}/device`, {
      method: "POST",
      headers: { token: tokens.profile, "content-type": "application/json" },
      body: JSON.stringify({ name: "Parsed", payload_decoder: base64(source) }),
    });
    const { result } = (await created.json()) as { result: { token: string } };
    return { child, token: result.token };
  }

  const send = ({ child, token }: { child: Child; token: string }): Promise<Response> =>
    fetch(`${child.ready.url}/data`, {
      method: "POST",
      headers: { token, "content-type": "application/json" },
      body: "[]",
    });

  async function killed(source: string, isResting: boolean): Promise<void> {
    const { child, token } = await sandboxThatParses(source);
    const sent = send({ child, token }).catch(() => {});
    if (isResting) await sent;
    await waitFor(() => parsersOf(child.process.pid).length === 1, "the process of the parser");
    const [pid] = parsersOf(child.process.pid);
    if (pid === undefined) throw new Error("No process was found");
    child.process.kill("SIGKILL");
    await child.ended;
    await waitFor(() => !isRunning(pid), "the end of the parser's process");
    await sent;
  }

  it("by kill -9 ends the process of a parser that rests", { tags: ["slow"] }, () => killed("payload = null", true));

  it("by kill -9 ends the process of a parser that hangs", { tags: ["slow"] }, () => killed("for (;;);", false));

  it("by close() leaves nothing that keeps its program running", { tags: ["slow"] }, async () => {
    const started = await sandboxThatParses("payload = null");
    expect((await send(started)).status).toBe(200);
    started.child.process.kill("SIGTERM");
    expect(await started.child.ended).toBe(0);
  });
});
