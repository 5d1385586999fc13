import { describe, expect, it } from "vitest";
import { bytesText, createProgress } from "../../../src/commands/kit/say/progress.ts";
import { createStatusLine } from "../../../src/commands/kit/say/status-line.ts";
import { recordedIo } from "../../helpers/status-io.ts";

type Surroundings = Parameters<typeof createProgress>[0];

/** A progress whose clock stands until it is moved, and what it wrote. */
function progressOf(unit: string, isTerminal: boolean) {
  const { io, written } = recordedIo(isTerminal);
  let nowMs = 0;
  const flags = { quiet: false, progress: true, accessible: false };
  const surroundings = {
    flags,
    say: { info: (text: string) => written.push(text) },
    clock: { elapsed: () => nowMs },
    status: createStatusLine(io, flags, {}),
  } as unknown as Surroundings;
  const progress = createProgress(surroundings, ["Uploading", unit]);
  const at = (ms: number, done: number, total?: number): void => {
    nowMs = ms;
    progress.at(done, total);
  };
  return { written, at, end: progress.end };
}

describe("progress", () => {
  it("shows bytes with units, rate and time left, only after half a second", () => {
    const { written, at, end } = progressOf("bytes", true);
    at(400, 1_000_000, 30_000_000);
    expect(written).toEqual([]);
    at(1_000, 7_340_032, 30_000_000);
    expect(written.join("")).toContain("Uploading 7.3 MB of 30.0 MB, 7.3 MB/s, 4 s left");
    end();
    expect(written.at(-1)).toBe("\r\u001b[2K");
  });

  it("is a plain line at most every 30 s where nothing can be redrawn", () => {
    const { written, at } = progressOf("rows", false);
    at(1_000, 10);
    at(20_000, 200);
    at(31_500, 300);
    expect(written).toEqual(["Uploading 10 rows, 10/s.", "Uploading 300 rows, 10/s."]);
  });

  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1.0 kB"],
    [123_456_789, "123 MB"],
    [5e12, "5.0 TB"],
    [5e16, "50000 TB"],
  ])("writes %d bytes as %s", (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});
