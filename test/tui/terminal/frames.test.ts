import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFrameWriter } from "../../../src/tui/terminal/frame-writer.ts";
import { createPacer } from "../../../src/tui/terminal/pacer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("redraws", () => {
  it("are at most ten in any second, however often they are asked for", async () => {
    const drawn: number[] = [];
    const pacer = createPacer(() => drawn.push(Date.now()), Date.now);
    for (let ms = 0; ms < 5_000; ms += 5) {
      pacer.request();
      await vi.advanceTimersByTimeAsync(5);
    }
    pacer.stop();
    const most = Math.max(...drawn.map((start) => drawn.filter((ms) => ms >= start && ms < start + 1_000).length));
    expect(most).toBeLessThanOrEqual(10);
    expect(drawn.length).toBeGreaterThan(30);
  });

  it("come at once after a rest", () => {
    let count = 0;
    const pacer = createPacer(() => {
      count += 1;
    }, Date.now);
    pacer.request();
    expect(count).toBe(1);
    pacer.stop();
  });
});

describe("frames", () => {
  function writerOf(rows: number, color = true) {
    const written: string[] = [];
    const writer = createFrameWriter({ color, rows: () => rows, write: (text) => written.push(text) });
    return { writer, written };
  }

  it("write only the lines that changed", () => {
    const { writer, written } = writerOf(10);
    writer.frame("one\ntwo\nthree");
    writer.frame("one\nTWO\nthree");
    expect(written).toHaveLength(2);
    expect(written[1]).toContain("\u001b[2;1H\u001b[KTWO");
    expect(written[1]).not.toContain("one");
    writer.stop();
  });

  it("use at most height minus one lines, and never a line feed", () => {
    const { writer, written } = writerOf(4);
    writer.frame("1\n2\n3\n4\n5\n6");
    expect(written[0]).toContain("\u001b[3;1H\u001b[K3");
    expect(written[0]).not.toContain("\u001b[4;1H");
    expect(written.join("")).not.toContain("\n");
    writer.stop();
  });

  it("clear what a shorter frame leaves, and draw all when asked", async () => {
    const { writer, written } = writerOf(10);
    writer.frame("1\n2\n3");
    writer.frame("1");
    expect(written[1]).toContain("\u001b[3;1H\u001b[K\u001b[0m");
    writer.redraw();
    await vi.advanceTimersByTimeAsync(200);
    expect(written[2]).toContain("\u001b[2J");
    expect(written[2]).toContain("\u001b[1;1H\u001b[K1");
    writer.stop();
  });

  it("have no style without colour", () => {
    const { writer, written } = writerOf(10, false);
    writer.frame("\u001b[31mred\u001b[39m");
    expect(written.join("")).toContain("red");
    expect(written.join("")).not.toMatch(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`));
    writer.stop();
  });
});
