import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepNote } from "../../src/commands/analysis/dev-note.ts";
import { temporaryFolder } from "../helpers/cli.ts";

const id = "65a1000000000000000a0002";
let folder: string;
let path: string;
const keep = () =>
  keepNote(
    { IOT_CONFIG_DIR: folder },
    { id, name: "Report", api: "http://127.0.0.1:9", runOn: "tago", pid: process.pid },
  );

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  folder = temporaryFolder();
  path = join(folder, "state", "analysis-dev", `${id}.json`);
});
afterEach(() => {
  vi.useRealTimers();
});

it("a note is written again when somebody removed it, and goes at the end", { tags: ["posix"] }, () => {
  const note = keep();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  rmSync(join(folder, "state"), { recursive: true });
  vi.advanceTimersByTime(10_000);
  expect(existsSync(path)).toBe(true);
  note.end();
  expect(existsSync(path)).toBe(false);
});

it("a note that is left is kept, and not written any more", () => {
  const note = keep();
  note.leave();
  expect(existsSync(path)).toBe(true);
  rmSync(path);
  vi.advanceTimersByTime(60_000);
  expect(existsSync(path)).toBe(false);
});

it("a place that cannot be written to does not end the program", () => {
  const note = keep();
  rmSync(join(folder, "state"), { recursive: true });
  writeFileSync(join(folder, "state"), "a file in place of the folder");
  expect(() => vi.advanceTimersByTime(10_000)).not.toThrow();
  note.leave();
});
