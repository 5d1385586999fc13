import type { SandboxDatabase } from "../store/types.ts";

const LARGEST = 4_294_967_295;
/** Counters of responses that one write reserves. */
const BLOCK = 10_000;
const SETTING = "tip_responses";
/** When the first counters of responses were counted, in seconds since 1970. */
const FIRST_SECONDS = 1_700_000_000;

/**
 * The last counter of each device. It counts in memory at once, so that a repeated request is rejected while the first is
 * still at work, and is stored together with what the request stores: after a crash both are there, or neither.
 */
export class Sequences {
  readonly #db: SandboxDatabase;
  readonly #last = new Map<string, number>();

  constructor(db: SandboxDatabase) {
    this.#db = db;
  }

  /** Whether the counter is above the last one, which it is from now on. */
  take(device: string, seq: number): boolean {
    if (seq <= this.#lastOf(device)) return false;
    this.#last.set(device, seq);
    return true;
  }

  /** Stores a counter that was taken. */
  store(device: string, seq: number): void {
    this.#db.run(
      `INSERT INTO tip_sequence (device, seq) VALUES (?1, ?2)
       ON CONFLICT (device) DO UPDATE SET seq = max(seq, ?2)`,
      device,
      seq,
    );
  }

  remove(device: string): void {
    this.#last.delete(device);
    this.#db.run("DELETE FROM tip_sequence WHERE device = ?", device);
  }

  /** All stored data was replaced. */
  clear(): void {
    this.#last.clear();
  }

  #lastOf(device: string): number {
    const known = this.#last.get(device);
    if (known !== undefined) return known;
    const row = this.#db.get<{ seq: number }>("SELECT seq FROM tip_sequence WHERE device = ?", device);
    return row?.seq ?? -1;
  }
}

/**
 * Counters of responses in envelopes, none twice: blocks of them are reserved in the database, in the write that the response
 * waits for. An older database that replaced this one is known by the time.
 */
export class ResponseCounters {
  readonly #db: SandboxDatabase;
  #next = -1;
  #end = -1;

  constructor(db: SandboxDatabase) {
    this.#db = db;
  }

  /** @throws RangeError once all were used */
  next(): number {
    if (this.#next >= this.#end) this.#reserve();
    if (this.#next > LARGEST) throw new RangeError("All counters of responses were used");
    this.#next += 1;
    return this.#next - 1;
  }

  /** All stored data was replaced, and with it what was reserved. */
  reserveAgain(): void {
    if (this.#next >= 0) this.#reserve();
  }

  #reserve(): void {
    const row = this.#db.get<{ value: string }>("SELECT value FROM setting WHERE key = ?", SETTING);
    const seconds = Math.floor(Date.now() / 1_000) - FIRST_SECONDS;
    this.#next = this.#next < 0 ? Math.max(seconds, Number(row?.value ?? 0)) : Math.max(this.#next, this.#end);
    this.#end = this.#next + BLOCK;
    const sql = "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2";
    this.#db.run(sql, SETTING, String(this.#end));
  }
}
