import type { Socket } from "node:net";
import type { Plan } from "../../core/plans.ts";
import { connectionsPerAddress, lifeMs, MAX_CONNECTIONS, SILENCE_MS } from "../rates.ts";

export interface LifeOptions {
  /** Whether connections end by themselves. */
  readonly hasLives: boolean;
  /** The plan of a profile; without one that of the sandbox, or the highest. */
  planOf(profile?: string): Plan;
  /** Whether connections of an address are limited by the plan. */
  isLimited(): boolean;
}

export type Ending = "ttl_expired" | "keep_alive_timeout" | "rate_limited";

/** The connections of one listener, and how long each may last. */
export class Lives {
  readonly #options: LifeOptions;
  readonly #byAddress = new Map<string, Set<Life>>();
  #count = 0;

  constructor(options: LifeOptions) {
    this.#options = options;
  }

  /** A life for a new connection. Without one it was closed, as there are too many. */
  begin(socket: Socket, onEnd: (why: Ending) => void): Life | undefined {
    if (this.#count >= MAX_CONNECTIONS) {
      socket.destroy();
      return undefined;
    }
    const address = socket.remoteAddress ?? "";
    const all = this.#byAddress.get(address) ?? new Set();
    const life = new Life(this.#options, all, onEnd);
    this.#count += 1;
    this.#byAddress.set(address, all.add(life));
    socket.once("close", () => {
      life.stop();
      this.#count -= 1;
      all.delete(life);
      if (all.size === 0 && this.#byAddress.get(address) === all) this.#byAddress.delete(address);
    });
    life.check();
    return life;
  }
}

/** How long one connection lasts: it ends when it is old, or silent. */
export class Life {
  readonly #options: LifeOptions;
  readonly #neighbours: ReadonlySet<Life>;
  readonly #onEnd: (why: Ending) => void;
  readonly #startedMs = performance.now();
  #age: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #profile: string | undefined;
  #isOver = false;

  constructor(options: LifeOptions, neighbours: ReadonlySet<Life>, onEnd: (why: Ending) => void) {
    this.#options = options;
    this.#neighbours = neighbours;
    this.#onEnd = onEnd;
    if (!options.hasLives) return;
    this.#age = setTimeout(() => this.#grow(), lifeMs.free);
    this.heard();
  }

  /** A sign of life. */
  heard(): void {
    if (this.#isOver || !this.#options.hasLives) return;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.end("keep_alive_timeout"), SILENCE_MS);
  }

  /** It is known whose connection it is, and so which plan counts. */
  belongsTo(profile: string): void {
    if (this.#profile === profile) return;
    this.#profile = profile;
    this.check();
  }

  /** Ends it if its address has more connections than the plan allows. */
  check(): void {
    const most = connectionsPerAddress[this.#options.planOf(this.#profile)];
    if (this.#options.isLimited() && this.#neighbours.size > most) this.end("rate_limited");
  }

  end(why: Ending): void {
    if (this.#isOver) return;
    this.stop();
    this.#onEnd(why);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#age);
    clearTimeout(this.#silence);
  }

  /** Some plans let connections live longer. */
  #grow(): void {
    const leftMs = lifeMs[this.#options.planOf(this.#profile)] - lifeMs.free;
    const isOld = leftMs <= 0 || performance.now() - this.#startedMs > lifeMs.free + leftMs / 2;
    if (isOld) this.end("ttl_expired");
    else this.#age = setTimeout(() => this.#grow(), leftMs);
  }
}
