import type { Rate } from "../../lib/core/rates.ts";
import type { Clock } from "../core/clock.ts";
import type { LimitSettings, Limits, LimitUse } from "../core/limit-settings.ts";
import { isPlan, type Plan } from "../core/plans.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { QueryObject } from "../core/query.ts";
import type { Kinds } from "../store/kinds.ts";
import type { SandboxDatabase } from "../store/types.ts";

const MINUTE_MS = 60_000;

/** Counts and enforces the limits of the plans (docs/internals/platform/server.md, Requests per minute). */
export class PlanLimits implements Limits {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #kinds: Kinds;
  #settings: LimitSettings;
  #minute = -1;
  #uses = new Map<string, { readonly profile: string; readonly limit: Rate; used: number }>();

  constructor(db: SandboxDatabase, clock: Clock, kinds: Kinds, initial: LimitSettings) {
    this.#db = db;
    this.#clock = clock;
    this.#kinds = kinds;
    this.#settings = initial;
  }

  get settings(): LimitSettings {
    return this.#settings;
  }

  set(next: LimitSettings): void {
    this.#settings = next;
    this.#uses = new Map();
  }

  /** Counts a request; rejects it with 429 when the limit of its kind is reached in this minute. */
  countRequest(rates: readonly Rate[], profile: string, query: QueryObject): void {
    if (!this.#settings.perMinute) return;
    const rate = rates.find((each) => each.query === undefined || each.query === query["query"]);
    if (rate !== undefined) this.#checkRate(rate, profile);
  }

  /** Rejects with 402 what would create one record too many. */
  checkRoom(kind: string, profile: string): void {
    const { thing, most } = this.#kinds.record(kind) ?? {};
    if (most === undefined) return;
    const limit = most[this.planOf(profile)];
    const row = this.#db.get<{ n: number }>(
      "SELECT count(*) AS n FROM entity WHERE kind = ? AND profile = ?",
      kind,
      profile,
    );
    // The platform rejects when more than the limit exist, so one above the limit can be created.
    if ((row?.n ?? 0) <= limit) return;
    const text = `You have exceeded the maximum limit of ${thing} (${limit}). Please upgrade you plan or contact support.`;
    throw new PlatformError(402, text);
  }

  planOf(profile: string): Plan {
    if (this.#settings.plan !== undefined) return this.#settings.plan;
    const row = this.#db.get<{ plan: unknown }>(
      "SELECT json_extract(a.doc, '$.plan') AS plan FROM profile p JOIN account a ON a.id = p.account WHERE p.id = ?",
      profile,
    );
    return isPlan(row?.plan) ? row.plan : "scale";
  }

  uses(): LimitUse[] {
    this.#startMinute();
    return [...this.#uses.values()].map(({ profile, limit, used }) => ({
      profile,
      limit: limit.name,
      used,
      most: limit.perMinute[this.planOf(profile)],
    }));
  }

  #startMinute(): void {
    const now = Math.floor(this.#clock.now() / MINUTE_MS);
    if (now === this.#minute) return;
    this.#minute = now;
    this.#uses = new Map();
  }

  #checkRate(limit: Rate, profile: string): void {
    this.#startMinute();
    const key = `${profile} ${limit.name}`;
    const use = this.#uses.get(key) ?? { profile, limit, used: 0 };
    this.#uses.set(key, use);
    if (use.used >= limit.perMinute[this.planOf(profile)]) {
      const seconds = Math.ceil((MINUTE_MS - (this.#clock.now() % MINUTE_MS)) / 1_000);
      throw new PlatformError(429, `Too many requests (Retry-After: ${seconds})`, undefined, seconds);
    }
    use.used += 1;
  }
}
