import { argument, option } from "../kit/command/arguments.ts";
import { type CommandInput, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { secretValue } from "../kit/resource/body.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { askAnonymously } from "./anonymous.ts";
import { columns, emailArgument, emailOf } from "./sign-up.ts";

/** Sets a new password with the one-time token of the mail, which opens this one call. */
async function setPassword(ctx: CommandContext, input: CommandInput, token: string): Promise<void> {
  rememberSecret(token);
  const password = await secretValue(ctx, input, "password", "New password");
  rememberSecret(password);
  if (await ctx.dryRun({ method: "POST", path: "/account/passwordreset", body: { password: "…" } })) return;
  const { api, events, label } = await ctx.target();
  const { Resources } = await import("../../lib/resources/resources.ts");
  const client = new Resources({ ...ctx.clientOptions(), token, region: { api, sse: events } });
  const status = await client.account.passwordChange(password);
  await ctx.out.item({ email: null, status }, { columns, idKey: "email" });
  ctx.say.info(`Set a new password in ${label}.`);
}

export const passwordReset = defineCommand({
  path: ["password-reset"],
  asks: "anonymous",
  result: one(columns),
  effect: "changes",
  summary: "Request a password reset email, or set a new password",
  details:
    "With an email address, the platform sends the email. With --code, the one-time token from it, the new password is read from " +
    "stdin or a prompt. Requires no token; if you are logged in, use iot account update --password-stdin.",
  args: [emailArgument],
  options: [
    { name: "code", value: "token", summary: "one-time token from the email" },
    { name: "password-stdin", summary: "read the new password from stdin" },
  ],
  examples: [
    "iot account password-reset demo@example.test",
    "iot account password-reset --code 00000000-0000-4000-8000-000000000000 --password-stdin --dry-run < password.txt",
  ],
  exitCodes: [1, 3, 4, 6],
  related: ["iot account update", "iot auth login"],
  async run(ctx, input) {
    const code = option(input, "code");
    const given = argument(input, "email");
    if ((code === undefined) === (given === undefined)) {
      throw usageError("Give either an email address or --code.", {
        why: "The address requests the email; the code from it sets the new password.",
        next: "Run iot account password-reset jo@example.org first.",
      });
    }
    if (code !== undefined) return setPassword(ctx, input, code);
    const email = emailOf(given ?? "");
    const path = `/account/passwordreset/${encodeURIComponent(email)}`;
    if (await ctx.dryRun({ method: "GET", path })) return;
    const status = await askAnonymously(ctx, "GET", path);
    await ctx.out.item({ email, status }, { columns, idKey: "email" });
    ctx.say.info(`Asked ${(await ctx.target()).label} to send an email to ${email}.`);
  },
});
