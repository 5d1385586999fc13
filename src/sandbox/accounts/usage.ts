import type { serviceKeys } from "../../lib/resources/enums.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { SandboxDatabase } from "../store/types.ts";

type Service = (typeof serviceKeys)[number];
/** What is counted and paid for, and reads through dashboards, which are free. */
export type CountedService = Service | "dashboard_output";

/** Levels, not counters: how much there is, not how much was done. */
const GAUGES: readonly CountedService[] = ["data_records", "run_users", "file_storage"];

export interface UsageSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly step: "hour" | "day" | "month" | "year";
}

type UsageEntry = { readonly time: string } & { readonly [service in CountedService]?: number };

/** Counts what profiles use. Counts are kept in memory for a moment: a read must not become a write. */
export interface Usage {
  /** Counts once the writes of the request are committed. */
  count(profile: string, service: CountedService, amount?: number): void;
  /** Writes how much there is of something. `atMs` defaults to now. */
  level(profile: string, service: CountedService, amount: number, atMs?: number): void;
  /** Adds to an hour of the past. For the seed. */
  addHistory(profile: string, service: CountedService, amount: number, atMs: number): void;
  /** What was used up to each step; counters grow within a month, services nobody used are left out. */
  statistics(profile: string, span: UsageSpan): UsageEntry[];
  /** What was used in the month of now. */
  month(profile: string): Partial<Record<CountedService, number>>;
  /** Writes what is counted. */
  flush(): void;
  /** Forgets what is not written yet. */
  clear(): void;
}

const HOUR_MS = 3_600_000;
/** Longest time a count stays in memory. */
const FLUSH_MS = 1_000;
/** Entries of one answer. */
const MAX_ENTRIES = 10_000;

interface UsageRow {
  readonly hour: number;
  readonly service: CountedService;
  readonly amount: number;
}

/** The start of the step a moment lies in, or of one that many steps later. */
function stepStart(timeMs: number, step: UsageSpan["step"], later = 0): number {
  const date = new Date(timeMs);
  if (step === "year") return Date.UTC(date.getUTCFullYear() + later, 0, 1);
  if (step === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
  const size = step === "hour" ? HOUR_MS : 24 * HOUR_MS;
  return (Math.floor(timeMs / size) + later) * size;
}

/** The steps that touch the span, in UTC. */
function stepsOf({ startMs, endMs, step }: UsageSpan): { readonly fromMs: number; readonly toMs: number }[] {
  const steps: { fromMs: number; toMs: number }[] = [];
  let from = stepStart(startMs, step);
  while (from <= endMs && steps.length < MAX_ENTRIES) {
    const to = stepStart(from, step, 1);
    steps.push({ fromMs: from, toMs: to });
    from = to;
  }
  return steps;
}

/** Numbers of one service over time, oldest first. */
function entryOf(rows: readonly UsageRow[], step: { readonly fromMs: number; readonly toMs: number }): UsageEntry {
  const values: Partial<Record<CountedService, number>> = {};
  const month = stepStart(step.fromMs, "month");
  for (const { hour, service, amount } of rows) {
    if (hour >= step.toMs) break;
    if (GAUGES.includes(service)) values[service] = amount;
    else if (hour >= month) values[service] = (values[service] ?? 0) + amount;
  }
  const shown = Object.entries(values).filter(([service, amount]) => service !== "dashboard_output" && amount > 0);
  const rounded = shown.map(([service, amount]) => [service, Math.round(amount * 100) / 100]);
  return { time: new Date(step.fromMs).toISOString(), ...Object.fromEntries(rounded) };
}

export function createUsage(db: SandboxDatabase, clock: Clock): Usage {
  let waiting = new Map<string, { profile: string; service: CountedService; hour: number; amount: number }>();
  let timer: NodeJS.Timeout | undefined;

  const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS;

  const add = (profile: string, service: CountedService, amount: number, hour: number): void => {
    db.run(
      `INSERT INTO usage (profile, hour, service, amount) VALUES (?, ?, ?, ?)
       ON CONFLICT (profile, hour, service) DO UPDATE SET amount = amount + excluded.amount`,
      profile,
      hour,
      service,
      amount,
    );
  };

  const clear = (): void => {
    clearTimeout(timer);
    timer = undefined;
    waiting = new Map();
  };

  const store = (): void => {
    for (const { profile, service, amount, hour } of waiting.values()) add(profile, service, amount, hour);
  };

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    try {
      db.transaction(store);
      clear();
    } catch (error) {
      // A full disk ends neither the process nor the closing of the sandbox: what was counted waits for room.
      if (!(error instanceof PlatformError)) throw error;
    }
  };

  const remember = (profile: string, service: CountedService, amount: number): void => {
    const hour = hourOf(clock.now());
    const key = `${profile} ${service} ${hour}`;
    const found = waiting.get(key) ?? { profile, service, hour, amount: 0 };
    found.amount += amount;
    waiting.set(key, found);
    timer ??= setTimeout(flush, FLUSH_MS).unref();
  };

  const rowsOf = (profile: string, endMs: number): UsageRow[] => {
    flush();
    return db.all<{ hour: number; service: CountedService; amount: number }>(
      "SELECT hour, service, amount FROM usage WHERE profile = ? AND hour <= ? ORDER BY hour",
      profile,
      endMs,
    );
  };

  return {
    count: (profile, service, amount = 1) => {
      if (amount > 0) db.afterCommit(() => remember(profile, service, amount));
    },
    level: (profile, service, amount, atMs = clock.now()) => {
      db.run(
        `INSERT INTO usage (profile, hour, service, amount) VALUES (?, ?, ?, ?)
         ON CONFLICT (profile, hour, service) DO UPDATE SET amount = excluded.amount`,
        profile,
        hourOf(atMs),
        service,
        amount,
      );
    },
    addHistory: (profile, service, amount, atMs) => add(profile, service, amount, hourOf(atMs)),
    statistics: (profile, span) => {
      const rows = rowsOf(profile, span.endMs);
      return stepsOf(span).map((step) => entryOf(rows, step));
    },
    month: (profile) => {
      const nowMs = clock.now();
      const totals: Partial<Record<CountedService, number>> = {};
      for (const { hour, service, amount } of rowsOf(profile, nowMs)) {
        if (GAUGES.includes(service)) totals[service] = amount;
        else if (hour >= stepStart(nowMs, "month")) totals[service] = (totals[service] ?? 0) + amount;
      }
      return totals;
    },
    flush,
    clear,
  };
}
