import { option } from "../kit/command/arguments.ts";
import { defineCommand } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { passwordOption, readPassword } from "./password.ts";
import { anonymousCall, exampleHost, needHost, portalOption, portalPath } from "./user.ts";

export const reset = defineCommand({
  path: ["password-reset"],
  asks: "anonymous",
  result: { shape: "none" },
  effect: "changes",
  summary: "Reset a portal user's password by email",
  details:
    "First request the email with --email. Then pass the token from it with --code, and give the new password on stdin or at " +
    "the prompt.",
  options: [
    portalOption,
    { name: "email", value: "address", summary: "send the email to this address" },
    { name: "code", value: "token", summary: "one-time token from the email" },
    passwordOption,
  ],
  examples: [
    `iot portal password-reset --portal ${exampleHost} --email driver@example.test`,
    `iot portal password-reset --portal ${exampleHost} --code 5eed-token-of-the-mail --password-stdin --dry-run < password.txt`,
  ],
  exitCodes: [3, 4, 6],
  related: ["iot portal login"],
  async run(ctx, input) {
    const at = needHost(input);
    const email = option(input, "email");
    const code = option(input, "code");
    if ((email === undefined) === (code === undefined)) {
      throw usageError("Either --email or --code is required.", {
        code: "usage.missing_value",
        next: "Request the email with --email, then pass its token with --code.",
      });
    }
    if (email !== undefined) {
      const path = portalPath(at, "passwordreset", email);
      if (await ctx.dryRun({ method: "GET", path })) return;
      await anonymousCall(ctx, { method: "GET", path });
      ctx.say.info(`If ${quote(email)} is a user of ${at}, an email has been sent.`);
      return;
    }
    const password = await readPassword(ctx, input, "New password:");
    if (await ctx.dryRun({ method: "POST", path: portalPath(at, "passwordreset"), body: { password: "…" } })) return;
    rememberSecret(code);
    const { api, events } = await ctx.target();
    const { RunUser } = await import("../../lib/clients/run-user.ts");
    const user = new RunUser({ ...ctx.clientOptions(), token: code ?? "", region: { api, sse: events } });
    await user.passwordChange(at, password);
    ctx.say.info(`Set a new password at ${at}.`);
  },
});
