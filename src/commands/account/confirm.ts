import { argument } from "../kit/command/arguments.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { askAnonymously } from "./anonymous.ts";

const confirmColumns = [{ key: "status", kind: "id" }] as const;

export const confirm = defineCommand({
  path: ["confirm"],
  asks: "anonymous",
  result: one(confirmColumns),
  effect: "changes",
  summary: "Confirm a new account with the emailed token",
  args: [{ name: "token", summary: "one-time token from the email", required: true }],
  examples: [
    "iot account confirm 00000000-0000-4000-8000-000000000000 --dry-run",
    "iot account confirm 00000000-0000-4000-8000-000000000000 --dry-run --json",
  ],
  exitCodes: [1, 6],
  related: ["iot account create", "iot account resend"],
  async run(ctx, input) {
    const token = (argument(input, "token") ?? "").trim();
    rememberSecret(token);
    const path = `/account/confirm/${encodeURIComponent(token)}`;
    if (await ctx.dryRun({ method: "GET", path })) return;
    const status = await askAnonymously(ctx, "GET", path);
    await ctx.out.item({ status }, { columns: confirmColumns, idKey: "status" });
    ctx.say.info(`Confirmed the account in ${(await ctx.target()).label}; you can log in with "iot auth login".`);
  },
});
