import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./imports.ts";
import { timeLimitsIn } from "./time-limits.ts";

/** The one place that gives up after a time. */
const waits = "test/helpers/wait-for.ts";
/** Programs that are compiled, not run; packages; and what this test itself is made of. */
const others = /\/types\/programs\/|\/node_modules\/|\/contract\/(time-limits|test-time\.test)\.ts$/;

const read = (name: string): string => readFileSync(join(root, name), "utf8");
const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .map((name) => `test/${name.split(sep).join("/")}`)
  .filter((name) => /\.(ts|mjs)$/.test(name) && name !== waits && !others.test(name));
const configs = readdirSync(root).filter((name) => /^vitest\..*config\.ts$/.test(name));

describe("the time of the machine", () => {
  it("has all tests looked at", () => {
    expect(files.length).toBeGreaterThan(400);
  });

  // What was meant is a count, an order, a growth, or a clock that the test moves.
  it.each([...new Set(files.map((name) => name.split("/")[1] ?? ""))])("decides no test of test/%s", (folder) => {
    const own = files.filter((name) => name.split("/")[1] === folder);
    const found = own.flatMap((name) =>
      timeLimitsIn(name, read(name)).map(({ line, what }) => `${name}:${line}: ${what}`),
    );
    expect(found).toEqual([]);
  });

  it.each(configs)("ends no test of %s that only waits", (name) => {
    const limits = [...read(name).matchAll(/\b(testTimeout|hookTimeout|poll: \{ timeout): ([\d_]+)/g)];
    const longs = limits.filter(([, , text = ""]) => Number(text.replaceAll("_", "")) >= 60_000);
    expect(longs.map(([, what]) => what)).toEqual(["testTimeout", "hookTimeout", "poll: { timeout"]);
  });
});

describe("a time that decides a test is found", () => {
  it.each<[string, string]>([
    [
      "an elapsed time",
      `const startMs = performance.now(); work(); expect(performance.now() - startMs).toBeLessThan(500);`,
    ],
    [
      "one with a name",
      `const start = Date.now(); const spent = Date.now() - start; expect(spent).toBeLessThanOrEqual(9);`,
    ],
    [
      "one that is assigned later",
      `let at = 0; work(() => { at = Date.now(); }); expect(Date.now() - at).toBeLessThan(9);`,
    ],
    ["one from a function", `const now = () => performance.now(); expect(now() - before).toBeLessThan(9);`],
    [
      "one from a list",
      `const times: number[] = []; times.push(Date.now()); expect(times[1] - times[0]).toBeLessThan(9);`,
    ],
    ["one of many", `const a = Date.now(); expect(Math.max(0, Date.now() - a)).toBeLessThan(9);`],
    ["one in a property", `const seen = { at: Date.now() }; expect(seen.at - other).toBeLessThan(9);`],
    ["processor time", `const used = process.cpuUsage(); expect((used.user + used.system) / 1_000).toBeLessThan(500);`],
    ["the time since", `expect(Math.abs(Date.parse(text) - Date.now())).toBeLessThan(1_000);`],
    ["a date", `expect((new Date(text).getTime() - new Date().getTime()) / 86_400_000).toBeLessThan(91);`],
    [
      "a duration that comes from elsewhere",
      `const ended = await run(); expect(ended.lingeredMs).toBeLessThan(1_000);`,
    ],
    ["one that is handed over", `check(({ durationMs }) => expect(durationMs).toBeLessThan(1_000));`],
    ["a name that says so", `const waited = later - sooner; expect(waited).toBeLessThan(1_400);`],
    ["what must not be more", `const a = Date.now(); expect(Date.now() - a).not.toBeGreaterThan(500);`],
    ["the limit first", `const a = Date.now(); expect(500).toBeGreaterThan(Date.now() - a);`],
    ["a deadline", `const end = Date.now() + 500; expect(reply.at).toBeLessThan(end);`],
    ["about now", `expect(state).toEqual({ at: expect.closeTo(Date.now(), -5) });`],
    ["a comparison", `const a = Date.now(); expect(Date.now() - a < 500).toBe(true);`],
    ["a loop with an end", `const end = Date.now() + 5_000; while (Date.now() < end) await step();`],
    ["a guard of a test", `it("is done", async () => { await work(); }, 5_000);`],
    ["a guard of some", `it.each(cases)("%s", async () => { await work(); }, 10_000);`],
    ["a guard in the options", `it("is done", { timeout: 5_000 }, async () => work());`],
    ["a constant", `const PATIENCE_MS = 5 * 1_000; it("is done", async () => { await work(); }, PATIENCE_MS);`],
    ["a hook", `beforeAll(async () => { await start(); }, 10_000);`],
    ["the default of vitest", `await vi.waitFor(() => expect(screen.frame()).toContain("x"));`],
    ["a short wait", `await vi.waitFor(() => done(), { timeout: 3_000 });`],
    ["a short poll", `await expect.poll(() => seen.length, { timeout: 15_000 }).toBe(1);`],
    ["a limit of its own", `await waitFor(() => isDone, "the end", 5_000);`],
    ["a default", `async function waitFor(condition: () => boolean, timeoutMs = 5_000) { await condition(); }`],
    ["a program", `execFileSync("npm", ["ci"], { timeout: 15_000 });`],
    ["one that is killed", `const guard = setTimeout(() => child.kill("SIGKILL"), 15_000);`],
    ["one that is rejected", `setTimeout(() => reject(new Error("late")), options.limit ?? 5_000);`],
    ["a race", `await Promise.race([work(), sleep(1_000)]);`],
    ["a signal", `await fetch(url, { signal: AbortSignal.timeout(5_000) });`],
    ["a page", `page.setDefaultTimeout(5_000);`],
  ])("%s", (_, line) => {
    expect(timeLimitsIn("a.test.ts", `first();\n${line}\n`).map((found) => found.line)).toEqual([2]);
  });

  it.each<[string, string]>([
    ["a least time", `const a = performance.now(); await wait(); expect(performance.now() - a).toBeGreaterThan(100);`],
    [
      "a date between two",
      `const a = Date.now(); make(); expect(at).toBeGreaterThanOrEqual(a); expect(at).toBeLessThanOrEqual(Date.now());`,
    ],
    [
      "a clock of the test",
      `const startMs = time.now(); work(); expect((time.now() - startMs) / 60_000).toBeLessThan(2.1);`,
    ],
    ["a count", `const start = Date.now(); expect(place.requestsSince(start).length).toBeLessThan(5);`],
    ["a growth", `expect(await growthOf(read, 1_000)).toBeLessThan(IN_PROPORTION);`],
    [
      "two of one name",
      `it("a", () => { const a = Date.now(); use(a); }); it("b", () => { const a = list.length; expect(a).toBeLessThan(5); });`,
    ],
    ["a guard against what hangs", `it("is done", async () => { await work(); }, 240_000);`],
    ["one of a program", `const guard = setTimeout(() => child.kill("SIGKILL"), HANG_MS);`],
    ["what the test does itself", `setTimeout(() => controller.abort(), 50);`],
    ["a setting of the library", `await failureOf(resources({ timeoutMs: 40 }).devices.info("d1"));`],
    ["a field of a record", `await ok(sandbox, "POST", "/analysis", { body: { timeout: 120 } });`],
  ])("but not %s", (_, line) => {
    expect(timeLimitsIn("a.test.ts", line)).toEqual([]);
  });
});
