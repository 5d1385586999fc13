import { createRandom, type Random } from "../../lib/core/random.ts";
import type { FaultRuleState, Faults } from "../core/fault-rules.ts";
import {
  channelPattern,
  DEFAULT_DELAY_MS,
  type FaultRule,
  faultProblem,
  isStreamFault,
  routePattern,
} from "../core/fault-rules.ts";
import type { StreamFaults, StreamRule } from "../stream/gate.ts";

interface Entry {
  readonly rule: FaultRule;
  readonly pattern: RegExp;
  readonly random: Random;
  injected: number;
}

const isSpent = ({ rule, injected }: Entry): boolean => injected >= (rule.count ?? Number.POSITIVE_INFINITY);

const isChosen = ({ rule, random }: Entry): boolean => random() < (rule.rate ?? 1);

const delayOf = ({ rule, random }: Entry): number => {
  const { delayMs = DEFAULT_DELAY_MS, jitterMs } = rule;
  return jitterMs === undefined ? delayMs : Math.round(delayMs + random() * jitterMs);
};

function streamRule(entry: Entry): StreamRule {
  const channel = channelPattern(entry.rule.channel);
  return {
    rule: entry.rule,
    matches: (name) => channel.test(name),
    isChosen: () => !isSpent(entry) && isChosen(entry),
    inject: () => {
      if (isSpent(entry)) return false;
      entry.injected += 1;
      return true;
    },
    delayMs: () => delayOf(entry),
  };
}

/** The faults of one sandbox. The random numbers restart with every set of rules, separately for each rule. */
export class FaultInjector implements Faults {
  readonly #seed: number;
  #entries: Entry[] = [];
  #requests: Entry[] = [];
  #streams: StreamRule[] = [];
  readonly #listeners = new Set<() => void>();
  /** The rules of event streams. */
  readonly stream: StreamFaults;

  constructor(initial: readonly FaultRule[] = [], seed = 1) {
    this.#seed = seed;
    this.set(initial);
    this.stream = {
      rules: () => this.#streams,
      onChange: (changed) => {
        this.#listeners.add(changed);
        return () => {
          this.#listeners.delete(changed);
        };
      },
    };
  }

  set(rules: readonly FaultRule[]): void {
    for (const rule of rules) {
      const problem = faultProblem(rule);
      if (problem !== undefined) throw new RangeError(`Invalid fault rule: ${problem}`);
    }
    this.#entries = rules.map((rule, index) => {
      const random = createRandom(this.#seed, `fault ${index}`);
      return { rule, pattern: routePattern(rule.route), random, injected: 0 };
    });
    this.#requests = this.#entries.filter(({ rule }) => !isStreamFault(rule));
    this.#streams = this.#entries.filter(({ rule }) => isStreamFault(rule)).map(streamRule);
    for (const changed of [...this.#listeners]) changed();
  }

  list(): FaultRuleState[] {
    return this.#entries.map(({ rule, injected }) => ({ ...rule, injected }));
  }

  /** The rules injected into this request, each counted, with the `delayMs` drawn for it. */
  inject(method: string, path: string): readonly FaultRule[] {
    if (this.#requests.length === 0) return [];
    const request = `${method} ${path}`;
    const chosen = this.#requests.filter((entry) => !isSpent(entry) && entry.pattern.test(request) && isChosen(entry));
    return chosen.map((entry) => {
      entry.injected += 1;
      return entry.rule.kind === "latency" ? { ...entry.rule, delayMs: delayOf(entry) } : entry.rule;
    });
  }
}
