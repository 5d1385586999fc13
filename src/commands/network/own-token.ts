import type { Network } from "../../index.ts";
import { ApiError } from "../../lib/core/errors.ts";
import type { Input, OptionSpec } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { networkFinder } from "../kit/finders/network.ts";
import { lookUp, resolveId } from "../kit/resource/resolve-id.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { withOtherToken } from "../kit/settings/other-token.ts";

/** The flag of the commands that speak as a network. */
export const networkOption = {
  name: "network",
  value: "id",
  summary: 'network whose token is used, as an id or "name:…"',
} as const satisfies OptionSpec;

type NetworkInput = Input<[], [typeof networkOption]>;

export const tokenDetails =
  "Requires a network token. With --network one of its tokens is used; otherwise the current token must be " +
  "a network token.";

interface NetworkToken {
  readonly name?: string;
  readonly token?: string;
  readonly permission?: string;
  readonly expire_time?: string | null;
}

/** Speaks as the network of `--network`, as the one of the device, or with the token in use. */
export async function networkClient(ctx: CommandContext, input: NetworkInput, device?: string): Promise<Network> {
  const named = input.options.network;
  if (named !== undefined) return withTokenOf(ctx, (await resolveId(ctx, networkFinder, named)).id);
  const network = device === undefined ? undefined : await networkOf(ctx, device);
  return network === undefined ? clientWith(ctx, (await ctx.connection()).token) : withTokenOf(ctx, network);
}

/** As `networkClient`, and the failure says what helps when the token in use is none of a network. */
export async function asNetwork<T>(
  ctx: CommandContext,
  input: NetworkInput,
  call: (network: Network) => Promise<T>,
): Promise<T> {
  const network = await networkClient(ctx, input);
  if (input.options.network !== undefined) return call(network);
  const next = 'Add --network "name:…", or use a network token.';
  return withOtherToken(ctx, { what: "a network", next }, () => call(network));
}

/** The network a device belongs to; undefined where the token in use may not ask, as one of a network. */
async function networkOf(ctx: CommandContext, device: string): Promise<string | undefined> {
  try {
    return (await (await ctx.client()).devices.info(device)).network;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return undefined;
    throw error;
  }
}

async function clientWith(ctx: CommandContext, token: string): Promise<Network> {
  rememberSecret(token);
  const { api, events } = await ctx.connection();
  const { Network: Client } = await import("../../lib/clients/network.ts");
  return new Client({ ...ctx.clientOptions(), token, region: { api, sse: events } });
}

async function withTokenOf(ctx: CommandContext, network: string): Promise<Network> {
  const { networks } = (await ctx.client()).integration;
  const fields = ["name", "token", "permission", "expire_time"] as const;
  const tokens: readonly NetworkToken[] = await lookUp(ctx, networkFinder, network, () =>
    networks.tokenList(network, { fields: [...fields], amount: 100 }),
  );
  const usable = tokens.find((token) => isUsable(token, ctx.clock.now()));
  if (usable?.token !== undefined) return clientWith(ctx, usable.token);
  throw new CommandError("The network has no usable token.", {
    code: "network.no_token",
    exit: 5,
    why:
      tokens.length === 0
        ? "The platform requires a network token, and this network has none."
        : `None of its tokens (${tokens.length}) is valid and has the permission full or write.`,
    next: `Run "iot network token create ${network}".`,
  });
}

function isUsable({ token, permission, expire_time: expires }: NetworkToken, nowMs: number): boolean {
  if (token === undefined || (permission !== "full" && permission !== "write")) return false;
  if (expires === undefined || expires === null || expires === "never") return true;
  const endMs = new Date(expires).getTime();
  return Number.isNaN(endMs) || endMs > nowMs;
}
