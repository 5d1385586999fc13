import { defineCommand } from "../../kit/command/define.ts";
import { count } from "../../kit/command/result.ts";
import { countRecords } from "../../kit/devices/data-read.ts";
import { selectionFrom, selectionOptions } from "../data-query.ts";
import { deviceArgument, deviceOf } from "../place.ts";
import { asDevice, isSelf, selfCalls, selfDetails } from "../self.ts";

export const countData = defineCommand({
  path: ["data", "count"],
  result: count,
  effect: "reads",
  summary: "Count the records of a device",
  details: selfDetails,
  args: [deviceArgument],
  options: [...selectionOptions],
  examples: [
    'iot device data count "name:Freezer 1"',
    'iot device data count "name:Freezer 1" --variable temperature --last 7d',
    asDevice("iot device data count self"),
  ],
  related: ["iot device data list"],
  async run(ctx, input) {
    const selection = selectionFrom(ctx, input);
    const { id } = await deviceOf(ctx, input);
    const client = await (isSelf(input) ? selfCalls(ctx) : ctx.client());
    await ctx.out.value(await countRecords(client, id, selection));
  },
});
