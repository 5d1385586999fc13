import type { Device } from "../../index.ts";
import { deviceFinder } from "../device/finder.ts";
import { ownToken } from "../device/writer.ts";
import type { Input, OptionSpec } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { steadyDevice } from "../kit/steady-client.ts";

/** Which device to act as. */
export const deviceOption = {
  name: "device",
  value: "id",
  summary: "act as this device, using one of its tokens (default: the device of the token in use)",
} as const satisfies OptionSpec;

/** Stands in the details of every command. */
export const about =
  "For programs on a device: the token in use (IOT_TOKEN) is a device token. With a profile token, choose the device with --device.";

/** The device whose token is in use, or one of `--device`. A batch keeps its running request after Ctrl-C. */
export async function selfDevice(ctx: CommandContext, input: Input<[], [typeof deviceOption]>): Promise<Device> {
  const named = input.options.device;
  if (named === undefined) return steadyDevice(ctx, (await ctx.connection()).token);
  const { id } = await resolveId(ctx, deviceFinder, named);
  return steadyDevice(ctx, await ownToken(ctx, id));
}
