import { describe, expect, it } from "vitest";
import { eachInLanes, mapLanes } from "../../../src/commands/kit/lanes.ts";

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that notes what it begins and what it finishes, and fails with the first item. */
function failingWork() {
  const [begun, finished]: [number[], number[]] = [[], []];
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    if (item === 1) throw new Error("1 failed");
    await pause();
    finished.push(item);
  };
  return { begun, finished, work };
}

async function* each(items: readonly number[]): AsyncGenerator<number> {
  yield* items;
}

describe("work in lanes", () => {
  it("is never more at a time than there are lanes, with its results in the order of the items", async () => {
    let running = 0;
    let most = 0;
    const results = await mapLanes([4, 1, 3, 0, 2], 2, async (item, index) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < item; turn += 1) await pause();
      running -= 1;
      return `${index}: ${item}`;
    });
    expect(results).toEqual(["0: 4", "1: 1", "2: 3", "3: 0", "4: 2"]);
    expect(most).toBe(2);
  });

  it("begins nothing after a failure, and finishes what it has begun", async () => {
    const { begun, finished, work } = failingWork();
    await expect(mapLanes([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow("1 failed");
    expect({ begun, finished }).toEqual({ begun: [1, 2], finished: [2] });
  });

  it("does the same with items that come one after the other", async () => {
    const { begun, finished, work } = failingWork();
    const { signal } = new AbortController();
    await expect(eachInLanes(each([1, 2, 3, 4, 5, 6]), 2, work, signal)).rejects.toThrow("1 failed");
    expect({ begun, finished }).toEqual({ begun: [1, 2], finished: [2] });
  });
});
