import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileCounter } from "../../../src/lib/tip/index.ts";
import { temporaryFolder } from "../../helpers/cli.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const file = (): string => join(temporaryFolder(), "sensor.seq");

async function take(path: string, count: number): Promise<number[]> {
  const counter = fileCounter(path);
  return Promise.all(Array.from({ length: count }, () => counter.next()));
}

describe("a counter in a file", () => {
  it("counts from 0, and after it was opened again above all it has returned", async () => {
    const path = file();
    expect(await take(path, 3)).toEqual([0, 1, 2]);
    expect(await take(path, 2)).toEqual([1_000, 1_001]);
    expect(await take(path, 2_001)).toEqual(Array.from({ length: 2_001 }, (_, index) => 2_000 + index));
  });

  it("never returns the same to those that share the file", async () => {
    const path = file();
    const taken = (await Promise.all(Array.from({ length: 6 }, () => take(path, 1_100)))).flat();
    expect(new Set(taken).size).toBe(6 * 1_100);
  });

  it("goes on after a line that a crash has cut", async () => {
    const path = file();
    const before = await take(path, 1);
    appendFileSync(path, "00ff");
    const after = [...(await take(path, 1)), ...(await take(path, 1))];
    expect(new Set([...before, ...after]).size).toBe(3);
    expect(Math.min(...after)).toBeGreaterThan(999);
  });

  it("ends with an error when all are used", async () => {
    const path = file();
    appendFileSync(path, "");
    // Of 13 bytes each, without their content.
    truncateSync(path, 13 * 4_294_967);
    expect(await fileCounter(path).next()).toBe(4_294_967_000);
    await expect(fileCounter(path).next()).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("is readable by its owner only", { tags: ["posix"] }, async () => {
    const path = file();
    await take(path, 1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("never returns the same again when its process is killed", { tags: ["slow"] }, async () => {
    const folder = temporaryFolder();
    const [path, log] = [join(folder, "sensor.seq"), join(folder, "log")];
    const program = `
      const { fileCounter } = require(${JSON.stringify(join(import.meta.dirname, "../../../dist/tip.cjs"))});
      const counter = fileCounter(${JSON.stringify(path)});
      const run = async () => {
        for (;;) require("node:fs").appendFileSync(${JSON.stringify(log)}, (await counter.next()) + "\\n");
      };
      run();`;
    const taken = (): number[] =>
      readFileSync(log, { encoding: "utf8", flag: "a+" }).split("\n").slice(0, -1).map(Number);
    for (let round = 0; round < 5; round += 1) {
      const before = taken().length;
      const child = spawn(process.execPath, ["-e", program], { stdio: "ignore" });
      await waitFor(() => taken().length > before + 700 + 150 * round, "counters");
      child.kill("SIGKILL");
      await new Promise((resolve) => child.once("close", resolve));
    }
    const all = taken();
    expect(all.length).toBeGreaterThan(5_000);
    expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
  });
});
