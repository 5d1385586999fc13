import type { Principal } from "./principal.ts";

/** Who the running handler works for. Handlers are synchronous, so there is one at a time. */
export interface Caller {
  /** `undefined` outside of requests, and for requests without a token. */
  current(): Principal | undefined;
  /** Runs work for a principal. */
  as<T>(principal: Principal, work: () => T): T;
}

export function createCaller(): Caller {
  let current: Principal | undefined;
  return {
    current: () => (current?.kind === "anonymous" ? undefined : current),
    as: (principal, work) => {
      const outer = current;
      current = principal;
      try {
        return work();
      } finally {
        current = outer;
      }
    },
  };
}
