import { createRandom, type Random } from "./seeds/random.ts";

/** Trouble on demand: what a client has to live through, switched on per route. */
export interface FaultRule {
  /** Method and path with `*` as wildcard: `POST /data`, `GET /device/*`, `*`. Default: every route. */
  readonly route?: string;
  /** `latency` waits and goes on; `status` refuses; `drop` cuts the connection; `truncate` cuts the answer in half. */
  readonly kind: "latency" | "status" | "drop" | "truncate";
  /** For `latency`. Default 1000, at most 120,000. */
  readonly delayMs?: number;
  /** For `status`. Default 500. */
  readonly status?: number;
  /** For `status`: text of the error. */
  readonly message?: string;
  /** Sent as `Retry-After` with `status`. */
  readonly retryAfterSeconds?: number;
  /** Requests to strike; then the rule is spent. Default: all. */
  readonly count?: number;
  /** Share of requests to strike, 0 to 1. Default 1. Which ones follows from the seed of the sandbox. */
  readonly rate?: number;
}

/** A rule and what it has done. */
interface FaultRuleState extends FaultRule {
  /** Requests struck so far. */
  readonly struck: number;
}

/** The trouble a sandbox makes now. */
export interface Faults {
  /** Takes the place of all rules there were. */
  set(rules: readonly FaultRule[]): void;
  /** Every rule, with the number of requests it struck. */
  list(): FaultRuleState[];
  /** The rules that strike this request, each counted. */
  strike(method: string, path: string): readonly FaultRule[];
}

/** Longest delay of a `latency` rule. */
export const MAX_DELAY_MS = 120_000;
const KINDS: readonly string[] = ["latency", "status", "drop", "truncate"] satisfies FaultRule["kind"][];

/** `undefined` when the value is a rule, else what is wrong with it. */
export function faultProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return "a rule is an object";
  const rule: Readonly<Record<string, unknown>> = { ...value };
  if (typeof rule["kind"] !== "string" || !KINDS.includes(rule["kind"])) return `kind is one of ${KINDS.join(", ")}`;
  if (rule["route"] !== undefined && typeof rule["route"] !== "string") return "route is a text such as POST /data";
  const bounds = [
    ["delayMs", 0, MAX_DELAY_MS],
    ["status", 400, 599],
    ["retryAfterSeconds", 0, 86_400],
    ["count", 1, Number.MAX_SAFE_INTEGER],
    ["rate", 0, 1],
  ] as const;
  for (const [name, least, most] of bounds) {
    const number = rule[name];
    if (number === undefined) continue;
    if (typeof number !== "number" || !(number >= least && number <= most))
      return `${name} is between ${least} and ${most}`;
  }
  return undefined;
}

/** A value checked by `faultProblem`. */
export function isFaultRule(value: unknown): value is FaultRule {
  return faultProblem(value) === undefined;
}

function matcher(route = "*"): RegExp {
  const text = route.trim();
  const full = text === "*" || /^[A-Z*]+ /.test(text) ? text : `* ${text}`;
  const pattern = full.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll(/\*+/g, ".*");
  return new RegExp(`^${pattern}/?$`);
}

interface Entry {
  readonly rule: FaultRule;
  readonly pattern: RegExp;
  readonly random: Random;
  struck: number;
}

/** Holds the rules. The dice for `rate` start again with every set of rules, and each rule has its own. */
export function createFaults(initial: readonly FaultRule[] = [], seed = 1): Faults {
  let entries: Entry[] = [];

  const set = (rules: readonly FaultRule[]): void => {
    for (const rule of rules) {
      const problem = faultProblem(rule);
      if (problem !== undefined) throw new RangeError(`Invalid fault rule: ${problem}`);
    }
    entries = rules.map((rule, index) => {
      const random = createRandom(seed, `fault ${index}`);
      return { rule, pattern: matcher(rule.route), random, struck: 0 };
    });
  };
  set(initial);

  return {
    set,
    list: () => entries.map(({ rule, struck }) => ({ ...rule, struck })),
    strike: (method, path) => {
      if (entries.length === 0) return [];
      const place = `${method} ${path}`;
      const struck = entries.filter(
        (entry) =>
          entry.struck < (entry.rule.count ?? Number.POSITIVE_INFINITY) &&
          entry.pattern.test(place) &&
          entry.random() < (entry.rule.rate ?? 1),
      );
      for (const entry of struck) entry.struck += 1;
      return struck.map((entry) => entry.rule);
    },
  };
}
