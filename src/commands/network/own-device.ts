import { deviceFinder } from "../device/finder.ts";
import { argument } from "../kit/command/arguments.ts";
import type { CommandInput } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";

export const deviceArgument = {
  name: "device",
  summary: "Full id, or a unique name:…, tag:key=value, serial:…",
  required: true,
} as const;

export const deviceOf = (ctx: CommandContext, input: CommandInput) =>
  resolveId(ctx, deviceFinder, argument(input, "device") ?? "");

export const ownTokenDetails =
  "A token of the network the device belongs to is found and used, or one of --network; where the token in use is a " +
  "network's own, it is used as it is.";
