import { defined } from "../../../lib/core/defined.ts";
import { option } from "../command/arguments.ts";
import type { CommandInput, OptionSpec } from "../command/define.ts";
import type { CommandContext } from "../context.ts";
import { secretValue } from "../resource/body.ts";
import { rememberSecret } from "../say/redact.ts";

/** What the platform asks for besides the token, before it deletes a profile or hands out a backup. */
export interface AccountCredentials {
  readonly password: string;
  readonly pin_code?: string;
}

export const credentialOptions: readonly OptionSpec[] = [
  { name: "password-stdin", summary: "read the account password from stdin" },
  { name: "otp", value: "code", summary: "one-time code" },
];

export async function accountCredentials(ctx: CommandContext, input: CommandInput): Promise<AccountCredentials> {
  const password = await secretValue(ctx, input, "password", "Account password");
  rememberSecret(password);
  const otp = option(input, "otp");
  return defined({ password, pin_code: otp });
}
