import type { CommandContext } from "../kit/context.ts";
import type { Command, CommandInput } from "../kit/define.ts";
import { destination } from "../kit/destination.ts";
import { changesPlatform, effectOf } from "../kit/effect.ts";

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
