import type { serviceKeys } from "../../lib/resources/enums.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { SandboxDatabase } from "../store/types.ts";

/** Billed services, and reads through dashboards, which are free. */
export type CountedService = (typeof serviceKeys)[number] | "dashboard_output";

/** Amounts that exist now, as opposed to operations. */
export const LEVELS = ["data_records", "run_users", "file_storage"] as const;
export type Level = (typeof LEVELS)[number];

type Step = "hour" | "day" | "month" | "year";

export interface UsageSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly step: Step;
}

/** `time` is ISO 8601. Services that were not used are left out. */
type UsageEntry = { readonly time: string } & { readonly [service in CountedService]?: number };

const HOUR_MS = 3_600_000;
const FLUSH_MS = 1_000;

type UsageRow = { readonly hour: number; readonly service: CountedService; readonly amount: number };

/** The start of the step that contains a date, or of the step that many steps later. In UTC. */
function stepStart(timeMs: number, step: Step, later = 0): number {
  const date = new Date(timeMs);
  if (step === "year") return Date.UTC(date.getUTCFullYear() + later, 0, 1);
  if (step === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
  const size = step === "hour" ? HOUR_MS : 24 * HOUR_MS;
  return (Math.floor(timeMs / size) + later) * size;
}

const isLevel = (service: CountedService): boolean => LEVELS.some((level) => level === service);

type Totals = ReadonlyMap<CountedService, number>;

/** Sums ordered rows: each call continues to a later `toMs` and returns the counters since `fromMs`. */
function createSum(rows: readonly UsageRow[]): (fromMs: number, toMs: number) => Totals {
  const totals = new Map<CountedService, number>();
  let since = Number.NEGATIVE_INFINITY;
  let next = 0;
  return (fromMs, toMs) => {
    if (fromMs !== since) for (const service of totals.keys()) if (!isLevel(service)) totals.delete(service);
    since = fromMs;
    for (let row = rows[next]; row !== undefined && row.hour < toMs; next += 1, row = rows[next]) {
      if (isLevel(row.service)) totals.set(row.service, row.amount);
      else if (row.hour >= fromMs) totals.set(row.service, (totals.get(row.service) ?? 0) + row.amount);
    }
    return totals;
  };
}

function entryOf(timeMs: number, totals: Totals): UsageEntry {
  const shown = [...totals].filter(([service, amount]) => service !== "dashboard_output" && amount > 0);
  const rounded = shown.map(([service, amount]) => [service, Math.round(amount * 100) / 100]);
  return { time: new Date(timeMs).toISOString(), ...Object.fromEntries(rounded) };
}

/** Counts usage per profile. Counts stay in memory for up to a second, so that a read causes no write. */
export class Usage {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, { profile: string; service: CountedService; atMs: number; amount: number }>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(db: SandboxDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Counts once the writes of the request are committed. */
  count(profile: string, service: CountedService, amount = 1): void {
    if (amount > 0) this.#db.afterCommit(() => this.#remember(profile, service, amount));
  }

  /** Stores a level. `atMs` defaults to now. */
  level(profile: string, service: CountedService, amount: number, atMs = this.#clock.now()): void {
    this.#write(profile, service, amount, atMs, false);
  }

  /** Adds to an hour of the past. Used by the seed. */
  addHistory(profile: string, service: CountedService, amount: number, atMs: number): void {
    this.#write(profile, service, amount, atMs, true);
  }

  /** Usage up to each step: counters start again every month, for yearly steps every year. */
  statistics(profile: string, { startMs, endMs, step }: UsageSpan): UsageEntry[] {
    const sum = this.#sumOf(profile, endMs);
    const entries: UsageEntry[] = [];
    for (let from = stepStart(startMs, step); from <= endMs; from = stepStart(from, step, 1)) {
      const since = stepStart(from, step === "year" ? "year" : "month");
      entries.push(entryOf(from, sum(since, stepStart(from, step, 1))));
    }
    return entries;
  }

  /** Usage of the current month. */
  month(profile: string): Partial<Record<CountedService, number>> {
    const nowMs = this.#clock.now();
    return Object.fromEntries(this.#sumOf(profile, nowMs)(stepStart(nowMs, "month"), nowMs + 1));
  }

  /** Writes the counts in memory to the database. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    try {
      this.#db.transaction(() => {
        for (const { profile, service, amount, atMs } of this.#waiting.values())
          this.#write(profile, service, amount, atMs, true);
      });
      this.clear();
    } catch (error) {
      // A full disk neither ends the process nor blocks closing the sandbox: the counts stay in memory until there is
      // space.
      if (!(error instanceof PlatformError)) throw error;
    }
  }

  /** Drops the counts in memory. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
  }

  /** Like `clear`, permanently: a request that ends after the sandbox has closed is not counted. */
  close(): void {
    this.#isClosed = true;
    this.clear();
  }

  #write(profile: string, service: CountedService, amount: number, atMs: number, isAdded: boolean): void {
    this.#db.run(
      `INSERT INTO usage (profile, hour, service, amount) VALUES (?, ?, ?, ?)
       ON CONFLICT (profile, hour, service) DO UPDATE SET amount = excluded.amount ${isAdded ? "+ amount" : ""}`,
      profile,
      stepStart(atMs, "hour"),
      service,
      amount,
    );
  }

  #remember(profile: string, service: CountedService, amount: number): void {
    if (this.#isClosed) return;
    const atMs = stepStart(this.#clock.now(), "hour");
    const key = `${profile} ${service} ${atMs}`;
    this.#waiting.set(key, { profile, service, atMs, amount: (this.#waiting.get(key)?.amount ?? 0) + amount });
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  #sumOf(profile: string, endMs: number): (fromMs: number, toMs: number) => Totals {
    this.flush();
    const sql = "SELECT hour, service, amount FROM usage WHERE profile = ? AND hour <= ? ORDER BY hour";
    return createSum(this.#db.all<UsageRow>(sql, profile, endMs));
  }
}
