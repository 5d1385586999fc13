import { argument } from "../kit/command/arguments.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { askAnonymously } from "./anonymous.ts";
import { columns, emailArgument, emailOf } from "./sign-up.ts";

export const resend = defineCommand({
  path: ["resend"],
  asks: "anonymous",
  result: one(columns),
  effect: "changes",
  summary: "Resend the account confirmation email",
  args: [{ ...emailArgument, required: true }],
  examples: ["iot account resend demo@example.test", "iot account resend demo@example.test --dry-run"],
  exitCodes: [1, 6],
  related: ["iot account confirm"],
  async run(ctx, input) {
    const email = emailOf(argument(input, "email") ?? "");
    const path = `/account/resend_confirmation/${encodeURIComponent(email)}`;
    if (await ctx.dryRun({ method: "GET", path })) return;
    const status = await askAnonymously(ctx, "GET", path);
    await ctx.out.item({ email, status }, { columns, idKey: "email" });
    ctx.say.info(`Asked ${(await ctx.target()).label} to send an email to ${email}.`);
  },
});
