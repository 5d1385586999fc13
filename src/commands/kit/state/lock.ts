import { closeSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import { CommandError, conflictError } from "../failures/command-error.ts";
import { isObject, onFile, readTextIfThere, realTarget } from "../files/files.ts";
import { isAlive } from "../process/alive.ts";
import { showPath } from "../settings/paths.ts";

/** Who holds a lock. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** A lock file that this process holds. */
export interface Lock {
  release(): void;
}

const WAIT_MS = 10_000;
/** A lock file is written in an instant; one that stays without an owner was left by a process that was killed. */
const UNFINISHED_MS = 5_000;

/** Texts of the locks this process holds: an old lock may carry the same process id. */
const held = new Set<string>();
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Runs `change` while no other process changes the file: read it, change it and write it inside. */
export function underLock<T>(path: string, change: () => T): T {
  const file = `${realTarget(path)}.lock`;
  const endMs = performance.now() + WAIT_MS;
  for (;;) {
    const lock = onFile(path, () => takeLock(file));
    if ("release" in lock) {
      try {
        return change();
      } finally {
        lock.release();
      }
    }
    if (performance.now() > endMs) throw busyError(path, file, lock);
    Atomics.wait(pause, 0, 0, 5 + Math.random() * 20);
  }
}

/** Takes a lock file; returns its owner when another process holds it. Waits only to learn whose an unfinished one is. */
function takeLock(file: string): Lock | LockOwner {
  makeFolder(dirname(file), 0o700);
  const owner: LockOwner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  const text = JSON.stringify({ ...owner, id: globalThis.crypto.randomUUID() });
  const endMs = performance.now() + 2 * UNFINISHED_MS;
  while (!create(file, text)) {
    const found = readTextIfThere(file);
    if (found === undefined || (isAbandoned(file, found) && remove(file, found))) continue;
    const other = ownerIn(found);
    if (other.pid !== 0 || performance.now() > endMs) return other;
    // Its owner is about to write its name, or was killed just before.
    Atomics.wait(pause, 0, 0, 20);
  }
  held.add(text);
  return {
    release() {
      held.delete(text);
      if (readTextIfThere(file) === text) rmSync(file, { force: true });
    },
  };
}

/** The process that holds a lock file; undefined where none does, or it is dead. */
export function lockOwner(file: string): LockOwner | undefined {
  const text = readTextIfThere(file);
  return text === undefined || isAbandoned(file, text) ? undefined : ownerIn(text);
}

function create(file: string, text: string): boolean {
  let handle: number;
  try {
    handle = openSync(file, "wx", 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
  try {
    writeFileSync(handle, text);
  } finally {
    closeSync(handle);
  }
  return true;
}

function ownerIn(text: string): LockOwner {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && typeof value["pid"] === "number")
      return { pid: value["pid"], host: String(value["host"]), since: String(value["since"]) };
  } catch {
    // Not written yet, or never to the end.
  }
  return { pid: 0, host: "", since: "" };
}

function isAbandoned(file: string, text: string): boolean {
  const { pid, host } = ownerIn(text);
  if (pid === 0) {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats !== undefined && Date.now() - stats.mtimeMs > UNFINISHED_MS;
  }
  if (host !== hostname()) return false;
  return pid === process.pid ? !held.has(text) : !isAlive(pid);
}

/**
 * Removes the lock of a dead process. Only one process at a time may remove this very lock: without that, a second one
 * could remove the new lock of the first.
 */
function remove(file: string, abandoned: string): boolean {
  const claim = `${file}.${Buffer.from(abandoned).toString("base64url").slice(-16)}`;
  if (!create(claim, "")) return false;
  try {
    if (readTextIfThere(file) === abandoned) rmSync(file, { force: true });
    return true;
  } finally {
    rmSync(claim, { force: true });
  }
}

function busyError(path: string, file: string, { pid }: LockOwner): Error {
  return new CommandError(`${showPath(path)} is locked by another process${pid === 0 ? "" : ` (${pid})`}.`, {
    code: "state.locked",
    exit: 7,
    why: `It was still locked after ${WAIT_MS / 1_000} seconds; nothing was changed.`,
    next: `Run the command again. If no other iot is running, delete ${showPath(file)}.`,
  });
}

/**
 * Takes the lock of a run that may last.
 *
 * @param path the file that says how far it is
 * @param what for the failure: `import of "data.csv"`
 */
export function lockOrRefuse(path: string, what: string): Lock {
  const file = `${path}.lock`;
  const lock = takeLock(file);
  if ("release" in lock) return lock;
  throw inUseError(file, what, lock);
}

function inUseError(file: string, what: string, { pid, host, since }: LockOwner): Error {
  const where = host === hostname() ? "" : ` on ${host}`;
  return conflictError(`Process ${pid}${where} is working on this ${what}.`, {
    code: "journal.in_use",
    why: `It started at ${since}; a second one would repeat its work.`,
    next: `Wait until it ends. If process ${pid} is not iot, delete ${showPath(file)}.`,
  });
}
