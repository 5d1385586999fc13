import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { secretValue } from "../kit/resource/body.ts";
import { rememberSecret } from "../kit/say/redact.ts";

export const passwordOption = {
  name: "password-stdin",
  summary: "read the password from stdin instead of asking",
} as const satisfies OptionSpec;

/** The password, from stdin or asked for; never shown. */
export async function readPassword(ctx: CommandContext, input: CommandInput, question: string): Promise<string> {
  const password = await secretValue(ctx, input, "password", question);
  rememberSecret(password);
  return password;
}
