import type { Resources } from "../../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../../lib/core/limits.ts";
import type { OptionSpec } from "../command/options.ts";
import type { TagFilter } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { notFoundError } from "../failures/command-error.ts";
import { deviceFinder } from "../finders/device.ts";
import { meeting } from "../resource/filter.ts";
import { resolveSeveral } from "../resource/resolve-id.ts";

export interface FleetDevice {
  readonly id: string;
  readonly name: string;
}

/** Selects devices, where none is named. */
export const taggedOption = {
  name: "tag",
  kind: "tag",
  summary: "all devices with this tag",
  repeat: true,
} as const satisfies OptionSpec;

/** The devices that are named, or all with the tags. */
export async function fleetOf(
  ctx: CommandContext,
  named: readonly string[],
  tags: readonly TagFilter[],
): Promise<FleetDevice[]> {
  if (tags.length > 0) return taggedDevices(ctx, tags);
  const targets = await resolveSeveral(ctx, deviceFinder, named);
  return Promise.all(targets.map(async (target) => ({ id: target.id, name: await target.name() })));
}

async function taggedDevices(ctx: CommandContext, tags: readonly TagFilter[]): Promise<FleetDevice[]> {
  const found = await devicesWith(await ctx.client(), { tags: [...tags] });
  if (found.length > 0) return found;
  throw notFoundError("No device has this tag.", {
    code: "device.not_found",
    next: 'Run "iot device list --fields name,tags" to see the tags in use.',
  });
}

/** All devices that match, oldest first, so that none is missed when others come meanwhile. */
export async function devicesWith(client: Resources, filter: object): Promise<FleetDevice[]> {
  return (await deviceRows(client, filter)).map(({ id, name }) => ({ id, name }));
}

type DeviceQuery = NonNullable<Parameters<Resources["devices"]["list"]>[0]>;
export type DeviceField = NonNullable<DeviceQuery["fields"]>[number];

/** As `devicesWith`, with the fields asked for. */
export async function deviceRows(client: Resources, filter: object, fields: readonly DeviceField[] = []) {
  const found = new Map<string, Awaited<ReturnType<Resources["devices"]["list"]>>[number]>();
  for await (const rows of devicePages(client, filter, fields)) for (const row of rows) found.set(row.id, row);
  return [...found.values()];
}

/** As `deviceRows`, a page at a time. */
export async function* devicePages(client: Resources, filter: object, fields: readonly DeviceField[] = []) {
  const isMeant = meeting(filter);
  for (let page = 1; ; page += 1) {
    const rows = await client.devices.list({
      page,
      amount: ALL_ROWS_AMOUNT,
      fields: ["id", "name", "tags", ...fields],
      filter,
      orderBy: ["created_at", "asc"],
    });
    yield rows.filter(isMeant);
    if (rows.length < ALL_ROWS_AMOUNT) return;
  }
}
