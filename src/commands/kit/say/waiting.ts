import type { RetryEvent, Transport, TransportRequest } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import type { CommandContext } from "../context.ts";
import { networkReason } from "../failures/network-reason.ts";
import { redact } from "./redact.ts";

type Surroundings = Pick<CommandContext, "say" | "status">;

/** A wait that is over sooner is not worth a word. */
const SHOWN_AFTER_MS = 500;
/** Requests that follow each other sooner are one wait: a command of many quick ones takes long as well. */
const ONE_WAIT_MS = 200;
/** Where nothing can be redrawn, a wait has lines of its own: the first after so long, then one every so often. */
const LINE_AFTER_MS = 1_000;
const LINE_EVERY_MS = 30_000;
/** Shorter waits for a limit are not worth a word. */
const LIMIT_SHOWN_FROM_MS = 2_000;
const FRAME_MS = 100;
const spinner = { usual: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], ascii: ["|", "/", "-", "\\"] };

/** The request that waits longest. */
interface Oldest {
  readonly what: string;
  readonly forMs: number;
}

/** Requests under way, and since when one has followed the other. */
class UnderWay {
  readonly #requests = new Map<TransportRequest, { readonly what: string; readonly startMs: number }>();
  #sinceMs = 0;
  #idleSinceMs = Number.NEGATIVE_INFINITY;

  begin(request: TransportRequest, what: string): void {
    const startMs = performance.now();
    if (this.isIdle && startMs - this.#idleSinceMs > ONE_WAIT_MS) this.#sinceMs = startMs;
    this.#requests.set(request, { what, startMs });
  }

  end(request: TransportRequest): void {
    this.#requests.delete(request);
    this.#idleSinceMs = performance.now();
  }

  get isIdle(): boolean {
    return this.#requests.size === 0;
  }

  /** How long this wait takes already. */
  get waitMs(): number {
    return performance.now() - this.#sinceMs;
  }

  get oldest(): Oldest | undefined {
    const [oldest] = this.#requests.values();
    return oldest && { what: oldest.what, forMs: performance.now() - oldest.startMs };
  }
}

/** Called with requests as they begin and end. */
interface Watcher {
  began(underWay: UnderWay): void;
  ended(underWay: UnderWay): unknown;
}

/** The transport, with its requests watched. */
function watched(load: () => Promise<Transport>, watcher: Watcher): Transport {
  const underWay = new UnderWay();

  async function seen<T>(request: TransportRequest, send: (transport: Transport) => Promise<T>): Promise<T> {
    const [transport, { redactPath }] = await Promise.all([load(), import("../../../lib/api/redact-path.ts")]);
    const { host, pathname } = new URL(request.url);
    underWay.begin(request, `${host}: ${request.method} ${redactPath(pathname, undefined)}`);
    watcher.began(underWay);
    try {
      return await send(transport);
    } finally {
      underWay.end(request);
      watcher.ended(underWay);
    }
  }

  return {
    name: "http",
    send: (request) => seen(request, (transport) => transport.send(request)),
    stream: (request) => seen(request, (transport) => transport.stream(request)),
  };
}

/**
 * The transport, with requests that take long shown: on the status line, or in a line of its own on a terminal that
 * cannot redraw one.
 */
export function shownTransport(
  { status, flags, say }: Pick<CommandContext, "status" | "flags" | "say">,
  load: () => Promise<Transport>,
): Transport {
  return watched(load, status.isShown ? onStatusLine(status, flags.ascii) : inLines(status, say));
}

function textOf({ what, forMs }: Oldest): string {
  const seconds = forMs < 1_000 ? "" : `, ${Math.floor(forMs / 1_000)} s`;
  return redact(`Waiting for ${what}${seconds}`);
}

function onStatusLine(status: CommandContext["status"], isAscii: boolean): Watcher {
  const frames = isAscii ? spinner.ascii : spinner.usual;
  const drawn = ({ oldest, waitMs }: UnderWay): string | undefined => {
    if (oldest === undefined || waitMs < SHOWN_AFTER_MS) return undefined;
    return `${frames[Math.floor(waitMs / FRAME_MS) % frames.length]} ${textOf(oldest)}`;
  };
  return {
    began: (underWay) => status.show("request", () => drawn(underWay)),
    ended: ({ isIdle }) => isIdle && status.show("request", undefined),
  };
}

function inLines(status: CommandContext["status"], say: CommandContext["say"]): Watcher {
  let isWaiting = false;
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  const dueInMs = ({ waitMs }: UnderWay): number => Math.max(LINE_AFTER_MS - waitMs, notBeforeMs - performance.now());

  function wait(underWay: UnderWay): void {
    if (isWaiting) return;
    isWaiting = true;
    // It must not keep the process alive.
    setTimeout(() => look(underWay), Math.max(0, Math.ceil(dueInMs(underWay)))).unref();
  }

  function look(underWay: UnderWay): void {
    isWaiting = false;
    const { oldest } = underWay;
    if (oldest === undefined) return;
    if (dueInMs(underWay) <= 0) {
      notBeforeMs = performance.now() + LINE_EVERY_MS;
      if (!status.isLent) say.info(`${textOf(oldest)}.`);
    }
    wait(underWay);
  }

  return { began: wait, ended: () => undefined };
}

function countedDown(endMs: number, text: (leftMs: number) => string): () => string | undefined {
  return () => {
    const leftMs = endMs - performance.now();
    return leftMs <= 0 ? undefined : text(leftMs);
  };
}

const inSeconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
const limitText = (leftMs: number): string => `Rate limit reached; retrying in ${inSeconds(leftMs)}`;

/** Shows a wait for a rate limit: as a countdown, or in one line where nothing can be redrawn. */
export function showLimit({ say, status }: Surroundings, waitMs: number): void {
  if (waitMs < LIMIT_SHOWN_FROM_MS) return;
  if (status.isShown) status.show("wait", countedDown(performance.now() + waitMs, limitText));
  else if (!status.isLent) say.info(`${limitText(waitMs)}.`);
}

/** Shows every retry of a request before its wait. */
export function showRetry(ctx: Surroundings, event: RetryEvent): void {
  const { error, delayMs, attempt, of } = event;
  // An idle connection that the server had closed is replaced at once.
  if (delayMs === 0) return;
  if (error instanceof ApiError && error.status === 429) {
    showLimit(ctx, delayMs);
    return;
  }
  const rest = `(${attempt} of ${of - 1}): ${networkReason(error)}`;
  const inTime = (ms: number): string => `Retrying in ${(Math.ceil(ms / 100) / 10).toFixed(1)} s ${rest}`;
  if (ctx.status.isShown) ctx.status.show("wait", countedDown(performance.now() + delayMs, inTime));
  else if (!ctx.status.isLent) ctx.say.info(`${inTime(delayMs)}, ${event.method} ${new URL(event.url).pathname}.`);
}
