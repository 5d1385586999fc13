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
  summary: "Set a new password with the token of a mail",
  details:
    "First have the mail sent with --email; then give the token it holds with --code, and the new password on stdin or at " +
    "the question.",
  options: [
    portalOption,
    { name: "email", value: "address", summary: "send the mail to this user" },
    { name: "code", value: "token", summary: "token of the mail; it works once" },
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
      throw usageError("Either --email or --code is needed.", {
        code: "usage.missing_value",
        next: "Have a mail sent with --email, then give its token with --code.",
      });
    }
    if (email !== undefined) {
      const path = portalPath(at, "passwordreset", email);
      if (await ctx.dryRun({ method: "GET", path })) return;
      await anonymousCall(ctx, { method: "GET", path });
      ctx.say.info(`If ${at} knows ${quote(email)}, a mail is on its way.`);
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
