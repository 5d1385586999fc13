import { option } from "../kit/command/arguments.ts";
import { type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { secretValue } from "../kit/resource/body.ts";
import { rememberSecret } from "../kit/say/redact.ts";

const tokenOption = {
  name: "token-stdin",
  summary: "read the device token from stdin instead of asking",
} as const;
const details =
  "The device token is the one the phone's push service issued to the app. It is read from a hidden prompt or stdin.";

async function phoneToken(ctx: CommandContext, input: CommandInput): Promise<string> {
  const token = await secretValue(ctx, input, "token", "Device token:");
  rememberSecret(token);
  return token;
}

const register = defineCommand({
  path: ["push", "register"],
  result: { shape: "none" },
  effect: "changes",
  summary: "Register a phone for push notifications",
  details,
  options: [
    { name: "platform", value: "name", summary: "operating system of the phone", choices: ["ios", "android"] },
    tokenOption,
  ],
  examples: [
    "echo token-of-the-phone | iot notification push register --platform android --token-stdin",
    "iot notification push register --platform ios --token-stdin --dry-run < token.txt",
  ],
  exitCodes: [3],
  related: ["iot notification push unregister"],
  async run(ctx, input) {
    const platform = option(input, "platform");
    if (platform !== "ios" && platform !== "android") {
      throw usageError("--platform is required.", {
        code: "usage.missing_value",
        next: "Add --platform android or --platform ios.",
      });
    }
    const token = await phoneToken(ctx, input);
    const body = { device_token: "…", platform };
    if (await ctx.dryRun({ method: "POST", path: "/notification/push/register", body })) return;
    await (await ctx.client()).notifications.registerDevice(token, platform);
    await ctx.done(`Registered a phone (${platform}) for push notifications`);
  },
});

const unregister = defineCommand({
  path: ["push", "unregister"],
  result: { shape: "none" },
  effect: "changes",
  summary: "Unregister a phone from push notifications",
  details,
  options: [tokenOption],
  examples: [
    "echo token-of-the-phone | iot notification push unregister --token-stdin",
    "iot notification push unregister --token-stdin --dry-run < token.txt",
  ],
  exitCodes: [3],
  related: ["iot notification push register"],
  async run(ctx, input) {
    const token = await phoneToken(ctx, input);
    const body = { device_token: "…" };
    if (await ctx.dryRun({ method: "POST", path: "/notification/push/unregister", body })) return;
    await (await ctx.client()).notifications.unRegisterDevice(token);
    await ctx.done(`Unregistered a phone from push notifications`);
  },
});

export const pushCommands: readonly Command[] = [register, unregister];
