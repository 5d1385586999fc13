import { defined } from "../../../lib/core/defined.ts";
import type { Input, Options } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { secretValue } from "../resource/body.ts";
import { rememberSecret } from "../say/redact.ts";

/** What the platform asks for besides the token, before it deletes a profile or hands out a backup. */
export interface AccountCredentials {
  readonly password: string;
  readonly pin_code?: string;
}

export const credentialOptions = [
  { name: "password-stdin", summary: "read the account password from stdin" },
  { name: "otp", value: "code", summary: "one-time code" },
] as const satisfies Options;

export async function accountCredentials(
  ctx: CommandContext,
  input: Input<[], typeof credentialOptions>,
): Promise<AccountCredentials> {
  const password = await secretValue(ctx, input, "password", "Account password");
  rememberSecret(password);
  return defined({ password, pin_code: input.options.otp });
}
