import { describe, expect, it } from "vitest";
import { Mutex, runLanes } from "../../../src/lib/files/pool.ts";

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("lanes", () => {
  it("run concurrently", async () => {
    let running = 0;
    let most = 0;
    await runLanes(3, never, async () => {
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
    });
    expect([running, most]).toEqual([0, 3]);
  });

  it("stop at the first failure, which is thrown when all have stopped", async () => {
    let count = 0;
    let ended = 0;
    const call = runLanes(3, never, async (signal) => {
      count += 1;
      if (count === 2) throw new Error("The second fails");
      while (!signal.aborted) await turn();
      ended += 1;
      throw new Error("What follows is not shown");
    });
    await expect(call).rejects.toThrow("The second fails");
    expect(ended).toBe(2);
  });

  it("stop when the outer signal is aborted", async () => {
    const outer = new AbortController();
    const call = runLanes(2, outer.signal, async (signal) => {
      while (!signal.aborted) await turn();
    });
    outer.abort();
    await expect(call).resolves.toBeUndefined();
  });
});

describe("a mutex", () => {
  it("runs one task at a time, and the next one after a failure", async () => {
    const mutex = new Mutex();
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await turn();
      seen.push(`${name} ends`);
      if (name === "a") throw new Error("a fails");
    };
    const first = expect(mutex.run(work("a"))).rejects.toThrow("a fails");
    await Promise.all([first, mutex.run(work("b"))]);
    expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });
});
