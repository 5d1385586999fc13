import type { Device } from "../../../index.ts";
import { batchDevice } from "../client/batch-client.ts";
import type { CommandContext } from "../context.ts";
import { CommandError } from "../failures/command-error.ts";
import { isObject } from "../files/files.ts";

/** Instead of an id: the device of the token in use. */
export const SELF = "self";

/** The device of the token in use. A batch finishes its running request after Ctrl-C. */
export async function selfDevice(ctx: CommandContext): Promise<Device> {
  return batchDevice(ctx, (await ctx.connection()).token);
}

/** @throws exit 5 when the token is not that of a device */
export async function selfInfo(ctx: CommandContext): Promise<Awaited<ReturnType<Device["info"]>>> {
  const info = await (await selfDevice(ctx)).info();
  // Only a device has a bucket.
  if (isObject(info.bucket)) return info;
  throw new CommandError("The token in use is not a device token.", {
    code: "auth.permission",
    exit: 5,
    why: "The id self is the device of a device token.",
    next: 'Use the id or the name of the device, or set IOT_TOKEN to one of its tokens ("iot device token list").',
  });
}
