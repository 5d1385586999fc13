import { isRecord } from "../../lib/core/json.ts";
import type { Clock } from "../core/clock.ts";
import type { ArrivalParts } from "../ingest/arrive.ts";
import { storeArrival } from "../ingest/arrive.ts";
import type { EntityDocument } from "../store/document.ts";
import type { Outbox } from "../store/outbox.ts";
import type { Tokens } from "../store/tokens.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { callLoopback, isLoopbackUrl, isOwnInspection, type OutgoingCall } from "./loopback.ts";

export interface PosterParts {
  /** Where programs on this machine reach the sandbox. */
  readonly address: { readonly origin: string };
  readonly db: SandboxDatabase;
  readonly log: (message: string) => void;
  readonly outbox: Outbox;
}

export interface FallbackParts extends ArrivalParts {
  readonly clock: Clock;
  readonly tokens: Tokens;
}

const MAX_ATTEMPTS = 10;
const RETRY_MS = 200;

/** HTTP calls of actions and notification buttons. */
export interface Poster {
  /**
   * Sends a call once the request is committed, up to ten times until it is answered with 20x; `onFailure` is called
   * after the last. A call to another machine goes to the outbox instead.
   */
  send(source: Readonly<Record<string, string>>, call: OutgoingCall, onFailure?: () => void): void;
  /** Calls of an action under way. */
  busy(action: string): number;
  close(): void;
}

const wait = (delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs).unref();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

export function createPoster(app: PosterParts): Poster {
  const abort = new AbortController();
  const counts = new Map<string, number>();
  const count = (action: string, by: 1 | -1): void => {
    const next = (counts.get(action) ?? 0) + by;
    if (next > 0) counts.set(action, next);
    else counts.delete(action);
  };

  const attempt = async (call: OutgoingCall): Promise<boolean> => {
    if (isOwnInspection(call.url, app.address.origin)) {
      app.log(`A call to ${new URL(call.url).pathname} was not sent: actions and buttons do not reach inspection`);
      return false;
    }
    for (let retries = 0; retries < MAX_ATTEMPTS && !abort.signal.aborted; retries += 1) {
      if (retries > 0) await wait(RETRY_MS, abort.signal);
      const headers = { ...call.headers, "TagoIO-Retries": String(retries) };
      const status = await callLoopback({ ...call, headers }, abort.signal);
      if (status >= 200 && status <= 209) return true;
    }
    return false;
  };

  const run = async (action: string, call: OutgoingCall, onFailure?: () => void): Promise<void> => {
    count(action, 1);
    try {
      if (!(await attempt(call)) && !abort.signal.aborted) onFailure?.();
    } catch (error) {
      app.log(`An HTTP call to ${new URL(call.url).host} could not be made: ${String(error)}`);
    } finally {
      count(action, -1);
    }
  };

  return {
    send: (source, call, onFailure) => {
      const { action = "" } = source;
      if (isLoopbackUrl(call.url)) app.db.afterCommit(() => void run(action, call, onFailure));
      else app.outbox.add("http", { ...source, ...call });
    },
    busy: (action) => counts.get(action) ?? 0,
    close: () => abort.abort(),
  };
}

/** Stores the rows that could not be posted on the device of a token, with what went wrong. */
export function storeFallback(
  app: FallbackParts,
  action: EntityDocument,
  token: string,
  scope: readonly unknown[],
): void {
  const found = app.tokens.find(token);
  const device = found?.kind === "device" ? app.collection("device").get(found.refId) : undefined;
  if (device === undefined || device.profile !== action.profile) return;
  const params = isRecord(action["action"]) ? action["action"] : {};
  const note = {
    _http_error: "The address did not answer with 20x",
    _http_url: String(params["url"]),
    _http_attempts: MAX_ATTEMPTS,
  };
  const rows = scope.filter(isRecord).map(({ id: _id, device: _device, created_at: _created, ...row }) => ({
    ...row,
    metadata: { ...(isRecord(row["metadata"]) ? row["metadata"] : {}), ...note },
  }));
  if (rows.length > 0) storeArrival(app, { device, body: rows, nowMs: app.clock.now() });
}
