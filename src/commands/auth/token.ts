import { defineCommand } from "../kit/command/define.ts";
import { value } from "../kit/command/result.ts";

export const token = defineCommand({
  path: ["token"],
  asks: "token",
  result: value({ type: "string" }),
  effect: "reads",
  summary: "Print the token in use",
  details: "The only command that prints a stored token in full. Anyone who has it can use its permissions.",
  examples: ["iot auth token", "IOT_TOKEN=$(iot auth token --env prod) node report.js"],
  related: ["iot auth status"],
  async run(ctx) {
    await ctx.out.value((await ctx.connection()).token);
  },
});
