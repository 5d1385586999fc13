import { defineCommand } from "../../kit/command/define.ts";
import { count } from "../../kit/command/result.ts";
import { selectionFrom, selectionOptions } from "../data-query.ts";
import { countRecords } from "../data-read.ts";
import { deviceArgument, deviceOf } from "../place.ts";

export const countData = defineCommand({
  path: ["data", "count"],
  result: count,
  effect: "reads",
  summary: "Count the records of a device",
  args: [deviceArgument],
  options: [...selectionOptions],
  examples: [
    'iot device data count "name:Freezer 1"',
    'iot device data count "name:Freezer 1" --variable temperature --last 7d',
  ],
  related: ["iot device data list"],
  async run(ctx, input) {
    const selection = selectionFrom(ctx, input);
    const { id } = await deviceOf(ctx, input);
    await ctx.out.value(await countRecords(await ctx.client(), id, selection));
  },
});
