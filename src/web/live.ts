import type { ConsoleEvent } from "../sandbox/stream/console-events.ts";
import { request } from "./api.ts";

/** An event of the sandbox, or that the connection is back. Every text in it comes from outside and is shown as text. */
export type LiveEvent = ConsoleEvent | { readonly type: "reconnected" };

/** True for the change of a resource of this kind, or of the one with this id. */
export const isChange = (event: LiveEvent, kind: string, id?: string): boolean =>
  event.type === "changed" && event.kind === kind && (id === undefined || event.id === id);

/** Records that a device got. */
export const recordsFor = (events: readonly LiveEvent[], device: string): unknown[] =>
  events.flatMap((event) => (event.type === "data" && event.device === device ? event.records : []));

/** True where records of a device changed that no event holds: they have to be read. */
export const isMissed = (event: LiveEvent, device: string): boolean =>
  event.type === "reconnected" ||
  isChange(event, "data", device) ||
  (event.type === "data" && event.device === device && event.amount > event.records.length);

export type LiveState =
  | { readonly kind: "connecting" | "live" | "behind" | "stopped" | "signed-out" }
  | { readonly kind: "waiting"; readonly seconds: number };

/** The pieces of a stream; not every browser can iterate one. */
async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

type Listener = (events: readonly LiveEvent[]) => void;

/** At most ten times a second, so that two hundred events are ten renders. */
const FLUSH_MS = 100;
/** Events that wait for a tab in the background. */
const MAX_WAITING = 5_000;
const WAITS_SECONDS = [1, 2, 3, 5, 10];
/** The stream sends something every 15 s. */
const MAX_SILENCE_MS = 40_000;
/** Connected, but something on the page could not be read again. */
const BEHIND: LiveState = { kind: "behind" };

/**
 * The one connection to the sandbox's stream. It connects again by itself until it is stopped or the key is void. An
 * EventSource could not send the key.
 */
export class Live {
  #state: LiveState = { kind: "connecting" };
  #source: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  #silence: ReturnType<typeof setTimeout> | undefined;
  /** Whether events may have been missed: then the views read again once connected. */
  #hasMissed = false;
  #behind = 0;
  #waiting: LiveEvent[] = [];
  readonly #listeners = new Set<Listener>();
  readonly #stateListeners = new Set<() => void>();

  readonly state = (): LiveState => (this.#state.kind === "live" && this.#behind > 0 ? BEHIND : this.#state);

  /** Something shown may be out of date, until the returned function is called. */
  fallBehind(): () => void {
    this.#behind += 1;
    this.#tell();
    return () => {
      this.#behind -= 1;
      this.#tell();
    };
  }

  readonly onState = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  subscribe(listener: Listener): () => void {
    // A view reads before the stream is there: what happens in between would reach it in neither way.
    if (this.#source !== undefined && this.#state.kind !== "live") this.#hasMissed = true;
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): void {
    this.#close();
    this.#hasMissed ||= this.#state.kind !== "connecting";
    this.#set({ kind: "connecting" });
    const source = new AbortController();
    this.#source = source;
    void this.#read(source).then(
      (status) => this.#ended(source, status),
      () => this.#ended(source),
    );
  }

  stop(): void {
    this.#close();
    this.#set({ kind: "stopped" });
  }

  /** Reads the stream to its end; resolves to the status if it was rejected. */
  async #read({ signal }: AbortController): Promise<number | undefined> {
    const { ok, status, body } = await request("stream", { signal });
    if (!ok || body === null) return status;
    this.#attempts = 0;
    this.#set({ kind: "live" });
    // What happened meanwhile is not sent again: the views read again.
    if (this.#hasMissed) this.#add({ type: "reconnected" });
    this.#hasMissed = false;
    let text = "";
    this.#listen();
    for await (const piece of chunksOf(body.pipeThrough(new TextDecoderStream()))) {
      this.#listen();
      const lines = `${text}${piece}`.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("data: ")) this.#take(line.slice("data: ".length));
    }
    return undefined;
  }

  #take(data: string): void {
    try {
      const { payload } = JSON.parse(data);
      if (typeof payload?.type === "string") this.#add(payload);
    } catch {
      // Not ours.
    }
  }

  /** A connection that is silent for too long is a lost one. */
  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.start(), MAX_SILENCE_MS);
  }

  #ended(source: AbortController, status?: number): void {
    if (this.#source !== source) return;
    this.#close();
    if (status === 401) this.#set({ kind: "signed-out" });
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
    clearTimeout(this.#silence);
    this.#source?.abort();
    this.#source = undefined;
  }

  #set(state: LiveState): void {
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#stateListeners) listener();
  }

  #add(event: LiveEvent): void {
    this.#waiting.push(event);
    // What is dropped can only be read.
    if (this.#waiting.length > MAX_WAITING) this.#waiting = [{ type: "reconnected" }];
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined;
      const events = this.#waiting;
      this.#waiting = [];
      for (const listener of this.#listeners) listener(events);
    }, FLUSH_MS);
  }
}
