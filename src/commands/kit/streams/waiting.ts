import { MUTABLE_RECORDS } from "../../../lib/core/limits.ts";
import type { Channel } from "../../../lib/realtime/channels.ts";
import { countText } from "../../../text/count.ts";
import type { LiveWaiting } from "../../../tui/live/types.ts";
import { limitsOf } from "../billing/limits.ts";
import type { CommandContext } from "../context.ts";

/** What the screen says of the first device while nothing arrives. */
export function waitingFor(ctx: CommandContext, channels: readonly Channel[]): LiveWaiting {
  const [device] = channels.flatMap((one) => (one.channel === "device_data" ? [one.resource_id] : []));
  if (device === undefined) return {};
  return {
    async lastInput() {
      const { last_input } = await (await ctx.client()).devices.info(device);
      return last_input?.getTime();
    },
    reasons: () => reasonsOf(ctx, device),
    send: `iot device data send ${device} temperature=21.5`,
  };
}

/** Why the platform takes nothing of the device now, as far as the token may see it. */
async function reasonsOf(ctx: CommandContext, device: string): Promise<readonly string[]> {
  const found = await Promise.all(
    [inactive, full, withoutToken, limitReached].map((ask) => ask(ctx, device).catch(() => [])),
  );
  return found.flat();
}

type Ask = (ctx: CommandContext, device: string) => Promise<readonly string[]>;

const inactive: Ask = async (ctx, device) => {
  const { active } = await (await ctx.client()).devices.info(device);
  return active === false ? ["The device is inactive: its data is refused."] : [];
};

const full: Ask = async (ctx, device) => {
  const { devices } = await ctx.client();
  const { type } = await devices.info(device);
  if (type !== "mutable" || (await devices.amount(device)) < MUTABLE_RECORDS) return [];
  return [`The device is full: it holds ${countText(MUTABLE_RECORDS)} records, and more are refused.`];
};

const withoutToken: Ask = async (ctx, device) => {
  const tokens = await (await ctx.client()).devices.tokenList(device, { amount: 1 });
  return tokens.length === 0 ? ["The device has no token, so nothing can send for it."] : [];
};

const limitReached: Ask = async (ctx) => {
  const limits = limitsOf(await (await ctx.client()).profiles.summary("current"));
  const input = limits.find(({ service }) => service === "input");
  if (input?.limit === null || input?.left !== 0) return [];
  return [`The plan's data input of this month is used up: ${countText(input.used)} of ${countText(input.limit)}.`];
};
