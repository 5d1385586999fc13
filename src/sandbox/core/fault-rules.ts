/** A fault: what a client has to cope with, injected into requests or event streams. */
export interface FaultRule {
  /**
   * Method and path with `*` as wildcard: `POST /data`, `GET /device/*`, `*`. Default: every route. For `cut`, `stall`,
   * `duplicate` and `delay` it is the event stream, `GET /events`, or a pattern that includes it.
   */
  readonly route?: string;
  /**
   * For requests: `latency` delays them, `status` rejects them, `drop` closes the connection, `truncate` sends half of
   * the response. For event streams, open ones included: `cut` closes the connection, `stall` sends nothing while it
   * stays open, `duplicate` sends an event twice, `delay` sends an event and those after it later.
   */
  readonly kind: "latency" | "status" | "drop" | "truncate" | StreamFaultKind;
  /** For `latency` and `delay`. Default 1000, at most 120,000. */
  readonly delayMs?: number;
  /** For `latency` and `delay`: up to this much is added at random, following the seed. Default 0; with `delayMs` at most 120,000. */
  readonly jitterMs?: number;
  /** For `status`. Default 500. */
  readonly status?: number;
  /** For `status`: message of the error. */
  readonly message?: string;
  /** Sent as `Retry-After` with `status`. */
  readonly retryAfterSeconds?: number;
  /**
   * For `cut` and `stall`: after this many events, counted from the start of the stream or the rule. Default 0:
   * immediately.
   */
  readonly after?: number;
  /** For `cut` and `stall`: after this time instead of a number of events. */
  readonly afterMs?: number;
  /** For `stall`: how long. Events of that time are sent afterwards. Default: until the rules change. */
  readonly forMs?: number;
  /** For event streams: only this channel, such as `device_data` or `device_data.*`. Default: all. */
  readonly channel?: string;
  /**
   * Injections, after which the rule has no effect: requests, streams (`cut`, `stall`) or events (`duplicate`, `delay`).
   * Default: no limit.
   */
  readonly count?: number;
  /** Share of requests, streams or events, 0 to 1. Default 1. The seed of the sandbox determines which ones. */
  readonly rate?: number;
}

/** Faults of event streams. */
type StreamFaultKind = "cut" | "stall" | "duplicate" | "delay";

const STREAM_KINDS = ["cut", "stall", "duplicate", "delay"] as const satisfies readonly StreamFaultKind[];

/** Every kind of fault. */
const FAULT_KINDS = ["latency", "status", "drop", "truncate", ...STREAM_KINDS] as const;

/** Longest delay of a rule. */
export const MAX_DELAY_MS = 120_000;
export const DEFAULT_DELAY_MS = 1_000;
const MAX_STREAM_MS = 86_400_000;

/** The route of the event stream, as rules match it. */
const STREAM_ROUTE = "GET /events";

export function isStreamFault({ kind }: FaultRule): boolean {
  return STREAM_KINDS.some((each) => each === kind);
}

const bounds = [
  ["delayMs", 0, MAX_DELAY_MS],
  ["jitterMs", 0, MAX_DELAY_MS],
  ["status", 400, 599],
  ["retryAfterSeconds", 0, 86_400],
  ["after", 0, Number.MAX_SAFE_INTEGER],
  ["afterMs", 0, MAX_STREAM_MS],
  ["forMs", 0, MAX_STREAM_MS],
  ["count", 1, Number.MAX_SAFE_INTEGER],
  ["rate", 0, 1],
] as const;

/** Properties that only some kinds have. */
const owners: Readonly<Record<string, readonly string[]>> = {
  jitterMs: ["latency", "delay"],
  after: ["cut", "stall"],
  afterMs: ["cut", "stall"],
  forMs: ["stall"],
  channel: STREAM_KINDS,
};

/** `undefined` when the value is a rule, else what is wrong with it. */
export function faultProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return "a rule is an object";
  const rule: Readonly<Record<string, unknown>> = { ...value };
  const kind = FAULT_KINDS.find((each) => each === rule["kind"]);
  if (kind === undefined) return `kind is one of ${FAULT_KINDS.join(", ")}`;
  const { route, channel } = rule;
  if (route !== undefined && typeof route !== "string") return "route is a string such as POST /data";
  if (channel !== undefined && typeof channel !== "string") return "channel is a string such as device_data";
  for (const [name, least, most] of bounds) {
    const number = rule[name];
    if (number === undefined) continue;
    if (typeof number !== "number" || !(number >= least && number <= most))
      return `${name} is between ${least} and ${most}`;
  }
  for (const [name, kinds] of Object.entries(owners)) {
    if (rule[name] !== undefined && !kinds.includes(kind)) return `${name} is for ${kinds.join(", ")}`;
  }
  if (Number(rule["delayMs"] ?? DEFAULT_DELAY_MS) + Number(rule["jitterMs"] ?? 0) > MAX_DELAY_MS)
    return `delayMs and jitterMs together are at most ${MAX_DELAY_MS}`;
  if (rule["after"] !== undefined && rule["afterMs"] !== undefined) return "after and afterMs exclude each other";
  if (isStreamFault({ kind }) && !matchesStream(route)) return `${kind} is for the event stream, ${STREAM_ROUTE}`;
  return undefined;
}

/** A value checked by `faultProblem`. */
export function isFaultRule(value: unknown): value is FaultRule {
  return faultProblem(value) === undefined;
}

const wildcards = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll(/\*+/g, ".*");

/** Matches `GET /device` against the route of a rule. */
export function routePattern(route = "*"): RegExp {
  const text = route.trim();
  const full = text === "*" || /^[A-Z*]+ /.test(text) ? text : `* ${text}`;
  return new RegExp(`^${wildcards(full)}/?$`);
}

/** Matches `ui` or `device_data.{id}` against the channel of a rule; one without an id matches all ids. */
export function channelPattern(channel = "*"): RegExp {
  return new RegExp(`^${wildcards(channel.trim())}(\\..*)?$`);
}

function matchesStream(route: string | undefined): boolean {
  return routePattern(route).test(STREAM_ROUTE);
}

/** A rule and its injections. */
export interface FaultRuleState extends FaultRule {
  /** Requests, streams or events it was injected into so far. */
  readonly injected: number;
}

/** The currently injected faults. */
export interface Faults {
  /**
   * Replaces all rules. Open event streams follow the new ones immediately; stalled ones continue.
   *
   * @throws RangeError for an invalid rule
   */
  set(rules: readonly FaultRule[]): void;
  /** Every rule, with the number of its injections. */
  list(): FaultRuleState[];
}
