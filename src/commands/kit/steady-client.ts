import type { ClientOptions, Clock, Device, Limiter, Resources, WaitEvent } from "../../index.ts";
import type { CommandContext, PlannedRequest } from "./context.ts";
import { rememberSecret } from "./say/redact.ts";
import { showLimit } from "./say/waiting.ts";

/** Lanes that wait for the same minute are one wait to the user. */
const SAME_WAIT_MS = 1_000;

/** One for all clients of a context: the platform counts per profile. */
const limiters = new WeakMap<CommandContext, Limiter>();

async function limiterOf(ctx: CommandContext, clock: Clock): Promise<Limiter> {
  const { createLimiter } = await import("../../lib/http/limiter.ts");
  const limiter = limiters.get(ctx) ?? createLimiter({ clock });
  limiters.set(ctx, limiter);
  return limiter;
}

/** Leaves this process its share of the platform's limits: `parts` processes work for the same profile. */
export async function shareLimits(ctx: CommandContext, parts: number): Promise<void> {
  const [{ createLimiter }, { rates }] = await Promise.all([
    import("../../lib/http/limiter.ts"),
    import("../../lib/core/rates.ts"),
  ]);
  const shares = Object.entries(rates).map(([name, { perMinute }]) => [
    name,
    Math.max(1, Math.floor(perMinute.scale / parts)),
  ]);
  const clock = { now: ctx.clock.elapsed, sleep: ctx.clock.sleep };
  limiters.set(ctx, createLimiter({ clock, limits: Object.fromEntries(shares) }));
}

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
 * What a client is made from, without the signal of Ctrl-C: a batch finishes its running request and then stops. A
 * second Ctrl-C still ends the program at once, and the first one a wait between two attempts.
 */
async function steadyOptions(
  ctx: CommandContext,
  isPaced = false,
): Promise<ClientOptions & { readonly token: string }> {
  const { token, api, events } = await ctx.connection();
  const { signal: _, ...options } = ctx.clientOptions();
  // The library counts differences only: no change of the system's time may move them.
  const clock = { now: ctx.clock.elapsed, sleep: ctx.clock.sleep };
  const place = { token, region: { api, sse: events } };
  if (isPaced) return { ...options, clock, ...place };
  const limiter = await limiterOf(ctx, clock);
  return { ...options, clock, limiter, hooks: { onWait: waitShown(ctx) }, ...place };
}

/** As `ctx.client()`, for batches. */
export async function steadyClient(ctx: CommandContext): Promise<Resources> {
  return new (await import("../../lib/resources/resources.ts")).Resources(await steadyOptions(ctx));
}

/**
 * As `ctx.deviceClient()`, for batches.
 *
 * @param isPaced true for a caller with a pace of its own: it waits once the platform reports a limit, not before
 */
export async function steadyDevice(ctx: CommandContext, token: string, isPaced = false): Promise<Device> {
  rememberSecret(token);
  return new (await import("../../lib/clients/device.ts")).Device({ ...(await steadyOptions(ctx, isPaced)), token });
}

/** A list by path, for resources the client has no class for yet. */
export async function rawList(
  ctx: CommandContext,
  path: string,
  query: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> {
  const { rawRequest } = await import("../../lib/api/raw.ts");
  const reply = await rawRequest({ ...(await steadyOptions(ctx)), signal: ctx.signal }, { method: "GET", path, query });
  return Array.isArray(reply.result) ? reply.result : [];
}

/** Sends one request after the other, as `steadyClient` does, and resolves to the result of each. */
export async function steadySender(ctx: CommandContext): Promise<(request: SentRequest) => Promise<unknown>> {
  const { rawRequest } = await import("../../lib/api/raw.ts");
  const options = await steadyOptions(ctx);
  return async (request) => (await rawRequest(options, request)).result;
}
