import { countOf } from "../../../text/count.ts";
import { readingClient } from "../../kit/client/batch-client.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { countLeft, warnLeft } from "../../kit/resource/left.ts";
import { deletedRecords, printDeleted } from "../data-delete.ts";
import { deviceArgument, deviceOf } from "../place.ts";

export const emptyData = defineCommand({
  path: ["data", "empty"],
  result: deletedRecords,
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
    const deleted = await client.devices.amount(device.id);
    await ctx.confirm({ level: 2, action: `Delete all ${countOf(deleted, "record")} of device "${name}"`, name });
    await client.devices.emptyDeviceData(device.id);
    const remaining = await countLeft(ctx, "records", async () => (await readingClient(ctx)).devices.amount(device.id));
    await printDeleted(ctx, { device: device.id, deleted, remaining });
    await ctx.done(`Deleted ${countOf(deleted, "record")} of device "${name}"`);
    if (remaining !== null && remaining > 0) warnLeft(ctx, remaining, "record", `iot device data count ${device.id}`);
  },
});
