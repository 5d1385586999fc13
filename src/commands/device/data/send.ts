import { batchClient } from "../../kit/client/batch-client.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { rows } from "../../kit/command/result.ts";
import { chunkColumns, recordTarget, writeRecords } from "../data-write.ts";
import { deviceArgument, deviceOf } from "../place.ts";
import { recordOptions, recordsFrom } from "../records.ts";
import { asDevice, selfDetails } from "../self.ts";
import { requireStorage } from "../storage-checks.ts";

export const sendData = defineCommand({
  path: ["data", "send"],
  result: rows(chunkColumns),
  effect: "changes",
  summary: "Send data as a device",
  details:
    "Values are typed: 21.5 is a number, true a boolean, anything else a string; --raw-field always sends a string. " +
    "The platform only accepts data with a device token, so one of the device's tokens is used. " +
    selfDetails,
  args: [deviceArgument, { name: "values", summary: "variable=value, one or more", variadic: true }],
  options: recordOptions,
  examples: [
    'iot device data send "name:Freezer 1" temperature=-18.5 --unit C',
    `echo '[{"variable":"temperature","value":-18}]' | iot device data send "name:Freezer 1" --input -`,
    asDevice("iot device data send self door=closed"),
  ],
  exitCodes: [3, 7, 8, 130],
  related: ["iot device token create", "iot device data list"],
  async run(ctx, input) {
    const records = await recordsFrom(ctx, input);
    const device = await deviceOf(ctx, input);
    const { input: place, rawField } = input.options;
    const rows = records.length - input.args.values.length - rawField.length;
    if (place !== undefined && rows > 0)
      await requireStorage(ctx, await batchClient(ctx), device.id, records, { place, rows });
    await writeRecords(ctx, records, "send", recordTarget(ctx, input, device, "send"));
  },
});
