import type { Command, CommandInput } from "../kit/command/define.ts";
import { changesPlatform, effectOf } from "../kit/command/effect.ts";
import type { CommandContext } from "../kit/context.ts";
import { destination } from "../kit/files/destination.ts";

/** A protected environment asks for its name before anything is changed in it. */
export async function passGate(
  ctx: CommandContext,
  command: Command,
  title: string,
  input: CommandInput,
): Promise<void> {
  const effect = effectOf(command, input, ctx);
  if (!changesPlatform(effect) || ctx.flags.dryRun) return;
  const verb = effect === "deletes" ? "can delete from" : "changes";
  await destination(ctx, input).gate.pass(`"${title}" ${verb}`);
}
