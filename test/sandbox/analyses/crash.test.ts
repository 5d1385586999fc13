import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { buildChild, type ChildProgram, startChild } from "../process.ts";
import { consoleOf, newAnalysis, run } from "./helpers.ts";

let program: ChildProgram;

beforeAll(async () => {
  program = await buildChild();
});
afterAll(() => program.remove());

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

it("a sandbox that is killed takes the scripts it runs with it, even those that never come back", {
  tags: ["slow", "posix"],
}, async () => {
  const child = await startChild(program, { seed: "empty" });
  // The helpers use no more of a sandbox than what the child prints.
  const sandbox = child.ready as unknown as Sandbox;
  const source = `require("node:fs").writeSync(1, "pid " + process.pid + "\\nfile " + __filename + "\\n"); for (;;);`;
  const { id } = await newAnalysis(sandbox, {}, source);
  await run(sandbox, id);
  const hasPid = (lines: readonly string[]) => lines.some((line) => line.startsWith("file "));
  const lines = await consoleOf(sandbox, id, hasPid, "the first line");
  const pid = Number(lines.find((line) => line.startsWith("pid "))?.slice(4));
  const file = lines.find((line) => line.startsWith("file "))?.slice(5) ?? "";
  expect([isAlive(pid), existsSync(file)]).toEqual([true, true]);
  child.process.kill("SIGKILL");
  await child.ended;
  await waitFor(() => !isAlive(pid), "the process to be gone");
  await waitFor(() => !existsSync(file), "its script to be gone");
});
