import type { Transport } from "../../index.ts";
import type { GlobalFlags } from "../kit/command/flags.ts";
import type { CommandClock, Messages, RequestOptions } from "../kit/context.ts";
import type { StatusLine } from "../kit/say/status-line.ts";
import { shownTransport, showRetry } from "../kit/say/waiting.ts";

/** What the options are made from. */
export interface ClientSetup {
  readonly flags: GlobalFlags;
  readonly signal: AbortSignal;
  readonly status: StatusLine;
  readonly say: Messages;
  /** Replaces the library's own. */
  readonly transport?: Transport | undefined;
  /** Replaces the clock of the system. */
  readonly clock?: CommandClock | undefined;
  /** Certificates to trust besides the usual ones. */
  readonly ca: string | undefined;
  /** Lets through only what may be sent now. */
  guard(load: () => Promise<Transport>): Transport;
}

/** Attempts when a server refuses connections or its name is unknown: it seldom comes up within seconds. */
const UNREACHABLE_ATTEMPTS = 2;

/** Options of the client that come from flags, and what holds for every request of the command line. */
export function clientOptions(setup: ClientSetup): RequestOptions {
  const { flags, signal, status, say, clock } = setup;
  const choice = {
    ...(flags.proxy === undefined ? {} : { proxy: flags.proxy }),
    ...(setup.ca === undefined ? {} : { ca: setup.ca }),
  };
  const chosen = async (): Promise<Transport> => {
    if (setup.transport !== undefined) return setup.transport;
    return (await import("../../lib/http/choose-transport.ts")).chooseTransport(choice);
  };
  const guarded = setup.guard(chosen);
  return {
    signal,
    ...choice,
    ...(clock === undefined ? {} : { clock: { now: clock.elapsed, sleep: clock.sleep } }),
    transport: status.isShown || status.isPlain ? shownTransport({ status, flags, say }, async () => guarded) : guarded,
    ...(flags.timeoutMs === undefined ? {} : { timeoutMs: flags.timeoutMs }),
    ...(flags.retries === undefined ? {} : { attempts: flags.retries + 1 }),
    strictResults: true,
    retry: { ambiguousWrites: false, unreachableAttempts: UNREACHABLE_ATTEMPTS },
    onRetry: (event) => showRetry({ say, status }, event),
  };
}
