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
  /** Address of the sandbox for programs on this machine. */
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

const wait = (delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs).unref();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** HTTP calls of actions and notification buttons. */
export class Poster {
  readonly #app: PosterParts;
  readonly #abort = new AbortController();
  readonly #counts = new Map<string, number>();

  constructor(app: PosterParts) {
    this.#app = app;
  }

  /**
   * Sends a call once the request is committed, up to ten times until the response is 20x; `onFailure` is called after
   * the last attempt. A call to another machine goes to the outbox instead.
   */
  send(source: Readonly<Record<string, string>>, call: OutgoingCall, onFailure?: () => void): void {
    const { action = "" } = source;
    if (isLoopbackUrl(call.url)) this.#app.db.afterCommit(() => void this.#run(action, call, onFailure));
    else this.#app.outbox.add("http", { ...source, ...call });
  }

  /** Pending calls of an action. */
  busy(action: string): number {
    return this.#counts.get(action) ?? 0;
  }

  close(): void {
    this.#abort.abort();
  }

  #count(action: string, by: 1 | -1): void {
    const next = (this.#counts.get(action) ?? 0) + by;
    if (next > 0) this.#counts.set(action, next);
    else this.#counts.delete(action);
  }

  async #attempt(call: OutgoingCall): Promise<boolean> {
    if (isOwnInspection(call.url, this.#app.address.origin)) {
      this.#app.log(
        `A call to ${new URL(call.url).pathname} was not sent: actions and buttons do not reach inspection`,
      );
      return false;
    }
    for (let retries = 0; retries < MAX_ATTEMPTS && !this.#abort.signal.aborted; retries += 1) {
      if (retries > 0) await wait(RETRY_MS, this.#abort.signal);
      const headers = { ...call.headers, "TagoIO-Retries": String(retries) };
      const status = await callLoopback({ ...call, headers }, this.#abort.signal);
      if (status >= 200 && status <= 209) return true;
    }
    return false;
  }

  async #run(action: string, call: OutgoingCall, onFailure?: () => void): Promise<void> {
    this.#count(action, 1);
    try {
      if (!(await this.#attempt(call)) && !this.#abort.signal.aborted) onFailure?.();
    } catch (error) {
      this.#app.log(`An HTTP call to ${new URL(call.url).host} could not be made: ${String(error)}`);
    } finally {
      this.#count(action, -1);
    }
  }
}

/** Stores the rows that could not be posted on the device of a token, with the error. */
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
