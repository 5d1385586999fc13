import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { QueryObject } from "../core/query.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { COUNT_LIMITS, type CountLimit, isPlan, type Plan, RATE_LIMITS, type RateLimit } from "./limit-tables.ts";
import { routeKey } from "./router.ts";

const MINUTE_MS = 60_000;

/** Which limits apply. Without a plan, that of the account that owns the profile. */
export interface LimitSettings {
  /** Requests per minute. Off by default. */
  readonly perMinute: boolean;
  /** Plan whose limits apply. */
  readonly plan?: Plan;
}

/** How far a profile has come with a limit in this minute. */
export interface LimitUse {
  /** Id of the profile. */
  readonly profile: string;
  /** Name of the limit, such as `device list`. */
  readonly limit: string;
  /** Requests counted. */
  readonly used: number;
  /** Requests allowed per minute. */
  readonly most: number;
}

/** A request by the path of its route, with its parts by name. */
interface LimitedRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path of the route, with a `:name` for every part. */
  readonly path: string;
  /** Id of the profile it counts for. */
  readonly profile: string;
}

/** The limits of the plans (SERVER.md section 12). */
export interface Limits {
  /** What applies now. */
  readonly settings: LimitSettings;
  /** Changes what applies, from the next request on. */
  set(settings: LimitSettings): void;
  /** Counts a request; refuses it with 429 when the minute has had enough of its kind. */
  countRequest(request: LimitedRequest, query: QueryObject): void;
  /** Refuses with 402 what would create one record too many. */
  checkRoom(request: LimitedRequest): void;
  /** What was counted in the present minute. */
  uses(): LimitUse[];
}

interface RouteLimits {
  readonly rates: readonly RateLimit[];
  readonly count: CountLimit | undefined;
}

export function createLimits(db: SandboxDatabase, clock: Clock, initial: LimitSettings): Limits {
  let settings = initial;
  let minute = -1;
  let uses = new Map<string, { readonly profile: string; readonly limit: RateLimit; used: number }>();
  const known = new Map<string, RouteLimits>();

  /** The routes are few: what applies to each is looked up once. */
  const limitsOf = (method: string, path: string): RouteLimits => {
    const key = routeKey(method, path);
    const found = known.get(key) ?? {
      rates: RATE_LIMITS.filter(({ route }) => route.test(key)),
      count: COUNT_LIMITS.find(({ route }) => route.test(key)),
    };
    known.set(key, found);
    return found;
  };

  const planOf = (profile: string): Plan => {
    if (settings.plan !== undefined) return settings.plan;
    const row = db.get<{ plan: unknown }>(
      "SELECT json_extract(a.doc, '$.plan') AS plan FROM profile p JOIN account a ON a.id = p.account WHERE p.id = ?",
      profile,
    );
    return isPlan(row?.plan) ? row.plan : "scale";
  };

  const startMinute = (): void => {
    const now = Math.floor(clock.now() / MINUTE_MS);
    if (now === minute) return;
    minute = now;
    uses = new Map();
  };

  const checkRate = (limit: RateLimit, profile: string): void => {
    startMinute();
    const key = `${profile} ${limit.name}`;
    const use = uses.get(key) ?? { profile, limit, used: 0 };
    uses.set(key, use);
    if (use.used >= limit.perMinute[planOf(profile)]) {
      const seconds = Math.ceil((MINUTE_MS - (clock.now() % MINUTE_MS)) / 1_000);
      throw new PlatformError(429, `Too many requests (Retry-After: ${seconds})`, undefined, seconds);
    }
    use.used += 1;
  };

  const checkCount = ({ kind, thing, most }: CountLimit, profile: string): void => {
    const limit = most[planOf(profile)];
    const row = db.get<{ n: number }>("SELECT count(*) AS n FROM entity WHERE kind = ? AND profile = ?", kind, profile);
    // The platform refuses when more than the limit exist, so one above the number fits.
    if ((row?.n ?? 0) <= limit) return;
    const text = `You have exceeded the maximum limit of ${thing} (${limit}). Please upgrade you plan or contact support.`;
    throw new PlatformError(402, text);
  };

  return {
    get settings() {
      return settings;
    },
    set: (next) => {
      settings = next;
      uses = new Map();
    },
    countRequest: ({ method, path, profile }, query) => {
      if (!settings.perMinute) return;
      const { rates } = limitsOf(method, path);
      const rate = rates.find((limit) => limit.query === undefined || limit.query === query["query"]);
      if (rate !== undefined) checkRate(rate, profile);
    },
    checkRoom: ({ method, path, profile }) => {
      const { count } = limitsOf(method, path);
      if (count !== undefined) checkCount(count, profile);
    },
    uses: () => {
      startMinute();
      return [...uses.values()].map(({ profile, limit, used }) => ({
        profile,
        limit: limit.name,
        used,
        most: limit.perMinute[planOf(profile)],
      }));
    },
  };
}
