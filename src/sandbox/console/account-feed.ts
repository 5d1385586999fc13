import { isRecord } from "../../lib/core/json.ts";
import type { ConsoleEvent } from "../stream/console-events.ts";

/** Devices that are followed; of more, those that were read last. */
const MAX_DEVICES = 100;
/** The widgets of a dashboard are read one after the other: their devices are followed together. */
const GATHER_MS = 500;
/** Rows of one event: the console shows no more at a time. */
const MAX_LIVE_ROWS = 200;

/** What the stream of the platform says. */
type FeedItem =
  | { readonly type: "open" | "gap" }
  | { readonly type: "event"; readonly channel: string; readonly payload: unknown };

/** Opens a stream of the account: of its resources, and of the data of these devices. */
export type Follow = (devices: readonly string[], signal: AbortSignal) => AsyncIterable<FeedItem>;

function eventOf(channel: string, payload: unknown): ConsoleEvent | undefined {
  const [name, device] = channel.split(".");
  if (name === "device_data" && device !== undefined) {
    const records = [payload].flat().filter(isRecord);
    return { type: "data", device, name: "", records: records.slice(-MAX_LIVE_ROWS), amount: records.length };
  }
  if (name !== "ui" || !isRecord(payload)) return undefined;
  return {
    type: "changed",
    kind: String(payload["resource"]),
    event: String(payload["when"]),
    id: String(payload["id"]),
  };
}

/** The one stream of the account, of what open pages show. */
export class AccountFeed {
  readonly #follow: Follow;
  readonly #tell: (event: ConsoleEvent) => void;
  /** In the order in which they were read. */
  readonly #devices = new Set<string>();
  #followed = new Set<string>();
  #current: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pages = 0;

  constructor(follow: Follow, tell: (event: ConsoleEvent) => void) {
    this.#follow = follow;
    this.#tell = tell;
  }

  /** A page reads data of these devices. */
  watch(devices: readonly string[]): void {
    for (const id of devices) {
      this.#devices.delete(id);
      this.#devices.add(id);
    }
    for (const oldest of this.#devices) {
      if (this.#devices.size <= MAX_DEVICES) break;
      this.#devices.delete(oldest);
    }
    if (this.#pages > 0 && devices.some((id) => !this.#followed.has(id))) this.#startSoon();
  }

  /** A page listens until the returned function is called. */
  listen(): () => void {
    this.#pages += 1;
    if (this.#pages === 1) this.#startSoon();
    return () => {
      this.#pages -= 1;
      if (this.#pages === 0) this.close();
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#current?.abort();
    this.#current = undefined;
    this.#followed = new Set();
  }

  #startSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#run();
    }, GATHER_MS);
  }

  /** Follows what is wanted now. The stream before ends once this one is open, so that nothing is missed. */
  async #run(): Promise<void> {
    const [before, own] = [this.#current, new AbortController()];
    const devices = [...this.#devices];
    const fresh = devices.filter((id) => !this.#followed.has(id));
    this.#current = own;
    this.#followed = new Set(devices);
    let isOpen = false;
    try {
      for await (const item of this.#follow(devices, own.signal)) {
        if (item.type === "gap") this.#tell({ type: "reconnected" });
        if (item.type === "open" && !isOpen) {
          isOpen = true;
          before?.abort();
          // What they sent before this was open is in no event.
          for (const id of fresh) this.#tell({ type: "changed", kind: "data", event: "create", id });
        }
        const event = item.type === "event" ? eventOf(item.channel, item.payload) : undefined;
        if (event !== undefined) this.#tell(event);
      }
    } catch {
      // Ended here, or rejected by the platform.
    }
    if (this.#current !== own) return;
    // Where the new devices were the reason, the others are followed as before.
    this.#current = isOpen ? undefined : before;
  }
}
