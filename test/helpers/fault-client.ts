import type { ClientOptions } from "../../src/lib/api/client.ts";
import { CancelledError } from "../../src/lib/core/errors.ts";
import type { Clock } from "../../src/lib/http/retry.ts";

type Way = Pick<ClientOptions, "fetch" | "transport">;

/** The ways a program gets its transport: the default, the one it names, and any fetch it hands in. */
export const modes: readonly { readonly name: string; readonly options: Way }[] = [
  { name: "http", options: {} },
  { name: "undici", options: { transport: "undici" } },
  { name: "fetch", options: { fetch: (url, init) => fetch(url, init) } },
];

/** The mode of a program on Node that says nothing, for tests that take long with each of them; the others are slow. */
export const usualModes = modes.slice(0, 1);
export const otherModes = modes.slice(1);

export const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";

export interface RecordingClock extends Clock {
  /** Every wait that was asked for, in milliseconds. None of them was really waited. */
  readonly waits: number[];
}

export function recordingClock(): RecordingClock {
  const waits: number[] = [];
  return {
    waits,
    now: () => Date.now(),
    async sleep(ms, signal) {
      if (signal?.aborted) throw new CancelledError(undefined, signal.reason);
      waits.push(ms);
    },
  };
}

/** The error a call ends with; fails when it succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!("error" in outcome)) throw new Error(`The call succeeded with ${JSON.stringify(outcome.value)}`);
  const { error } = outcome;
  if (!(error instanceof Error)) throw new TypeError(`What was thrown is no Error: ${String(error)}`);
  return error as Error & Record<string, unknown>;
}
