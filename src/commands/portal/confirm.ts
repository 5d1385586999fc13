import { argument } from "../kit/command/arguments.ts";
import { defineCommand } from "../kit/command/define.ts";
import { anonymousCall, exampleHost, needHost, portalOption, portalPath } from "./user.ts";

export const confirm = defineCommand({
  path: ["confirm"],
  asks: "anonymous",
  result: { shape: "none" },
  effect: "changes",
  summary: "Confirm a new portal user with the emailed token",
  args: [{ name: "token", summary: "one-time token from the email", required: true }],
  options: [portalOption],
  examples: [
    `iot portal confirm --portal ${exampleHost} 5eed-token-of-the-mail --dry-run`,
    `iot portal confirm --portal ${exampleHost} 5eed-token-of-the-mail --dry-run --json`,
  ],
  exitCodes: [1, 6],
  related: ["iot portal signup", "iot portal login"],
  async run(ctx, input) {
    const at = needHost(input);
    const path = portalPath(at, "confirm", argument(input, "token") ?? "");
    if (await ctx.dryRun({ method: "GET", path })) return;
    await anonymousCall(ctx, { method: "GET", path });
    ctx.say.info(`Confirmed the user at ${at}.`);
  },
});
