/** (node) Counters that are never used twice, also after a crash. */
import { TipError } from "./errors.ts";
import { SEQ_MAX } from "./limits.ts";

/** Where a client gets the counter of its next request from. */
export interface CounterStore {
  /**
   * A counter above all that were returned before, also to other processes and before a crash.
   *
   * @throws TipError `invalid_input` once 4,294,967,295 was reached
   */
  next(): Promise<number>;
}

/** Counters that one line of the file reserves. Fixed: with another number old files would be read as other counters. */
const BLOCK = 1_000;
const MARK_BYTES = 6;
/** A mark as hex digits and a line feed. */
const LINE_BYTES = 2 * MARK_BYTES + 1;
/** Where the own line is looked for, from the end of the file. */
const TAIL_BYTES = 65_536;

/**
 * Counts in a file. Each process reserves 1,000 counters at a time, on the disk before it uses the first, by adding a line of
 * its own to the end of the file: processes that share the file never get the same, and one that is killed skips the rest
 * of its block. Do not edit the file, and do not restore an older one.
 *
 * @param path is created, readable by its owner only; one file for each device
 * @example
 * ```ts
 * import { fileCounter, TipClient } from "iotdeck/tip";
 * const client = new TipClient({ over: "udp", hash: "4deedd7bab8817ec", serial: "sensor-01", sequence: fileCounter("sensor-01.seq") });
 * ```
 */
export function fileCounter(path: string): CounterStore {
  let next = 0;
  let end = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const take = async (): Promise<number> => {
    if (next === end) {
      next = (await reserve(path)) * BLOCK;
      end = next + BLOCK;
    }
    if (next > SEQ_MAX) throw new TipError("invalid_input", `The counters of ${path} are used up: reset the device`);
    next += 1;
    return next - 1;
  };
  return {
    next() {
      const taken = turn.then(take, take);
      turn = taken.catch(() => undefined);
      return taken;
    },
  };
}

/**
 * Number of the block that is reserved: where its line begins, in lines. Lines never overlap, so no two have the same
 * number, even if a crash has left a part of one.
 */
async function reserve(path: string): Promise<number> {
  const mark = process.getBuiltinModule("node:crypto").randomBytes(MARK_BYTES).toString("hex");
  const file = await process.getBuiltinModule("node:fs").promises.open(path, "a+", 0o600);
  try {
    await file.appendFile(`${mark}\n`);
    await file.sync();
    const { size } = await file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const tail = Buffer.alloc(size - from);
    await file.read(tail, 0, tail.length, from);
    const at = tail.lastIndexOf(`${mark}\n`);
    if (at >= 0) return Math.floor((from + at) / LINE_BYTES);
  } finally {
    await file.close();
  }
  // More than the tail was written since by others.
  return reserve(path);
}
