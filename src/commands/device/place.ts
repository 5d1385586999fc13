import type { ArgumentSpec, Input } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { type ResourceTarget, resolveId, resolveOrPick } from "../kit/resource/resolve-id.ts";

export const deviceArgument = {
  name: "id",
  summary: "Full id, or a unique name:…, tag:key=value, serial:…",
} as const satisfies ArgumentSpec;

/** The device the first argument names; without one the user picks it. */
export const deviceOf = (ctx: CommandContext, { args }: Input<[typeof deviceArgument], []>): Promise<ResourceTarget> =>
  resolveOrPick(ctx, deviceFinder, args.id);

/** As `deviceArgument`, where more arguments follow or nobody is asked. */
export const namedDeviceArgument = {
  name: "id",
  summary: "device: full id, or a unique name:…, tag:key=value, serial:…",
  required: true,
} as const satisfies ArgumentSpec;

export const namedDevice = (
  ctx: CommandContext,
  { args }: Input<[typeof namedDeviceArgument], []>,
): Promise<ResourceTarget> => resolveId(ctx, deviceFinder, args.id);
