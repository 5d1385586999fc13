import { ApiError, CancelledError, RequestError } from "../../../lib/core/errors.ts";
import type { Transport, TransportStream } from "../../../lib/http/transport.ts";
import { attemptsOf } from "../client/attempts.ts";
import type { CommandContext } from "../context.ts";
import { LONGEST_TIMER_MS } from "../long-wait.ts";

/** Where bytes go as they arrive. */
export interface ByteSink {
  /** Bytes it has already, from the start of the content. */
  readonly size: number;
  write(bytes: Buffer): Promise<void>;
  /** Forgets what it has: the server begins again. Throws where that cannot be done. */
  restart(): Promise<void>;
}

/** Identifies a version of the content. */
export interface ContentMark {
  /** A strong `ETag`, or the text of `Last-Modified`. */
  readonly validator: string;
  readonly total?: number;
}

/** Content to fetch. */
export interface FetchJob {
  /** Address that needs no token. Requested again with every attempt: such addresses expire. */
  address(): Promise<string>;
  readonly sink: ByteSink;
  /** Mark of the version whose first bytes the sink has. */
  readonly mark?: ContentMark | undefined;
  /** Called once the server has described the content. */
  onMark?(mark: ContentMark | undefined): void;
  onBytes?(done: number, total: number | undefined): void;
}

const USUAL_TIMEOUT_MS = 60_000;
const WAIT_MS = 1_500;
const MAX_HOPS = 5;

/** An attempt that may be followed by another one. */
class LostError extends Error {
  override readonly name = "LostError";
}

/**
 * Fetches bytes in constant memory. A connection that is lost, or idle for `--timeout`, resumes where it stopped if the
 * server supports ranges, else from the start. Sends no token.
 *
 * @returns bytes in all
 * @throws ApiError, RequestError or CancelledError
 */
export async function fetchBytes(ctx: CommandContext, job: FetchJob): Promise<number> {
  const options = ctx.clientOptions();
  const { chooseTransport } = await import("../../../lib/http/choose-transport.ts");
  const transport = chooseTransport(options);
  const attempts = attemptsOf(ctx);
  let mark = job.mark;
  const remember = (next: ContentMark | undefined): void => {
    mark = next;
    job.onMark?.(next);
  };
  for (let failed = 0; ; ) {
    const before = job.sink.size;
    const url = await job.address();
    try {
      return await oneTry({ ctx, transport, job, url, mark, remember });
    } catch (error) {
      if (ctx.signal.aborted) throw new CancelledError(undefined, ctx.signal.reason);
      if (!isPassing(error)) throw error;
      // An attempt that received bytes resets the count.
      failed = job.sink.size > before ? 1 : failed + 1;
      if (failed >= attempts) throw lasting(error, url);
      await ctx.clock.sleep(WAIT_MS);
    }
  }
}

interface Try {
  readonly ctx: CommandContext;
  readonly transport: Transport;
  readonly job: FetchJob;
  readonly url: string;
  readonly mark: ContentMark | undefined;
  remember(mark: ContentMark | undefined): void;
}

async function oneTry({ ctx, transport, job, url, mark, remember }: Try): Promise<number> {
  const { sink } = job;
  const idle = watchdog(ctx);
  try {
    const headers = { accept: "*/*", "accept-encoding": "identity", ...rangeHeaders(sink, mark) };
    const stream = await follow(transport, url, headers, idle);
    const { total, isComplete } = await takeHead(stream, sink, mark, url);
    if (isComplete) return sink.size;
    const validator = validatorOf(stream);
    remember(validator === undefined ? undefined : { validator, ...(total === undefined ? {} : { total }) });
    job.onBytes?.(sink.size, total);
    for await (const text of stream.body) {
      idle.touch();
      await sink.write(Buffer.from(text, "latin1"));
      job.onBytes?.(sink.size, total);
      idle.touch();
    }
    if (total !== undefined && sink.size !== total) {
      throw new LostError(`The connection ended after ${sink.size} of ${total} bytes`);
    }
    return sink.size;
  } catch (error) {
    throw idle.hasEnded() ? new LostError("No data arrived in time") : error;
  } finally {
    idle.end();
  }
}

/** Asks for the rest only where it is certain to be the rest of the same version. */
function rangeHeaders(sink: ByteSink, mark: ContentMark | undefined): Record<string, string> {
  if (mark === undefined || sink.size === 0) return {};
  return { range: `bytes=${sink.size}-`, "if-range": mark.validator };
}

/** Reads status and sizes, and moves the sink to where the response begins. */
async function takeHead(
  stream: TransportStream,
  sink: ByteSink,
  mark: ContentMark | undefined,
  url: string,
): Promise<{ readonly total: number | undefined; readonly isComplete: boolean }> {
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(stream.header("content-range") ?? "");
  if (stream.status === 206 && range?.[1] !== undefined && Number(range[1]) === sink.size) {
    return { total: Number(range[2]), isComplete: false };
  }
  if (stream.status === 416 && mark !== undefined && Number(range?.[2]) === sink.size) {
    stream.cancel();
    return { total: sink.size, isComplete: true };
  }
  if (stream.status === 200) {
    if (sink.size > 0) await sink.restart();
    const length = stream.header("content-length");
    return { total: length === undefined ? undefined : Number(length), isComplete: false };
  }
  stream.cancel();
  if (stream.status === 206 || stream.status === 416) {
    await sink.restart();
    throw new LostError(`The server returned a different range than requested (${stream.status})`);
  }
  throw refusedBy(stream, url);
}

function validatorOf(stream: TransportStream): string | undefined {
  const etag = stream.header("etag");
  return etag?.startsWith('"') ? etag : stream.header("last-modified");
}

function refusedBy({ status, statusText }: TransportStream, url: string): ApiError {
  const place = { method: "GET", url: bare(url) };
  return new ApiError(`The file storage returned ${status} ${statusText}`.trim(), {
    ...place,
    status,
    statusText,
    code: "HTTP_ERROR",
    data: undefined,
  });
}

/** A signature is in the query, and must not be shown. */
const bare = (url: string): string => url.split("?")[0] ?? "";

function isPassing(error: unknown): boolean {
  if (error instanceof LostError) return true;
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429 || error.status === 408;
  return error instanceof Error && error.name === "TransportError";
}

function lasting(error: unknown, url: string): Error {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const place = { method: "GET", url: bare(url) };
  return new RequestError(`Incomplete response from GET ${place.url}: ${message}`, {
    ...place,
    code: "NETWORK_ERROR",
    statusText: message,
    cause: error,
  });
}

interface Watchdog {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  touch(): void;
  hasEnded(): boolean;
  end(): void;
}

/** Ends an attempt whose connection has gone silent. */
function watchdog(ctx: CommandContext): Watchdog {
  const controller = new AbortController();
  const timeoutMs = ctx.flags.timeoutMs ?? USUAL_TIMEOUT_MS;
  const timer = setTimeout(() => controller.abort(), timeoutMs === 0 ? LONGEST_TIMER_MS : timeoutMs);
  return {
    signal: AbortSignal.any([ctx.signal, controller.signal]),
    timeoutMs,
    touch: () => timer.refresh(),
    hasEnded: () => controller.signal.aborted,
    end: () => clearTimeout(timer),
  };
}

async function follow(
  transport: Transport,
  first: string,
  headers: Readonly<Record<string, string>>,
  { signal, timeoutMs }: Watchdog,
): Promise<TransportStream> {
  let url = first;
  for (let hops = 0; hops <= MAX_HOPS; hops += 1) {
    const stream = await transport.stream({ method: "GET", url, headers, timeoutMs, signal, bytesAsText: true });
    if (![301, 302, 303, 307, 308].includes(stream.status)) return stream;
    stream.cancel();
    url = nextAddress(url, stream.header("location") ?? "");
  }
  throw new LostError(`The server redirected more than ${MAX_HOPS} times`);
}

function nextAddress(from: string, place: string): string {
  const to = URL.canParse(place, from) ? new URL(place, from) : undefined;
  const isFit = to?.protocol === "https:" || (to?.protocol === "http:" && from.startsWith("http:"));
  if (to !== undefined && isFit) return to.href;
  throw new LostError("The server redirected to an invalid URL");
}
