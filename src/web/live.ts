import { InspectError, inspect } from "./api.ts";

/** What the stream of the sandbox tells. Everything in it comes from outside and is shown as text only. */
export interface LiveEvent {
  readonly type: string;
  readonly device?: string;
  readonly name?: unknown;
  readonly records?: readonly Readonly<Record<string, unknown>>[];
  readonly analysis?: string;
  readonly timestamp?: string;
  readonly message?: string;
  readonly entry?: RequestEntry;
  readonly kind?: string;
  readonly id?: string;
}

export interface RequestEntry {
  readonly n: number;
  readonly time: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly durationMs: number;
  readonly token: string;
  readonly gap?: string;
  readonly console?: true;
}

export type LiveState =
  | { readonly kind: "connecting" | "live" | "stopped" | "signed-out" }
  | { readonly kind: "waiting"; readonly seconds: number };

type Listener = (events: readonly LiveEvent[]) => void;

/** At most ten times a second, so that two hundred events are ten renders. */
const FLUSH_MS = 100;
/** Events that wait for a tab in the background; the oldest leave. */
const MAX_WAITING = 5_000;
const WAITS_SECONDS = [1, 2, 3, 5, 10];

/** The one connection to the sandbox's stream. It connects again by itself until it is stopped or the cookie is void. */
export class Live {
  #state: LiveState = { kind: "connecting" };
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  #waiting: LiveEvent[] = [];
  readonly #listeners = new Set<Listener>();
  readonly #stateListeners = new Set<() => void>();

  readonly state = (): LiveState => this.#state;

  readonly onState = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): void {
    this.#close();
    this.#set({ kind: "connecting" });
    const source = new EventSource("/__sandbox/stream");
    this.#source = source;
    source.onopen = () => {
      const isAgain = this.#attempts > 0;
      this.#attempts = 0;
      this.#set({ kind: "live" });
      // What happened meanwhile is not told again: the views read again.
      if (isAgain) this.#add({ type: "reconnected" });
    };
    source.onmessage = ({ data }: MessageEvent<string>) => {
      try {
        const { payload } = JSON.parse(data);
        if (typeof payload?.type === "string") this.#add(payload);
      } catch {
        // Not ours.
      }
    };
    source.onerror = () => void this.#failed(source);
  }

  stop(): void {
    this.#close();
    this.#set({ kind: "stopped" });
  }

  async #failed(source: EventSource): Promise<void> {
    source.close();
    if (this.#source !== source) return;
    this.#source = undefined;
    const refused = await inspect("GET", "health").then(
      () => false,
      (error: unknown) => error instanceof InspectError && error.status === 401,
    );
    if (this.#source !== undefined || this.#state.kind === "stopped") return;
    if (refused) this.#set({ kind: "signed-out" });
    else this.#wait(WAITS_SECONDS[Math.min(this.#attempts++, WAITS_SECONDS.length - 1)] ?? 1);
  }

  #wait(seconds: number): void {
    if (seconds === 0) {
      this.start();
      return;
    }
    this.#set({ kind: "waiting", seconds });
    this.#timer = setTimeout(() => this.#wait(seconds - 1), 1_000);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #set(state: LiveState): void {
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }

  #add(event: LiveEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.splice(0, this.#waiting.length - MAX_WAITING);
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined;
      const events = this.#waiting;
      this.#waiting = [];
      for (const listener of this.#listeners) listener(events);
    }, FLUSH_MS);
  }
}
