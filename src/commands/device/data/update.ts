import { defineCommand } from "../../kit/command/define.ts";
import { rows } from "../../kit/command/result.ts";
import { chunkColumns, recordTarget, writeRecords } from "../data-write.ts";
import { deviceArgument, deviceOf } from "../place.ts";
import { changeOptions, recordChanges } from "../records.ts";
import { asDevice, selfDetails } from "../self.ts";

export const updateData = defineCommand({
  path: ["data", "update"],
  result: rows(chunkColumns),
  aliases: ["edit"],
  effect: "changes",
  summary: "Update stored records of a device",
  details: `Only mutable storage supports this. Fields that are not given stay unchanged. ${selfDetails}`,
  args: [deviceArgument, { name: "record", summary: "id of the record to update" }],
  options: changeOptions,
  examples: [
    'iot device data update "name:Freezer 1" 000000000000000000000000 --value -18.2 --dry-run',
    `echo '[{"id":"000000000000000000000000","value":-18.2}]' | iot device data update "name:Freezer 1" --input - --dry-run`,
    asDevice("iot device data update self 000000000000000000000000 --unit K --dry-run"),
  ],
  exitCodes: [3, 8, 130],
  related: ["iot device data list"],
  async run(ctx, input) {
    const changes = await recordChanges(ctx, input, "iot device data list");
    await writeRecords(ctx, changes, "edit", recordTarget(ctx, input, await deviceOf(ctx, input), "edit"));
  },
});
