import { defineCommand } from "../kit/command/define.ts";
import { count } from "../kit/command/result.ts";
import { entityArgument, entityOf } from "./place.ts";

export const countRows = defineCommand({
  path: ["count"],
  effect: "reads",
  summary: "Count the rows of an entity",
  args: [entityArgument],
  result: count,
  examples: ['iot entity count "name:sites"', 'iot entity count "name:empty" --json'],
  related: ["iot entity data list"],
  async run(ctx, input) {
    const { id } = await entityOf(ctx, input.args.id);
    await ctx.out.value(await (await ctx.client()).entities.amount(id));
  },
});
