import type { RequestListener, Server } from "node:http";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { isLoopback } from "../kit/settings/cleartext.ts";
import { metricsText, type Shown } from "./metrics.ts";
import type { Fleet } from "./read.ts";

/** Where metrics are served. */
interface Address {
  readonly host: string;
  readonly port: number;
}

interface Serving {
  readonly address: Address;
  /** Also a series for each device. */
  readonly isEach: boolean;
  readonly refreshMs: number;
  readonly forMs: number;
  read(isAsked: boolean): Promise<Fleet>;
}

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** `127.0.0.1:9400`, `[::1]:9400`, or a port of this machine. */
export function metricsAddress(text: string): Address {
  const [, host = "127.0.0.1", port = ""] = /^(?:(\[[0-9a-f:.]+\]|[\w.-]+):|:)?(\d{1,5})$/i.exec(text) ?? [];
  if (port !== "" && Number(port) < 65_536) return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
  throw usageError("--metrics needs an address with a port.", {
    code: "usage.invalid_value",
    next: "Use --metrics 127.0.0.1:9400. Without a host, only this machine can read the metrics.",
  });
}

/** Reads the fleet again and again and serves what was read last: a scrape sends no request to the platform. */
export async function serveMetrics(ctx: CommandContext, serving: Serving): Promise<void> {
  const { read, refreshMs, forMs, address, isEach } = serving;
  const endMs = ctx.clock.elapsed() + forMs;
  let shown = await firstOf(ctx, read);
  const server = process
    .getBuiltinModule("node:http")
    .createServer(answering(() => metricsText({ ...shown, nowMs: ctx.clock.now() }, isEach)));
  await listening(server, address);
  try {
    await ctx.out.value(`http://${hostText(address.host)}:${portOf(server, address)}/metrics`);
    if (!isLoopback(hostText(address.host)))
      ctx.say.warning("Whoever reaches this address can read the metrics; they hold no token.");
    ctx.say.info("Serving metrics for Prometheus. Ctrl-C stops.");
    for (;;) {
      const leftMs = endMs - ctx.clock.elapsed();
      await ctx.clock.sleep(Math.max(0, Math.min(refreshMs, leftMs)));
      if (leftMs <= refreshMs) return;
      shown = await nextOf(ctx, read, shown);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function firstOf(ctx: CommandContext, read: Serving["read"]): Promise<Shown> {
  const startMs = ctx.clock.elapsed();
  const fleet = await read(true);
  for (const problem of fleet.problems) ctx.say.warning(problem);
  const nowMs = ctx.clock.now();
  return { fleet, tookMs: ctx.clock.elapsed() - startMs, isUp: true, failures: 0, nowMs };
}

/** What was read, or what was known before, where the platform cannot be read. */
async function nextOf(ctx: CommandContext, read: Serving["read"], before: Shown): Promise<Shown> {
  const startMs = ctx.clock.elapsed();
  try {
    const fleet = await read(false);
    if (!before.isUp) ctx.say.info("The fleet can be read again.");
    return { ...before, fleet, tookMs: ctx.clock.elapsed() - startMs, isUp: true };
  } catch (error) {
    if (ctx.signal.aborted || !(error instanceof Error)) throw error;
    if (before.isUp) ctx.say.warning(`Not read: ${error.message}`);
    return { ...before, isUp: false, failures: before.failures + 1 };
  }
}

function answering(text: () => string): RequestListener {
  return ({ method = "", url = "" }, response) => {
    const isKnown = /^\/metrics(\?|$)/.test(url);
    const isRead = method === "GET" || method === "HEAD";
    const status = !isKnown ? 404 : isRead ? 200 : 405;
    const body = status === 200 ? text() : status === 404 ? "Metrics are at /metrics.\n" : "Use GET.\n";
    response.writeHead(status, {
      "content-type": status === 200 ? CONTENT_TYPE : "text/plain; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      ...(status === 405 && { allow: "GET, HEAD" }),
    });
    response.end(method === "HEAD" ? undefined : body);
  };
}

const hostText = (host: string): string => (host.includes(":") ? `[${host}]` : host);

function portOf(server: Server, { port }: Address): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

function listening(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new CommandError(`Metrics cannot be served at ${hostText(host)}:${port}.`, {
          code: "metrics.address",
          exit: 1,
          why: cause.message,
          next: "Use another port, or an address of this machine.",
          cause,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
}
