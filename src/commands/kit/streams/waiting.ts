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
    async reasons(signal) {
      const client = await ctx.client();
      const subject = (id: string): string => (ids.length === 1 ? "The device" : `"${names.get(id) ?? id}"`);
      const found = asked.map((id) => reasonsOf({ client, id, subject: subject(id), signal }));
      return (await Promise.all([...found, planReasons(client, signal)])).flat();
    },
    send: `iot device data send ${first} temperature=21.5`,
  };
}

async function lastInput(client: Resources, ids: readonly string[], signal: AbortSignal): Promise<number | undefined> {
  const found = await Promise.all(ids.map((id) => client.devices.info(id, { signal })));
  const times = found.flatMap(({ last_input: input }) => (input === null ? [] : [input.getTime()]));
  return times.length === 0 ? undefined : Math.max(...times);
}

interface Asked {
  readonly client: Resources;
  readonly id: string;
  /** What a sentence about the device starts with. */
  readonly subject: string;
  readonly signal: AbortSignal;
}

/** Why the platform takes nothing of a device now, as far as the token may see it. */
async function reasonsOf(asked: Asked): Promise<readonly string[]> {
  const info = asked.client.devices.info(asked.id, { signal: asked.signal });
  const found = [inactive, full, withoutToken].map((ask) => ask(asked, info).catch(() => []));
  return (await Promise.all(found)).flat();
}

type Ask = (asked: Asked, info: Promise<DeviceInfo>) => Promise<readonly string[]>;

const inactive: Ask = async ({ subject }, info) =>
  (await info).active === false ? [`${subject} is inactive: its data is refused.`] : [];

const full: Ask = async ({ client, id, subject, signal }, info) => {
  if ((await info).type !== "mutable" || (await client.devices.amount(id, { signal })) < MUTABLE_RECORDS) return [];
  return [`${subject} is full: it holds ${countText(MUTABLE_RECORDS)} records, and more are refused.`];
};

const withoutToken: Ask = async ({ client, id, subject, signal }) => {
  const tokens = await client.devices.tokenList(id, { amount: 1 }, { signal });
  return tokens.length === 0 ? [`${subject} has no token, so nothing can send for it.`] : [];
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
  return [`The plan's data input of this month is used up: ${countText(input.used)} of ${countText(input.limit)}.`];
}
