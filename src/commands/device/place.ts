import { argument } from "../kit/command/arguments.ts";
import type { ArgumentSpec, CommandInput } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { resolveId, resolveOrPick, type Target } from "../kit/resource/resolve-id.ts";
import { deviceFinder } from "./finder.ts";

export const deviceArgument: ArgumentSpec = {
  name: "id",
  summary: "Full id, or a unique name:…, tag:key=value, serial:…",
};

/** The device the first argument names; without one the user picks it. */
export const deviceOf = (ctx: CommandContext, input: CommandInput): Promise<Target> =>
  resolveOrPick(ctx, deviceFinder, argument(input, "id"));

/** As `deviceArgument`, where more arguments follow or nobody is asked. */
export const namedDeviceArgument: ArgumentSpec = {
  name: "id",
  summary: "device: full id, or a unique name:…, tag:key=value, serial:…",
  required: true,
};

export const namedDevice = (ctx: CommandContext, input: CommandInput): Promise<Target> =>
  resolveId(ctx, deviceFinder, argument(input, "id") ?? "");
