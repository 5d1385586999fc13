import { countOf } from "../../../text/count.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { count } from "../../kit/command/result.ts";
import { deviceArgument, deviceOf } from "../place.ts";

export const emptyData = defineCommand({
  path: ["data", "empty"],
  result: count,
  effect: "deletes",
  summary: "Delete all records of a device",
  args: [deviceArgument],
  examples: [
    'iot device data empty "name:Freezer 1" --dry-run',
    'iot device data empty "name:Plant settings" --dry-run',
  ],
  related: ["iot device data delete"],
  async run(ctx, input) {
    const device = await deviceOf(ctx, input);
    if (await ctx.dryRun({ method: "POST", path: `/device/${device.id}/empty` })) return;
    const client = await ctx.client();
    const name = await device.name();
    const count = await client.devices.amount(device.id);
    await ctx.confirm({ level: 2, action: `Delete all ${countOf(count, "record")} of device "${name}"`, name });
    await client.devices.emptyDeviceData(device.id);
    await ctx.out.value(count);
    await ctx.done(`Deleted ${countOf(count, "record")} of device "${name}"`);
  },
});
