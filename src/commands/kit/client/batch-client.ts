import type { ClientOptions, Device, Resources, WaitEvent } from "../../../index.ts";
import type { CommandContext, PlannedRequest, RequestOptions } from "../context.ts";
import { rememberSecret } from "../say/redact.ts";
import { showLimit } from "../say/waiting.ts";
import { waitingTransport } from "./rate-limits.ts";

/** Lanes that wait for the same minute are one wait to the user. */
const SAME_WAIT_MS = 1_000;

/** Shows a wait of the limiter, unless one that ends at the same time is shown already. */
function waitShown(ctx: CommandContext): (event: WaitEvent) => void {
  let untilMs = 0;
  return ({ delayMs }) => {
    const endMs = ctx.clock.elapsed() + delayMs;
    if (endMs < untilMs + SAME_WAIT_MS) return;
    untilMs = endMs;
    showLimit(ctx, delayMs);
  };
}

/** A request that changes something. */
export interface SentRequest extends PlannedRequest {
  readonly method: "POST" | "PUT" | "DELETE";
}

/**
 * Without the signal of Ctrl-C: a batch finishes its running request and then stops. A second Ctrl-C still ends the
 * program at once, and the first one a wait between two attempts.
 */
async function unstoppedOptions(ctx: CommandContext): Promise<RequestOptions & { readonly token: string }> {
  const { token, api, events } = await ctx.connection();
  const { signal: _, ...options } = ctx.clientOptions();
  // The library counts differences only: no change of the system's time may move them.
  const clock = { now: ctx.clock.elapsed, sleep: ctx.clock.sleep };
  return { ...options, clock, token, region: { api, sse: events } };
}

/** Options of the clients of batches: they finish their running request, and wait for the rate limits. */
export async function batchOptions(ctx: CommandContext): Promise<RequestOptions & { readonly token: string }> {
  const options = await unstoppedOptions(ctx);
  const { waits, limiter } = ctx.limits;
  return {
    ...options,
    transport: waits ? waitingTransport(ctx, options.transport) : options.transport,
    limiter: await limiter(),
    hooks: { onWait: waitShown(ctx) },
  };
}

/** As `ctx.client()`, for batches. */
export async function batchClient(ctx: CommandContext): Promise<Resources> {
  return new (await import("../../../lib/resources/resources.ts")).Resources(await batchOptions(ctx));
}

/** As `ctx.client()`, for commands that read much: it waits for the rate limits, and Ctrl-C ends a running request. */
export async function readingClient(ctx: CommandContext): Promise<Resources> {
  const { Resources } = await import("../../../lib/resources/resources.ts");
  return new Resources({ ...(await batchOptions(ctx)), signal: ctx.signal });
}

/** As `ctx.deviceClient()`, for batches. */
export async function batchDevice(ctx: CommandContext, token: string): Promise<Device> {
  return deviceWith(token, await batchOptions(ctx));
}

/** As `batchDevice`, for a caller with a pace of its own, which waits by itself once the platform reports a limit. */
export async function pacedDevice(ctx: CommandContext, token: string): Promise<Device> {
  return deviceWith(token, await unstoppedOptions(ctx));
}

async function deviceWith(token: string, options: ClientOptions): Promise<Device> {
  rememberSecret(token);
  return new (await import("../../../lib/clients/device.ts")).Device({ ...options, token });
}

/** A list by path, for resources the client has no class for yet. */
export async function rawList(
  ctx: CommandContext,
  path: string,
  query: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> {
  const { rawRequest } = await import("../../../lib/api/raw.ts");
  const reply = await rawRequest({ ...(await batchOptions(ctx)), signal: ctx.signal }, { method: "GET", path, query });
  return Array.isArray(reply.result) ? reply.result : [];
}

/** Sends one request after the other, as `batchClient` does, and resolves to the result of each. */
export async function batchSender(ctx: CommandContext): Promise<(request: SentRequest) => Promise<unknown>> {
  const { rawRequest } = await import("../../../lib/api/raw.ts");
  const options = await batchOptions(ctx);
  return async (request) => (await rawRequest(options, request)).result;
}
