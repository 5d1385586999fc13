/** Addresses that are remembered; then the one that was added first is forgotten. */
const MAX_ADDRESSES = 10_000;
const SECOND_MS = 1_000;

/** Counts what an address does, in each second. */
export class Strikes {
  readonly #most: number;
  readonly #seconds = new Map<string, { second: number; count: number }>();

  /** @param most how often in one second */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether the address has done it as often as it may. */
  isOut(address: string): boolean {
    const { second, count } = this.#seconds.get(address) ?? { second: 0, count: 0 };
    return second === now() && count >= this.#most;
  }

  add(address: string): void {
    const known = this.#seconds.get(address);
    if (known?.second === now()) {
      known.count += 1;
      return;
    }
    const [first] = this.#seconds.keys();
    if (known === undefined && this.#seconds.size >= MAX_ADDRESSES && first !== undefined) this.#seconds.delete(first);
    this.#seconds.set(address, { second: now(), count: 1 });
  }
}

/** Seconds since the process started; the clock of the sandbox may stand still. */
const now = (): number => Math.floor(performance.now() / SECOND_MS);
