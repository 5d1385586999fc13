import type { DeviceInfo, Resources } from "../../../index.ts";
import { MUTABLE_RECORDS } from "../../../lib/core/limits.ts";
import type { Channel } from "../../../lib/realtime/channels.ts";
import { countText } from "../../../text/count.ts";
import type { LiveWaiting } from "../../../tui/live/types.ts";
import { type LimitRow, limitsOf } from "../billing/limits.ts";
import type { CommandContext } from "../context.ts";

/** Devices that are looked at: each takes three requests. */
const MOST_DEVICES = 5;

/** What a view says of its devices while nothing arrives. */
export function waitingFor(
  ctx: Pick<CommandContext, "client">,
  channels: readonly Channel[],
  names: ReadonlyMap<string, string>,
): LiveWaiting {
  const ids = [...new Set(channels.flatMap((one) => (one.channel === "device_data" ? [one.resource_id] : [])))];
  const [first] = ids;
  if (first === undefined) return {};
  const asked = ids.slice(0, MOST_DEVICES);
  return {
    // Of more devices than are looked at, another one may have sent later.
    ...(ids.length > MOST_DEVICES ? {} : { lastInput: async (signal) => lastInput(await ctx.client(), asked, signal) }),
    reasons(signal) {
      const subject = (id: string): string => (ids.length === 1 ? "The device" : `"${names.get(id) ?? id}"`);
      return quietReasons(
        ctx,
        asked.map((id) => ({ id, subject: subject(id) })),
        signal,
      );
    },
    send: `iot device data send ${first} temperature=21.5`,
  };
}

/** A device, and what a sentence about it starts with. */
interface QuietDevice {
  readonly id: string;
  readonly subject: string;
}

/** Why the platform takes nothing of the devices now, and what helps: a sentence or two for each reason. */
export async function quietReasons(
  ctx: Pick<CommandContext, "client">,
  devices: readonly QuietDevice[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const client = await ctx.client();
  const found = devices.map((device) => reasonsOf({ ...device, client, signal }));
  return (await Promise.all([...found, planReasons(client, signal)])).flat();
}

async function lastInput(client: Resources, ids: readonly string[], signal: AbortSignal): Promise<number | undefined> {
  const found = await Promise.all(ids.map((id) => client.devices.info(id, { signal })));
  const times = found.flatMap(({ last_input: input }) => (input === null ? [] : [input.getTime()]));
  return times.length === 0 ? undefined : Math.max(...times);
}

interface Asked extends QuietDevice {
  readonly client: Resources;
  readonly signal: AbortSignal;
}

/** The reasons of one device, as far as the token may see them. */
async function reasonsOf(asked: Asked): Promise<readonly string[]> {
  const info = asked.client.devices.info(asked.id, { signal: asked.signal });
  const found = [inactive, full, withoutToken].map((ask) => ask(asked, info).catch(() => []));
  return (await Promise.all(found)).flat();
}

type Ask = (asked: Asked, info: Promise<DeviceInfo>) => Promise<readonly string[]>;

const inactive: Ask = async ({ id, subject }, info) =>
  (await info).active === false
    ? [`${subject} is inactive: its data is rejected. "iot device update ${id} --active" activates it.`]
    : [];

const full: Ask = async ({ client, id, subject, signal }, info) => {
  if ((await info).type !== "mutable" || (await client.devices.amount(id, { signal })) < MUTABLE_RECORDS) return [];
  const held = `it holds ${countText(MUTABLE_RECORDS)} records, and more are rejected`;
  return [`${subject} is full: ${held}. "iot device data empty ${id}" empties it.`];
};

const withoutToken: Ask = async ({ client, id, subject, signal }) => {
  const tokens = await client.devices.tokenList(id, { amount: 1 }, { signal });
  if (tokens.length > 0) return [];
  return [`${subject} has no token, so nothing can send for it. "iot device token create ${id}" makes one.`];
};

async function planReasons(client: Resources, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return inputReasons(limitsOf(await client.profiles.summary("current", { signal })));
  } catch {
    return [];
  }
}

/** Why the plan lets no device send, if it does not. */
function inputReasons(limits: readonly LimitRow[]): readonly string[] {
  const input = limits.find(({ service }) => service === "input");
  if (input?.limit === undefined || input.limit === null || input.left !== 0) return [];
  const used = `${countText(input.used)} of ${countText(input.limit)}`;
  return [`The plan's data input of this month is used up: ${used}. "iot profile limits" shows the plan.`];
}
