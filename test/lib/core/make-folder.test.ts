import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFolder } from "../../../src/lib/core/make-folder.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "iot-make-folder-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a folder", () => {
  it("is made with those above it, and says whether it was missing", () => {
    const path = join(folder, "a", "b", "c");
    expect([makeFolder(path, 0o700), makeFolder(path, 0o700), makeFolder(join(folder, "a"), 0o700)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it("is not made where a file is in the way", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => makeFolder(join(folder, "file"), 0o700)).toThrow("EEXIST");
    expect(() => makeFolder(join(folder, "file", "below", "it"), 0o700)).toThrow(/ENOTDIR|ENOENT/);
  });

  it("is that behind a link", { tags: ["posix"] }, () => {
    symlinkSync(folder, join(folder, "link"));
    expect(makeFolder(join(folder, "link"), 0o700)).toBe(false);
    expect(makeFolder(join(folder, "link", "inside"), 0o700)).toBe(true);
    expect(existsSync(join(folder, "inside"))).toBe(true);
    symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
    expect(() => makeFolder(join(folder, "dangling"), 0o700)).toThrow("ENOENT");
  });

  it("is an error below /proc, where Node's recursive form never returns", { tags: ["posix"] }, () => {
    for (const path of ["/proc/x", "/proc/x/y/z", `/proc/${process.pid}/x/y`])
      expect(() => makeFolder(path, 0o700)).toThrow(/ENOENT|EROFS|EACCES|EPERM/);
  });
});
