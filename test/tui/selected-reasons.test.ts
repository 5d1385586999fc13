import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SelectedReasons } from "../../src/tui/fleet/selected-reasons.ts";
import type { FleetDevice } from "../../src/tui/fleet/types.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const device = (id: string, inputMs?: number): FleetDevice => ({
  ...{ id, name: id, state: "never", tags: "" },
  ...{ inputMs, battery: undefined },
});

describe("the reasons of the selected device", () => {
  it("are read once it has been selected for a moment, and each minute until it sends or another one is selected", async () => {
    const read = vi.fn(async ({ id }: FleetDevice) => [`${id} is full.`]);
    const reasons = new SelectedReasons(read, () => undefined);
    reasons.select(device("a"));
    await vi.advanceTimersByTimeAsync(100);
    reasons.select(device("b"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read.mock.calls.map(([{ id }]) => id)).toEqual(["b"]);
    expect(reasons.of(device("b"))).toEqual(["b is full."]);
    expect(reasons.of(device("a"))).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read).toHaveBeenCalledTimes(2);
    reasons.select(device("b", 1));
    expect(reasons.of(device("b", 1))).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read).toHaveBeenCalledTimes(2);
    reasons.select(undefined);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(read).toHaveBeenCalledTimes(2);
  });
});
