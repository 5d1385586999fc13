import type { Input } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";

export const deviceArgument = {
  name: "device",
  summary: "Full id, or a unique name:…, tag:key=value, serial:…",
  required: true,
} as const;

export const deviceOf = (ctx: CommandContext, input: Input<[typeof deviceArgument], []>) =>
  resolveId(ctx, deviceFinder, input.args.device);

export const ownTokenDetails =
  "Uses a token of the device's network, or of --network. If the current token is a network token, it is used " +
  "directly.";
