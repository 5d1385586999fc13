import type { Principal } from "./principal.ts";

/** The principal of the current handler. Handlers are synchronous, so there is one at a time. */
export class Caller {
  #current: Principal | undefined;

  /** `undefined` outside of requests, and for requests without a token. */
  current(): Principal | undefined {
    return this.#current?.kind === "anonymous" ? undefined : this.#current;
  }

  /** Runs work for a principal. */
  as<T>(principal: Principal, work: () => T): T {
    const outer = this.#current;
    this.#current = principal;
    try {
      return work();
    } finally {
      this.#current = outer;
    }
  }
}
