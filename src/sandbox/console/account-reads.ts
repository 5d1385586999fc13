import type { Reply } from "../http/respond.ts";

/** Least time between two reads of the same thing. */
export const READ_EVERY_MS = 10_000;
/** Responses that are held. */
const MAX_HELD = 200;

interface Held {
  readonly reply: Promise<Reply>;
  /** When it arrived, of a monotonic clock: a request may have waited for the limits before it was sent. */
  atMs: number;
  /** Data has arrived since. */
  isStale: boolean;
  /** A page got it, and gets an event when it may be read again. */
  isTold: boolean;
}

/** Responses of the last seconds: several pages, and one that is loaded again, are one read. In memory only. */
export class RecentReads {
  readonly #held = new Map<string, Held>();
  readonly #onLate: (path: string) => void;

  /** @param onLate called with the path of a response that was given again, once it may be read again and has changed */
  constructor(onLate: (path: string) => void) {
    this.#onLate = onLate;
  }

  /** @param isFresh reads it from the account even if a response is held */
  read(path: string, send: () => Promise<Reply>, isFresh = false): Promise<Reply> {
    const known = isFresh ? undefined : this.#held.get(path);
    const restMs = known === undefined ? 0 : known.atMs + READ_EVERY_MS - performance.now();
    if (known !== undefined && restMs > 0) {
      this.#tellLater(path, known, restMs);
      return known.reply;
    }
    const reply = send();
    const held = { reply, atMs: performance.now(), isStale: false, isTold: false };
    reply.then(
      () => {
        held.atMs = performance.now();
      },
      () => undefined,
    );
    this.#held.delete(path);
    this.#held.set(path, held);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MAX_HELD) break;
      this.#held.delete(oldest);
    }
    const forget = (): void => void (this.#held.get(path) === held && this.#held.delete(path));
    // What failed may be tried again at once.
    reply.then(({ status }) => (status === 200 ? undefined : forget()), forget);
    return reply;
  }

  /** Data has arrived: what is held may lack it. */
  markStale(): void {
    for (const held of this.#held.values()) held.isStale = true;
  }

  /** Something was written: everything is read again. */
  clear(): void {
    this.#held.clear();
  }

  #tellLater(path: string, held: Held, restMs: number): void {
    if (held.isTold) return;
    held.isTold = true;
    setTimeout(() => {
      if (held.isStale) this.#onLate(path);
    }, restMs).unref();
  }
}
