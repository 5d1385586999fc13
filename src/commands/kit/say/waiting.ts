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
/** Shorter waits for a limit are not worth a word. */
const LIMIT_SHOWN_FROM_MS = 2_000;
const FRAME_MS = 100;
const spinner = { usual: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], ascii: ["|", "/", "-", "\\"] };

/** The transport, with requests that take long shown on the status line. */
export function shownTransport(
  { status, flags }: Pick<CommandContext, "status" | "flags">,
  load: () => Promise<Transport>,
): Transport {
  const underWay = new Map<TransportRequest, { readonly what: string; readonly startMs: number }>();
  let waitingSinceMs = 0;
  let idleSinceMs = Number.NEGATIVE_INFINITY;
  const frames = flags.ascii ? spinner.ascii : spinner.usual;

  function text(): string | undefined {
    const [oldest] = underWay.values();
    if (oldest === undefined) return undefined;
    const { what, startMs } = oldest;
    const nowMs = performance.now();
    const waitMs = nowMs - waitingSinceMs;
    if (waitMs < SHOWN_AFTER_MS) return undefined;
    const forMs = nowMs - startMs;
    const frame = frames[Math.floor(waitMs / FRAME_MS) % frames.length];
    const seconds = forMs < 1_000 ? "" : `, ${Math.floor(forMs / 1_000)} s`;
    return redact(`${frame} Waiting for ${what}${seconds}`);
  }

  async function shown<T>(request: TransportRequest, send: (transport: Transport) => Promise<T>): Promise<T> {
    const [transport, { redactPath }] = await Promise.all([load(), import("../../../lib/api/redact-path.ts")]);
    const { host, pathname } = new URL(request.url);
    const what = `${host}: ${request.method} ${redactPath(pathname, undefined)}`;
    const startMs = performance.now();
    if (underWay.size === 0 && startMs - idleSinceMs > ONE_WAIT_MS) waitingSinceMs = startMs;
    underWay.set(request, { what, startMs });
    status.show("request", text);
    try {
      return await send(transport);
    } finally {
      underWay.delete(request);
      idleSinceMs = performance.now();
      if (underWay.size === 0) status.show("request", undefined);
    }
  }

  return {
    name: "http",
    send: (request) => shown(request, (transport) => transport.send(request)),
    stream: (request) => shown(request, (transport) => transport.stream(request)),
  };
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
