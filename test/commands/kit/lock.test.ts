import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lockOrRefuse, lockOwner, underLock } from "../../../src/commands/kit/state/lock.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "iot-lock-"));
  file = join(folder, "config.json");
});

const ownedBy = (pid: number, host = hostname()): string =>
  JSON.stringify({ pid, host, since: "2026-01-31T08:00:00.000Z", id: "x" });
const deadProcess = (): number => spawnSync(process.execPath, ["--version"]).pid;

describe("a lock", () => {
  it("is gone after the change, and after a change that fails", () => {
    expect(underLock(file, () => existsSync(`${file}.lock`))).toBe(true);
    expect(() =>
      underLock(file, () => {
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that a killed process left is taken over", () => {
    writeFileSync(`${file}.lock`, ownedBy(deadProcess()));
    expect(lockOwner(`${file}.lock`)).toBeUndefined();
    expect(underLock(file, () => lockOwner(`${file}.lock`)?.pid)).toBe(process.pid);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that a process left before it had written its name is taken over after some seconds", () => {
    const lockFile = `${file}.lock`;
    writeFileSync(lockFile, "");
    const written = new Date("2026-01-31T08:00:00Z");
    utimesSync(lockFile, written, written);
    // Each look at the clock is a second after the one before.
    let nowMs = written.getTime();
    vi.spyOn(Date, "now").mockImplementation(() => (nowMs += 1_000));
    expect(lockOwner(lockFile)).toMatchObject({ pid: 0 });
    lockOrRefuse(file, "import").release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that is just being written is refused with the name of its owner", () => {
    writeFileSync(`${file}.lock`, "");
    // However long it takes the other process to start.
    vi.spyOn(Date, "now").mockReturnValue(0);
    vi.spyOn(performance, "now").mockReturnValue(0);
    const later = `setTimeout(() => require("fs").writeFileSync(process.argv[1], process.argv[2]), 200)`;
    spawn(process.execPath, ["-e", later, `${file}.lock`, ownedBy(process.ppid)], { stdio: "ignore" });
    expect(() => lockOrRefuse(file, "import")).toThrow(`Process ${process.ppid} is working`);
  });

  it("of a living process, or of another machine, is refused with its owner", () => {
    for (const [owner, says] of [
      [ownedBy(process.ppid), `Process ${process.ppid} is working`],
      [ownedBy(deadProcess(), "elsewhere"), "on elsewhere"],
    ] as const) {
      writeFileSync(`${file}.lock`, owner);
      expect(() => lockOrRefuse(file, "import")).toThrow(says);
      expect(readFileSync(`${file}.lock`, "utf8")).toBe(owner);
    }
  });

  it("that another process keeps ends a change with 7 after some seconds, and changes nothing", () => {
    writeFileSync(`${file}.lock`, ownedBy(process.ppid));
    // Each look at the clock is six seconds after the one before.
    let nowMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 6_000));
    const change = vi.fn();
    expect(() => underLock(file, change)).toThrow(expect.objectContaining({ exit: 7, code: "state.locked" }));
    expect(change).not.toHaveBeenCalled();
    expect(readFileSync(`${file}.lock`, "utf8")).toBe(ownedBy(process.ppid));
  });

  it("of an earlier process with the same id does not block this one", () => {
    writeFileSync(`${file}.lock`, ownedBy(process.pid));
    const lock = lockOrRefuse(file, "import");
    expect(() => lockOrRefuse(file, "import")).toThrow(String(process.pid));
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });
});
