import { batchClient } from "../../kit/client/batch-client.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { countRecords } from "../../kit/devices/data-read.ts";
import { deleteDetails, deletedRecords, deleteOptions, deleteRecords } from "../data-delete.ts";
import { deviceArgument, deviceOf } from "../place.ts";
import { asDevice, type DeviceCalls, isSelf, selfCalls, selfDetails } from "../self.ts";

export const deleteData = defineCommand({
  path: ["data", "delete"],
  result: deletedRecords,
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete records of a device",
  details: `${deleteDetails} ${selfDetails}`,
  args: [deviceArgument],
  options: deleteOptions,
  examples: [
    'iot device data delete "name:Freezer 1" --variable temperature --limit 1 --dry-run',
    'iot device data delete "name:Freezer 1" --last 1h --all --dry-run',
    asDevice("iot device data delete self --variable temperature --limit 1 --dry-run"),
  ],
  exitCodes: [8],
  related: ["iot device data count", "iot device data empty"],
  run: (ctx, input) =>
    deleteRecords(ctx, input, async () => {
      const device = await deviceOf(ctx, input);
      const { id } = device;
      const client = await (isSelf(input) ? selfCalls(ctx) : batchClient(ctx));
      const { devices }: { readonly devices: DeviceCalls } = client;
      return {
        path: isSelf(input) ? "/data" : `/device/${id}/data`,
        about: async () => ({ id, name: await device.name() }),
        count: (selection) => countRecords(client, id, selection),
        remove: (query) => devices.deleteDeviceData(id, query),
      };
    }),
});
