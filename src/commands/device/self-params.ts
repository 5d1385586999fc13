import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { selfDevice, selfInfo } from "../kit/finders/self.ts";
import { findParam, type ParamRow } from "./param-row.ts";

/**
 * Marks parameters as sent, the only change a device may make to its own.
 *
 * @returns the parameters as they are then; undefined for a dry run
 */
export async function markSent(
  ctx: CommandContext,
  keys: readonly string[],
  isSent: boolean,
): Promise<readonly ParamRow[] | undefined> {
  const pair = keys.find((text) => text.includes("="));
  if (pair !== undefined) {
    throw usageError(`A device cannot change the value of its parameters: ${quote(pair)}.`, {
      next: "Give only the key with --sent, or use a profile token.",
    });
  }
  if (!isSent || keys.length === 0) {
    throw usageError("A device can only mark its parameters as sent.", {
      next: 'Give keys and --sent: "iot device param set self interval --sent".',
    });
  }
  await selfInfo(ctx);
  const device = await selfDevice(ctx);
  const before = await device.getParameters();
  const ids = [...new Set(keys.map((text) => findParam(before, text).id))];
  const body = { sent: true };
  if (await ctx.dryRun(ids.map((id) => ({ method: "PUT", path: `/device/params/${id}`, body })))) return undefined;
  for (const id of ids) await device.setParameterAsRead(id);
  return (await device.getParameters()).filter(({ id }) => ids.includes(id));
}
